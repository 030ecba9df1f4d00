/*
 * Frame plans: what is rejected, what operations and checksums do. Values by hand and from
 * docs/control-and-can.md section 9.
 */
#include "testing.h"

/* A plan with one of everything, to be broken in one place. */
static struct builder good_plan(void)
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0, 1, 255, 0);
	plan_data_ids(&plan, "0 1 2 3 4 5 6 7 8 9 A B C D E F");
	uint8_t *rule = plan_rule(&plan, 0, 0x280, "4 0 0, 5 0 0, 6 1 1, 0 0 0");
	rule_step(rule, 0, GATEWAY_CRC, 7, 0x7F, 1, 2);
	plan_rule(&plan, 1, 0x280, "1 5");
	return plan;
}

#define RULE (12 + 4 + 16)
#define SECOND (RULE + 44)

/* Sets one byte of the good plan and checks that it is rejected for this reason at this rule. */
static void refuses(size_t at, uint8_t value, int rule, const char *reason)
{
	struct builder plan = good_plan();
	uint32_t rejected = COUNT(PLANS_REFUSED);
	plan_is_rejected(&plan, at, value, rule, reason);
	EQUAL(COUNT(PLANS_REFUSED), rejected + 1);
}

TEST(refuses_header, "a plan is rejected for each field of its header that is out of range")
{
	struct builder plan = good_plan();
	int item;
	CHECK(gateway_load_plan(&gateway, plan.bytes, plan.size, &item) == NULL);
	EQUAL(COUNT(PLANS_LOADED), 1);
	refuses(0, 0, -1, "unknown format");
	refuses(0, 1, -1, "unknown format");
	refuses(0, 3, -1, "unknown format");
	refuses(5, 33, -1, "more than 32 counters");
	refuses(6, 17, -1, "more than 16 DataID tables");
	refuses(7, 49, -1, "more than 48 rules");
	refuses(5, 0, -1, "size does not fit the counts");
	refuses(8, 2, -1, "unknown kind");
	refuses(10, 9, -1, "more than 8 fields");
	refuses(10, 1, -1, "size does not fit the counts");
	refuses(11, 1, -1, "reserved byte not 0");
	for (size_t size = 0; size <= sizeof plan.bytes; ++size)
		CHECK(size == plan.size || gateway_plan_check(plan.bytes, size, &item) != NULL);
	SAME(gateway_plan_check(plan.bytes, 11, &item), "shorter than its header");
}

TEST(refuses_rule, "a plan is rejected for each field of a rule that is out of range, naming the rule")
{
	refuses(RULE + 1, 0x08, 0, "identifier out of range");
	refuses(RULE + 3, 0x40, 0, "identifier out of range");
	refuses(SECOND + 3, 0xA0, 1, "identifier out of range");
	refuses(SECOND + 3, 0xC0, 1, "identifier out of range");
	refuses(RULE + 4, 2, 0, "bus above 1");
	refuses(SECOND + 5, 8, 1, "group above 7");
	refuses(SECOND + 6, 9, 1, "minDlc above 8");
	refuses(SECOND + 7, 9, 1, "dlcOut above 8");
	refuses(SECOND + 4, 0, 1, "second rule for the same bus and identifier");
}

TEST(refuses_operation, "a plan is rejected for a byte operation that cannot be done")
{
	refuses(SECOND + 8, 10, 1, "unknown byte operation");
	refuses(RULE + 8 + 1, 1, 0, "counter does not exist");
	refuses(RULE + 8 + 4, 1, 0, "counter does not exist");
	refuses(RULE + 8 + 9, 1, 0, "ADD_WORD needs a KEEP in the next byte");
	refuses(SECOND + 8 + 21, 6, 1, "ADD_WORD needs a KEEP in the next byte");
}

TEST(refuses_step, "a plan is rejected for a checksum step that cannot be done")
{
	refuses(RULE + 32, 4, 0, "unknown checksum kind");
	refuses(RULE + 33, 8, 0, "checksum target above 7");
	refuses(RULE + 35, 2, 0, "DataID table does not exist");
	refuses(RULE + 36, 3, 0, "DataID position above 2");
	refuses(RULE + 36, 0, 0, "DataID without position");
	refuses(RULE + 37, 2, 0, "unknown checksum flag");
	refuses(SECOND + 43, 0x81, 1, "unknown checksum flag");
	refuses(SECOND + 38, 4, 1, "unknown checksum kind");
	struct builder plan = good_plan();
	int item;
	plan.bytes[RULE + 35] = plan.bytes[RULE + 36] = 0; /* no DataID needs no position */
	CHECK(gateway_plan_check(plan.bytes, plan.size, &item) == NULL);
}

