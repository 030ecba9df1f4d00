/*
 * ESP-IDF as far as hal/esp32 uses it: declarations only, written from its documentation and compared by
 * hand with the headers of v6.0.2. Unused members are left out. With them the drivers compile on a computer
 * and for rv32. Each header that the drivers include is a line that includes this file: `idfHeaders` of
 * tools/device/c-half.mjs writes them. A board's build uses the real headers.
 */
#ifndef IDF_H
#define IDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- esp_err.h ---- */
typedef int esp_err_t;
#define ESP_OK 0
#define ESP_FAIL (-1)
#define ESP_ERR_INVALID_STATE 0x103

/* ---- esp_attr.h ---- */
#define IRAM_ATTR __attribute__((section(".iram1")))
#define RTC_NOINIT_ATTR __attribute__((section("rtc_noinit")))

/* ---- esp_app_desc.h ---- */
typedef struct {
	char version[32];
} esp_app_desc_t;
const esp_app_desc_t *esp_app_get_description(void);

/* ---- esp_event.h ---- */
esp_err_t esp_event_loop_create_default(void);
typedef const char *esp_event_base_t;
typedef void (*esp_event_handler_t)(void *argument, esp_event_base_t base, int32_t id, void *data);
esp_err_t esp_event_handler_register(esp_event_base_t base, int32_t id, esp_event_handler_t handler, void *argument);

/* ---- esp_heap_caps.h ---- */
#define MALLOC_CAP_8BIT (1 << 2)
#define MALLOC_CAP_SPIRAM (1 << 10)
#define MALLOC_CAP_INTERNAL (1 << 11)
void *heap_caps_malloc(size_t size, uint32_t caps);
size_t heap_caps_get_free_size(uint32_t caps);
size_t heap_caps_get_minimum_free_size(uint32_t caps);

/* ---- esp_intr_alloc.h ---- */
#define ESP_INTR_FLAG_IRAM (1 << 10)
#define ESP_INTR_FLAG_LOWMED (7 << 1)
typedef struct intr_handle_data_t *intr_handle_t;
esp_err_t esp_intr_alloc(int source, int flags, void (*handler)(void *arg), void *arg, intr_handle_t *ret_handle);
esp_err_t esp_intr_free(intr_handle_t handle);

/* ---- esp_ota_ops.h ---- */
typedef struct {
	uint32_t size;
} esp_partition_t;
typedef enum { ESP_OTA_IMG_PENDING_VERIFY = 1, ESP_OTA_IMG_UNDEFINED = -1 } esp_ota_img_states_t;
esp_err_t esp_ota_get_state_partition(const esp_partition_t *partition, esp_ota_img_states_t *state);
const esp_partition_t *esp_ota_get_running_partition(void);
const esp_partition_t *esp_ota_get_last_invalid_partition(void);
const esp_partition_t *esp_ota_get_next_update_partition(const esp_partition_t *start);
esp_err_t esp_ota_mark_app_valid_cancel_rollback(void);

/* ---- esp_private/cache_utils.h ---- */
bool spi_flash_cache_enabled(void);

/* ---- esp_private/periph_ctrl.h ---- */
#define PERIPH_RCC_ATOMIC() for (int once = 1; once; once = 0)

/* ---- esp_random.h ---- */
void esp_fill_random(void *buffer, size_t size);

/* ---- esp_rom_gpio.h ---- */
void esp_rom_gpio_connect_in_signal(uint32_t gpio_num, uint32_t signal_idx, bool inv);
void esp_rom_gpio_connect_out_signal(uint32_t gpio_num, uint32_t signal_idx, bool out_inv, bool oen_inv);

/* ---- esp_rom_sys.h ---- */
void esp_rom_delay_us(uint32_t us);
void esp_rom_software_reset_system(void);

