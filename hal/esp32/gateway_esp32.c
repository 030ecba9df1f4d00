/*
 * See gateway_esp32.h. The core's lock is a critical section: it masks the interrupts of its core, and holds
 * off tasks of the other one. An interrupt never waits for it.
 */
#include "gateway_esp32.h"

#include <string.h>

#include "bridge.h"
#include "driver/ledc.h"
#include "esp_attr.h"
#include "esp_heap_caps.h"
#include "esp_intr_alloc.h"
#include "esp_private/cache_utils.h"
#include "esp_private/periph_ctrl.h"
#include "esp_rom_gpio.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "gateway_driver.h"
#include "hal/twai_periph.h"
#include "nvs_flash.h"
#include "restarts.h"
#include "twai.h"

#define TASK_STACK_BYTES 4096 /* chosen; on an emulated ESP32-C3 with simulated CAN links 3,080 of them stayed unused, not measured on a board */
#define TASK_PRIORITY (configMAX_PRIORITIES - 1) /* above Wi-Fi (23) and lwIP (18) */
/* From a failure to open a controller to the next attempt; no frame passes until it opens. */
#define OPEN_US 1000000u
#define START_STACK_BYTES 4096 /* freed when the start is over */
#define START_PRIORITY 2 /* once the gateway runs; app_main's task has 1 */
#define PWM_CHANNEL LEDC_CHANNEL_0 /* the only one that manifest.json gives Moddable's PWM */
#define NO_PIN UINT32_MAX

/* The only sources that ESP-IDF offers for these chips, and their rates: README.md "TWAI". */
#if CONFIG_IDF_TARGET_ESP32C6
#define CLOCK TWAI_CLK_SRC_XTAL
#define CLOCK_HZ 40000000u
#else
#define CLOCK TWAI_CLK_SRC_APB
#define CLOCK_HZ 80000000u
#endif

/* All that interrupts use is static: internal RAM. */
static struct gateway gateway;
static struct twai twai[GATEWAY_BUSES]; /* their counters are for a debugger: BRING-UP.md */
static TaskHandle_t task;
static portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;
static struct bridge bridge;
static const struct gateway_board *const board = &OPENCOUPLING_BOARD;
static esp_timer_handle_t timer, look;
static struct heartbeat heart;
/* written by JavaScript, with the duty first */
static volatile uint32_t guarded_duty, guarded_pin = NO_PIN;
static volatile uint32_t wake_after_ms; /* written by JavaScript; 0: awake */

/* ---- what the binding uses ---- */

struct gateway *gateway_driver_core(void)
{
	return task ? &gateway : NULL;
}

uint64_t gateway_driver_now(void)
{
	return (uint64_t)esp_timer_get_time();
}

struct gateway_locked gateway_driver_lock(void)
{
	portENTER_CRITICAL(&lock);
	return (struct gateway_locked){.gateway = &gateway, .now_us = (uint64_t)esp_timer_get_time()};
}

void gateway_driver_unlock(void)
{
	portEXIT_CRITICAL(&lock);
}

void gateway_driver_changed(void)
{
	xTaskNotifyGive(task);
}

void gateway_driver_guard_pwm(unsigned pin, unsigned idle_duty)
{
	bool fully_on = idle_duty && !(idle_duty & (idle_duty + 1)); /* 2^n - 1 stands for 2^n, as in Moddable's PWM */
	guarded_duty = fully_on ? idle_duty + 1 : idle_duty;
	guarded_pin = pin;
}

void bridge_idle_pwm(void)
{
	if (guarded_pin != NO_PIN)
		ledc_stop(LEDC_LOW_SPEED_MODE, PWM_CHANNEL, guarded_duty != 0);
}

/* ---- interrupts, with flash out of reach ---- */

IRAM_ATTR static bool wake_task(void)
{
	BaseType_t woken = pdFALSE;
	vTaskNotifyGiveFromISR(task, &woken);
	return woken == pdTRUE;
}

/* From esp_timer's task it would wait for Wi-Fi's, which has a higher priority. */
IRAM_ATTR static void on_timer(void *unused)
{
	(void)unused;
	if (wake_task())
		esp_timer_isr_dispatch_need_yield();
}

IRAM_ATTR static void on_look(void *unused)
{
	(void)unused;
	if (heartbeat_look(&heart, (uint64_t)esp_timer_get_time(), !spi_flash_cache_enabled()))
		restarts_hung();
}

#if CONFIG_FREERTOS_UNICORE
/* The lock's holder has masked this interrupt. */
#define TRY_LOCK() true
#define UNLOCK()
#else
#define TRY_LOCK() (portTRY_ENTER_CRITICAL_ISR(&lock, portMUX_TRY_LOCK) == pdPASS)
#define UNLOCK() portEXIT_CRITICAL_ISR(&lock)
#endif

