/* See gateway_bus.h. */
#include "gateway_bus.h"

enum bus_recovery_action gateway_follow_bus(struct gateway *gateway, unsigned bus, struct bus_recovery *recovery,
	enum bus_recovery_report report, uint64_t now_us)
{
	static const uint8_t states[] = {
		[BUS_STOPPED] = GATEWAY_STOPPED, [BUS_RUNNING] = GATEWAY_ERROR_ACTIVE, [BUS_WARNING] = GATEWAY_ERROR_PASSIVE,
		[BUS_OFF] = GATEWAY_BUS_OFF};
	enum bus_recovery_action action = bus_recovery_step(recovery, report, now_us);
	if (action == BUS_WENT_OFF)
		++gateway->counters[GATEWAY_BUS_OFF_CHASSIS + bus];
	if (action == BUS_CAME_BACK)
		++gateway->counters[GATEWAY_RECOVERIES_CHASSIS + bus];
	enum gateway_bus_state state = states[recovery->state];
	if (gateway->state[bus] != state)
		gateway_set_bus_state(gateway, bus, state);
	return action;
}