/* ---- esp_sleep.h ---- */
typedef enum { ESP_EXT1_WAKEUP_ANY_LOW, ESP_EXT1_WAKEUP_ANY_HIGH } esp_sleep_ext1_wakeup_mode_t;
typedef enum {
	ESP_SLEEP_WAKEUP_UNDEFINED, ESP_SLEEP_WAKEUP_ALL, ESP_SLEEP_WAKEUP_EXT0, ESP_SLEEP_WAKEUP_EXT1, ESP_SLEEP_WAKEUP_TIMER,
	ESP_SLEEP_WAKEUP_TOUCHPAD, ESP_SLEEP_WAKEUP_ULP, ESP_SLEEP_WAKEUP_GPIO,
} esp_sleep_source_t;
esp_err_t esp_sleep_enable_timer_wakeup(uint64_t time_in_us);
esp_err_t esp_sleep_enable_ext1_wakeup_io(uint64_t io_mask, esp_sleep_ext1_wakeup_mode_t level_mode);
esp_err_t esp_sleep_enable_gpio_wakeup(void);
esp_err_t esp_light_sleep_start(void);
void esp_deep_sleep_start(void) __attribute__((noreturn));
uint32_t esp_sleep_get_wakeup_causes(void);

/* ---- esp_system.h ---- */
typedef enum {
	ESP_RST_UNKNOWN, ESP_RST_POWERON, ESP_RST_EXT, ESP_RST_SW, ESP_RST_PANIC, ESP_RST_INT_WDT, ESP_RST_TASK_WDT, ESP_RST_WDT, ESP_RST_DEEPSLEEP,
	ESP_RST_BROWNOUT, ESP_RST_SDIO, ESP_RST_USB, ESP_RST_JTAG, ESP_RST_EFUSE, ESP_RST_PWR_GLITCH, ESP_RST_CPU_LOCKUP,
} esp_reset_reason_t;
esp_reset_reason_t esp_reset_reason(void);
void esp_restart(void);

/* ---- esp_timer.h ---- */
typedef struct esp_timer *esp_timer_handle_t;
typedef enum { ESP_TIMER_TASK, ESP_TIMER_ISR } esp_timer_dispatch_t; /* the latter, and the last function, only if the sdkconfig says so */
typedef struct {
	void (*callback)(void *arg);
	void *arg;
	esp_timer_dispatch_t dispatch_method;
	const char *name;
	bool skip_unhandled_events;
} esp_timer_create_args_t;
esp_err_t esp_timer_create(const esp_timer_create_args_t *create_args, esp_timer_handle_t *out_handle);
esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t timeout_us);
esp_err_t esp_timer_start_periodic(esp_timer_handle_t timer, uint64_t period_us);
esp_err_t esp_timer_stop(esp_timer_handle_t timer);
int64_t esp_timer_get_time(void);
void esp_timer_isr_dispatch_need_yield(void);

/* ---- nvs_flash.h ---- */
esp_err_t nvs_flash_init(void);
esp_err_t nvs_flash_erase(void);

/* ---- freertos/FreeRTOS.h ---- */
typedef int BaseType_t;
typedef unsigned UBaseType_t;
typedef uint32_t TickType_t;
#define configMAX_PRIORITIES 25
#define pdFALSE 0
#define pdTRUE 1
#define pdPASS 1
#define portMAX_DELAY 0xFFFFFFFFu
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms)) /* CONFIG_FREERTOS_HZ = 1000 */
typedef struct {
	uint32_t owner, count;
} portMUX_TYPE;
#define portMUX_INITIALIZER_UNLOCKED {0xB33FFFFFu, 0}
void vPortEnterCritical(portMUX_TYPE *mux);
void vPortExitCritical(portMUX_TYPE *mux);
BaseType_t xPortEnterCriticalTimeout(portMUX_TYPE *mux, BaseType_t timeout);
#define portMUX_TRY_LOCK 0
#define portENTER_CRITICAL(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL(mux) vPortExitCritical(mux)
#define portTRY_ENTER_CRITICAL_ISR(mux, timeout) xPortEnterCriticalTimeout(mux, timeout)
#define portEXIT_CRITICAL_ISR(mux) vPortExitCritical(mux)
void vPortYieldFromISR(void);
#define portYIELD_FROM_ISR(woken) do { if (woken) vPortYieldFromISR(); } while (0)

/* ---- freertos/task.h ---- */
typedef struct tskTaskControlBlock *TaskHandle_t;
#define tskNO_AFFINITY ((BaseType_t)0x7FFFFFFF)
void vPortYield(void);
#define taskYIELD() vPortYield()
BaseType_t xTaskCreatePinnedToCore(void (*code)(void *), const char *name, uint32_t stack_bytes, void *parameter, UBaseType_t priority,
	TaskHandle_t *task, BaseType_t core);