IRAM_ATTR static void on_twai(void *argument)
{
	struct twai *controller = argument;
	bool wake = true;
	if (TRY_LOCK()) {
		wake = twai_interrupt(controller, (uint64_t)esp_timer_get_time());
		UNLOCK();
	} else {
		twai_silence(controller); /* the other core has the lock: the task waits for it instead */
	}
	if (wake && wake_task())
		portYIELD_FROM_ISR(pdTRUE);
}

/* ---- TWAI: as ESP-IDF's own driver does it (components/esp_driver_twai/esp_twai_onchip.c) ---- */

static void clock_on(int number)
{
	PERIPH_RCC_ATOMIC() {
		twai_ll_enable_bus_clock(number, true);
		twai_ll_reset_register(number);
		twai_ll_enable_clock(number, true);
		twai_ll_set_clock_source(number, CLOCK);
	}
}

static bool connect(const struct twai_pins *pins, int number)
{
	gpio_config_t input, output;
	memset(&input, 0, sizeof input);
	input.pin_bit_mask = 1ULL << pins->rx;
	input.mode = GPIO_MODE_INPUT;
	input.pull_up_en = GPIO_PULLUP_ENABLE; /* a transceiver that is not there must not be noise */
	memset(&output, 0, sizeof output);
	output.pin_bit_mask = 1ULL << pins->tx;
	output.mode = GPIO_MODE_OUTPUT;
	gpio_set_level(pins->tx, 1); /* recessive */
	if (gpio_config(&input) != ESP_OK || gpio_config(&output) != ESP_OK)
		return false;
	esp_rom_gpio_connect_in_signal((uint32_t)pins->rx, (uint32_t)twai_periph_signals[number].rx_sig, false);
	esp_rom_gpio_connect_out_signal((uint32_t)pins->tx, (uint32_t)twai_periph_signals[number].tx_sig, false, false);
	if (pins->standby == GPIO_NUM_NC)
		return true;
	gpio_hold_dis(pins->standby); /* since a sleep */
	gpio_set_level(pins->standby, 0);
	return gpio_set_direction(pins->standby, GPIO_MODE_OUTPUT) == ESP_OK;
}

/*
 * Starts controller `number` of the chip on these pins, with its interrupt on the calling core. Returns false
 * if it does not start.
 */
static bool open_twai(struct twai *controller, unsigned number, const struct twai_pins *pins)
{
	intr_handle_t handle;
	int flags = ESP_INTR_FLAG_IRAM | ESP_INTR_FLAG_LOWMED;
	clock_on((int)number);
	if (!connect(pins, (int)number) ||
		esp_intr_alloc(twai_periph_signals[number].irq_id, flags, on_twai, controller, &handle) != ESP_OK)
		return false;
	if (twai_start(controller, TWAI_LL_GET_HW(number), CLOCK_HZ / TWAI_QUANTA_HZ))
		return true;
	esp_intr_free(handle);
	return false;
}

/* ---- the task ---- */

/*
 * A task that hangs here would hold up all frames and nothing else, so that JavaScript would go on feeding
 * the watchdog.
 */
static void feed_watchdog(void)
{
	if (esp_task_wdt_reset() != ESP_OK)
		(void)esp_task_wdt_add(NULL); /* rejected until ESP-IDF has started the watchdog, right before app_main */
}

/* Sleeps until something happens, or until then. */
static void sleep_until(uint64_t next_us)
{
	uint64_t now_us = (uint64_t)esp_timer_get_time();
	if (next_us <= now_us) {
		taskYIELD();
		return;
	}
	esp_timer_stop(timer); /* fails when it does not run, which is as good */
	if (esp_timer_start_once(timer, next_us - now_us) == ESP_OK)
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	else
		ulTaskNotifyTake(pdTRUE, 1);
}

/* Opens what is not open yet. Returns when to try again. */
static uint64_t open_controllers(uint64_t now_us)
{
	static uint64_t retry_us;
	if (now_us < retry_us)
		return retry_us;
	retry_us = GATEWAY_NEVER;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		if (bridge.buses[bus].twai && !twai[bus].device && !open_twai(&twai[bus], bus, &board->twai[bus]))
			retry_us = now_us + OPEN_US;
	return retry_us;
}

/* In the task: it owns the SPI device, and the INT line wakes it. */
static struct can_link *open_link(unsigned bus)
{
	for (;;) {
		const char *problem;
		struct can_link *link = board->open_link[bus](&problem);
		if (!problem)
			return link;
		vTaskDelay(pdMS_TO_TICKS(OPEN_US / 1000));
	}
}

