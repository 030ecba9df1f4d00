/*
 * Recovery of a CAN controller from bus-off, and the bus's state for the gateway: a small state machine that
 * every driver feeds with what its controller says, at least every 100 ms. Recovery is tried after a back-off
 * of 100 ms, doubled after each attempt up to 2 s; it starts at 100 ms again once the bus ran for 2 s.
 * Touches no hardware: it says what to do. Source: docs/control-and-can.md 4.6.
 */
#ifndef OPENCOUPLING_BUS_RECOVERY_H
#define OPENCOUPLING_BUS_RECOVERY_H

#include "gateway_core.h"

#define BUS_RECOVERY_FIRST_US 100000u   /* back-off before the first attempt: docs/control-and-can.md 4.6 */
/*
 * The longest back-off; also how long a bus must run to count as well, so that one that fails every second is
 * not retried at the shortest one.
 */
#define BUS_RECOVERY_LAST_US 2000000u

/* STOPPED: not on the bus, or not heard of yet. WARNING: it runs, with errors. */
enum bus_recovery_state { BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF };

/* What the controller says. BUS_REPORTS_PASSIVE is also reported for a controller above its warning limit. */
enum bus_recovery_report { BUS_REPORTS_STOPPED, BUS_REPORTS_ACTIVE, BUS_REPORTS_PASSIVE, BUS_REPORTS_OFF };

/* What the driver has to do now, once; the next step takes it for done. */
enum bus_recovery_action {
	BUS_NOTHING,    /* in particular while a back-off passes, and when a controller stops */
	BUS_WENT_OFF,   /* the bus went bus-off: empty the send queue, reclaim the frame in flight */
	BUS_RECOVER,    /* the back-off has passed: start the controller's recovery now */
	BUS_CAME_BACK,  /* the bus runs again after bus-off */
};

/* One for each bus; only the step writes to it. */
struct bus_recovery {
	uint8_t state;        /* enum bus_recovery_state */
	uint32_t back_off_us; /* before the next attempt */
	uint64_t since_us;    /* RUNNING, WARNING: since when; BUS_OFF: when it began or the last attempt */
};

/*
 * Stopped, with the first back-off: before the first step. bus_recovery_step() does so itself when the
 * controller reports STOPPED.
 */
void bus_recovery_init(struct bus_recovery *recovery);

/*
 * Takes one report and returns the one action that follows from it. now_us: never less than in the step
 * before. Not thread safe: one caller, or the lock of its driver. Never fails.
 */
enum bus_recovery_action bus_recovery_step(struct bus_recovery *recovery, enum bus_recovery_report report, uint64_t now_us);

/*
 * For drivers: feeds the machine what the controller says, counts bus-offs and recoveries, and tells the core
 * the state that follows. Call it at least every 100 ms, under the gateway's lock; carry out what it returns
 * without the lock.
 *
 * One report of the controller of `bus`, a number of enum gateway_bus. Each bus has its own `recovery`, set
 * up by bus_recovery_init(). Returns what the driver has to do; of BUS_WENT_OFF the part that concerns the
 * core is done already.
 */
enum bus_recovery_action gateway_follow_bus(struct gateway *gateway, unsigned bus, struct bus_recovery *recovery,
	enum bus_recovery_report report, uint64_t now_us);

#endif
