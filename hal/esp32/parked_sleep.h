/*
 * Sleep of the chip. The S3 sleeps deeply; the C6 lightly, for the pin on which its board hears the chassis
 * can't end a deep sleep. Both start anew when they wake, and tell why.
 */
#ifndef OPENCOUPLING_PARKED_SLEEP_H
#define OPENCOUPLING_PARKED_SLEEP_H

#include <stdint.h>

#include "driver/gpio.h"

/* To be called once, after restarts_count(). */
void parked_sleep_boot(void);

/* What ended the last sleep, by its name on the wire (hal/ports.ts). */
const char *parked_sleep_cause(void);

/* Sleeps since the supply was switched on, modulo 2^32. */
uint32_t parked_sleep_entries(void);

/*
 * Sleeps until `rx` is low or the time, above 0 ms, is over. Radio and CAN controllers are off already. Does
 * not return.
 */
void parked_sleep_enter(gpio_num_t rx, uint32_t wake_after_ms);

#endif
