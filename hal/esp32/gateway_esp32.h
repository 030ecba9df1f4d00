/*
 * The gateway on a board: the core, its task and the two controllers. Started before the JavaScript machine, the file system and Wi-Fi,
 * it outlives the machine and never stops.
 */
#ifndef OPENCOUPLING_GATEWAY_ESP32_H
#define OPENCOUPLING_GATEWAY_ESP32_H

#include "gateway_core.h"
#include "mcp2515_port.h"
#include "twai_link.h"

struct gateway_twai_pins {
	gpio_num_t tx, rx;
	gpio_num_t standby; /* driven low: transceiver on; GPIO_NUM_NC: not wired */
};

struct gateway_board {
	struct gateway_twai_pins chassis, coupling; /* coupling.tx GPIO_NUM_NC: the coupling bus is the MCP2515's */
	struct mcp2515_pins mcp2515;
	uint16_t latest_ids;   /* identifiers remembered, 64 bytes each */
	uint32_t ring_records; /* recent frames, a power of two, 32 bytes each; in PSRAM where there is some */
	int core;              /* on which the task and both controllers' interrupts run */
};

extern const struct gateway_board gateway_board_t2can, gateway_board_c6;

/*
 * Starts the gateway's task. To be called once, from app_main or earlier, in a task. Returns NULL, or what failed: then nothing is
 * forwarded, which only too little memory, or pins that do not exist, can cause. A controller that does not answer is tried again for ever.
 */
const char *gateway_esp32_start(const struct gateway_board *board);

#endif
