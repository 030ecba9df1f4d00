/* A TWAI controller on its chip: clock, pins and interrupt, for the driver in twai.h. */
#ifndef OPENCOUPLING_TWAI_PORT_H
#define OPENCOUPLING_TWAI_PORT_H

#include "driver/gpio.h"
#include "twai.h"

struct twai_pins {
	gpio_num_t tx, rx;
	gpio_num_t standby; /* driven low: transceiver on; GPIO_NUM_NC: not wired */
};

/*
 * Starts controller `number` of the chip on these pins. `on_interrupt` gets `twai`, on the calling core; it
 * must lie in internal RAM, as it is called while flash is out of reach, too. Returns NULL, or the name of
 * the call that failed.
 */
const char *twai_port_open(struct twai *twai, unsigned number, const struct twai_pins *pins, void (*on_interrupt)(void *twai));

#endif
