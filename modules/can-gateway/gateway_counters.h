/*
 * The gateway's counters: 32 bits each, modulo 2^32, never reset. One list for C (enum gateway_counter) and
 * for JSON. Counters that exist per bus stand in the order chassis, coupling, so that `first + bus` names
 * one. For each bus: received = forwarded to the other bus + dropped* + still in the send queue (+ keptBack,
 * of the coupling bus; + withheld, of the chassis).
 */
#ifndef OPENCOUPLING_GATEWAY_COUNTERS_H
#define OPENCOUPLING_GATEWAY_COUNTERS_H

#include <stdint.h>

/* X(name in C, name in JSON) */
#define GATEWAY_COUNTER_LIST(X) \
	X(RECEIVED_CHASSIS, receivedChassis)          /* frames received on the chassis bus */ \
	X(RECEIVED_COUPLING, receivedCoupling)        /* frames received on the coupling bus */ \
	X(FORWARDED_TO_CHASSIS, forwardedToChassis)   /* frames from the coupling that left on the chassis bus */ \
	X(FORWARDED_TO_COUPLING, forwardedToCoupling) /* frames from the chassis that left on the coupling bus */ \
	X(REWRITTEN, rewritten)                       /* frames put through a rule and accepted by the send queue */ \
	X(REFUSED, refused)                           /* a rule applied to the id, but DLC or RTR did not fit: untouched */ \
	X(UNVERIFIED, unverified)                     /* a rule applied, but the received checksum is not what it must be: untouched */ \
	X(INVALID, invalid)                           /* a rule applied, but the car marks a signal in the frame as invalid: untouched */ \
	X(MALFORMED, malformed)                       /* DLC above 8, error frame, id out of range, half a record */ \
	X(DROPPED_QUEUE_FULL, droppedQueueFull)       /* the send queue was full */ \
	X(DROPPED_TOO_OLD, droppedTooOld)             /* waited longer than 50 ms in a send queue */ \
	X(DROPPED_NOT_RUNNING, droppedNotRunning)     /* bus to send on is stopped (no peer) or bus-off */ \
	X(LATE, late)                                 /* sent, but after waiting longer than 10 ms */ \
	X(PLANS_LOADED, plansLoaded)                  /* plans found valid and staged */ \
	X(PLANS_REFUSED, plansRefused)                /* plans found invalid */ \
	X(COMMITS, commits)                           /* commits that activate a plan or renewed its lease */ \
	X(LEASE_EXPIRIES, leaseExpiries)              /* leases that ran out without renewal or release */ \
	X(CYCLIC_SENT, cyclicSent)                    /* cyclic frames that left */ \
	X(CYCLIC_DROPPED, cyclicDropped)              /* cyclic frames due but not sent: bus not running, queue full, too old */ \
	X(ID_TABLE_FULL, idTableFull)                 /* frames whose id found no entry among the latest frames */ \
	X(RING_OVERWRITTEN, ringOverwritten)          /* records a reader of the ring came too late for */ \
	X(BUS_OFF_CHASSIS, busOffChassis)             /* times the chassis bus went bus-off */ \
	X(BUS_OFF_COUPLING, busOffCoupling)           /* times the coupling bus went bus-off */ \
	X(RECOVERIES_CHASSIS, recoveriesChassis)      /* times it returned from bus-off */ \
	X(RECOVERIES_COUPLING, recoveriesCoupling)    /* times it returned from bus-off */ \
	X(KEPT_BACK, keptBack)                        /* frames of the coupling that a channel kept from the chassis */ \
	X(WITHHELD, withheld)                         /* frames of the chassis that a plan which generates kept from the coupling */

enum gateway_counter {
#define X(name, json) GATEWAY_##name,
	GATEWAY_COUNTER_LIST(X)
#undef X
	GATEWAY_COUNTER_COUNT
};

#endif
