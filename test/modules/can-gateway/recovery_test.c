/* Recovery from bus-off, and what the core is told of it. */
#include "testing.h"

TEST(recovery, "recovery from bus-off is tried after 100 ms, 200 ms and so on up to 2 s")
{
	static const unsigned expected_ms[] = {100, 200, 400, 800, 1600, 2000, 2000, 2000};
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us), BUS_NOTHING);
	EQUAL(recovery.state, BUS_RUNNING);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_PASSIVE, now_us), BUS_NOTHING);
	EQUAL(recovery.state, BUS_WARNING);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us), BUS_WENT_OFF);
	EQUAL(recovery.state, BUS_OFF);
	for (size_t i = 0; i < sizeof expected_ms / sizeof expected_ms[0]; ++i) {
		now_us += expected_ms[i] * MS - 1;
		EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us), BUS_NOTHING);
		++now_us;
		EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us), BUS_RECOVER);
	}
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us), BUS_CAME_BACK);
	EQUAL(recovery.state, BUS_RUNNING);
}

TEST(recovery_holds, "the back-off starts small again only after the bus ran for 2 s, or was stopped")
{
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us);
	bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us += 100 * MS);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 2000 * MS - 1);
	EQUAL(recovery.back_off_us, 200 * MS);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 1);
	EQUAL(recovery.back_off_us, 100 * MS);
	bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us);
	bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us += 100 * MS);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_STOPPED, now_us), BUS_NOTHING);
	EQUAL(recovery.state, BUS_STOPPED);
	EQUAL(recovery.back_off_us, 100 * MS);
}

TEST(recovery_table, "every report in every state leads to the state and the action that it should")
{
	static const enum bus_recovery_report said[] = {BUS_REPORTS_STOPPED, BUS_REPORTS_ACTIVE, BUS_REPORTS_PASSIVE, BUS_REPORTS_OFF};
	static const struct {
		enum bus_recovery_report before; /* leads to the state that is left */
		unsigned waited_ms;
		enum bus_recovery_state state[4];   /* for each of the reports above */
		enum bus_recovery_action action[4];
	} rows[] = {
		{BUS_REPORTS_STOPPED, 500, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, 0, 0, BUS_WENT_OFF}},
		{BUS_REPORTS_ACTIVE, 500, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, 0, 0, BUS_WENT_OFF}},
		{BUS_REPORTS_PASSIVE, 500, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, 0, 0, BUS_WENT_OFF}},
		{BUS_REPORTS_OFF, 99, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, BUS_CAME_BACK, BUS_CAME_BACK, BUS_NOTHING}},
		{BUS_REPORTS_OFF, 100, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, BUS_CAME_BACK, BUS_CAME_BACK, BUS_RECOVER}},
	};
	for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row)
		for (unsigned i = 0; i < 4; ++i) {
			struct bus_recovery recovery;
			bus_recovery_init(&recovery);
			bus_recovery_step(&recovery, rows[row].before, now_us);
			EQUAL(bus_recovery_step(&recovery, said[i], now_us + rows[row].waited_ms * MS), rows[row].action[i]);
			EQUAL(recovery.state, rows[row].state[i]);
		}
}

TEST(follow_bus, "the core follows what a controller says: state, bus-offs and recoveries of each bus")
{
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_STOPPED, now_us), BUS_NOTHING);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_STOPPED);
	gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_ACTIVE, now_us);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_ACTIVE, now_us), BUS_NOTHING);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
	gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_PASSIVE, now_us);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_PASSIVE);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_OFF, now_us), BUS_WENT_OFF);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_BUS_OFF);
	EQUAL(COUNT(BUS_OFF_COUPLING), 1);
	EQUAL(COUNT(RECOVERIES_COUPLING), 0);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_ACTIVE, now_us), BUS_CAME_BACK);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
	EQUAL(COUNT(RECOVERIES_COUPLING), 1);
	EQUAL(COUNT(BUS_OFF_CHASSIS), 0);
	EQUAL(gateway.state[GATEWAY_CHASSIS], GATEWAY_ERROR_ACTIVE);
}
