/*
 * First and last of everything: identifiers, times, places, buses. Each case was what a mutant of the core
 * (tools/mutation.mjs) could not be told by.
 */
#include "testing.h"

#define EXTENDED(number) (GATEWAY_EXTENDED | (uint32_t)(number))

static uint8_t told[24 + 12 * 32];

/* How often the frame of this entry of the watch list was received. */
static unsigned watched_count(unsigned entry)
{
	gateway_sample(&gateway, told, now_us);
	return told[24 + 12 * entry + 2];
}

static void activate_plan(unsigned bus, uint32_t id)
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, bus, id, "1 55");
	plan_commit(&plan, 0);
}

TEST(new_gateway, "a new gateway knows nothing of what was in its memory before")
{
	static const struct gateway_plan empty;
	memset(&gateway, 0xFF, sizeof gateway);
	gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
	for (unsigned i = 0; i < 2; ++i)
		CHECK(memcmp(&gateway.plans[i], &empty, sizeof empty) == 0);
	for (unsigned bus = 0; bus < 2; ++bus) {
		EQUAL(gateway.last_received_us[bus], GATEWAY_NEVER);
		for (uint32_t id = 0; id <= GATEWAY_MAX_STANDARD_ID; ++id) {
			CHECK(gateway_latest_of(&gateway, bus, id) == NULL);
			CHECK(gateway_latest_of(&gateway, bus, EXTENDED(id)) == NULL);
		}
	}
}

TEST(last_standard, "the last 11-bit identifier is one like all others: remembered once, watched, rewritten")
{
	int item;
	CHECK(watch("FF 7 0 0 0 0 0 0", &item) == NULL);
	activate_plan(0, 0x7FF);
	SAME(pass(0x7FF, "1 2"), "55 02");
	SAME(pass(0x7FF, "3 4"), "55 04");
	EQUAL(gateway_latest_of(&gateway, 0, 0x7FF)->received.count, 2);
	EQUAL(gateway.latest_used, 1);
	EQUAL(watched_count(0), 2);
}

TEST(all_places, "each place for a 29-bit identifier is used, and what has one is found again")
{
	static struct gateway_latest latest[4096 + 1];
	gateway_init(&gateway, latest, 4096, test_ring, RING);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
	for (int round = 0; round < 2; ++round)
		for (uint32_t number = 0; number < 20000; ++number) {
			CHECK(receive(0, EXTENDED(number * 104729 & 0x1FFFFFFF), "1"));
			send_next(1);
		}
	EQUAL(gateway.latest_used, GATEWAY_EXTENDED_IDS);
	for (uint32_t i = 0; i < GATEWAY_EXTENDED_IDS; ++i)
		EQUAL(latest_at(i)->received.count, 2);
}

TEST(same_place, "of 29-bit identifiers that belong to one place as many are remembered as are looked for, and the others passed on")
{
	unsigned seen = 0;
	for (uint32_t number = 0; seen < GATEWAY_PROBES + 3; ++number)
		if (EXTENDED(number) * 2654435761u >> 24 == 7) { /* as gateway_hash() */
			CHECK(receive(0, EXTENDED(number), "1"));
			++seen;
		}
	EQUAL(gateway.latest_used, GATEWAY_PROBES);
	EQUAL(COUNT(ID_TABLE_FULL), 3);
}

TEST(plan_while_waiting, "plans that are loaded and committed while frames wait change none of them")
{
	for (unsigned bus = 0; bus < 2; ++bus)
		for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i)
			CHECK(receive(bus, 0x100 + i, "1 2 3 4 5 6 7 8"));
	for (unsigned i = 0; i < 3; ++i)
		activate_plan(0, 0x280 + i);
	for (unsigned bus = 0; bus < 2; ++bus)
		for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i) {
			const struct gateway_frame *frame = send_next(bus);
			EQUAL(frame->id, 0x100 + i);
			BYTES(frame->data, 1, 2, 3, 4, 5, 6, 7, 8);
		}
}

TEST(one_bus_runs, "while only one bus has ever run nothing is rewritten, whichever it is")
{
	for (unsigned running = 0; running < 2; ++running) {
		gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
		gateway_set_bus_state(&gateway, running, GATEWAY_ERROR_ACTIVE);
		activate_plan(running ^ 1, 0x280); /* what is received by a controller that has not said yet that it runs */
		CHECK(receive(running ^ 1, 0x280, "1"));
		EQUAL(send_next(running)->data[0], 1);
		EQUAL(COUNT(REWRITTEN), 0);
	}
}

