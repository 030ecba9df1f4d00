/*
 * Joins a bus's recovery machine to the core, for drivers: feeds it what the controller says, counts bus-offs
 * and recoveries, and tells the core the state that follows. Call it at least every 100 ms, under the
 * gateway's lock; carry out what it returns without the lock.
 */
#ifndef OPENCOUPLING_GATEWAY_BUS_H
#define OPENCOUPLING_GATEWAY_BUS_H

#include "bus_recovery.h"
#include "gateway_core.h"

/*
 * One report of the controller of `bus`, a number of enum gateway_bus. Each bus has its own `recovery`, set
 * up by bus_recovery_init(). Returns what the driver has to do; of BUS_WENT_OFF the part that concerns the
 * core is done already.
 */
enum bus_recovery_action gateway_follow_bus(struct gateway *gateway, unsigned bus, struct bus_recovery *recovery,
	enum bus_recovery_report report, uint64_t now_us);

#endif