void vTaskDelay(TickType_t ticks);
void vTaskDelete(TaskHandle_t task);
void vTaskPrioritySet(TaskHandle_t task, UBaseType_t priority);
void vTaskSuspend(TaskHandle_t task); /* NULL: the calling one */
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetHandle(const char *name);
BaseType_t xTaskNotifyGive(TaskHandle_t task); /* a macro in FreeRTOS */
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken); /* likewise */
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);     /* likewise */

/* ---- esp_task_wdt.h ---- */
esp_err_t esp_task_wdt_add(TaskHandle_t task); /* NULL: the calling one */
esp_err_t esp_task_wdt_reset(void);

/* ---- driver/gpio.h ---- */
typedef enum {
	GPIO_NUM_NC = -1,
	GPIO_NUM_0, GPIO_NUM_1, GPIO_NUM_2, GPIO_NUM_3, GPIO_NUM_4, GPIO_NUM_5, GPIO_NUM_6, GPIO_NUM_7, GPIO_NUM_8, GPIO_NUM_9, GPIO_NUM_10,
	GPIO_NUM_11, GPIO_NUM_12, GPIO_NUM_13, GPIO_NUM_14, GPIO_NUM_15, GPIO_NUM_18 = 18, GPIO_NUM_19, GPIO_NUM_20, GPIO_NUM_21, GPIO_NUM_22, GPIO_NUM_23,
} gpio_num_t;
typedef enum { GPIO_MODE_INPUT = 1, GPIO_MODE_OUTPUT = 2 } gpio_mode_t;
typedef enum { GPIO_PULLUP_DISABLE, GPIO_PULLUP_ENABLE } gpio_pullup_t;
typedef enum { GPIO_PULLDOWN_DISABLE, GPIO_PULLDOWN_ENABLE } gpio_pulldown_t;
typedef enum { GPIO_PULLUP_ONLY } gpio_pull_mode_t;
typedef enum { GPIO_INTR_DISABLE, GPIO_INTR_POSEDGE, GPIO_INTR_NEGEDGE, GPIO_INTR_ANYEDGE, GPIO_INTR_LOW_LEVEL } gpio_int_type_t;
typedef struct {
	uint64_t pin_bit_mask;
	gpio_mode_t mode;
	gpio_pullup_t pull_up_en;
	gpio_pulldown_t pull_down_en;
	gpio_int_type_t intr_type;
} gpio_config_t;
typedef void (*gpio_isr_t)(void *arg);
esp_err_t gpio_config(const gpio_config_t *config);
esp_err_t gpio_set_level(gpio_num_t pin, uint32_t level);
int gpio_get_level(gpio_num_t pin);
esp_err_t gpio_set_direction(gpio_num_t pin, gpio_mode_t mode);
esp_err_t gpio_set_pull_mode(gpio_num_t pin, gpio_pull_mode_t mode);
esp_err_t gpio_hold_en(gpio_num_t pin);
esp_err_t gpio_hold_dis(gpio_num_t pin);
esp_err_t gpio_wakeup_enable(gpio_num_t pin, gpio_int_type_t type);
esp_err_t gpio_install_isr_service(int flags);
esp_err_t gpio_isr_handler_add(gpio_num_t pin, gpio_isr_t handler, void *arg);

/* ---- driver/ledc.h ---- */
typedef enum { LEDC_LOW_SPEED_MODE } ledc_mode_t;
typedef enum { LEDC_CHANNEL_0 } ledc_channel_t;
esp_err_t ledc_stop(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t idle_level);

/* ---- driver/spi_master.h ---- */
typedef enum { SPI2_HOST = 1 } spi_host_device_t;
typedef enum { SPI_DMA_DISABLED = 0, SPI_DMA_CH_AUTO = 3 } spi_dma_chan_t;
typedef struct {
	int mosi_io_num, miso_io_num, sclk_io_num, quadwp_io_num, quadhd_io_num, data4_io_num, data5_io_num, data6_io_num, data7_io_num;
	int max_transfer_sz;
} spi_bus_config_t;
typedef struct {
	uint8_t mode;
	int clock_speed_hz;
	int spics_io_num;
	int queue_size;
} spi_device_interface_config_t;
typedef struct {
	uint32_t flags;
	size_t length, rxlength; /* bits */
	const void *tx_buffer;
	void *rx_buffer;
} spi_transaction_t;
typedef struct spi_device_t *spi_device_handle_t;
esp_err_t spi_bus_initialize(spi_host_device_t host_id, const spi_bus_config_t *bus_config, spi_dma_chan_t dma_chan);
esp_err_t spi_bus_add_device(spi_host_device_t host_id, const spi_device_interface_config_t *dev_config, spi_device_handle_t *handle);
esp_err_t spi_device_acquire_bus(spi_device_handle_t device, uint32_t wait);
esp_err_t spi_device_polling_transmit(spi_device_handle_t handle, spi_transaction_t *trans_desc);