TEST(refused_changes_nothing, "a rejected plan leaves the active plan and the staged one as they were")
{
	struct builder plan;
	int item;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x100, "1 11");
	plan_commit(&plan, 0);
	plan.bytes[12 + 9] = 0x22;
	CHECK(gateway_load_plan(&gateway, plan.bytes, plan.size, &item) == NULL);
	plan.bytes[0] = 9;
	plan.bytes[12 + 9] = 0x33;
	CHECK(gateway_load_plan(&gateway, plan.bytes, plan.size, &item) != NULL);
	SAME(pass(0x100, "0"), "11");
	gateway_commit(&gateway, 0, 0xFF, 100, now_us);
	SAME(pass(0x100, "0"), "22");
}

TEST(largest_plan, "the largest plan fits")
{
	struct builder plan;
	plan_begin(&plan, 1);
	for (int i = 0; i < 32; ++i)
		plan_counter(&plan, (uint8_t)i, 1, 255, 0);
	for (int i = 0; i < 16; ++i)
		plan_data_ids(&plan, "0 1 2 3 4 5 6 7 8 9 A B C D E F");
	for (uint32_t i = 0; i < 48; ++i)
		plan_rule(&plan, 0, i, "4 1F");
	for (unsigned i = 0; i < 64; ++i)
		plan_mark(&plan, 47, 0, 1, 1, 1);
	for (unsigned i = 0; i < 8; ++i)
		plan_field(&plan, 47, 8 + i, 1, 0, 1, 0);
	EQUAL(plan.size, GATEWAY_MAX_PLAN_BYTES);
	plan_commit(&plan, 0);
	SAME(pass(47, "0 0"), "1F FF");
	SAME(pass(48, "0"), "00");
}

TEST(constants, "KEEP, SET, SCALE and SCALE_DOWN follow the committed factor")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x280, "0, 1 21, 2 FE, 2 4E, 3 FE FE, 3 0 1, 2 FF, 2 1");
	/* 45 %: the worked values of docs/control-and-can.md 1.6 for L = 50 */
	plan_commit(&plan, 11520);
	SAME(pass(0x280, "A B C D E F 1 2"), "0A 21 72 23 8C 00 72 00");
	gateway_commit(&gateway, 0, 0xFF, 100, now_us);
	SAME(pass(0x280, "A B C D E F 1 2"), "0A 21 00 00 FE 00 00 00");
	gateway_commit(&gateway, 25600, 0xFF, 100, now_us);
	SAME(pass(0x280, "A B C D E F 1 2"), "0A 21 FE 4E 00 FF FF 01");
	gateway_commit(&gateway, 25599, 0xFF, 100, now_us);
	SAME(pass(0x280, "A B C D E F 1 2"), "0A 21 FD 4D 01 00 FE 00");
}

TEST(scale_up, "SCALE_UP is 0 at factor 0 only, then begins at its base")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x2A0, "8 80 7E, 8 FF 2");
	plan_commit(&plan, 0);
	SAME(pass(0x2A0, "A B"), "00 00");
	gateway_commit(&gateway, 1, 0xFF, 100, now_us);
	SAME(pass(0x2A0, "A B"), "80 FF");
	gateway_commit(&gateway, 12800, 0xFF, 100, now_us);
	SAME(pass(0x2A0, "A B"), "BF 00");
	gateway_commit(&gateway, 25600, 0xFF, 100, now_us);
	SAME(pass(0x2A0, "A B"), "FE 01");
}

TEST(scale_from, "SCALE_FROM begins at its base, at factor 0 as well")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x0A7, "9 7F 37, 9 FF 2");
	plan_commit(&plan, 0);
	SAME(pass(0x0A7, "A B"), "7F FF");
	gateway_commit(&gateway, 12800, 0xFF, 100, now_us);
	SAME(pass(0x0A7, "A B"), "9A 00");
	gateway_commit(&gateway, 25600, 0xFF, 100, now_us);
	SAME(pass(0x0A7, "A B"), "B6 01");
}

