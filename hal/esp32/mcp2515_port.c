/* See mcp2515_port.h. */
#include "mcp2515_port.h"

#include <string.h>

#include "esp_attr.h"
#include "esp_intr_alloc.h"
#include "esp_rom_sys.h"

static void transfer(void *context, const uint8_t *tx, uint8_t *rx, size_t length)
{
	struct mcp2515_esp32 *esp32 = context;
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
	spi_device_polling_transmit(esp32->device, &transaction);
}

static bool interrupt(void *context)
{
	struct mcp2515_esp32 *esp32 = context;
	return gpio_get_level(esp32->pins.interrupt) == 0;
}

static void reset(void *context, bool active)
{
	struct mcp2515_esp32 *esp32 = context;
	gpio_set_level(esp32->pins.reset, active ? 0 : 1);
}

static void wait_us(void *context, uint32_t us)
{
	(void)context;
	esp_rom_delay_us(us);
}

IRAM_ATTR static void on_interrupt(void *context)
{
	struct mcp2515_esp32 *esp32 = context;
	BaseType_t woken = pdFALSE;
	vTaskNotifyGiveFromISR(esp32->task, &woken);
	portYIELD_FROM_ISR(woken);
}

static const char *open_pins(struct mcp2515_esp32 *esp32)
{
	gpio_config_t config;
	memset(&config, 0, sizeof config);
	if (esp32->pins.reset != GPIO_NUM_NC) {
		config.pin_bit_mask = 1ULL << esp32->pins.reset;
		config.mode = GPIO_MODE_OUTPUT;
		if (gpio_set_level(esp32->pins.reset, 1) != ESP_OK || gpio_config(&config) != ESP_OK)
			return "gpio_config(reset)";
		esp32->port.reset = reset;
	}
	if (esp32->pins.interrupt == GPIO_NUM_NC)
		return NULL;
	config.pin_bit_mask = 1ULL << esp32->pins.interrupt;
	config.mode = GPIO_MODE_INPUT;
	config.pull_up_en = GPIO_PULLUP_ENABLE; /* a line that is not wired reads high, and the self-test finds it out */
	config.intr_type = GPIO_INTR_NEGEDGE;   /* the driver reads until the line is high again, so no edge is lost */
	if (gpio_config(&config) != ESP_OK)
		return "gpio_config(interrupt)";
	esp_err_t result = gpio_install_isr_service(ESP_INTR_FLAG_IRAM);
	if (result != ESP_OK && result != ESP_ERR_INVALID_STATE) /* the latter: somebody else has */
		return "gpio_install_isr_service";
	if (gpio_isr_handler_add(esp32->pins.interrupt, on_interrupt, esp32) != ESP_OK)
		return "gpio_isr_handler_add";
	esp32->port.interrupt = interrupt;
	return NULL;
}

static const char *open_spi(struct mcp2515_esp32 *esp32)
{
	spi_bus_config_t bus;
	memset(&bus, 0, sizeof bus);
	bus.mosi_io_num = esp32->pins.out;
	bus.miso_io_num = esp32->pins.in;
	bus.sclk_io_num = esp32->pins.clock;
	bus.quadwp_io_num = bus.quadhd_io_num = -1; /* 0 would be a pin */
	bus.data4_io_num = bus.data5_io_num = bus.data6_io_num = bus.data7_io_num = -1;
	spi_device_interface_config_t device;
	memset(&device, 0, sizeof device);
	device.clock_speed_hz = MCP2515_SPI_HZ;
	device.spics_io_num = esp32->pins.select;
	device.queue_size = 1;
	esp_err_t result = spi_bus_initialize(SPI2_HOST, &bus, SPI_DMA_DISABLED);
	if (result != ESP_OK && result != ESP_ERR_INVALID_STATE) /* the latter: an earlier attempt has, and failed below */
		return "spi_bus_initialize";
	if (spi_bus_add_device(SPI2_HOST, &device, &esp32->device) != ESP_OK)
		return "spi_bus_add_device";
	return spi_device_acquire_bus(esp32->device, portMAX_DELAY) == ESP_OK ? NULL : "spi_device_acquire_bus";
}

const char *mcp2515_esp32_open(struct mcp2515_esp32 *esp32, const struct mcp2515_pins *pins)
{
	memset(esp32, 0, sizeof *esp32);
	esp32->pins = *pins;
	esp32->task = xTaskGetCurrentTaskHandle();
	esp32->port.transfer = transfer;
	esp32->port.wait_us = wait_us;
	esp32->port.context = esp32;
	const char *failed = open_pins(esp32);
	return failed ? failed : open_spi(esp32);
}
