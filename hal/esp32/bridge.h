/*
 * The body of the gateway's task: what may wait. Frames between two TWAI controllers pass in their interrupts without it; it follows the
 * state of both buses, sends cyclic frames, ends leases, and serves a controller that is spoken to by a link.
 */
#ifndef OPENCOUPLING_BRIDGE_H
#define OPENCOUPLING_BRIDGE_H

#include "can_link.h"
#include "twai.h"

#define BRIDGE_STATE_US 100000u /* a bus's state is looked at this often at least, docs/control-and-can.md 4.6 */
/*
 * Received by a link at a time, before the other bus gets its turn. Chosen: the MCP2515 holds 2, and a full bus brings one each 222 us, so it only
 * bounds a chip that never says that it is empty: 32 transactions of 25 us (README.md "While flash is written"), 0.8 ms. Half would do as well.
 */
#define BRIDGE_BATCH_FRAMES 16u

/* A bus and its controller: one of the two. */
struct bridge_bus {
	struct twai *twai;
	struct can_link *link;
	struct bus_recovery recovery;
	/* Of a link, between two times at which the lock is held. */
	struct gateway_frame received[BRIDGE_BATCH_FRAMES];
	unsigned received_count;
	struct gateway_frame outgoing;
	bool has_outgoing, was_sent;
};

/* With one of both, the other NULL: they stay in use. Before the task's first turn. */
void bridge_bus_init(struct bridge_bus *bus, struct twai *twai, struct can_link *link);

/*
 * One turn, in the gateway's task and in nobody else. Takes the gateway's lock once. Call it when a controller or gateway_driver_changed()
 * wakes the task, and at the time that it returns, of the gateway's clock.
 */
uint64_t bridge_turn(struct bridge_bus buses[GATEWAY_BUSES]);

#endif