TEST(scale, "scaling rounds down for every byte at every factor")
{
	for (uint32_t factor = 0; factor <= GATEWAY_FULL_FACTOR; ++factor)
		for (unsigned x = 0; x < 256; ++x)
			EQUAL(gateway_scale(x, gateway_share(factor)), x * factor / GATEWAY_FULL_FACTOR);
}

TEST(counters, "a counter is put in the frame, then advanced, and wraps as told")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x0A, 1, 0x1F, 0x0A); /* Gen 4 BRAKES1 */
	plan_counter(&plan, 0, 100, 0xFF, 0x55);  /* wraps at 256 by itself */
	plan_rule(&plan, 0, 0x1A0, "4 0, 4 1, 5 0 CA, 4 0");
	plan_commit(&plan, 12800);
	SAME(pass(0x1A0, "0 0 0 0"), "0A 00 6A 0A"); /* (0A + CA) / 2; named twice, advanced once */
	SAME(pass(0x1A0, "0 0 0 0"), "0B 64 6A 0B");
	SAME(pass(0x1A0, "0 0 0 0"), "0C C8 6B 0C");
	SAME(pass(0x1A0, "0 0 0 0"), "0D 2C 6B 0D");
	for (int i = 0x0E; i <= 0x1E; ++i)
		pass(0x1A0, "0 0 0 0");
	CHECK(!strncmp(pass(0x1A0, "0 0 0 0"), "1F", 2));
	CHECK(!strncmp(pass(0x1A0, "0 0 0 0"), "0A", 2));
}

TEST(scale_counter_wraps, "SCALE_COUNTER adds modulo 256 before it scales")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0xF0, 0, 255, 0);
	plan_rule(&plan, 0, 1, "5 0 20");
	plan_commit(&plan, 25600);
	SAME(pass(1, "0"), "10");
}

TEST(add_word, "ADD_WORD adds to a 16-bit field below its limit and stops there")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 1, "6 80 FF, 0, 6 FF 0, 0, 6 10 1");
	plan_commit(&plan, 25600);
	SAME(pass(1, "00 10 00 FF 00 00"), "80 10 FF FF 10 00");
	SAME(pass(1, "90 10 01 FF F5 00"), "10 11 FF FF FF 00"); /* carries; 0xFFFF and 0x00FF are the highest values */
	SAME(pass(1, "FF FE FF FF 00 01"), "FF FE FF FF 00 01"); /* at the limit: 0xFEFF + 0x80 stops at 0xFEFF */
	SAME(pass(1, "00 FF 00 00 FF FF"), "00 FF FF 00 FF FF"); /* at or above the limit: as received */
	gateway_commit(&gateway, 12800, 0xFF, 100, now_us);
	SAME(pass(1, "00 10 00 00 00 00"), "40 10 7F 00 08 00");
	SAME(pass(1, "05"), "45"); /* the high byte lies beyond the DLC */
}

static void expect_crc(const char *data, unsigned position, const char *ids, const char *expected)
{
	struct builder plan;
	start();
	plan_begin(&plan, 1);
	plan_data_ids(&plan, ids);
	rule_step(plan_rule(&plan, 0, 0x0A8, ""), 0, GATEWAY_CRC, 0, 0xFE, 1, (uint8_t)position);
	plan_commit(&plan, 0);
	if (strncmp(pass(0x0A8, data), expected, 2))
		test_fail(data, (int)position, expected, 0, 0);
}

TEST(crc, "the MQB checksums of section 9.2 come out, with the DataID first and last")
{
	static const char motor_12[] = "52 8C 50 EE 4F A6 CC CF 7D 2F 98 6B 27 41 9F 93";
	static const char motor_11[] = "D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C";
	static const char motor_14[] = "1F 28 C6 85 E6 F8 B0 19 5B 64 35 21 E4 F7 9C 24";
	static const char esp_10[] = "AC AC AC AC AC AC AC AC AC AC AC AC AC AC AC AC";
	expect_crc("00 70 00 00 00 64 0F 70", 1, motor_12, "9C");
	expect_crc("00 70 00 00 00 64 0F 70", 2, motor_12, "18");
	expect_crc("00 40 FA FA 00 FA 70 70", 1, motor_11, "26");
	expect_crc("00 40 FA FA 00 FA 70 70", 2, motor_11, "5E");
	expect_crc("00 10 E6 01 C8 80 00 80", 1, motor_14, "8C");
	expect_crc("00 10 E6 01 C8 80 00 80", 2, motor_14, "37");
	expect_crc("00 05 01 04 00 40 00 05", 1, esp_10, "AE");
	expect_crc("00 05 01 04 00 40 00 05", 2, esp_10, "C1");
	expect_crc("00 00 D5 98 9F 26 25 0F", 2, esp_10, "2D"); /* recorded in a vehicle */
}

