/* The MCP2515's SPI port on ESP-IDF: SPI master without DMA, polled; the INT line wakes a task. */
#ifndef OPENCOUPLING_MCP2515_PORT_H
#define OPENCOUPLING_MCP2515_PORT_H

#include "driver/gpio.h"
#include "driver/spi_master.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "mcp2515.h"

/*
 * At its limit of 10 MHz the chip's answer is valid 5 ns before it is sampled (DS20001801 table 13-6), and
 * nothing tells a wrong bit of data.
 */
#define MCP2515_SPI_HZ 8000000

struct mcp2515_pins {
	gpio_num_t select, clock, out, in; /* out: from the ESP32 to the chip's SI */
	gpio_num_t interrupt, reset;       /* GPIO_NUM_NC: not wired */
};

/* The port with what it needs of ESP-IDF. */
struct mcp2515_esp32 {
	struct mcp2515_port port;
	struct mcp2515_pins pins;
	spi_device_handle_t device;
	TaskHandle_t task;
};

/*
 * Takes SPI2 for the calling task alone, which the INT line will wake. Must stay in place, in internal RAM.
 * Returns NULL, or the name of the call that failed.
 */
const char *mcp2515_esp32_open(struct mcp2515_esp32 *esp32, const struct mcp2515_pins *pins);

#endif
