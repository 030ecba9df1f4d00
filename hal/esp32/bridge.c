/* See bridge.h. The lock is never held while a link is spoken to. */
#include "bridge.h"

#include "gateway_bus.h"
#include "gateway_driver.h"

void bridge_bus_init(struct bridge_bus *bus, struct twai *twai, struct can_link *link)
{
	*bus = (struct bridge_bus){.twai = twai, .link = link};
	bus_recovery_init(&bus->recovery);
}

/* ---- speaking to a link, without the lock ---- */

/* Returns when it wants to be spoken to again. */
static uint64_t receive(struct bridge_bus *bus)
{
	const struct can_link_class *class = bus->link->class;
	uint64_t now_us = gateway_driver_now();
	bus->received_count = 0;
	while (bus->received_count < BRIDGE_BATCH_FRAMES && class->receive(bus->link, &bus->received[bus->received_count], now_us))
		++bus->received_count;
	uint64_t next_us = class->service(bus->link, gateway_driver_now());
	return bus->received_count == BRIDGE_BATCH_FRAMES ? 0 : next_us;
}

/* Returns when to go on: at once after a frame was sent, for there may be more. */
static uint64_t send(struct bridge_bus *bus, uint64_t now_us)
{
	bus->was_sent = bus->link->class->send(bus->link, &bus->outgoing, now_us);
	return bus->was_sent ? 0 : bus->link->retry_us;
}

/* ---- with the lock ---- */

/* What was received and sent since the lock was held the last time. */
static void take_over(struct gateway *gateway, unsigned number, struct bridge_bus *bus, uint64_t now_us)
{
	if (bus->has_outgoing && bus->was_sent)
		gateway_sent(gateway, number, now_us);
	else if (bus->has_outgoing)
		gateway_not_sent(gateway, number);
	bus->has_outgoing = false;
	for (unsigned i = 0; i < bus->received_count; ++i)
		gateway_receive(gateway, number, &bus->received[i], now_us);
}

static enum bus_recovery_action follow(struct gateway *gateway, unsigned number, struct bridge_bus *bus, uint64_t now_us)
{
	enum bus_recovery_report report = bus->twai ? twai_report(bus->twai) : bus->link->class->report(bus->link);
	return gateway_follow_bus(gateway, number, &bus->recovery, report, now_us);
}

/* Whether attempts to recover have not helped for 3 s: the back-off reaches its longest with the one 3.1 s after bus-off. */
static bool is_lasting(const struct bridge_bus *bus)
{
	return bus->recovery.back_off_us == BUS_RECOVERY_LAST_US;
}

/* Hands the next frame to a TWAI controller, or puts it where the link will find it. */
static void hand_over(struct gateway *gateway, unsigned number, struct bridge_bus *bus, uint64_t now_us)
{
	if (bus->twai) {
		twai_send(bus->twai, now_us);
		return;
	}
	const struct gateway_frame *next = gateway_next_to_send(gateway, number, now_us);
	bus->has_outgoing = next;
	if (next)
		bus->outgoing = *next;
}

uint64_t bridge_turn(struct bridge_bus buses[GATEWAY_BUSES])
{
	bool recovers[GATEWAY_BUSES];
	uint64_t next_us = GATEWAY_NEVER;
	for (unsigned number = 0; number < GATEWAY_BUSES; ++number)
		if (buses[number].link)
			next_us = earlier(next_us, receive(&buses[number]));
	struct gateway_locked locked = gateway_driver_lock();
	struct gateway *gateway = locked.gateway;
	uint64_t now_us = locked.now_us;
	for (unsigned number = 0; number < GATEWAY_BUSES; ++number) {
		struct bridge_bus *bus = &buses[number];
		if (bus->twai)
			next_us = earlier(next_us, twai_service(bus->twai, now_us));
		else
			take_over(gateway, number, bus, now_us);
		recovers[number] = follow(gateway, number, bus, now_us) == BUS_RECOVER;
		if (recovers[number] && bus->twai)
			twai_recover(bus->twai, is_lasting(bus));
	}
	next_us = earlier(next_us, gateway_tick(gateway, now_us));
	for (unsigned number = 0; number < GATEWAY_BUSES; ++number)
		hand_over(gateway, number, &buses[number], now_us);
	gateway_driver_unlock();
	for (unsigned number = 0; number < GATEWAY_BUSES; ++number) {
		struct bridge_bus *bus = &buses[number];
		if (recovers[number] && bus->link)
			bus->link->class->recover(bus->link, is_lasting(bus), now_us);
		if (bus->has_outgoing)
			next_us = earlier(next_us, send(bus, now_us));
	}
	return earlier(next_us, now_us + BRIDGE_STATE_US);
}