TEST(crc_plain, "a CRC without DataID covers the bytes of its mask in ascending order")
{
	struct builder plan;
	plan_begin(&plan, 1);
	rule_step(plan_rule(&plan, 0, 1, ""), 0, GATEWAY_CRC, 7, 0, 0, 0);
	rule_step(plan_rule(&plan, 0, 2, ""), 0, GATEWAY_CRC, 7, 0x01, 0, 1);
	rule_step(plan_rule(&plan, 0, 3, ""), 0, GATEWAY_CRC, 7, 0x55, 0, 2);
	rule_step(plan_rule(&plan, 0, 4, ""), 0, GATEWAY_CRC, 7, 0x0F, 0, 0);
	rule_step(plan_rule(&plan, 0, 5, ""), 0, GATEWAY_CRC, 0, 0xFF, 0, 0);
	plan_commit(&plan, 0);
	SAME(pass(5, "DF 0 0 0 0 0 0 0"), "94 00 00 00 00 00 00 00"); /* of all eight bytes */
	SAME(pass(1, "0 0 0 0 0 0 0 0"), "00 00 00 00 00 00 00 00"); /* CRC of nothing */
	SAME(pass(2, "0 1 2 3 4 5 6 7"), "00 01 02 03 04 05 06 BD"); /* CRC(00) */
	const char *with_gaps = pass(3, "31 9 32 9 33 9 34 9");
	const char gaps[3] = {with_gaps[21], with_gaps[22], 0};
	const char *without = pass(4, "31 32 33 34 0 0 0 0");
	SAME(gaps, without + 21);
}

static uint8_t crc_by_bits(const uint8_t *bytes, unsigned count, unsigned initial, unsigned final_xor)
{
	unsigned crc = initial;
	for (unsigned i = 0; i < count; ++i) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; ++bit)
			crc = (crc & 0x80 ? crc << 1 ^ 0x2F : crc << 1) & 0xFF;
	}
	return (uint8_t)(crc ^ final_xor);
}

TEST(crc_lengths, "a CRC over any number of bytes is that of the definition")
{
	struct builder plan;
	uint8_t bytes[8] = {0x31, 0xD2, 0x03, 0x84, 0x55, 0xF6, 0x07, 0xA8};
	char expected[3];
	plan_begin(&plan, 1);
	EQUAL(crc_by_bits((const uint8_t *)"123456789", 9, 0xFF, 0xFF), 0xDF);
	for (uint32_t count = 0; count <= 8; ++count)
		rule_step(plan_rule(&plan, 0, count, ""), 0, GATEWAY_CRC, 7, (uint8_t)((1u << count) - 1), 0, 0);
	plan_commit(&plan, 0);
	for (uint32_t count = 0; count <= 8; ++count) {
		snprintf(expected, sizeof expected, "%02X", crc_by_bits(bytes, count, 0xFF, 0xFF) & 0xFF);
		SAME(pass(count, "31 D2 03 84 55 F6 07 A8") + 21, expected);
	}
}

