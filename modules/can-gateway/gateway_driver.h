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
/* Releases the lock. Only the caller that took it may call this. */
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

/* ---- the heartbeat ---- */

/*
 * Whether the task or thread that moves the gateway lives: it beats in each turn, at least ten times a
 * second; another thread looks, on a board the interrupt of a timer. On a board a task that hangs would hold
 * up the MCP2515, recovery from bus-off and the end of a lease, and nothing else, so that the watchdog would
 * come late.
 */

/*
 * Time between two looks. More than twice the 100 ms within which the task beats, so that no look misses one
 * that is in time.
 */
#define HEARTBEAT_LOOK_US 250000u
/* This many looks in a row without a beat, 1 s, mean that it hangs. */
#define HEARTBEAT_LOOKS 4u
/*
 * A look that follows another one sooner does not count. A timer's interrupt may be late or lost, which holds
 * up the looks and the task alike; then several looks come together, before the task runs.
 */
#define HEARTBEAT_LEAST_US (HEARTBEAT_LOOK_US / 2)

/* All 0 at first. Two threads share it without a lock: each field has one that writes it. */
struct heartbeat {
	volatile uint32_t beats; /* the task's */
	uint32_t seen, missed;   /* of the watcher */
	uint64_t looked_us;      /* the last look that counted */
};

/* The task lives. Only that task calls it. */
IN_LINE void heartbeat_beat(struct heartbeat *heart)
{
	heart->beats = heart->beats + 1;
}

/*
 * To be called each HEARTBEAT_LOOK_US, by one interrupt or thread. blocked: no task can run now, because
 * flash is being written; that counts as a beat. Returns whether it hangs, true again at each look until it
 * beats.
 */
IN_LINE bool heartbeat_look(struct heartbeat *heart, uint64_t now_us, bool blocked)
{
	bool lives = blocked || heart->beats != heart->seen;
	if (!lives && now_us - heart->looked_us < HEARTBEAT_LEAST_US)
		return false;
	heart->looked_us = now_us;
	heart->seen = heart->beats;
	heart->missed = lives ? 0 : heart->missed + 1;
	return heart->missed >= HEARTBEAT_LOOKS;
}

#endif
