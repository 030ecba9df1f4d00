/* What the gateway remembers: sample, latest frames, ring; and ids beyond its tables. */
#include "testing.h"

#define EXTENDED(number) (GATEWAY_EXTENDED | (uint32_t)(number))

static uint8_t into[24 + 12 * 32];

static void sample(void)
{
	memset(into, 0xEE, sizeof into);
	gateway_sample(&gateway, into, now_us);
}

/* How often the frame of this entry of the watch list was received. */
static unsigned watched_count(unsigned entry)
{
	sample();
	return into[24 + 12 * entry + 2];
}

TEST(sample_header, "a sample begins with time, bus states, plan and the age of the traffic")
{
	now_us = ((1ull << 32) + 0x01020304) * MS + 999; /* the clock in ms wraps */
	watch("");
	EQUAL(gateway_sample_size(&gateway), 24);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_PASSIVE);
	sample();
	BYTES(into, 4, 3, 2, 1, 1, 3, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xEE);
	receive(0, 1, "1");
	now_us += 300 * MS;
	receive(1, 1, "1");
	commit_rule(0, 0x280, "1 55");
	sample();
	BYTES(into + 6, 1, 0, 0x2C, 0x01, 0, 0);
	now_us += 65534 * MS;
	sample();
	BYTES(into + 6, 0, 0, 0xFF, 0xFF, 0xFE, 0xFF);
	EQUAL(COUNT(LEASE_EXPIRIES), 1);
}