TEST(exclusive_or_and_sum, "XOR and sum checksums follow section 9.3")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x30, 16, 0xF0, 0);
	rule_step(plan_rule(&plan, 0, 0x2A0, "2 FE, 1 0, 1 0, 1 64, 1 0, 1 0, 4 0"), 0, GATEWAY_XOR, 7, 0x7F, 0, 0);
	plan_data_ids(&plan, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"); /* keeps the order of the sections: moved below */
	memmove(plan.bytes + 16 + 16, plan.bytes + 16, 44);
	memset(plan.bytes + 16, 0xC2, 16);
	uint8_t *rule = plan_rule(&plan, 0, 0x0C2, "1 22, 1 0, 1 0, 1 0, 1 80, 1 50");
	rule_step(rule, 0, GATEWAY_CRC, 6, 0x3F, 1, 2);
	rule_step(rule, 1, GATEWAY_SUM, 7, 0x2F, 0, 0);
	plan_commit(&plan, 25600);
	SAME(pass(0x2A0, "0 0 0 0 0 0 0 0"), "FE 00 00 64 00 00 30 AA");
	SAME(pass(0x0C2, "0 0 0 0 0 0 0 0"), "22 00 00 00 80 50 11 8D");
}

/* Marks a checksum step to be verified. */
static void verify(uint8_t *rule, unsigned number)
{
	rule[32 + 6 * number + 5] = GATEWAY_VERIFY;
}

TEST(verifies_crc, "a frame is rewritten only if it carries the checksum that its rule demands; others are counted and left alone")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_data_ids(&plan, "D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C");
	uint8_t *rule = plan_rule(&plan, 0, 0x0A7, "0, 0, 1 FA, 0, 0, 0, 2 FA, 2 FA");
	rule_step(rule, 0, GATEWAY_CRC, 0, 0xFE, 1, 2);
	verify(rule, 0);
	plan_commit(&plan, 12800);
	SAME(pass(0x0A7, "02 40 FA FA 00 FA 11 22"), "A1 40 FA FA 00 FA 7D 7D");
	SAME(pass(0x0A7, "38 41 33 FA 00 FA 11 22"), "29 41 FA FA 00 FA 7D 7D"); /* a byte that the rule fixes counts as received */
	EQUAL(COUNT(REWRITTEN), 2);
	SAME(pass(0x0A7, "38 41 FA FA 00 FA 11 22"), "38 41 FA FA 00 FA 11 22");
	SAME(pass(0x0A7, "02 42 FA FA 00 FA 11 22"), "02 42 FA FA 00 FA 11 22");
	EQUAL(COUNT(UNVERIFIED), 2);
	EQUAL(COUNT(REWRITTEN), 2);
	EQUAL(test_ring[3].flags, 0);
	gateway_commit(&gateway, 25600, 0xFF, 100, now_us);
	SAME(pass(0x0A7, "02 40 FA FA 00 FA 11 22"), "80 40 FA FA 00 FA FA FA");
}

TEST(verifies_others, "XOR and sum are verified too, each step that says so, within the DLC, before a counter moves")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x10, 1, 255, 0);
	uint8_t *rule = plan_rule(&plan, 0, 0x2A0, "2 FE, 1 5, 4 0");
	rule_step(rule, 0, GATEWAY_XOR, 3, 0x07, 0, 0);
	rule_step(rule, 1, GATEWAY_SUM, 4, 0x0F, 0, 0);
	verify(rule, 0);
	verify(rule, 1);
	rule = plan_rule(&plan, 0, 0x2A1, "1 5");
	rule_step(rule, 0, GATEWAY_XOR, 3, 0x07, 0, 0);
	rule_step(rule, 1, GATEWAY_SUM, 4, 0x0F, 0, 0);
	verify(rule, 1);
	plan_commit(&plan, 0);
	SAME(pass(0x2A0, "1 2 4 7 F1"), "00 05 10 15 D5");
	SAME(pass(0x2A0, "1 2 4 8 F0"), "01 02 04 08 F0"); /* the first is wrong */
	SAME(pass(0x2A0, "1 2 4 7 F0"), "01 02 04 07 F0"); /* the second is wrong */
	SAME(pass(0x2A0, "1 2 4 7"), "00 05 11 14");       /* there is no second one */
	SAME(pass(0x2A0, "1 2 4"), "00 05 12");
	SAME(pass(0x2A1, "1 2 4 8 F0"), "05 02 04 03 F1"); /* the first is not looked at */
	EQUAL(COUNT(UNVERIFIED), 2);
	EQUAL(COUNT(REWRITTEN), 4);
	rule[7] = 5;
	plan_commit(&plan, 0);
	SAME(pass(0x2A1, "1 2 4 8 F0"), "05 02 04 03 F1");
	SAME(pass(0x2A1, "1 2 4 8"), "05 02 04 03 F1"); /* sent with a DLC of its own */
}

