/*
 * First and last of what a plan may name, and what only its more unusual combinations show. See edges_test.c.
 */
#include "testing.h"

#define SAME(actual, expected) CHECK(strcmp((actual), (expected)) == 0)
#define RULE 12u /* in a plan without counters and DataIDs */

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
	plan.bytes[RULE + 44] ^= 1;
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