TEST(watched, "a watched frame is reported with age, count, DLC and data; others are not")
{
	watch("80 02 00 00 00 04 00 00  34 12 00 80 01 00 00 00");
	EQUAL(gateway_sample_size(&gateway), 48);
	sample();
	BYTES(into + 24, 0xFF, 0xFF, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0x80);
	receive(0, 0x280, "1 2 3 4 5");
	now_us += 10 * MS;
	receive(0, 0x280, "9 9 9");          /* shorter than minDlc */
	receive(1, 0x280, "8 8 8 8 8");      /* other bus */
	receive(0, EXTENDED(0x280), "7 7 7 7 7"); /* other type */
	struct gateway_frame remote = {.id = 0x280 | GATEWAY_REMOTE, .dlc = 8};
	gateway_receive(&gateway, 0, &remote, now_us);
	receive(1, EXTENDED(0x1234), "");
	sample();
	BYTES(into + 24, 10, 0, 1, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	for (int i = 0; i < 256; ++i)
		receive(0, 0x280, "1 2 3 4");
	sample();
	BYTES(into + 24, 0, 0, 1, 4, 1, 2, 3, 4, 0, 0, 0, 0);
}

TEST(watched_unmodified, "a watched frame is reported as received, not as sent")
{
	commit_rule(0, EXTENDED(5), "1 99");
	watch("5 0 0 80 0 0 0 0");
	SAME(pass(EXTENDED(5), "1"), "99"); /* the rule survives the new watch list */
	sample();
	EQUAL(into[24 + 4], 1);
	commit_rule(0, EXTENDED(5), "1 99"); /* and the watch the new plan */
	pass(EXTENDED(5), "2");
	sample();
	EQUAL(into[24 + 4], 2);
}

TEST(watched_collecting, "a watch that collects has the bits of all frames since the last sample, and beside it another has the last")
{
	watch("1 0 0 0 0 2 1 0  1 0 0 0 0 2 0 0  2 0 0 80 1 0 1 0");
	receive(0, 1, "01 80 04");
	receive(0, 1, "10"); /* shorter than minDlc */
	receive(0, 1, "02 80");
	receive(1, EXTENDED(2), "40");
	sample();
	BYTES(into + 24, 0, 0, 2, 2, 0x03, 0x80, 0x04, 0, 0, 0, 0, 0);
	BYTES(into + 36, 0, 0, 2, 2, 0x02, 0x80, 0, 0);
	BYTES(into + 48, 0, 0, 1, 1, 0x40, 0);
	sample();
	BYTES(into + 24, 0, 0, 2, 2, 0, 0, 0);
	BYTES(into + 36, 0, 0, 2, 2, 0x02, 0x80, 0, 0);
	receive(0, 1, "04 00");
	sample();
	BYTES(into + 24, 0, 0, 3, 2, 0x04, 0, 0);
}

TEST(collected_kept, "a new watch list reports what the last one collected, where it collects the same frame")
{
	watch("1 0 0 0 0 2 1 0  2 0 0 0 0 1 1 0  1 0 0 0 0 2 0 0");
	receive(0, 1, "04 00");
	receive(0, 2, "01");
	now_us += 3 * MS;
	watch("1 0 0 0 0 2 0 0  3 0 0 0 0 1 1 0  1 0 0 0 0 2 1 0  1 0 0 0 0 1 1 0  2 0 0 0 1 1 1 0");
	sample();
	BYTES(into + 24, 0xFF, 0xFF, 0, 0x80);
	BYTES(into + 36, 0xFF, 0xFF, 0, 0x80);
	BYTES(into + 48, 3, 0, 1, 2, 0x04, 0);
	BYTES(into + 60, 0xFF, 0xFF, 0, 0x80);
	BYTES(into + 72, 0xFF, 0xFF, 0, 0x80);
	watch("1 0 0 0 0 2 1 0");
	sample();
	BYTES(into + 24, 0xFF, 0xFF, 0, 0x80); /* it was told */
	receive(0, 1, "08 00");
	watch("1 0 0 0 0 2 1 0"); /* of the last entry, too */
	sample();
	BYTES(into + 24, 0, 0, 1, 2, 0x08, 0);
}

TEST(interrupted, "each sample tells which bus did not run since the one before, and the lease runs on meanwhile")
{
	commit_rule(0, 5, "1 99");
	gateway_commit(&gateway, 0, 0xFF, 100, now_us);
	gateway_set_bus_state(&gateway, 0, GATEWAY_STOPPED);
	sample();
	sample();
	BYTES(into + 4, 0, 1, 1, 1);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	now_us += 100 * MS;
	sample();
	BYTES(into + 4, 1, 1, 0, 1);
	EQUAL(COUNT(LEASE_EXPIRIES), 1); /* its end idles the PWM */
	gateway_set_bus_state(&gateway, 1, GATEWAY_BUS_OFF);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
	sample();
	BYTES(into + 4, 1, 1, 0, 2);
	sample();
	BYTES(into + 4, 1, 1, 0, 0);
}

TEST(watch_refused, "a watch list that is wrong is rejected whole")
{
	int item;
	uint8_t many[33 * 8] = {0};
	watch("1 0 0 0 0 0 0 0");
	watch_is_rejected("1 0 0 0 0 0 0", -1, "size is no multiple of 8");
	SAME(gateway_watch(&gateway, many, sizeof many, &item), "more than 32 frames");
	watch_is_rejected("1 0 0 0 0 0 0 0 0 8 0 0 0 0 0 0", 1, "identifier out of range");
	watch_is_rejected("1 0 0 0 2 0 0 0", 0, "bus above 1");
	watch_is_rejected("1 0 0 0 1 9 0 0", 0, "minDlc above 8");
	watch_is_rejected("1 0 0 0 1 8 2 0", 0, "flags out of range");
	watch_is_rejected("1 0 0 0 1 8 0 1", 0, "reserved byte not 0");
	EQUAL(gateway_sample_size(&gateway), 36);
	CHECK(gateway_watch(&gateway, many, 32 * 8, &item) == NULL);
}

TEST(latest, "the latest frame of each id is kept as received and as sent, with what was changed")
{
	commit_rule(0, 0x280, "1 55");
	CHECK(latest_at(0) == NULL);
	pass(0x280, "1 2");
	now_us += MS;
	pass(0x280, "3 4");
	receive(1, 0x280, "9");
	EQUAL(gateway_received_age(&gateway, 0, 0x280, 0x280, now_us), 0);
	const struct gateway_latest *entry = latest_at(0);
	EQUAL(entry->id, 0x280);
	EQUAL(entry->bus, 0);
	EQUAL(entry->received.count, 2);
	EQUAL(entry->received.dlc, 2);
	EQUAL(entry->received.time_us, now_us);
	BYTES(entry->received.data, 3, 4, 0);
	BYTES(entry->sent.data, 0x55, 4, 0);
	EQUAL(entry->sent.flags, GATEWAY_CHANGED);
	entry = latest_at(1);
	EQUAL(entry->bus, 1);
	EQUAL(entry->sent.count, 0);
	CHECK(latest_at(2) == NULL);
}

TEST(table_full, "ids beyond the table are forwarded and counted; rules and watches hold for them all the same")
{
	struct builder plan;
	for (uint32_t id = 0; id < LATEST; ++id)
		pass(id, "1");
	EQUAL(COUNT(ID_TABLE_FULL), 0);
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x700, "1 55");
	plan_rule(&plan, 0, EXTENDED(0x700), "1 66");
	plan_commit(&plan, 0);
	watch("0 7 0 80 0 0 0 0");
	SAME(pass(0x700, "1"), "55");
	SAME(pass(EXTENDED(0x700), "1"), "66");
	EQUAL(COUNT(ID_TABLE_FULL), 2);
	sample();
	EQUAL(into[24 + 2], 1);
	CHECK(latest_at(LATEST) == NULL);
}

