/*
 * What a platform's driver provides to the binding: the one running core, its lock and its clock. The driver
 * starts the core before the JavaScript machine and outlives it. The binding calls all functions on the
 * JavaScript thread; the driver's own task takes lock and clock, too. None of them blocks for longer than
 * that task needs for a handful of frames.
 */
#ifndef OPENCOUPLING_GATEWAY_DRIVER_H
#define OPENCOUPLING_GATEWAY_DRIVER_H

#include "gateway_core.h"

/*
 * The running core, NULL if the driver was not started. For gateway_load_plan() only, everything else needs
 * the lock.
 */
struct gateway *gateway_driver_core(void);

/* The gateway's clock: microseconds since the start. Needs no lock. */
uint64_t gateway_driver_now(void);

/* The core, while the lock is held, and the time when it was taken. */
struct gateway_locked {
	struct gateway *gateway;
	uint64_t now_us;
};

/*
 * Takes the lock. Never throw and never call the engine while it is held, and hold it for microseconds: on a
 * board it keeps the interrupts away that move frames.
 */
struct gateway_locked gateway_driver_lock(void);
/* Gives it back; by who has taken it. */
void gateway_driver_unlock(void);

/*
 * After unlocking: a cyclic frame was set, a frame queued, or control has begun, so gateway_tick() wants to
 * be called. A lease that is only renewed needs no call: the tick that comes for the old one finds the new
 * one.
 */
void gateway_driver_changed(void);

/*
 * When a lease has run out, and no commit has renewed control meanwhile, this pin's PWM gets this duty: while
 * the lock is held, so that a commit comes before or after it, and a duty written after the commit stays. The
 * last call counts.
 */
void gateway_driver_guard_pwm(unsigned pin, unsigned idle_duty);

#endif
