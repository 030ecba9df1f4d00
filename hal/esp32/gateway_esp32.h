/*
 * The gateway on an ESP32: one task at the highest priority, and the interrupts of the TWAI controllers.
 * Started before the JavaScript machine, the file system and Wi-Fi, it outlives the machine and never stops.
 */
#ifndef OPENCOUPLING_GATEWAY_ESP32_H
#define OPENCOUPLING_GATEWAY_ESP32_H

#include "bridge.h"
#include "driver/gpio.h"

struct twai_pins {
	gpio_num_t tx, rx;
	gpio_num_t standby; /* driven low: transceiver on; GPIO_NUM_NC: not wired */
};

/* What differs from board to board; a constant, which stays in use. */
struct gateway_board {
	struct twai_pins twai[GATEWAY_BUSES]; /* of the chip's controllers in this order; those of a bus that a link serves are left out */
	/*
	 * NULL: the bus has a TWAI controller. Else its controller is opened by this, in the task that will use
	 * it, and has a problem or not.
	 */
	struct can_link *(*open_link[GATEWAY_BUSES])(const char **problem);
	void (*sleep_link)(void); /* puts the controllers opened by links to sleep; NULL: nothing to do */
	uint16_t latest_ids;   /* identifiers remembered, 64 bytes each */
	uint32_t ring_records; /* recent frames, a power of two, 32 bytes each; in PSRAM where there is some */
	int core;              /* on which the task and the controllers' interrupts run */
};

extern const struct gateway_board gateway_board_t2can, gateway_board_c6, gateway_board_emulator;

/*
 * Ends forwarding: the task puts the CAN controllers and their transceivers to sleep, then the chip
 * until the chassis bus is not idle any more or the time is over. Returns at once, to a
 * caller that waits for that. wake_after_ms: above 0
 */
void gateway_esp32_sleep(uint32_t wake_after_ms);

/* ---- sleep of the chip (platform.c) ---- */

/* To be called once, after restarts_count(). */
void parked_sleep_boot(void);

/*
 * Sleeps until `rx` is low or the time, above 0 ms, is over. Radio and CAN controllers are off already. Does
 * not return.
 */
void parked_sleep_enter(gpio_num_t rx, uint32_t wake_after_ms);

#endif
