/* See bridge.h. The lock is held for a batch of received frames or for one frame sent, never while a controller is spoken to. */
#include "bridge.h"

#include "gateway_bus.h"
#include "gateway_driver.h"

#define BATCH_FRAMES 16u /* received at a time, before the other bus gets its turn */

static uint64_t time_now(void)
{
	uint64_t now_us;
	gateway_driver_lock(&now_us);
	gateway_driver_unlock();
	return now_us;
}

static uint64_t update_bus(struct can_link *link, unsigned bus)
{
	uint64_t now_us;
	uint64_t next_us = link->class->service(link, time_now());
	struct gateway *gateway = gateway_driver_lock(&now_us);
	enum bus_recovery_action action = gateway_follow_bus(gateway, bus, &link->recovery, link->class->report(link), now_us);
	gateway_driver_unlock();
	/* The back-off reaches its longest with the attempt 3.1 s after bus-off. */
	if (action == BUS_RECOVER)
		link->class->recover(link, link->recovery.back_off_us == BUS_RECOVERY_LAST_US, now_us);
	return earlier(next_us, now_us + BRIDGE_STATE_US);
}

/* Returns when to try again what the controller did not take. */
static uint64_t drain(struct can_link *link, unsigned bus)
{
	for (;;) {
		struct gateway_frame frame;
		uint64_t now_us;
		struct gateway *gateway = gateway_driver_lock(&now_us);
		const struct gateway_frame *next = gateway_next_to_send(gateway, bus, now_us);
		if (next)
			frame = *next;
		gateway_driver_unlock();
		if (!next)
			return GATEWAY_NEVER;
		bool sent = link->class->send(link, &frame, now_us);
		gateway = gateway_driver_lock(&now_us);
		if (sent)
			gateway_sent(gateway, bus, now_us);
		else
			gateway_not_sent(gateway, bus);
		gateway_driver_unlock();
		if (!sent)
			return link->retry_us;
	}
}

/* Returns whether there may be more. */
static bool receive(struct can_link *link, unsigned bus)
{
	struct gateway_frame frames[BATCH_FRAMES];
	uint64_t now_us = time_now();
	unsigned count = 0;
	while (count < BATCH_FRAMES && link->class->receive(link, &frames[count], now_us))
		++count;
	if (!count)
		return false;
	struct gateway *gateway = gateway_driver_lock(&now_us);
	for (unsigned i = 0; i < count; ++i)
		gateway_receive(gateway, bus, &frames[i], now_us);
	gateway_driver_unlock();
	return count == BATCH_FRAMES;
}

uint64_t bridge_turn(struct can_link *const links[GATEWAY_BUSES])
{
	uint64_t next_us = GATEWAY_NEVER, now_us;
	bool more = false;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		next_us = earlier(next_us, update_bus(links[bus], bus));
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		more |= receive(links[bus], bus);
		drain(links[bus ^ 1], bus ^ 1);
	}
	struct gateway *gateway = gateway_driver_lock(&now_us);
	next_us = earlier(next_us, gateway_tick(gateway, now_us));
	gateway_driver_unlock();
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		next_us = earlier(next_us, drain(links[bus], bus));
	return more ? 0 : next_us;
}
