/*
 * Natives of the modules in io: clock, running firmware, restart reason, BOOT key, addresses, heap figures.
 * Thin calls of ESP-IDF; none of them blocks. The contracts are in hal/io.
 */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include "driver/gpio.h"
#include "esp_app_desc.h"
#include "esp_attr.h"
#include "esp_netif.h"
#include "esp_ota_ops.h"
#include "esp_sleep.h"
#include "esp_system.h"
#include "esp_timer.h"

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "gateway_esp32.h"
#include "heap_figures.h"
#include "restarts.h"

void xs_hal_ticks(xsMachine *the)
{
	xsmcSetInteger(xsResult, (int32_t)((uint32_t)(esp_timer_get_time() / 1000) & 0x7fffffffu));
}

void xs_hal_microseconds(xsMachine *the)
{
	xsmcSetNumber(xsResult, (double)esp_timer_get_time());
}

/* ---- restarts ---- */

static const char *reset_reason(void)
{
	switch (esp_reset_reason()) {
	case ESP_RST_POWERON: /* the EN pin too */
		return "power on";
	case ESP_RST_SW:
		/*
		 * Moddable restarts like this when a script threw, or the heap is full; so does the heartbeat of the
		 * gateway's task.
		 */
		switch (restarts_before()) {
		case RESTART_WOKEN:
			return "wake";
		case RESTART_WANTED:
			return "restart";
		case RESTART_HUNG:
			return "watchdog";
		default:
			return "crash";
		}
	case ESP_RST_DEEPSLEEP:
		return "wake";
	case ESP_RST_USB:
	case ESP_RST_JTAG:
		return "restart";
	case ESP_RST_PANIC:
	case ESP_RST_CPU_LOCKUP:
		return "crash";
	case ESP_RST_INT_WDT:
	case ESP_RST_TASK_WDT:
	case ESP_RST_WDT:
		return "watchdog";
	case ESP_RST_BROWNOUT:
	case ESP_RST_PWR_GLITCH:
		return "brownout";
	default:
		return "unknown";
	}
}

void xs_hal_reset_reason(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)reset_reason());
}

void xs_hal_restart(xsMachine *the)
{
	(void)the;
	restarts_now();
}

/* ---- BOOT key ---- */

/*
 * A strapping pin: read at reset by the chip, an ordinary input with a pull-up since. Source: the chips' data
 * sheets, "Boot configurations".
 */
#if CONFIG_IDF_TARGET_ESP32S3
#define BOOT_KEY GPIO_NUM_0
#else
#define BOOT_KEY GPIO_NUM_9
#endif

void xs_hal_boot_key(xsMachine *the)
{
	static bool ready;
	if (!ready) {
		gpio_set_direction(BOOT_KEY, GPIO_MODE_INPUT);
		gpio_set_pull_mode(BOOT_KEY, GPIO_PULLUP_ONLY);
		ready = true;
	}
	xsmcSetBoolean(xsResult, gpio_get_level(BOOT_KEY) == 0);
}

/* ---- sleep ---- */

/*
 * The S3 sleeps deeply; the C6 lightly, for the pin on which its board hears the chassis can't end a deep sleep. Both
 * start anew when they wake, and tell why.
 */

/* Value of `mark` if the memory has survived: after a power cut it may be anything. */
#define KEPT 0x736c6565u

/* These survive both kinds of sleep, and a restart. */
static RTC_NOINIT_ATTR uint32_t mark, entries, causes;
static const char *cause = "power_on_or_reset";

static const char *name_of(uint32_t sources)
{
	if (sources & (1u << ESP_SLEEP_WAKEUP_EXT1 | 1u << ESP_SLEEP_WAKEUP_GPIO))
		return "can_rx";
	return sources & 1u << ESP_SLEEP_WAKEUP_TIMER ? "timer" : "other";
}

void parked_sleep_boot(void)
{
	if (mark != KEPT)
		entries = 0;
	mark = KEPT;
	if (esp_reset_reason() == ESP_RST_DEEPSLEEP)
		cause = name_of(esp_sleep_get_wakeup_causes());
	else if (restarts_before() == RESTART_WOKEN)
		cause = name_of(causes);
}

