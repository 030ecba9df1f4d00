/*
 * The host's time: real time since start, or virtual time that a replay advances; and the clock that the
 * controller reads.
 */
#ifndef OPENCOUPLING_HOST_CLOCK_H
#define OPENCOUPLING_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Microseconds since the program started (real) or since virtual time was switched on. Any thread. */
uint64_t host_clock_us(void);

/* From now on time stands still except for host_clock_advance(). Call once, before any thread is started. */
void host_clock_make_virtual(void);
/* Whether it was called. Any thread. */
bool host_clock_is_virtual(void);

/* Moves virtual time forward to `us`; earlier values are ignored. Not with real time. */
void host_clock_advance(uint64_t us);

/*
 * What the controller and its gateway read: the same, unless --fault clock-jump has put the clock wrong.
 * Timers and buses go by host_clock_us(): a clock that is wrong does not move the world.
 */
uint64_t host_clock_reading_us(void);

/* When the clock will read `reading_us`, as host_clock_us(); UINT64_MAX stays what it is. */
uint64_t host_clock_when_us(uint64_t reading_us);

/* Puts the clock forward, or back as far as 0. */
void host_clock_jump(int64_t us);

#endif
