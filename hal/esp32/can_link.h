/*
 * A CAN controller that the gateway's task speaks to: an MCP2515, whose lines no interrupt can wait for, or a
 * socket of a computer. Only that task calls it. "Sent" means handed to the controller. A controller keeps
 * few frames and drops those that it cannot send in time.
 */
#ifndef OPENCOUPLING_CAN_LINK_H
#define OPENCOUPLING_CAN_LINK_H

#include "bus_recovery.h"
#include "gateway_core.h"

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

	/* What the controller says of the bus, as far as service() has seen it: asks nobody. */
	enum bus_recovery_report (*report)(const struct can_link *link);

	/* Starts the recovery from bus-off. lasting: it was tried for 3 s without success, so spare nothing. */
	void (*recover)(struct can_link *link, bool lasting, uint64_t now_us);
};

/* The earlier of two times, GATEWAY_NEVER being the latest. */
static inline uint64_t earlier(uint64_t a_us, uint64_t b_us)
{
	return a_us < b_us ? a_us : b_us;
}

#endif
