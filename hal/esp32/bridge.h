/* Moves frames between two controllers and the gateway core; the body of the gateway's task. */
#ifndef OPENCOUPLING_BRIDGE_H
#define OPENCOUPLING_BRIDGE_H

#include "can_link.h"

#define BRIDGE_STATE_US 100000u /* a bus's state is looked at this often at least, docs/control-and-can.md 4.6 */

/*
 * One turn: bus states, what was received, what is due, what waits. Call it when a controller or gateway_driver_changed() wakes the task,
 * and at the time that it returns, of the gateway's clock (as gateway_driver_lock() gives it).
 */
uint64_t bridge_turn(struct can_link *const links[GATEWAY_BUSES]);

#endif