static void init_buses(void)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		if (board->open_link[bus]) {
			bridge_set_link(&bridge, bus, open_link(bus));
			continue;
		}
		twai_init(&twai[bus], &gateway, bus);
		twai[bus].other = board->open_link[bus ^ 1] ? NULL : &twai[bus ^ 1];
		bridge_set_twai(&bridge, bus, &twai[bus], &twai_class);
	}
}

/* Stock first, then silence: the task neither beats nor forwards any more, and the coupling's output idles. */
static void fall_asleep(void)
{
	(void)esp_timer_stop(look);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		gpio_num_t standby = board->twai[bus].standby;
		if (!bridge.buses[bus].twai || !twai[bus].device)
			continue;
		portENTER_CRITICAL(&lock);
		twai_silence(&twai[bus]);
		portEXIT_CRITICAL(&lock);
		if (standby == GPIO_NUM_NC)
			continue;
		gpio_set_level(standby, 1);
		gpio_hold_en(standby); /* connect() lets go of it */
	}
	if (board->sleep_link)
		board->sleep_link();
	bridge_idle_pwm();
	parked_sleep_enter(board->twai[GATEWAY_CHASSIS].rx, wake_after_ms);
}

void gateway_esp32_sleep(uint32_t ms)
{
	wake_after_ms = ms;
	xTaskNotifyGive(task);
}

static void run(void *unused)
{
	(void)unused;
	task = xTaskGetCurrentTaskHandle();
	init_buses();
	(void)esp_timer_start_periodic(look, HEARTBEAT_LOOK_US); /* fails only if it runs already */
	for (;;) {
		heartbeat_beat(&heart);
		if (wake_after_ms)
			fall_asleep();
		uint64_t open_us = open_controllers((uint64_t)esp_timer_get_time());
		uint64_t next_us = bridge_turn(&bridge);
		feed_watchdog();
		if (esp_timer_get_time() >= RESTARTS_LIVED_US)
			restarts_lived();
		sleep_until(earlier(next_us, open_us));
	}
}

/* ---- start ---- */

static void *take_memory(size_t bytes)
{
	void *memory = heap_caps_malloc(bytes, MALLOC_CAP_SPIRAM);
	return memory ? memory : heap_caps_malloc(bytes, MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT);
}

/*
 * Starts the gateway's task. Returns false, and then nothing is forwarded, if there is too little memory. A
 * controller that does not answer is tried again without end.
 */
static bool start_gateway(void)
{
	struct gateway_latest *latest =
		heap_caps_malloc((board->latest_ids + 1u) * sizeof *latest, MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT);
	struct gateway_record *ring = take_memory(board->ring_records * sizeof *ring);
	const esp_timer_create_args_t timer_arguments = {.callback = on_timer, .dispatch_method = ESP_TIMER_ISR, .name = "gateway"};
	/* Looks that were missed are not made up for. */
	const esp_timer_create_args_t look_arguments = {
		.callback = on_look, .dispatch_method = ESP_TIMER_ISR, .name = "heartbeat", .skip_unhandled_events = true};
	if (!latest || !ring || esp_timer_create(&timer_arguments, &timer) != ESP_OK || esp_timer_create(&look_arguments, &look) != ESP_OK)
		return false;
	gateway_init(&gateway, latest, board->latest_ids, ring, board->ring_records);
	return xTaskCreatePinnedToCore(run, "gateway", TASK_STACK_BYTES, NULL, TASK_PRIORITY, &task, board->core) == pdPASS;
}

/*
 * Moddable's app_main aborts if this does not open, which would restart the board endlessly. Nothing is kept
 * there but the radio's calibration.
 */
static void repair_nvs(void)
{
	if (nvs_flash_init() != ESP_OK)
		(void)nvs_flash_erase();
}

/* Runs once the scheduler does, before app_main's task: that has priority 1. */
static void start(void *unused)
{
	(void)unused;
	/* If it fails JavaScript finds no gateway and says so. */
	(void)start_gateway();
	bool hopeless = restarts_count();
	parked_sleep_boot();
	vTaskPrioritySet(NULL, START_PRIORITY);
	if (hopeless)
		vTaskSuspend(xTaskGetHandle("main")); /* app_main never runs */
	else
		repair_nvs();
	vTaskDelete(NULL);
}

/*
 * ESP-IDF runs constructors before it starts the scheduler, and the scheduler before app_main, which is
 * Moddable's. Nothing but creating a task is possible here.
 */
__attribute__((constructor)) static void start_with_scheduler(void)
{
	xTaskCreatePinnedToCore(start, "start", START_STACK_BYTES, NULL, TASK_PRIORITY, NULL, board->core);
}