TEST(pins_collide, "as many 29-bit rules and watches as there may be are all found, on both buses")
{
	struct builder plan;
	int item;
	uint8_t list[32 * 8] = {0};
	plan_begin(&plan, 1);
	for (uint32_t i = 0; i < 48; ++i)
		plan_rule(&plan, i & 1, EXTENDED(i / 2 * 0x10000), "1 55");
	plan_commit(&plan, 0);
	for (unsigned i = 0; i < 32; ++i)
		memcpy(list + 8 * i, (uint8_t[]){0, 0, (uint8_t)(i / 2), 0x81, i & 1}, 5);
	CHECK(gateway_watch(&gateway, list, sizeof list, &item) == NULL);
	for (uint32_t i = 0; i < 48; ++i) {
		CHECK(receive(i & 1, EXTENDED(i / 2 * 0x10000), "1"));
		EQUAL(send_next(~i & 1)->data[0], 0x55);
	}
	for (uint32_t i = 0; i < 32; ++i)
		CHECK(receive(i & 1, EXTENDED(0x1000000 + i / 2 * 0x10000), "1"));
	sample();
	for (unsigned i = 0; i < 32; ++i)
		EQUAL(into[24 + 12 * i + 2], 1);
}

static uint32_t read_ring(uint64_t *cursor, struct gateway_record *records, uint32_t max, uint64_t expected_overwritten)
{
	uint64_t overwritten;
	uint32_t count = gateway_read_ring(&gateway, cursor, records, max, &overwritten);
	EQUAL(overwritten, expected_overwritten);
	return count;
}

TEST(ring, "the ring tells of every frame, received and sent, in order")
{
	struct gateway_record records[RING];
	uint64_t cursor = gateway_ring_end(&gateway);
	commit_rule(0, 0x280, "1 55");
	pass(0x280, "1 2");
	now_us += MS;
	receive(1, EXTENDED(0x123), "9");
	gateway_set_bus_state(&gateway, 0, GATEWAY_STOPPED); /* drops it */
	gateway_set_cyclic(&gateway, 0, 1, 0x6B0, 10, 60, (const uint8_t *)"a", 1, now_us);
	gateway_tick(&gateway, now_us);
	EQUAL(read_ring(&cursor, records, 2, 0), 2);
	EQUAL(records[0].id, 0x280);
	EQUAL(records[0].dlc[0], 2);
	EQUAL(records[0].flags, GATEWAY_CHANGED);
	EQUAL(records[0].time_us, now_us - MS);
	BYTES(records[0].received, 1, 2, 0);
	BYTES(records[0].sent, 0x55, 2, 0);
	EQUAL(records[1].id, EXTENDED(0x123));
	EQUAL(records[1].bus, 1);
	EQUAL(records[1].flags, GATEWAY_DROPPED);
	EQUAL(read_ring(&cursor, records, RING, 0), 1);
	EQUAL(records[0].flags, GATEWAY_CYCLIC);
	EQUAL(records[0].bus, 1);
	BYTES(records[0].received, 0);
	BYTES(records[0].sent, 'a');
	EQUAL(read_ring(&cursor, records, RING, 0), 0);
}

TEST(ring_wrap, "a reader that comes too late is told how many records it missed")
{
	struct gateway_record records[RING];
	uint64_t cursor = 0;
	for (unsigned i = 0; i < RING; ++i)
		pass(i, "1");
	EQUAL(gateway_ring_start(&gateway), 0);
	EQUAL(read_ring(&cursor, records, 3, 0), 3);
	EQUAL(records[0].id, 0);
	for (unsigned i = 0; i < RING; ++i)
		pass(0x100 + i, "1");
	EQUAL(gateway_ring_start(&gateway), RING);
	EQUAL(read_ring(&cursor, records, RING, RING - 3), RING);
	EQUAL(records[0].id, 0x100);
	EQUAL(COUNT(RING_OVERWRITTEN), RING - 3);
	cursor = 1000; /* of another gateway */
	EQUAL(read_ring(&cursor, records, RING, 0), 0);
	EQUAL(cursor, 2 * RING);
}

TEST(ring_dropped_later, "a frame whose record was overwritten meanwhile marks no other record when it is dropped")
{
	for (unsigned i = 0; i < RING + 1; ++i)
		receive(0, i, "1");
	now_us += GATEWAY_AGE_LIMIT_US + 1;
	gateway_tick(&gateway, now_us);
	EQUAL(COUNT(DROPPED_TOO_OLD), RING + 1);
	receive(0, 0x100, "1");
	receive(0, 0x101, "1");
	for (unsigned i = 0; i < RING; ++i)
		receive(1, 0x200 + i, "1");
	gateway_set_bus_state(&gateway, 1, GATEWAY_STOPPED);
	for (unsigned i = 0; i < RING; ++i)
		EQUAL(test_ring[i].flags, 0);
}