TEST(verifies_one, "a rule with one checksum that it demands sends the right one, whatever else it writes, and none where the frame is too short")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x10, 1, 255, 0);
	plan_data_ids(&plan, "D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C");
	static const char *const writes[] = {"1 7", "0, 1 41", "0, 0, 4 0", "0, 0, 6 1 FF"};
	for (unsigned i = 0; i < 4; ++i) {
		uint8_t *rule = plan_rule(&plan, 0, i, writes[i]);
		rule_step(rule, 0, i == 1 ? GATEWAY_CRC : GATEWAY_XOR, i == 1 ? 0 : 4, i == 1 ? 0xFE : 0x0F, i == 1, 2);
		verify(rule, 0);
	}
	plan_commit(&plan, 25600);
	SAME(pass(0, "1 2 3 4 4"), "07 02 03 04 02");
	SAME(pass(0, "1 2 3 4"), "07 02 03 04");
	SAME(pass(0, "1 2 3 4 5"), "01 02 03 04 05");
	SAME(pass(1, "02 40 FA FA 00 FA 11 22"), "8A 41 FA FA 00 FA 11 22");
	SAME(pass(2, "1 2 3 4 4"), "01 02 10 04 17");
	SAME(pass(3, "1 2 3 4 4"), "01 02 04 04 03");
	EQUAL(COUNT(UNVERIFIED), 1);
}

TEST(steps_in_order, "the second checksum step sees the result of the first")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 1, "");
	rule_step(rule, 0, GATEWAY_XOR, 0, 0x06, 0, 0);
	rule_step(rule, 1, GATEWAY_SUM, 3, 0x07, 0, 0);
	plan_commit(&plan, 0);
	SAME(pass(1, "99 01 02 03"), "03 01 02 F9");
}

TEST(beyond_dlc, "a checksum beyond the DLC is left out, and nothing beyond the DLC is sent")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x10, 0x10, 255, 0);
	uint8_t *rule = plan_rule(&plan, 0, 0x2A0, "1 FE, 1 0, 1 0, 1 64, 1 0, 1 0, 4 0");
	rule_step(rule, 0, GATEWAY_XOR, 3, 0x07, 0, 0);
	rule_step(rule, 1, GATEWAY_XOR, 2, 0x40, 0, 0);
	plan_commit(&plan, 0);
	SAME(pass(0x2A0, "1 2 3"), "FE 00 10"); /* byte 6 is not sent, but the second step covers it */
	SAME(pass(0x2A0, "1 2 3"), "FE 00 20"); /* and its counter advanced */
}

TEST(dlc_out, "a rule with dlcOut sends that DLC, longer or shorter than received, and counts as a change")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 0x116, "0, 1 5");
	rule[7] = 8;
	rule_step(rule, 0, GATEWAY_XOR, 7, 0x7F, 0, 0);
	plan_rule(&plan, 0, 0x117, "")[7] = 1;
	plan_rule(&plan, 0, 0x118, "")[7] = 2;
	plan_commit(&plan, 0);
	SAME(pass(0x116, "1"), "01 05 00 00 00 00 00 04");
	SAME(pass(0x117, "1 2 3"), "01");
	SAME(pass(0x118, "1"), "01 00");
	EQUAL(test_ring[1].dlc[0], 3);
	EQUAL(test_ring[1].dlc[1], 1);
	EQUAL(test_ring[2].flags, GATEWAY_CHANGED); /* the bytes are the same, the DLC is not */
	SAME(pass(0x118, "1 2"), "01 02");
	EQUAL(test_ring[3].flags, 0);
}

/* ---- first and last of what a plan may name ---- */

#define BARE_RULE 12u /* in a plan without counters and DataIDs */

static const char *loads(const struct builder *plan)
{
	int item;
	return gateway_load_plan(&gateway, plan->bytes, plan->size, &item);
}

TEST(highest_allowed, "the highest group, minDlc and dlcOut are taken, and mean what they say")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 0x280, "1 55");
	rule[5] = 7;
	rule[6] = rule[7] = 8;
	plan_commit(&plan, 0);
	SAME(pass(0x280, "1 2 3 4 5 6 7"), "01 02 03 04 05 06 07");
	SAME(pass(0x280, "1 2 3 4 5 6 7 8"), "55 02 03 04 05 06 07 08");
	gateway_commit(&gateway, 0, 0x7F, 100, now_us);
	SAME(pass(0x280, "1 2 3 4 5 6 7 8"), "01 02 03 04 05 06 07 08");
}