/* ---- driver/uart.h ---- */
typedef enum { UART_NUM_0, UART_NUM_1 } uart_port_t;
typedef enum { UART_DATA_5_BITS, UART_DATA_6_BITS, UART_DATA_7_BITS, UART_DATA_8_BITS } uart_word_length_t;
typedef enum { UART_STOP_BITS_1 = 1 } uart_stop_bits_t;
typedef struct {
	int baud_rate;
	uart_word_length_t data_bits;
	uart_stop_bits_t stop_bits;
} uart_config_t;
esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config);
esp_err_t uart_driver_install(uart_port_t port, int rx_bytes, int tx_bytes, int events, void *queue, int flags);
esp_err_t uart_get_buffered_data_len(uart_port_t port, size_t *bytes);
esp_err_t uart_get_tx_buffer_free_size(uart_port_t port, size_t *bytes);
int uart_read_bytes(uart_port_t port, void *into, uint32_t bytes, uint32_t ticks);
int uart_write_bytes(uart_port_t port, const void *from, size_t bytes);

/* ---- hal/rmt_ll.h ---- */
typedef struct rmt_dev rmt_dev_t;
typedef enum { RMT_CLK_SRC_XTAL } rmt_clock_source_t;
struct rmt_dev { int registers; };
extern rmt_dev_t RMT;
void rmt_ll_enable_bus_clock(int group_id, bool enable);
void rmt_ll_reset_register(int group_id);
void rmt_ll_set_group_clock_src(rmt_dev_t *dev, uint32_t channel, rmt_clock_source_t src, uint32_t divider_integral,
	uint32_t divider_denominator, uint32_t divider_numerator);
void rmt_ll_enable_group_clock(rmt_dev_t *dev, bool en);
void rmt_ll_mem_force_power_on(rmt_dev_t *dev);
void rmt_ll_enable_mem_access_nonfifo(rmt_dev_t *dev, bool enable);
void rmt_ll_tx_set_channel_clock_div(rmt_dev_t *dev, uint32_t channel, uint32_t div);
void rmt_ll_tx_reset_channels_clock_div(rmt_dev_t *dev, uint32_t channel_mask);
void rmt_ll_tx_set_mem_blocks(rmt_dev_t *dev, uint32_t channel, uint8_t block_num);
void rmt_ll_tx_enable_carrier_modulation(rmt_dev_t *dev, uint32_t channel, bool enable);
void rmt_ll_tx_enable_wrap(rmt_dev_t *dev, uint32_t channel, bool enable);
void rmt_ll_tx_enable_loop(rmt_dev_t *dev, uint32_t channel, bool enable);
void rmt_ll_tx_fix_idle_level(rmt_dev_t *dev, uint32_t channel, uint8_t level, bool enable);
void rmt_ll_tx_reset_pointer(rmt_dev_t *dev, uint32_t channel);
void rmt_ll_tx_start(rmt_dev_t *dev, uint32_t channel);

/* ---- soc/gpio_sig_map.h ---- */
#define RMT_SIG_OUT0_IDX 71

/* ---- hal/twai_periph.h ---- */
typedef struct {
	const int irq_id, tx_sig, rx_sig;
} twai_signal_conn_t;
extern const twai_signal_conn_t twai_periph_signals[2];

/* ---- hal/twai_ll.h: what a bench that has registers of its own needs, too ---- */
#define TWAI_LL_STATUS_RBS 0x001
#define TWAI_LL_STATUS_TBS 0x004
#define TWAI_LL_STATUS_TCS 0x008
#define TWAI_LL_STATUS_ES 0x040
#define TWAI_LL_STATUS_BS 0x080
#define TWAI_LL_STATUS_MS 0x100
#define TWAI_LL_INTR_RI 0x01
#define TWAI_LL_INTR_TI 0x02
#define TWAI_LL_INTR_EI 0x04
#define TWAI_LL_INTR_EPI 0x20
#define TWAI_LL_INTR_BEI 0x80

