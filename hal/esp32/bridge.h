/*
 * What moves frames between two CAN controllers, on every board and on a computer: one turn of the gateway's
 * task. Frames between two TWAI controllers pass in their interrupts without it; it follows the state of both
 * buses, sends cyclic frames, ends leases, idles the PWM when one ran out, and serves a controller that is
 * spoken to by a link.
 */
#ifndef OPENCOUPLING_BRIDGE_H
#define OPENCOUPLING_BRIDGE_H

#include "bus_recovery.h"
#include "gateway_core.h"

/* ---- a controller that the task speaks to ---- */

/*
 * A CAN controller that the gateway's task speaks to: an MCP2515, whose lines no interrupt can wait for, or a
 * socket of a computer. Only that task calls it. "Sent" means handed to the controller. A controller keeps
 * few frames and drops those that it cannot send in time.
 */

/* One controller: its driver has this as the first member of its own record. */
struct can_link {
	const struct can_link_class *class;
	uint64_t retry_us; /* when send() is worth another try after it failed, GATEWAY_NEVER = when something wakes the task */
};

/*
 * What a driver does. Each speaks over the lines for a while, but report(), and is called without the
 * gateway's lock.
 */
struct can_link_class {
	/* Time-outs, error flags, starting. After receive(). Returns when to be called again at the latest. */
	uint64_t (*service)(struct can_link *link, uint64_t now_us);

	/*
	 * The next frame received, in the order of the bus. Returns false if the queue is empty or the frame was
	 * garbled. service() looks again then.
	 */
	bool (*receive)(struct can_link *link, struct gateway_frame *into, uint64_t now_us);

	/*
	 * Hands a frame over; it leaves after all those before it. Returns false, and sets retry_us, if that is
	 * not possible now.
	 */
	bool (*send)(struct can_link *link, const struct gateway_frame *frame, uint64_t now_us);

	/* What the controller says of the bus, as far as service() has seen it: speaks to no chip. */
	enum bus_recovery_report (*report)(const struct can_link *link);

	/* Starts the recovery from bus-off. lasting: it was tried for 3 s without success, so spare nothing. */
	void (*recover)(struct can_link *link, bool lasting, uint64_t now_us);
};

/* The earlier of two times, GATEWAY_NEVER being the latest. */
static inline uint64_t earlier(uint64_t a_us, uint64_t b_us)
{
	return a_us < b_us ? a_us : b_us;
}

/* ---- the bridge ---- */

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
	/* Frames of a link, between two times at which the lock is held. */
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
 * One turn, in the gateway's task only. Takes the gateway's lock once. Call it when a
 * controller or gateway_driver_changed() wakes the task, and at the time that it returns, of the gateway's
 * clock.
 */
uint64_t bridge_turn(struct bridge *bridge);

/*
 * As `bridge_turn`, but moves only the frames: what interrupts do while the task stands still, for links in
 * place of TWAI controllers (a computer's).
 */
uint64_t bridge_turn_of_frames(struct bridge *bridge);

/*
 * The platform's: gives the guarded PWM its idle duty, for a lease ran out: the script stalls. Called with
 * the gateway's lock.
 */
void bridge_idle_pwm(void);

#endif