TEST(same_id_other_group, "a second rule for the same bus and identifier is rejected in whichever group it is")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x280, "1 55");
	plan_rule(&plan, 0, 0x280, "1 66")[5] = 1;
	SAME(loads(&plan), "second rule for the same bus and identifier");
	plan.bytes[BARE_RULE + 44] ^= 1;
	CHECK(loads(&plan) == NULL);
}

TEST(second_counter_twice, "any counter that is shown twice advances once")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0, 1, 255, 0);
	plan_counter(&plan, 0x20, 1, 255, 0);
	plan_rule(&plan, 0, 0x280, "4 1, 4 1, 5 1 10");
	plan_commit(&plan, 25600);
	SAME(pass(0x280, "0 0 0"), "20 20 30");
	SAME(pass(0x280, "0 0 0"), "21 21 31");
}

TEST(advanced_unwrapped, "ADVANCE takes the counter of a rewritten frame one step further without its wrap, too")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 1, 1, 2, 0);
	plan_rule(&plan, 0, 0x280, "4 0 0");
	plan_rule(&plan, 0, 0x281, "7 0 0");
	plan_commit(&plan, 0);
	SAME(pass(0x280, "0"), "01");
	SAME(pass(0x281, "9"), "00");
	SAME(pass(0x280, "0"), "03");
	SAME(pass(0x280, "0"), "00");
}

TEST(crc_selects, "each of a DataID's sixteen values is the one for its counter, of the second table as of the first, with any initial value")
{
	static const uint8_t ids[2][16] = {{0xD2, 0x3D, 0xCD, 0x28, 0x4C, 0x14, 0x22, 0x4B, 0x24, 0xAC, 0xFA, 0x55, 0x66, 0x80, 0x0D, 0x6C},
		{0x1F, 0x28, 0xC6, 0x85, 0xE6, 0xF8, 0xB0, 0x19, 0x5B, 0x64, 0x35, 0x21, 0xE4, 0xF7, 0x9C, 0x24}};
	struct builder plan;
	plan_begin(&plan, 1);
	plan.bytes[3] = 0x12;
	plan.bytes[4] = 0x34;
	plan_data_ids(&plan, "D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C");
	plan_data_ids(&plan, "1F 28 C6 85 E6 F8 B0 19 5B 64 35 21 E4 F7 9C 24");
	for (unsigned table = 0; table < 2; ++table)
		rule_step(plan_rule(&plan, 0, table, ""), 0, GATEWAY_CRC, 0, 0xFE, (uint8_t)(table + 1), 2);
	plan_commit(&plan, 0);
	for (unsigned table = 0; table < 2; ++table)
		for (unsigned counter = 0; counter < 16; ++counter) {
			struct gateway_frame frame = {.id = table, .dlc = 8, .data = {0, (uint8_t)(0x70 | counter), 1, 2, 3, 4, 5, 6}};
			uint8_t covered[8];
			memcpy(covered, frame.data + 1, 7);
			covered[7] = ids[table][counter];
			CHECK(receive_frame(0, &frame));
			EQUAL(send_next(1)->data[0], crc_by_bits(covered, 8, 0x12, 0x34));
		}
}

TEST(beside_crc, "a rule's first byte is scaled as it says, whatever the second of its checksums is")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_data_ids(&plan, "D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C");
	uint8_t *rule = plan_rule(&plan, 0, 0x290, "3 FE FE");
	rule_step(rule, 0, GATEWAY_XOR, 7, 0x01, 0, 0);
	rule_step(rule, 1, GATEWAY_CRC, 6, 0x06, 1, 2);
	plan_commit(&plan, 0);
	CHECK(!strncmp(pass(0x290, "0 0 0 0 0 0 0 0"), "FE", 2));
	gateway_commit(&gateway, 12800, 0xFF, 100, now_us);
	CHECK(!strncmp(pass(0x290, "0 0 0 0 0 0 0 0"), "7F", 2));
}