/* ---- esp_eth.h ---- */
typedef struct esp_eth_mac esp_eth_mac_t;
typedef struct esp_eth_phy esp_eth_phy_t;
typedef struct esp_eth_driver *esp_eth_handle_t;
typedef struct {
	uint32_t rx_task_stack_size;
} eth_mac_config_t;
typedef struct {
	int32_t phy_addr;
} eth_phy_config_t;
typedef struct {
	esp_eth_mac_t *mac;
	esp_eth_phy_t *phy;
} esp_eth_config_t;
#define ETH_MAC_DEFAULT_CONFIG() {.rx_task_stack_size = 2048}
#define ETH_PHY_DEFAULT_CONFIG() {.phy_addr = -1}
#define ETH_DEFAULT_CONFIG(emac, ephy) {.mac = emac, .phy = ephy}
esp_eth_mac_t *esp_eth_mac_new_openeth(const eth_mac_config_t *config);
esp_eth_phy_t *esp_eth_phy_new_generic(const eth_phy_config_t *config);
esp_err_t esp_eth_driver_install(const esp_eth_config_t *config, esp_eth_handle_t *driver);
void *esp_eth_new_netif_glue(esp_eth_handle_t driver);
esp_err_t esp_eth_start(esp_eth_handle_t driver);

/* ---- esp_netif.h ---- */
typedef struct esp_netif_obj esp_netif_t;
esp_err_t esp_netif_create_ip6_linklocal(esp_netif_t *esp_netif);
typedef struct {
	uint32_t addr;
} esp_ip4_addr_t;
typedef struct {
	esp_ip4_addr_t ip;
} esp_netif_ip_info_t;
esp_netif_t *esp_netif_get_handle_from_ifkey(const char *key);
bool esp_netif_is_netif_up(esp_netif_t *netif);
esp_err_t esp_netif_get_ip_info(esp_netif_t *netif, esp_netif_ip_info_t *info);
char *esp_ip4addr_ntoa(const esp_ip4_addr_t *address, char *text, int size);
/* As ESP-IDF's esp_netif_defaults.h has it. */
typedef struct esp_netif_inherent_config esp_netif_inherent_config_t;
typedef struct esp_netif_netstack_config esp_netif_netstack_config_t;
typedef struct {
	const esp_netif_inherent_config_t *base;
	const void *driver;
	const esp_netif_netstack_config_t *stack;
} esp_netif_config_t;
extern const esp_netif_inherent_config_t _g_esp_netif_inherent_eth_config;
extern const esp_netif_netstack_config_t *_g_esp_netif_netstack_default_eth;
#define ESP_NETIF_DEFAULT_ETH() {.base = &_g_esp_netif_inherent_eth_config, .driver = NULL, .stack = _g_esp_netif_netstack_default_eth}
esp_err_t esp_netif_init(void);
esp_netif_t *esp_netif_new(const esp_netif_config_t *config);
esp_err_t esp_netif_attach(esp_netif_t *netif, void *driver);

/* ---- esp_wifi.h ---- */
typedef enum { WIFI_AUTH_OPEN, WIFI_AUTH_WPA2_PSK = 3 } wifi_auth_mode_t;
typedef enum { WIFI_CIPHER_TYPE_CCMP = 4 } wifi_cipher_type_t;
typedef enum { WIFI_IF_STA, WIFI_IF_AP } wifi_interface_t;
typedef union {
	struct {
		wifi_auth_mode_t authmode;
		wifi_cipher_type_t pairwise_cipher;
	} ap;
} wifi_config_t;
esp_err_t esp_wifi_get_config(wifi_interface_t interface, wifi_config_t *config);
esp_err_t esp_wifi_set_config(wifi_interface_t interface, wifi_config_t *config);
esp_err_t esp_wifi_stop(void);
extern esp_event_base_t const WIFI_EVENT;
enum { WIFI_EVENT_SCAN_DONE = 1 };
typedef struct {
	struct {
		struct {
			uint32_t min, max;
		} active;
	} scan_time;
	uint8_t home_chan_dwell_time;
} wifi_scan_config_t;
typedef struct {
	uint8_t ssid[33];
	int8_t rssi;
	wifi_auth_mode_t authmode;
} wifi_ap_record_t;
esp_err_t esp_wifi_scan_start(const wifi_scan_config_t *config, bool block);
esp_err_t esp_wifi_scan_get_ap_record(wifi_ap_record_t *record);