TEST(time_zero, "where time begins, a plan that is released, or a bus that stops, ends rewriting, and the tick looks at the two queues alone")
{
	now_us = 0;
	activate_plan(0, 0x280);
	SAME(pass(0x280, "1"), "55");
	gateway_release(&gateway);
	SAME(pass(0x280, "1"), "01");
	activate_plan(0, 0x280);
	gateway_set_bus_state(&gateway, 0, GATEWAY_BUS_OFF);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	SAME(pass(0x280, "1"), "01");
	gateway_release(&gateway);
	for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i)
		CHECK(receive(1, 0x300, "1 2 3 4 5 6 7 8"));
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_AGE_LIMIT_US + 1);
	EQUAL(gateway_waiting(&gateway, 0), GATEWAY_QUEUE_FRAMES);
}

TEST(tick_both, "the tick drops what is too old on each bus, and asks for the time of each")
{
	for (unsigned bus = 0; bus < 2; ++bus) {
		CHECK(receive(bus, 1, "1"));
		EQUAL(gateway_tick(&gateway, now_us), now_us + GATEWAY_AGE_LIMIT_US + 1);
		now_us += GATEWAY_AGE_LIMIT_US + 1;
		gateway_tick(&gateway, now_us);
		EQUAL(gateway_waiting(&gateway, bus ^ 1), 0);
		EQUAL(COUNT(DROPPED_TOO_OLD), bus + 1);
	}
}

TEST(cyclic_lease, "a cyclic frame's lease ends to the microsecond, and at its end it starts anew")
{
	static const uint8_t payload[] = {1};
	for (unsigned late = 0; late < 2; ++late) {
		gateway_set_cyclic(&gateway, 0, 1, 0x6B0, 100, 101, payload, 1, now_us);
		gateway_tick(&gateway, now_us);
		CHECK(send_next(1));
		now_us += 101 * MS - 1 + late;
		gateway_tick(&gateway, now_us);
		EQUAL(send_next(1) == NULL, late);
		now_us += 100 * MS;
	}
	gateway_set_cyclic(&gateway, 0, 1, 0x6B0, 100, 50, payload, 1, now_us);
	gateway_tick(&gateway, now_us);
	CHECK(send_next(1));
	now_us += 50 * MS;
	gateway_set_cyclic(&gateway, 0, 1, 0x6B0, 100, 50, payload, 1, now_us);
	gateway_tick(&gateway, now_us);
	CHECK(send_next(1));
}

TEST(watch_changes, "a list that replaces another is told of its own frames alone, however long either was")
{
	uint8_t many[32 * 8] = {0};
	int item;
	CHECK(watch("1 0 0 0 0 0 0 0", &item) == NULL);
	CHECK(watch("2 0 0 0 0 0 0 0", &item) == NULL);
	receive(0, 1, "1");
	EQUAL(watched_count(0), 0);
	CHECK(watch("1 0 0 0 0 0 0 0  2 0 0 0 0 0 0 0", &item) == NULL);
	CHECK(watch("3 0 0 0 0 0 0 0", &item) == NULL);
	CHECK(watch("4 0 0 0 0 0 0 0  5 0 0 0 0 0 0 0", &item) == NULL);
	receive(0, 2, "1");
	EQUAL(watched_count(1), 0);
	for (unsigned i = 0; i < 32; ++i)
		many[8 * i] = (uint8_t)(0x10 + i);
	CHECK(gateway_watch(&gateway, many, sizeof many, &item) == NULL);
	CHECK(watch("", &item) == NULL);
	receive(0, 0x2F, "1");
	EQUAL(gateway_sample_size(&gateway), 24);
}

TEST(watched_eight, "all eight bytes of a watched frame are told, with its age, and a watch that collects clears them and nothing else")
{
	int item;
	CHECK(watch("81 2 0 0 0 8 1 0", &item) == NULL);
	receive(0, 0x281, "1 2 3 4 5 6 7 8");
	now_us += 5 * MS;
	EQUAL(watched_count(0), 1);
	BYTES(told + 24, 5, 0, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8);
	receive(0, 0x281, "0 0 0 0 0 0 0 0");
	EQUAL(watched_count(0), 2);
	BYTES(told + 24, 0, 0, 2, 8, 0, 0, 0, 0, 0, 0, 0, 0);
	CHECK(watch("2 0 0 0 0 0 0 0", &item) == NULL);
	receive(0, 0x281, "1 2 3 4 5 6 7 8");
	EQUAL(watched_count(0), 0);
}