void parked_sleep_enter(gpio_num_t rx, uint32_t wake_after_ms)
{
	bool ends = esp_sleep_enable_timer_wakeup(wake_after_ms * 1000ull) == ESP_OK;
#if CONFIG_IDF_TARGET_ESP32S3
	ends = ends && esp_sleep_enable_ext1_wakeup_io(1ull << rx, ESP_EXT1_WAKEUP_ANY_LOW) == ESP_OK;
	if (!ends)
		restarts_now(); /* better awake than deaf */
	++entries;
	esp_deep_sleep_start();
#else
	ends = ends && gpio_wakeup_enable(rx, GPIO_INTR_LOW_LEVEL) == ESP_OK && esp_sleep_enable_gpio_wakeup() == ESP_OK;
	if (!ends || esp_light_sleep_start() != ESP_OK)
		restarts_now();
	++entries;
	causes = esp_sleep_get_wakeup_causes();
	restarts_woken();
#endif
}

void xs_hal_sleep_cause(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)cause);
}

void xs_hal_sleep_entries(xsMachine *the)
{
	xsmcSetInteger(xsResult, (int32_t)entries);
}

/* (wakeAfterMs) */
void xs_hal_sleep_enter(xsMachine *the)
{
	gateway_esp32_sleep((uint32_t)xsmcToInteger(xsArg(0)));
	for (;;)
		vTaskDelay(portMAX_DELAY);
}

/* ---- firmware ---- */

void xs_hal_firmware_version(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)esp_app_get_description()->version);
}

void xs_hal_firmware_pending(xsMachine *the)
{
	esp_ota_img_states_t state = ESP_OTA_IMG_UNDEFINED;
	esp_ota_get_state_partition(esp_ota_get_running_partition(), &state);
	xsmcSetBoolean(xsResult, state == ESP_OTA_IMG_PENDING_VERIFY);
}

void xs_hal_firmware_rolled_back(xsMachine *the)
{
	xsmcSetBoolean(xsResult, esp_ota_get_last_invalid_partition() != NULL);
}

void xs_hal_firmware_slot_bytes(xsMachine *the)
{
	const esp_partition_t *slot = esp_ota_get_next_update_partition(NULL);
	xsmcSetInteger(xsResult, slot ? (int32_t)slot->size : 0);
}

void xs_hal_firmware_confirm(xsMachine *the)
{
	if (esp_ota_mark_app_valid_cancel_rollback() != ESP_OK)
		xsUnknownError("confirm failed");
}

/* ---- network ---- */

/*
 * Address of an interface by its key, "" while it has none or is down: after a lost link it keeps its address
 * for two minutes.
 */
void xs_esp32_address(xsMachine *the)
{
	char text[16] = "";
	esp_netif_ip_info_t info;
	esp_netif_t *interface = esp_netif_get_handle_from_ifkey(xsmcToString(xsArg(0)));
	if (interface && esp_netif_is_netif_up(interface) && esp_netif_get_ip_info(interface, &info) == ESP_OK && info.ip.addr)
		esp_ip4addr_ntoa(&info.ip, text, sizeof text);
	xsmcSetString(xsResult, text);
}

/* ---- instrumentation ---- */

/* (slots, chunkBytes) */
void xs_hal_has_heap(xsMachine *the)
{
	uint32_t slots = (uint32_t)xsmcToInteger(xsArg(0)), chunk_bytes = (uint32_t)xsmcToInteger(xsArg(1));
	bool is_free = heap_has_free(the, slots, chunk_bytes);
	if (!is_free) {
		xsCollectGarbage();
		is_free = heap_has_free(the, slots, chunk_bytes);
	}
	xsmcSetBoolean(xsResult, is_free);
}

void xs_hal_heap_figure(xsMachine *the)
{
	uint32_t value;
	if (heap_figure(the, xsmcToString(xsArg(0)), &value))
		xsmcSetInteger(xsResult, (int32_t)value);
}

void xs_hal_collect(xsMachine *the)
{
	xsCollectGarbage();
}