/* ---- lwip/mem.h ---- */
void *mem_calloc(size_t count, size_t bytes);
void mem_free(void *memory);

/* ---- lwip/tcp.h ---- */
typedef int8_t err_t;
typedef uint16_t u16_t;
enum { ERR_OK = 0, ERR_MEM = -1, ERR_USE = -8, ERR_ABRT = -13 };
typedef struct {
	uint32_t addr;
} ip_addr_t;
extern const ip_addr_t ip_addr_any;
#define IP_ADDR_ANY (&ip_addr_any)
int ipaddr_aton(const char *text, ip_addr_t *address);
char *ipaddr_ntoa_r(const ip_addr_t *address, char *text, int size);
struct pbuf {
	struct pbuf *next;
	void *payload;
	u16_t tot_len, len;
};
void pbuf_cat(struct pbuf *head, struct pbuf *tail);
u16_t pbuf_copy_partial(const struct pbuf *from, void *into, u16_t count, u16_t offset);
struct pbuf *pbuf_free_header(struct pbuf *from, u16_t count);
uint8_t pbuf_free(struct pbuf *from);
struct tcp_pcb;
typedef err_t (*tcp_accept_fn)(void *argument, struct tcp_pcb *pcb, err_t error);
typedef err_t (*tcp_recv_fn)(void *argument, struct tcp_pcb *pcb, struct pbuf *bytes, err_t error);
typedef err_t (*tcp_sent_fn)(void *argument, struct tcp_pcb *pcb, u16_t count);
typedef err_t (*tcp_connected_fn)(void *argument, struct tcp_pcb *pcb, err_t error);
typedef void (*tcp_err_fn)(void *argument, err_t error);
typedef err_t (*tcp_poll_fn)(void *argument, struct tcp_pcb *pcb);
struct tcp_pcb {
	ip_addr_t remote_ip;
	u16_t local_port, snd_buf;
	void *argument;
	tcp_accept_fn accept;
	tcp_recv_fn recv;
	tcp_sent_fn sent;
	tcp_connected_fn connected;
	tcp_err_fn err;
	tcp_poll_fn poll;
	struct pbuf *refused_data;
	unsigned unread_bytes;
	bool closing;
	u16_t snd_queuelen;
	uint8_t so_options;
	uint8_t nodelay;
	uint8_t backlog, accepts_pending; /* of a listener */
};
#define SOF_REUSEADDR 4
#define ip_set_option(pcb, option) ((pcb)->so_options |= (option))
#define tcp_sndbuf(pcb) ((pcb)->snd_buf)
#define tcp_sndqueuelen(pcb) ((pcb)->snd_queuelen)
#define TCP_SND_QUEUELEN 16
#define tcp_nagle_disable(pcb) ((pcb)->nodelay = 1)
#define tcp_nagle_enable(pcb) ((pcb)->nodelay = 0)
#define TCP_WRITE_FLAG_COPY 1
struct tcp_pcb *tcp_new(void);
void tcp_arg(struct tcp_pcb *pcb, void *argument);
void tcp_accept(struct tcp_pcb *pcb, tcp_accept_fn accept);
void tcp_recv(struct tcp_pcb *pcb, tcp_recv_fn recv);
void tcp_sent(struct tcp_pcb *pcb, tcp_sent_fn sent);
void tcp_err(struct tcp_pcb *pcb, tcp_err_fn err);
err_t tcp_bind(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port);
void tcp_poll(struct tcp_pcb *pcb, tcp_poll_fn poll, uint8_t interval);
struct tcp_pcb *tcp_listen_with_backlog(struct tcp_pcb *pcb, uint8_t backlog);
void tcp_backlog_delayed(struct tcp_pcb *pcb);
void tcp_backlog_accepted(struct tcp_pcb *pcb);
err_t tcp_connect(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port, tcp_connected_fn connected);
void tcp_recved(struct tcp_pcb *pcb, u16_t count);
err_t tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t count, uint8_t flags);
err_t tcp_output(struct tcp_pcb *pcb);
err_t tcp_close(struct tcp_pcb *pcb);
void tcp_abort(struct tcp_pcb *pcb);

/* ---- lwip/priv/tcpip_priv.h ---- */
struct tcpip_api_call_data {
	err_t err;
};
typedef err_t (*tcpip_api_call_fn)(struct tcpip_api_call_data *call);
err_t tcpip_api_call(tcpip_api_call_fn what, struct tcpip_api_call_data *call);

#endif