TEST(still_stopped, "either bus is told of as interrupted for as long as it stands still")
{
	for (unsigned bus = 0; bus < 2; ++bus) {
		gateway_set_bus_state(&gateway, bus, GATEWAY_STOPPED);
		for (unsigned i = 0; i < 3; ++i) {
			gateway_sample(&gateway, told, now_us);
			EQUAL(told[7], 1 << bus);
		}
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
		gateway_sample(&gateway, told, now_us);
		gateway_sample(&gateway, told, now_us);
		EQUAL(told[7], 0);
	}
}

TEST(records, "a record has both lengths, of what is dropped only the one that came; an unmodified frame is not called changed")
{
	static const uint32_t ids[] = {0x300};
	static const uint32_t testers[][2] = {{0x700, 0x71F}};
	SAME(pass(0x280, "1 2 3"), "01 02 03");
	EQUAL(gateway_latest_of(&gateway, 0, 0x280)->sent.flags, 0);
	BYTES(test_ring[0].dlc, 3, 3);
	BYTES(test_ring[0].sent, 1, 2, 3, 0, 0, 0, 0, 0);
	gateway_channel_open(&gateway, ids, 1, testers, 1, now_us);
	CHECK(!receive(GATEWAY_COUPLING, 0x300, "4 5"));
	gateway_set_bus_state(&gateway, GATEWAY_COUPLING, GATEWAY_STOPPED);
	CHECK(!receive(GATEWAY_CHASSIS, 0x280, "6 7"));
	for (unsigned i = 1; i < 3; ++i) {
		BYTES(test_ring[i].dlc, 2, 0);
		BYTES(test_ring[i].sent, 0, 0, 0, 0, 0, 0, 0, 0);
		EQUAL(test_ring[i].flags, GATEWAY_DROPPED);
	}
}

TEST(dropped_later, "a frame that is dropped while it waits is told of in its record, the oldest that there is as well")
{
	for (unsigned i = 0; i < 3 * RING; ++i)
		pass(0x100, "1");
	CHECK(receive(GATEWAY_CHASSIS, 0x200, "1"));
	for (unsigned i = 1; i < RING; ++i)
		CHECK(receive(GATEWAY_COUPLING, 0x300, "1"));
	gateway_set_bus_state(&gateway, GATEWAY_COUPLING, GATEWAY_STOPPED);
	EQUAL(test_ring[0].id, 0x200);
	EQUAL(test_ring[0].flags, GATEWAY_DROPPED);
	for (unsigned i = 1; i < RING; ++i)
		EQUAL(test_ring[i].flags, 0);
}

TEST(received_first, "the identifier that was seen first has an age too")
{
	CHECK(receive(GATEWAY_CHASSIS, 0x700, "1"));
	now_us += 2 * MS;
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x700, now_us), 2 * MS);
}

TEST(channel_shorter, "a channel of fewer identifiers and testers forgets those of the one before, and the tick sends nothing of it")
{
	static const uint32_t ids[] = {0x300, 0x301, 0x302};
	static const uint32_t testers[][2] = {{0x700, 0x71F}, {0x98DA0000, 0x98DBFFFF}};
	gateway_channel_open(&gateway, ids, 3, testers, 2, now_us);
	gateway_tick(&gateway, now_us);
	for (unsigned bus = 0; bus < 2; ++bus)
		EQUAL(gateway_waiting(&gateway, bus), 0);
	gateway_channel_close(&gateway);
	gateway_channel_open(&gateway, ids, 1, testers, 1, now_us);
	CHECK(receive(GATEWAY_COUPLING, 0x301, "1"));
	CHECK(receive(GATEWAY_CHASSIS, 0x98DA0001, "1"));
	CHECK(!gateway_channel_gave_way(&gateway));
	CHECK(!receive(GATEWAY_COUPLING, 0x300, "1"));
}

TEST(recovery_since, "a bus that runs again has held for 2 s when it has run for 2 s, however long it was off")
{
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us += 100 * MS), BUS_RECOVER);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 150 * MS), BUS_CAME_BACK);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 1900 * MS);
	EQUAL(recovery.back_off_us, 200 * MS);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 100 * MS);
	EQUAL(recovery.back_off_us, 100 * MS);
}