TEST(last_byte, "XOR and sum cover the last byte too, and do not when their mask leaves it out")
{
	struct builder plan;
	plan_begin(&plan, 1);
	rule_step(plan_rule(&plan, 0, 1, ""), 0, GATEWAY_XOR, 0, 0xC0, 0, 0);
	rule_step(plan_rule(&plan, 0, 2, ""), 0, GATEWAY_SUM, 0, 0xC0, 0, 0);
	rule_step(plan_rule(&plan, 0, 3, ""), 0, GATEWAY_XOR, 0, 0x40, 0, 0);
	plan_commit(&plan, 0);
	SAME(pass(1, "0 0 0 0 0 0 5 3"), "06 00 00 00 00 00 05 03");
	SAME(pass(2, "0 0 0 0 0 0 5 3"), "F7 00 00 00 00 00 05 03");
	SAME(pass(3, "0 0 0 0 0 0 5 3"), "05 00 00 00 00 00 05 03");
}

TEST(first_is_covered, "the second checksum covers the first even where the rule sets that byte")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 1, "0, 0, 1 55");
	rule_step(rule, 0, GATEWAY_XOR, 2, 0x03, 0, 0);
	rule_step(rule, 1, GATEWAY_XOR, 3, 0x05, 0, 0);
	plan_commit(&plan, 0);
	SAME(pass(1, "11 22 0 0"), "11 22 33 22");
}

TEST(beyond_both, "a checksum right behind the DLC is not there for one that covers its place")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 1, "1 FE");
	rule_step(rule, 0, GATEWAY_XOR, 3, 0x01, 0, 0);
	rule_step(rule, 1, GATEWAY_XOR, 2, 0x08, 0, 0);
	plan_commit(&plan, 0);
	SAME(pass(1, "1 2 3"), "FE 02 00");
	SAME(pass(1, "1 2 3 4"), "FE 02 FE FE");
}

TEST(two_and_scaled, "with two checksums a byte that follows the factor goes on doing so")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 1, "0, 2 FF");
	rule_step(rule, 0, GATEWAY_XOR, 2, 0x02, 0, 0);
	rule_step(rule, 1, GATEWAY_SUM, 3, 0x02, 0, 0);
	plan_commit(&plan, 25600);
	SAME(pass(1, "1 0 0 0"), "01 FF FF 00");
	gateway_commit(&gateway, 0, 0xFF, 100, now_us);
	SAME(pass(1, "1 0 0 0"), "01 00 00 FF");
}

TEST(two_and_verified, "with two checksums none is verified but those that say so")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 1, "1 1 1");
	rule_step(rule, 0, GATEWAY_XOR, 2, 0x03, 0, 0);
	rule_step(rule, 1, GATEWAY_XOR, 3, 0x03, 0, 0);
	rule[32 + 5] = GATEWAY_VERIFY;
	plan_commit(&plan, 0);
	SAME(pass(1, "7 2 5 9"), "01 02 03 03");
	EQUAL(COUNT(UNVERIFIED), 0);
}

TEST(four_words, "four words are added to, as many as fit, and nothing else changes but the checksum")
{
	struct builder plan;
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 1, "6 1 0, 0, 6 2 0, 0, 6 3 0, 0, 6 4 0");
	rule_step(rule, 0, GATEWAY_SUM, 7, 0x01, 0, 0);
	plan_commit(&plan, 25600);
	SAME(pass(1, "10 0 20 0 30 0 40 0"), "11 00 22 00 33 00 44 EE");
}

TEST(most_shown, "64 bytes can show counters, and the rule with one more is rejected")
{
	struct builder plan;
	int item = 0;
	plan_begin(&plan, 1);
	plan_counter(&plan, 7, 1, 255, 0);
	for (unsigned id = 0; id < 8; ++id)
		plan_rule(&plan, 0, id, "4, 4, 4, 4, 4, 4, 4, 5 0 1");
	plan_commit(&plan, 25600);
	SAME(pass(0, "0 0 0 0 0 0 0 0"), "07 07 07 07 07 07 07 08");
	SAME(pass(7, "0 0 0 0 0 0 0 0"), "08 08 08 08 08 08 08 09");
	plan_rule(&plan, 0, 8, "0, 0, 4");
	SAME(gateway_plan_check(plan.bytes, plan.size, &item), "more than 64 bytes that show counters");
	EQUAL(item, 8);
}
