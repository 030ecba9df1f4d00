/*
 * The LilyGo T-2CAN: its wiring and sizes, source of the pins: README.md "Wiring"; and the MCP2515's SPI: a
 * master without DMA, polled. The INT line wakes the task that opened it.
 */
#include <string.h>

#include "driver/gpio.h"
#include "driver/spi_master.h"
#include "esp_attr.h"
#include "esp_intr_alloc.h"
#include "esp_rom_sys.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "gateway_esp32.h"
#include "mcp2515.h"

#define SELECT GPIO_NUM_10
#define CLOCK GPIO_NUM_12
#define OUT GPIO_NUM_11 /* to the chip's SI */
#define IN GPIO_NUM_13
#define INTERRUPT GPIO_NUM_8
#define RESET GPIO_NUM_9
/*
 * At its limit of 10 MHz the chip's answer is valid 5 ns before it is sampled (DS20001801 table 13-6), and
 * nothing tells a wrong bit of data.
 */
#define SPI_HZ 8000000

static struct mcp2515 mcp2515;
static spi_device_handle_t device;
static TaskHandle_t task;

static void transfer(void *context, const uint8_t *tx, uint8_t *rx, size_t length)
{
	(void)context;
	spi_transaction_t transaction;
	memset(&transaction, 0, sizeof transaction);
	transaction.length = 8 * length;
	transaction.tx_buffer = tx;
	transaction.rx_buffer = rx;
	/*
	 * What fails here leaves rx as it was: not the answer of a chip, which the self-test, mode and frame
	 * checks see.
	 */
	if (rx)
		memset(rx, 0xFF, length);
	spi_device_polling_transmit(device, &transaction);
}

static bool interrupt(void *context)
{
	(void)context;
	return gpio_get_level(INTERRUPT) == 0;
}

static void reset(void *context, bool active)
{
	(void)context;
	gpio_set_level(RESET, active ? 0 : 1);
}

static void wait_us(void *context, uint32_t us)
{
	(void)context;
	esp_rom_delay_us(us);
}

IRAM_ATTR static void on_interrupt(void *context)
{
	(void)context;
	BaseType_t woken = pdFALSE;
	vTaskNotifyGiveFromISR(task, &woken);
	portYIELD_FROM_ISR(woken);
}

static const char *open_pins(void)
{
	gpio_config_t config;
	memset(&config, 0, sizeof config);
	config.pin_bit_mask = 1ULL << RESET;
	config.mode = GPIO_MODE_OUTPUT;
	if (gpio_set_level(RESET, 1) != ESP_OK || gpio_config(&config) != ESP_OK)
		return "gpio_config(reset)";
	config.pin_bit_mask = 1ULL << INTERRUPT;
	config.mode = GPIO_MODE_INPUT;
	config.pull_up_en = GPIO_PULLUP_ENABLE; /* a line that is not wired reads high, and the self-test finds it out */
	config.intr_type = GPIO_INTR_NEGEDGE;   /* the driver reads until the line is high again, so no edge is lost */
	if (gpio_config(&config) != ESP_OK)
		return "gpio_config(interrupt)";
	esp_err_t result = gpio_install_isr_service(ESP_INTR_FLAG_IRAM);
	if (result != ESP_OK && result != ESP_ERR_INVALID_STATE) /* the latter: it is installed already */
		return "gpio_install_isr_service";
	if (gpio_isr_handler_add(INTERRUPT, on_interrupt, NULL) != ESP_OK)
		return "gpio_isr_handler_add";
	return NULL;
}

static const char *open_spi(void)
{
	spi_bus_config_t bus;
	memset(&bus, 0, sizeof bus);
	bus.mosi_io_num = OUT;
	bus.miso_io_num = IN;
	bus.sclk_io_num = CLOCK;
	bus.quadwp_io_num = bus.quadhd_io_num = -1; /* 0 would be a pin */
	bus.data4_io_num = bus.data5_io_num = bus.data6_io_num = bus.data7_io_num = -1;
	spi_device_interface_config_t config;
	memset(&config, 0, sizeof config);
	config.clock_speed_hz = SPI_HZ;
	config.spics_io_num = SELECT;
	config.queue_size = 1;
	esp_err_t result = spi_bus_initialize(SPI2_HOST, &bus, SPI_DMA_DISABLED);
	if (result != ESP_OK && result != ESP_ERR_INVALID_STATE) /* the latter: an earlier attempt has, and failed below */
		return "spi_bus_initialize";
	if (spi_bus_add_device(SPI2_HOST, &config, &device) != ESP_OK)
		return "spi_bus_add_device";
	return spi_device_acquire_bus(device, portMAX_DELAY) == ESP_OK ? NULL : "spi_device_acquire_bus";
}

static struct can_link *open_mcp2515(const char **problem)
{
	static const struct mcp2515_port port = {.transfer = transfer, .interrupt = interrupt, .reset = reset, .wait_us = wait_us};
	task = xTaskGetCurrentTaskHandle();
	*problem = open_pins();
	if (!*problem)
		*problem = open_spi();
	mcp2515_init(&mcp2515, &port);
	return &mcp2515.link;
}

static void sleep_mcp2515(void)
{
	mcp2515_sleep(&mcp2515);
}

const struct gateway_board gateway_board_t2can = {
	.twai = {[GATEWAY_CHASSIS] = {.tx = GPIO_NUM_7, .rx = GPIO_NUM_6, .standby = GPIO_NUM_NC}},
	.open_link = {[GATEWAY_COUPLING] = open_mcp2515},
	.sleep_link = sleep_mcp2515,
	/* 32 KB of internal RAM: both buses of an MQB car have some 206 identifiers */
	.latest_ids = 512,
	.ring_records = 65536, /* 2 MB of the 8 MB of PSRAM: 7 s of two full buses */
	.core = 0,             /* JavaScript runs on the core with time to spare */
};
