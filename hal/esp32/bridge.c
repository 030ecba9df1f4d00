/* See bridge.h. The lock is never held while a link is spoken to. */
#include "bridge.h"

#include "bus_recovery.h"
#include "gateway_driver.h"

static void set(struct bridge_bus *bus, struct bridge_bus with)
{
	*bus = with;
	bus_recovery_init(&bus->recovery);
}

void bridge_set_twai(struct bridge *bridge, unsigned bus, struct twai *twai, const struct twai_class *class)
{
	set(&bridge->buses[bus], (struct bridge_bus){.twai = twai, .twai_class = class});
}

void bridge_set_link(struct bridge *bridge, unsigned bus, struct can_link *link)
{
	set(&bridge->buses[bus], (struct bridge_bus){.link = link});
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
	enum bus_recovery_report report = bus->twai ? bus->twai_class->report(bus->twai) : bus->link->class->report(bus->link);
	return gateway_follow_bus(gateway, number, &bus->recovery, report, now_us);
}

/*
 * Whether attempts to recover have not helped for 3 s: the back-off reaches its longest with the one 3.1 s
 * after bus-off.
 */
static bool is_lasting(const struct bridge_bus *bus)
{
	return bus->recovery.back_off_us == BUS_RECOVERY_LAST_US;
}

/* Hands the next frame to a TWAI controller, or puts it where the link will find it. */
static void hand_over(struct gateway *gateway, unsigned number, struct bridge_bus *bus, uint64_t now_us)
{
	if (bus->twai) {
		bus->twai_class->send(bus->twai, now_us);
		return;
	}
	const struct gateway_frame *next = gateway_next_to_send(gateway, number, now_us);
	bus->has_outgoing = next;
	if (next)
		bus->outgoing = *next;
}

/* Not if the script has committed again meanwhile: it writes its duty after that, which must stay. */
static void idle_pwm(struct bridge *bridge, const struct gateway *gateway)
{
	if (gateway->counters[GATEWAY_LEASE_EXPIRIES] == bridge->expiries_seen)
		return;
	bridge->expiries_seen = gateway->counters[GATEWAY_LEASE_EXPIRIES];
	if (!gateway->plan_active)
		bridge_idle_pwm();
}

/*
 * Bus states, leases, cyclic frames. Returns when they want to be looked at again; recovers[]: which
 * controllers are to recover.
 */
static uint64_t look(struct bridge *bridge, struct gateway *gateway, uint64_t now_us, bool recovers[GATEWAY_BUSES])
{
	for (unsigned number = 0; number < GATEWAY_BUSES; ++number) {
		struct bridge_bus *bus = &bridge->buses[number];
		recovers[number] = follow(gateway, number, bus, now_us) == BUS_RECOVER;
		if (recovers[number] && bus->twai)
			bus->twai_class->recover(bus->twai, is_lasting(bus));
	}
	uint64_t next_us = gateway_tick(gateway, now_us);
	idle_pwm(bridge, gateway);
	return earlier(next_us, now_us + BRIDGE_STATE_US);
}

static uint64_t turn(struct bridge *bridge, bool frames_only)
{
	struct bridge_bus *const buses = bridge->buses;
	bool recovers[GATEWAY_BUSES] = {false};
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
			next_us = earlier(next_us, bus->twai_class->service(bus->twai, now_us));
		else
			take_over(gateway, number, bus, now_us);
	}
	if (!frames_only)
		next_us = earlier(next_us, look(bridge, gateway, now_us, recovers));
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
	return next_us;
}

uint64_t bridge_turn(struct bridge *bridge)
{
	return turn(bridge, false);
}

uint64_t bridge_turn_of_frames(struct bridge *bridge)
{
	return turn(bridge, true);
}