/* ---- first and last of everything ---- */

TEST(all_places, "each slot for a 29-bit identifier is used and found again; identifiers beyond are counted and forwarded")
{
	static struct gateway_latest latest[4096 + 1];
	gateway_init(&gateway, latest, 4096, test_ring, RING);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
	for (int round = 0; round < 2; ++round)
		for (uint32_t number = 0; number < 20000; ++number) {
			CHECK(receive(number & 1, EXTENDED(number * 104729 & 0x1FFFFFFF), "1"));
			send_next(~number & 1);
		}
	EQUAL(gateway.latest_used, GATEWAY_EXTENDED_IDS);
	for (uint32_t i = 0; i < GATEWAY_EXTENDED_IDS; ++i)
		EQUAL(latest_at(i)->received.count, 2);
	EQUAL(COUNT(ID_TABLE_FULL), 2 * (20000 - GATEWAY_EXTENDED_IDS));
}

TEST(new_gateway, "a new gateway knows nothing of what was in its memory before")
{
	static const struct gateway_plan empty;
	static const struct gateway_latest none;
	memset(&gateway, 0xFF, sizeof gateway);
	memset(test_latest, 0xFF, sizeof test_latest);
	gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
	CHECK(memcmp(&test_latest[LATEST], &none, sizeof none) == 0); /* shared by identifiers beyond the table */
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

TEST(last_standard, "the highest 11-bit identifier is stored once, watched and rewritten")
{
	watch("FF 7 0 0 0 0 0 0");
	commit_rule(0, 0x7FF, "1 55");
	SAME(pass(0x7FF, "1 2"), "55 02");
	SAME(pass(0x7FF, "3 4"), "55 04");
	EQUAL(gateway_latest_of(&gateway, 0, 0x7FF)->received.count, 2);
	EQUAL(gateway.latest_used, 1);
	EQUAL(watched_count(0), 2);
}

TEST(same_place, "of 29-bit identifiers of one hash as many are stored as slots are looked at; the others are forwarded")
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

TEST(watch_changes, "a list that replaces another reports its own frames alone, however long either is")
{
	uint8_t many[32 * 8] = {0};
	int item;
	watch("1 0 0 0 0 0 0 0");
	watch("2 0 0 0 0 0 0 0");
	receive(0, 1, "1");
	EQUAL(watched_count(0), 0);
	watch("1 0 0 0 0 0 0 0  2 0 0 0 0 0 0 0");
	watch("3 0 0 0 0 0 0 0");
	watch("4 0 0 0 0 0 0 0  5 0 0 0 0 0 0 0");
	receive(0, 2, "1");
	EQUAL(watched_count(1), 0);
	for (unsigned i = 0; i < 32; ++i)
		many[8 * i] = (uint8_t)(0x10 + i);
	CHECK(gateway_watch(&gateway, many, sizeof many, &item) == NULL);
	watch("");
	receive(0, 0x2F, "1");
	EQUAL(gateway_sample_size(&gateway), 24);
}

TEST(watched_eight, "all eight bytes of a watched frame are reported with its age; a watch that collects then clears only these")
{
	watch("81 2 0 0 0 8 1 0");
	receive(0, 0x281, "1 2 3 4 5 6 7 8");
	now_us += 5 * MS;
	EQUAL(watched_count(0), 1);
	BYTES(into + 24, 5, 0, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8);
	receive(0, 0x281, "0 0 0 0 0 0 0 0");
	EQUAL(watched_count(0), 2);
	BYTES(into + 24, 0, 0, 2, 8, 0, 0, 0, 0, 0, 0, 0, 0);
	watch("2 0 0 0 0 0 0 0");
	receive(0, 0x281, "1 2 3 4 5 6 7 8");
	EQUAL(watched_count(0), 0);
}

TEST(still_stopped, "each sample reports either bus as interrupted until it runs again")
{
	for (unsigned bus = 0; bus < 2; ++bus) {
		gateway_set_bus_state(&gateway, bus, GATEWAY_STOPPED);
		for (unsigned i = 0; i < 3; ++i) {
			sample();
			EQUAL(into[7], 1 << bus);
		}
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
		sample();
		sample();
		EQUAL(into[7], 0);
	}
}

TEST(records, "a record has the received and the sent length, 0 for a dropped frame; an unmodified frame is not marked as changed")
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

TEST(dropped_later, "the record of a frame that is dropped while it waits is marked, also if it is the oldest")
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
