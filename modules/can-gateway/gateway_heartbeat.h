/*
 * Whether the task or thread that moves the gateway lives: it beats in each turn, at least ten times a
 * second; somebody else looks, on a board the interrupt of a timer. On a board a task that hangs would hold
 * up the MCP2515, recovery from bus-off and the end of a lease, and nothing else, so that the watchdog would
 * come late.
 */
#ifndef GATEWAY_HEARTBEAT_H
#define GATEWAY_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "gateway_placement.h"

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
	uint32_t seen, missed;   /* of whoever looks */
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
