/*
 * What the controller promises first: frames leave as they came, whatever happens to the script. A case
 * each for the start, a stalled script, a stale plan and a crash, without JavaScript: nothing else stands behind
 * the C core.
 */
#include "testing.h"

#define LEASE_MS 250u

/* Active until the lease ends: byte 0 of chassis frame 0x280 becomes 0x55. */
static void activate_plan(void)
{
	commit_rule(GATEWAY_CHASSIS, 0x280, "1 55");
	gateway_commit(&gateway, 0, 0xFF, LEASE_MS, now_us);
	SAME(pass(0x280, "1 2"), "55 02");
}

TEST(passes_by_default, "by default, without a plan, frames leave as they came in both directions")
{
	SAME(pass(0x280, "1 2 3 4 5 6 7 8"), "01 02 03 04 05 06 07 08");
	SAME(pass(0x7FF, ""), "");
	SAME(pass(0x9FFFFFFF, "1 2"), "01 02");
	CHECK(receive(GATEWAY_COUPLING, 0x2C0, "9"));
	EQUAL(send_next(GATEWAY_CHASSIS)->data[0], 9);
	EQUAL(COUNT(RECEIVED_CHASSIS), 3);
	EQUAL(COUNT(RECEIVED_COUPLING), 1);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 3);
	EQUAL(COUNT(FORWARDED_TO_CHASSIS), 1);
	gateway_commit(&gateway, 0, 0xFF, 100, now_us); /* nothing to commit */
	CHECK(!gateway_plan_active(&gateway, now_us));
	EQUAL(COUNT(COMMITS), 0);
}

TEST(passes_on_stall, "when the script stalls frames leave as they came, from the microsecond on in which its lease ends")
{
	activate_plan();
	now_us += LEASE_MS * MS - 1;
	SAME(pass(0x280, "1 2"), "55 02");
	EQUAL(gateway_tick(&gateway, now_us), now_us + 1);
	++now_us;
	SAME(pass(0x280, "1 2"), "01 02"); /* whether the tick comes in time or not */
	EQUAL(COUNT(LEASE_EXPIRIES), 0);
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	EQUAL(COUNT(LEASE_EXPIRIES), 1);
	gateway_commit(&gateway, 0, 0xFF, 1, now_us);
	now_us += MS;
	gateway_commit(&gateway, 0, 0xFF, 1, now_us); /* notices that the one before ran out */
	EQUAL(COUNT(LEASE_EXPIRIES), 2);
	SAME(pass(0x280, "1 2"), "55 02");
}

TEST(passes_on_stale, "when what the script knows is stale, for a bus stopped after its last sample, frames leave as they came until it has heard of that")
{
	uint8_t told[GATEWAY_SAMPLE_HEADER_BYTES];
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		activate_plan();
		gateway_set_bus_state(&gateway, bus, bus ? GATEWAY_BUS_OFF : GATEWAY_STOPPED);
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
		SAME(pass(0x280, "1 2"), "01 02");
		gateway_commit(&gateway, 0, 0xFF, LEASE_MS, now_us); /* by a script that has not heard */
		SAME(pass(0x280, "1 2"), "01 02");
		gateway_sample(&gateway, told, now_us);
		EQUAL(told[7], 1u << bus);
		SAME(pass(0x280, "1 2"), "01 02");
		gateway_commit(&gateway, 0, 0xFF, LEASE_MS, now_us);
		SAME(pass(0x280, "1 2"), "55 02");
		gateway_sample(&gateway, told, now_us);
		EQUAL(told[7], 0);
	}
}

TEST(passes_on_crash, "when the script crashes nothing of it outlasts its leases, and after the restart frames leave as they came")
{
	static const uint32_t answer = 0x764, testers[1][2];
	static const uint8_t payload[8];
	struct builder staged;
	activate_plan();
	gateway_set_cyclic(&gateway, 0, GATEWAY_COUPLING, 0x6B0, 10, LEASE_MS, payload, 8, now_us);
	gateway_channel_open(&gateway, &answer, 1, testers, 0, now_us);
	plan_begin(&staged, 2);
	plan_rule(&staged, GATEWAY_CHASSIS, 0x280, "1 66");
	plan_load(&staged);
	CHECK(!receive(GATEWAY_COUPLING, answer, "1")); /* kept for the script, which crashes now */
	now_us += GATEWAY_CHANNEL_LEASE_US + 1;
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	EQUAL(gateway_waiting(&gateway, GATEWAY_COUPLING), 0);
	SAME(pass(0x280, "1 2"), "01 02");
	CHECK(receive(GATEWAY_COUPLING, answer, "1"));

	activate_plan(); /* it crashes once more, and takes the chip with it */
	gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
	SAME(pass(0x280, "1 2"), "01 02");
	gateway_commit(&gateway, 0, 0xFF, LEASE_MS, now_us); /* the plan is gone, too */
	SAME(pass(0x280, "1 2"), "01 02");
}
