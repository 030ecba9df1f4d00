/* Bus-off state machine; see bus_recovery.h. */
#include "bus_recovery.h"

void bus_recovery_init(struct bus_recovery *recovery)
{
	*recovery = (struct bus_recovery){.state = BUS_STOPPED, .back_off_us = BUS_RECOVERY_FIRST_US};
}

static enum bus_recovery_action while_off(struct bus_recovery *recovery, uint64_t now_us)
{
	if (recovery->state != BUS_OFF) {
		recovery->state = BUS_OFF;
		recovery->since_us = now_us;
		return BUS_WENT_OFF;
	}
	if (now_us - recovery->since_us < recovery->back_off_us)
		return BUS_NOTHING;
	recovery->since_us = now_us;
	recovery->back_off_us *= 2;
	if (recovery->back_off_us > BUS_RECOVERY_LAST_US)
		recovery->back_off_us = BUS_RECOVERY_LAST_US;
	return BUS_RECOVER;
}

enum bus_recovery_action bus_recovery_step(struct bus_recovery *recovery, enum bus_recovery_report report, uint64_t now_us)
{
	if (report == BUS_REPORTS_OFF)
		return while_off(recovery, now_us);
	enum bus_recovery_action action = recovery->state == BUS_OFF ? BUS_CAME_BACK : BUS_NOTHING;
	if (report == BUS_REPORTS_STOPPED) {
		bus_recovery_init(recovery);
		return BUS_NOTHING;
	}
	if (recovery->state == BUS_OFF || recovery->state == BUS_STOPPED)
		recovery->since_us = now_us;
	else if (now_us - recovery->since_us >= BUS_RECOVERY_LAST_US)
		recovery->back_off_us = BUS_RECOVERY_FIRST_US; /* it held: the next bus-off is a new one */
	recovery->state = report == BUS_REPORTS_PASSIVE ? BUS_WARNING : BUS_RUNNING;
	return action;
}

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
