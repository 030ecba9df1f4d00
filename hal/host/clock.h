/* The host's one clock: real time since start, or virtual time that a replay advances. */
#ifndef OPENCOUPLING_HOST_CLOCK_H
#define OPENCOUPLING_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Microseconds since the program started (real) or since virtual time was switched on. Any thread. */
uint64_t host_clock_us(void);

/* From now on time stands still except for host_clock_advance(). Call once, before any thread is started. */
void host_clock_make_virtual(void);
bool host_clock_is_virtual(void);

/* Moves virtual time forward to `us`; earlier values are ignored. With real time: a clock jump, only for --fault clock-jump. */
void host_clock_advance(uint64_t us);

#endif
