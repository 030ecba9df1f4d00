/* See gateway_esp32.h. The core under a mutex with priority inheritance; one task, woken by interrupts, timer and JavaScript. */
#include "gateway_esp32.h"

#include "bridge.h"
#include "driver/ledc.h"
#include "esp_attr.h"
#include "esp_heap_caps.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "freertos/semphr.h"
#include "gateway_driver.h"
#include "nvs_flash.h"
#include "restarts.h"

#define TASK_STACK_BYTES 4096
#define TASK_PRIORITY (configMAX_PRIORITIES - 1) /* above Wi-Fi (23) and lwIP (18) */
#define OPEN_MS 1000     /* from a failure to open a port to the next attempt */
#define START_STACK_BYTES 4096
#define START_PRIORITY 2 /* once the gateway runs; app_main's task has 1 */
#define PWM_CHANNEL LEDC_CHANNEL_0 /* the only one that manifest.json gives Moddable's PWM */
#define NO_PIN UINT32_MAX

static struct gateway gateway; /* static: internal RAM */
static struct twai_link twai[GATEWAY_BUSES]; /* their counters are for a debugger: README.md */
static struct mcp2515 mcp2515;
static struct mcp2515_esp32 mcp2515_port;
static const struct gateway_board *board;
static SemaphoreHandle_t lock;
static TaskHandle_t task;
static esp_timer_handle_t timer;
/* written by JavaScript, with the duty first */
static volatile uint32_t guarded_duty, guarded_pin = NO_PIN;
static uint32_t expiries_seen; /* leases whose end the PWM knows of */

/* ---- what the binding uses ---- */

struct gateway *gateway_driver_core(void)
{
	return task ? &gateway : NULL;
}

struct gateway *gateway_driver_lock(uint64_t *now_us)
{
	xSemaphoreTake(lock, portMAX_DELAY);
	*now_us = (uint64_t)esp_timer_get_time();
	return &gateway;
}

void gateway_driver_unlock(void)
{
	xSemaphoreGive(lock);
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

/* ---- the task ---- */

/* In the timer's interrupt, with flash out of reach: from esp_timer's task it would wait for Wi-Fi's, which has a higher priority. */
IRAM_ATTR static void on_timer(void *unused)
{
	(void)unused;
	BaseType_t woken = pdFALSE;
	vTaskNotifyGiveFromISR(task, &woken);
	if (woken)
		esp_timer_isr_dispatch_need_yield();
}

/* A task that hangs here would hold up all frames and nothing else, so that JavaScript would go on feeding the watchdog. */
static void feed_watchdog(void)
{
	if (esp_task_wdt_reset() != ESP_OK)
		(void)esp_task_wdt_add(NULL); /* refused until ESP-IDF has started the watchdog, right before app_main */
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

static void transceiver_on(gpio_num_t standby)
{
	if (standby == GPIO_NUM_NC)
		return;
	gpio_set_level(standby, 0);
	gpio_set_direction(standby, GPIO_MODE_OUTPUT);
}

static struct can_link *open_link(unsigned bus, const struct gateway_twai_pins *pins)
{
	if (pins->tx == GPIO_NUM_NC) {
		/* Here, in the task: it owns the SPI device, and the INT line wakes it. */
		while (mcp2515_esp32_open(&mcp2515_port, &board->mcp2515))
			vTaskDelay(pdMS_TO_TICKS(OPEN_MS));
		mcp2515_init(&mcp2515, &mcp2515_port.port);
		return &mcp2515.link;
	}
	transceiver_on(pins->standby);
	twai_link_init(&twai[bus], pins->tx, pins->rx, xTaskGetCurrentTaskHandle());
	return &twai[bus].link;
}

/*
 * A lease ran out: the script stalls, and the coupling must not be driven by what it left. Should it wake up in this very moment and write
 * between the two calls, its duty stays, as is right.
 */
static void idle_pwm(void)
{
	uint64_t now_us;
	uint32_t expiries = gateway_driver_lock(&now_us)->counters[GATEWAY_LEASE_EXPIRIES];
	gateway_driver_unlock();
	if (expiries == expiries_seen)
		return;
	expiries_seen = expiries;
	if (guarded_pin == NO_PIN)
		return;
	ledc_set_duty(LEDC_LOW_SPEED_MODE, PWM_CHANNEL, guarded_duty);
	ledc_update_duty(LEDC_LOW_SPEED_MODE, PWM_CHANNEL);
}

static void run(void *unused)
{
	(void)unused;
	task = xTaskGetCurrentTaskHandle();
	struct can_link *const links[GATEWAY_BUSES] = {
		open_link(GATEWAY_CHASSIS, &board->chassis), open_link(GATEWAY_COUPLING, &board->coupling)};
	for (;;) {
		uint64_t next_us = bridge_turn(links);
		idle_pwm();
		feed_watchdog();
		if (esp_timer_get_time() >= RESTARTS_LIVED_US)
			restarts_lived();
		sleep_until(next_us);
	}
}

/* ---- start ---- */

static void *take_memory(size_t bytes)
{
	void *memory = heap_caps_malloc(bytes, MALLOC_CAP_SPIRAM);
	return memory ? memory : heap_caps_malloc(bytes, MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT);
}

const char *gateway_esp32_start(const struct gateway_board *wiring)
{
	board = wiring;
	struct gateway_latest *latest =
		heap_caps_malloc((board->latest_ids + 1u) * sizeof *latest, MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT);
	struct gateway_record *ring = take_memory(board->ring_records * sizeof *ring);
	lock = xSemaphoreCreateMutex();
	const esp_timer_create_args_t timer_arguments = {.callback = on_timer, .dispatch_method = ESP_TIMER_ISR, .name = "gateway"};
	if (!latest || !ring || !lock || esp_timer_create(&timer_arguments, &timer) != ESP_OK)
		return "no memory for the gateway";
	gateway_init(&gateway, latest, board->latest_ids, ring, board->ring_records);
	if (xTaskCreatePinnedToCore(run, "gateway", TASK_STACK_BYTES, NULL, TASK_PRIORITY, &task, board->core) != pdPASS)
		return "no memory for the gateway's task";
	return NULL;
}

#ifdef OPENCOUPLING_BOARD
/* Moddable's app_main aborts if this does not open, which would restart the board for ever. Nothing is kept there but the radio's calibration. */
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
	(void)gateway_esp32_start(&OPENCOUPLING_BOARD);
	bool hopeless = restarts_count();
	vTaskPrioritySet(NULL, START_PRIORITY);
	if (hopeless)
		vTaskSuspend(xTaskGetHandle("main")); /* app_main never runs */
	else
		repair_nvs();
	vTaskDelete(NULL);
}

/*
 * ESP-IDF runs constructors before it starts the scheduler, and the scheduler before app_main, which is Moddable's. Nothing but creating a
 * task is possible here.
 */
__attribute__((constructor)) static void start_with_scheduler(void)
{
	xTaskCreatePinnedToCore(start, "start", START_STACK_BYTES, NULL, TASK_PRIORITY, NULL, OPENCOUPLING_BOARD.core);
}
#endif
