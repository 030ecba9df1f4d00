/*
 * Bit fields that follow the factor: the second torque model of Motor_11. Worked out by hand from
 * docs/control-and-can.md 3.14: each torque is raw Nm + 509 in ten bits; 10 Nm open and 150 Nm at full lock
 * are raw 519 and 659, inertia 0 Nm is 509, overrun is 487.
 */
#include "testing.h"

#define HALF (GATEWAY_FULL_FACTOR / 2)
/* 0 Nm actual and filtered, 22 Nm requested: a car in idle; bits 62 and 63 are its own. */
#define IDLE "0 35 61 7F FD F5 77 7E"

static struct builder plan;

static void add_torques(unsigned ceiling_nm)
{
	unsigned span = ceiling_nm - 10;
	plan_field(&plan, 0, 12, 10, 0, 519, span);
	plan_field(&plan, 0, 22, 10, 8, 519, span);
	plan_field(&plan, 0, 32, 10, 0, 509, 0);
	plan_field(&plan, 0, 42, 10, 32, 519, span);
	plan_field(&plan, 0, 52, 9, 0, 487, 0);
	plan_field(&plan, 0, 61, 1, 0, 1, 0);
}

static void put_torques(unsigned ceiling_nm, uint32_t factor)
{
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x0A7, "");
	add_torques(ceiling_nm);
	plan_commit(&plan, factor);
}

static void commit(uint32_t factor)
{
	gateway_commit(&gateway, factor, 0xFF, GATEWAY_MAX_LEASE_MS, now_us);
}

/* Bits of the last frame of the coupling bus. */
static unsigned sent_bits(unsigned start, unsigned length)
{
	uint64_t all = 0;
	for (unsigned at = 0; at < 8; ++at)
		all |= (uint64_t)test_latest[0].sent.data[at] << 8 * at;
	return (unsigned)(all >> start) & ((1u << length) - 1);
}

static void passes_as(const char *data, unsigned requested, unsigned actual, unsigned filtered)
{
	pass(0x0A7, data);
	EQUAL(sent_bits(12, 10), requested);
	EQUAL(sent_bits(22, 10), actual);
	EQUAL(sent_bits(42, 10), filtered);
}

TEST(fields_golden, "fields are written as worked out by hand: 10 Nm open, 80 Nm at half, 150 Nm at full, all other bits are the car's")
{
	put_torques(150, 0);
	SAME(pass(0x0A7, "A0 35 61 7F FD F5 77 7E"), "A0 75 E0 81 FD 1D 78 7E");
	SAME(pass(0x0A7, "A0 C9 FF FF FF FF FF FF"), "A0 79 E0 81 FD 1D 78 FE");
	commit(HALF);
	for (unsigned i = 0; i < 20; ++i)
		pass(0x0A7, IDLE);
	SAME(pass(0x0A7, "A0 35 61 7F FD F5 77 3E"), "A0 D5 64 93 FD 35 79 3E");
	commit(GATEWAY_FULL_FACTOR);
	for (unsigned i = 0; i < 20; ++i)
		pass(0x0A7, IDLE);
	SAME(pass(0x0A7, "A0 3F 00 00 00 00 00 00"), "A0 3F E9 A4 FD 4D 7A 3E");
}

TEST(fields_rise, "a field with steps rises from the car's own value by one step a frame, up to its target")
{
	put_torques(150, GATEWAY_FULL_FACTOR);
	passes_as(IDLE, 659, 509 + 8, 509 + 32);
	passes_as(IDLE, 659, 509 + 16, 509 + 64);
	passes_as(IDLE, 659, 509 + 24, 509 + 96);
	passes_as(IDLE, 659, 509 + 32, 509 + 128);
	passes_as(IDLE, 659, 509 + 40, 659);
	for (unsigned i = 6; i <= 18; ++i)
		passes_as(IDLE, 659, 509 + 8 * i, 659);
	passes_as(IDLE, 659, 659, 659);
}

TEST(fields_fall, "it falls by one step a frame, and at factor 0 at once")
{
	put_torques(150, GATEWAY_FULL_FACTOR);
	for (unsigned i = 0; i < 20; ++i)
		pass(0x0A7, IDLE);
	commit(HALF);
	passes_as(IDLE, 589, 651, 627);
	passes_as(IDLE, 589, 643, 595);
	passes_as(IDLE, 589, 635, 589);
	commit(0);
	passes_as(IDLE, 519, 519, 519);
}

TEST(fields_begin, "after stock it begins with the car's own value, but not above its target")
{
	put_torques(150, HALF);
	/* 300 Nm actual and filtered: raw 809 */
	passes_as("0 35 61 CA FD A5 7C 3E", 589, 589, 589);
	gateway_release(&gateway);
	SAME(pass(0x0A7, "0 35 61 7F FD F5 77 3E"), "00 35 61 7F FD F5 77 3E");
	commit(HALF);
	passes_as(IDLE, 589, 517, 541);
}

