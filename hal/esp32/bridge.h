/*
 * What moves frames between two CAN controllers, on every board and on a computer: one turn of the gateway's
 * task. Frames between two TWAI controllers pass in their interrupts without it; it follows the state of both
 * buses, sends cyclic frames, ends leases, idles the PWM when one ran out, and serves a controller that is
 * spoken to by a link.
 */
#ifndef OPENCOUPLING_BRIDGE_H
#define OPENCOUPLING_BRIDGE_H

#include "can_link.h"

#define BRIDGE_STATE_US 100000u /* a bus's state is looked at this often at least, docs/control-and-can.md 4.6 */
/*
 * Received by a link at a time, before the other bus gets its turn. It bounds a chip that never says that it
 * is empty: 0.8 ms.
 */
#define BRIDGE_BATCH_FRAMES 16u

struct twai; /* a TWAI controller, twai.h; a computer has none */

/* What the bridge has a TWAI controller do, with the gateway's lock; twai.h says what each does. */
struct twai_class {
	uint64_t (*service)(struct twai *twai, uint64_t now_us);
	void (*send)(struct twai *twai, uint64_t now_us);
	enum bus_recovery_report (*report)(struct twai *twai);
	void (*recover)(struct twai *twai, bool lasting);
};

/* A bus and its controller: one of the two. */
struct bridge_bus {
	struct twai *twai;
	const struct twai_class *twai_class;
	struct can_link *link;
	struct bus_recovery recovery;
	/* Of a link, between two times at which the lock is held. */
	struct gateway_frame received[BRIDGE_BATCH_FRAMES];
	unsigned received_count;
	struct gateway_frame outgoing;
	bool has_outgoing, was_sent;
};

struct bridge {
	struct bridge_bus buses[GATEWAY_BUSES];
	uint32_t expiries_seen; /* leases whose end the PWM knows of */
};

/* Before the task's first turn, for each bus one of the two; the controller stays in use. */
void bridge_set_twai(struct bridge *bridge, unsigned bus, struct twai *twai, const struct twai_class *class);
void bridge_set_link(struct bridge *bridge, unsigned bus, struct can_link *link);

/*
 * One turn, in the gateway's task and in nobody else. Takes the gateway's lock once. Call it when a
 * controller or gateway_driver_changed() wakes the task, and at the time that it returns, of the gateway's
 * clock.
 */
uint64_t bridge_turn(struct bridge *bridge);

/*
 * The same without all but the frames: what interrupts do while the task stands still, for links in place of
 * TWAI controllers (a computer's).
 */
uint64_t bridge_turn_of_frames(struct bridge *bridge);

/*
 * The platform's: gives the guarded PWM its idle duty, for a lease ran out: the script stalls. Called with
 * the gateway's lock.
 */
void bridge_idle_pwm(void);

#endif
