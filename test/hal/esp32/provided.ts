/**
 * What a board's image has that is not ours, as far as our C calls it. Where `IDF_PATH` is set,
 * strict.test.ts looks for each in its component.
 */

/** By component of ESP-IDF v6.0. */
export const IDF_PROVIDES: Readonly<Record<string, readonly string[]>> = {
	app_update: [
		"esp_ota_get_last_invalid_partition",
		"esp_ota_get_next_update_partition",
		"esp_ota_get_running_partition",
		"esp_ota_get_state_partition",
		"esp_ota_mark_app_valid_cancel_rollback",
	],
	esp_app_format: ["esp_app_get_description"],
	esp_driver_gpio: [
		"gpio_config",
		"gpio_get_level",
		"gpio_hold_dis",
		"gpio_hold_en",
		"gpio_install_isr_service",
		"gpio_isr_handler_add",
		"gpio_set_direction",
		"gpio_set_level",
		"gpio_set_pull_mode",
		"gpio_wakeup_enable",
	],
	esp_driver_ledc: ["ledc_set_duty", "ledc_stop", "ledc_update_duty"],
	esp_driver_spi: ["spi_bus_add_device", "spi_bus_initialize", "spi_device_acquire_bus", "spi_device_polling_transmit"],
	esp_driver_uart: [
		"uart_driver_install",
		"uart_get_buffered_data_len",
		"uart_get_tx_buffer_free_size",
		"uart_param_config",
		"uart_read_bytes",
		"uart_write_bytes",
	],
	esp_eth: [
		"esp_eth_driver_install",
		"esp_eth_mac_new_openeth",
		"esp_eth_new_netif_glue",
		"esp_eth_phy_new_generic",
		"esp_eth_start",
	],
	esp_event: ["esp_event_handler_register", "esp_event_loop_create_default"],
	esp_hw_support: [
		"esp_fill_random",
		"esp_intr_alloc",
		"esp_intr_free",
		"esp_deep_sleep_start",
		"esp_light_sleep_start",
		"esp_sleep_enable_ext1_wakeup_io",
		"esp_sleep_enable_gpio_wakeup",
		"esp_sleep_enable_timer_wakeup",
		"esp_sleep_get_wakeup_causes",
	],
	esp_netif: [
		"_g_esp_netif_inherent_eth_config",
		"_g_esp_netif_netstack_default_eth",
		"esp_ip4addr_ntoa",
		"esp_netif_attach",
		"esp_netif_get_handle_from_ifkey",
		"esp_netif_get_ip_info",
		"esp_netif_init",
		"esp_netif_is_netif_up",
		"esp_netif_new",
	],
	esp_rom: [
		"esp_rom_delay_us",
		"esp_rom_gpio_connect_in_signal",
		"esp_rom_gpio_connect_out_signal",
		"esp_rom_software_reset_system",
	],
	esp_system: ["esp_reset_reason", "esp_restart", "esp_task_wdt_add", "esp_task_wdt_reset"],
	esp_timer: [
		"esp_timer_create",
		"esp_timer_get_time",
		"esp_timer_isr_dispatch_need_yield",
		"esp_timer_start_once",
		"esp_timer_start_periodic",
		"esp_timer_stop",
	],
	esp_wifi: [
		"WIFI_EVENT",
		"esp_wifi_get_config",
		"esp_wifi_scan_get_ap_record",
		"esp_wifi_scan_start",
		"esp_wifi_set_config",
		"esp_wifi_stop",
	],
	freertos: [
		"ulTaskNotifyTake",
		"vPortEnterCritical",
		"vPortExitCritical",
		"vPortYield",
		"vPortYieldFromISR",
		"vTaskDelay",
		"vTaskDelete",
		"vTaskNotifyGiveFromISR",
		"vTaskPrioritySet",
		"vTaskSuspend",
		"xPortEnterCriticalTimeout",
		"xTaskCreatePinnedToCore",
		"xTaskGetCurrentTaskHandle",
		"xTaskGetHandle",
		"xTaskNotifyGive",
	],
	heap: ["heap_caps_get_free_size", "heap_caps_get_minimum_free_size", "heap_caps_malloc"],
	lwip: [
		"ip_addr_any",
		"ipaddr_aton",
		"ipaddr_ntoa_r",
		"mem_calloc",
		"mem_free",
		"pbuf_cat",
		"pbuf_copy_partial",
		"pbuf_free",
		"pbuf_free_header",
		"tcp_abort",
		"tcp_accept",
		"tcp_arg",
		"tcp_backlog_accepted",
		"tcp_backlog_delayed",
		"tcp_bind",
		"tcp_close",
		"tcp_connect",
		"tcp_err",
		"tcp_listen_with_backlog",
		"tcp_new",
		"tcp_output",
		"tcp_poll",
		"tcp_recv",
		"tcp_recved",
		"tcp_sent",
		"tcp_write",
		"tcpip_api_call",
	],
	nvs_flash: ["nvs_flash_erase", "nvs_flash_init"],
	spi_flash: ["spi_flash_cache_enabled"],
};

/**
 * Registers: functions in line in headers of `esp_hal_twai` and `esp_hal_rmt`, a table of signals, and
 * addresses of the linker's scripts.
 */
export const IN_LINE_OR_ADDRESS = /^((twai|rmt)_ll_\w+|twai_periph_signals|RMT|RMTMEM)$/;

/**
 * What the compiler calls for numbers: esp_rom/esp32s3/ld/esp32s3.rom.libgcc.ld. Debian's Xtensa compiler has
 * none of it.
 */
export const S3_ROM_PROVIDES: readonly string[] = `
	adddf3 addsf3 divdf3 muldf3 mulsf3 subdf3 negdf2 eqdf2 nedf2 gedf2 gtdf2 ledf2 ltdf2 ltsf2 gtsf2
	unorddf2 extendsfdf2 truncdfsf2 fixdfdi fixdfsi fixunsdfsi
	floatdidf floatdisf floatsidf floatundidf floatundisf floatunsidf floatunsisf
	muldi3 divdi3 moddi3 udivdi3 umoddi3 mulsi3 divsi3 modsi3 udivsi3 umodsi3 ashldi3 ashrdi3 lshrdi3 popcountsi2 clzsi2
`
	.trim()
	.split(/\s+/)
	.map((name) => `__${name}`);

/** C's own library: newlib, or the chip's ROM. */
export const LIBRARY_PROVIDES: readonly string[] =
	"abort calloc floor fmax fmin free malloc memchr memcmp memcpy memmove memset setjmp strchr strcmp strcspn strlen strnlen strspn strstr strtod".split(
		" ",
	);