TEST(fields_lower_ceiling, "it is never above its most, whatever was sent before")
{
	put_torques(509, GATEWAY_FULL_FACTOR);
	for (unsigned i = 0; i < 70; ++i)
		pass(0x0A7, IDLE);
	passes_as(IDLE, 1018, 1018, 1018);
	put_torques(150, GATEWAY_FULL_FACTOR);
	passes_as(IDLE, 659, 659, 659);
}

TEST(fields_checksum, "a checksum is that of the fields, and one that is demanded that of the received bytes")
{
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x40, 1, 0x4F, 0x40);
	uint8_t *rule = plan_rule(&plan, 0, 0x0A7, "0, 4 0, 1 FF, 2 FA");
	rule_step(rule, 0, GATEWAY_XOR, 0, 0xFE, 0, 0);
	add_torques(150);
	plan_commit(&plan, 0);
	/* the counter keeps the bits that no field has; 70 ^ E0 ^ 81 ^ FD ^ 1D ^ 78 ^ 7E = F7 */
	SAME(pass(0x0A7, "0 35 61 7F FD F5 77 7E"), "F7 70 E0 81 FD 1D 78 7E");
	plan_begin(&plan, 1);
	rule = plan_rule(&plan, 0, 0x0A7, "");
	rule_step(rule, 0, GATEWAY_XOR, 0, 0xFE, 0, 0);
	rule[32 + 5] = GATEWAY_VERIFY;
	add_torques(150);
	plan_commit(&plan, 0);
	SAME(pass(0x0A7, "1 35 61 7F FD F5 77 3E"), "01 35 61 7F FD F5 77 3E");
	EQUAL(COUNT(UNVERIFIED), 1);
	SAME(pass(0x0A7, "6A 35 61 7F FD F5 77 3E"), "B2 75 E0 81 FD 1D 78 3E");
}

TEST(fields_generate, "a plan that generates begins with the fields of an open coupling and goes on from what it sent")
{
	plan_begin(&plan, 1);
	plan.bytes[8] = 1;
	memcpy(plan_rule(&plan, GATEWAY_COUPLING, 0x0A7, "") + 5, (uint8_t[]){0, 2, 8}, 3);
	add_torques(150);
	plan_commit(&plan, HALF);
	unsigned sent = 0;
	for (unsigned i = 0; i < GATEWAY_LISTEN_US / 1000 + 15; ++i) {
		now_us += 1 * MS;
		gateway_commit(&gateway, HALF, 0, 240, now_us);
		gateway_tick(&gateway, now_us);
		for (; send_next(GATEWAY_COUPLING); ++sent) {
			EQUAL(sent_bits(12, 10), 589);
			EQUAL(sent_bits(22, 10), sent ? 535 : 527);
		}
	}
	EQUAL(sent, 2);
}

TEST(fields_refused, "a plan is rejected for a field that cannot be, naming its rule")
{
	static const struct {
		unsigned rule, start, length, low, span;
		int item;
		const char *wrong;
	} fields[] = {
		{2, 0, 1, 0, 0, 2, "field of a rule that does not exist"},
		{1, 0, 0, 0, 0, 1, "field without bits, of more than 16, or behind byte 7"},
		{1, 0, 17, 0, 0, 1, "field without bits, of more than 16, or behind byte 7"},
		{1, 55, 10, 0, 0, 1, "field without bits, of more than 16, or behind byte 7"},
		{1, 0, 10, 1000, 24, 1, "value beyond its field"},
	};
	int item;
	for (unsigned i = 0; i < sizeof fields / sizeof *fields; ++i) {
		plan_begin(&plan, 1);
		plan_rule(&plan, 0, 0x0A7, "");
		plan_rule(&plan, 0, 0x0A8, "");
		plan_field(&plan, fields[i].rule, fields[i].start, fields[i].length, 0, fields[i].low, fields[i].span);
		SAME(gateway_plan_check(plan.bytes, plan.size, &item), fields[i].wrong);
		EQUAL(item, fields[i].item);
	}
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x0A7, "");
	plan_rule(&plan, 0, 0x0A8, "");
	plan_field(&plan, 1, 54, 10, 0, 1000, 23);
	CHECK(gateway_plan_check(plan.bytes, plan.size, &item) == NULL);
	plan_field(&plan, 1, 63, 1, 0, 0, 0);
	SAME(gateway_plan_check(plan.bytes, plan.size, &item), "fields not in the order of their bits");
	plan.bytes[plan.size - 8] = 0;
	SAME(gateway_plan_check(plan.bytes, plan.size, &item), "fields not in the order of the rules");
}
