/*
 * What the car marks as invalid is never made valid: such a frame leaves as it came, is counted, and a sample
 * names it if that lasts.
 */
#include "testing.h"

#define LASTS_US 1000000u
#define FORGET_US 2500000u

/* Speeds of 15 bits above a bit of their own, valid up to 7F7F; a counter at the end. */
static struct builder put_wheels(void)
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x40, 1, 255, 0);
	plan_rule(&plan, 0, 0x4A0, "1 11, 1 0, 1 22, 1 0, 4 0");
	plan_mark(&plan, 0, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_mark(&plan, 0, 2, 0xFFFE, 0xFF00, 0xFFFE);
	plan_commit(&plan, 0);
	return plan;
}

/* The identifier that a sample names. */
static uint32_t named(void)
{
	uint8_t sample[GATEWAY_SAMPLE_HEADER_BYTES];
	gateway_sample(&gateway, sample, now_us);
	return gateway_u32(sample + 16);
}

static void invalid_frame(uint32_t id, uint64_t after_us)
{
	now_us += after_us;
	gateway_commit(&gateway, 0, 0xFF, GATEWAY_MAX_LEASE_MS, now_us);
	uint32_t before = COUNT(INVALID);
	SAME(pass(id, "CC FF 0 0 0"), "CC FF 00 00 00");
	EQUAL(COUNT(INVALID), before + 1);
}

TEST(code_stays, "a frame with a code in a field that its rule would overwrite leaves as it came, is counted, and uses up no counter")
{
	put_wheels();
	SAME(pass(0x4A0, "CC FF 0 0 0"), "CC FF 00 00 00"); /* 7FE6 << 1: seen in two cars */
	SAME(pass(0x4A0, "0 0 CD FF 0"), "00 00 CD FF 00"); /* in the second field, with the direction bit */
	EQUAL(COUNT(INVALID), 2);
	EQUAL(COUNT(REWRITTEN), 0);
	EQUAL(test_ring[0].flags, 0);
	SAME(pass(0x4A0, "FF FE FF FE 0"), "11 00 22 00 40"); /* 7F7F, the largest speed */
	SAME(pass(0x4A0, "0 FF 0 0 0"), "00 FF 00 00 00");   /* 7F80, the first code */
	SAME(pass(0x4A0, "FF FF 0 0 0"), "FF FF 00 00 00");
	SAME(pass(0x4A0, "0 0 0 0 0"), "11 00 22 00 41");
	EQUAL(COUNT(INVALID), 4);
	EQUAL(COUNT(REWRITTEN), 2);
	SAME(pass(0x4A1, "CC FF 0 0 0"), "CC FF 00 00 00"); /* no rule */
	gateway_commit(&gateway, 0, 0, 100, now_us);        /* the rule does not apply */
	SAME(pass(0x4A0, "CC FF 0 0 0"), "CC FF 00 00 00");
	gateway_release(&gateway);
	SAME(pass(0x4A0, "CC FF 0 0 0"), "CC FF 00 00 00");
	EQUAL(COUNT(INVALID), 4);
}

TEST(any_value_but_one, "a range that wraps stands for all values but some, bytes beyond the DLC are 0, and the highest word ends in byte 7")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x0C2, "1 22");
	plan_rule(&plan, 0, 0x0C3, "1 33");
	plan_mark(&plan, 0, 4, 0xFF, 0x81, 0x7F); /* byte 4 is not 80 */
	plan_mark(&plan, 1, 6, 0x8000, 0x8000, 0x8000);
	plan_commit(&plan, 0);
	SAME(pass(0x0C2, "1 2 3 4 80 6"), "22 02 03 04 80 06");
	SAME(pass(0x0C2, "1 2 3 4 81"), "01 02 03 04 81");
	SAME(pass(0x0C2, "1 2 3 4 7F"), "01 02 03 04 7F");
	SAME(pass(0x0C2, "1 2 3 4"), "01 02 03 04");
	SAME(pass(0x0C3, "1 2 3 4 5 6 7 80"), "01 02 03 04 05 06 07 80");
	SAME(pass(0x0C3, "1 2 3 4 5 6 FF 7F"), "33 02 03 04 05 06 FF 7F");
	SAME(pass(0x0C3, "1"), "33");
	EQUAL(COUNT(INVALID), 4);
}

TEST(lasting, "a sample names the identifier whose frames have been invalid for a second, until 2.5 s after the last of them")
{
	put_wheels();
	EQUAL(named(), 0);
	invalid_frame(0x4A0, 0);
	EQUAL(named(), 0);
	invalid_frame(0x4A0, LASTS_US - 1);
	EQUAL(named(), 0);
	invalid_frame(0x4A0, 1);
	EQUAL(named(), 0x4A0);
	now_us += FORGET_US;
	EQUAL(named(), 0x4A0);
	now_us += 1;
	EQUAL(named(), 0);
	invalid_frame(0x4A0, 0); /* begins anew */
	EQUAL(named(), 0);
	invalid_frame(0x4A0, LASTS_US);
	EQUAL(named(), 0x4A0);
}

TEST(two_identifiers, "the identifier that was invalid first is named, and the other one when the first has been valid for 2.5 s")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x4A0, "1 11");
	plan_rule(&plan, 0, 0x4A1, "1 22");
	plan_mark(&plan, 0, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_mark(&plan, 1, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_commit(&plan, 0);
	invalid_frame(0x4A0, 0);
	invalid_frame(0x4A1, 0);
	invalid_frame(0x4A0, LASTS_US);
	invalid_frame(0x4A1, 0);
	EQUAL(named(), 0x4A0);
	invalid_frame(0x4A1, FORGET_US);
	EQUAL(named(), 0x4A0);
	invalid_frame(0x4A1, 1); /* takes the place */
	EQUAL(named(), 0);
	invalid_frame(0x4A1, LASTS_US);
	EQUAL(named(), 0x4A1);
	now_us -= LASTS_US; /* a clock that steps back: nobody knows, and it begins anew */
	EQUAL(named(), 0);
}

TEST(refused, "a plan is rejected for each field of a mark that is out of range")
{
	struct builder plan = put_wheels();
	size_t first = plan.size - 16, second = plan.size - 8;
	plan_is_rejected(&plan, 9, 65, -1, "more than 64 marks");
	plan_is_rejected(&plan, 9, 1, -1, "size does not fit the counts");
	plan_is_rejected(&plan, second, 1, 1, "mark of a rule that does not exist");
	plan_is_rejected(&plan, first + 1, 7, 0, "word of a mark above byte 6");
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 1, "1 11");
	plan_rule(&plan, 0, 2, "1 11");
	plan_mark(&plan, 1, 0, 1, 1, 1);
	plan_mark(&plan, 1, 0, 1, 1, 1);
	plan_is_rejected(&plan, plan.size - 8, 0, 0, "marks not in the order of the rules");
	plan_begin(&plan, 1);
	plan.bytes[8] = 1;
	plan_rule(&plan, 1, 1, "1 11")[7] = 8;
	plan_mark(&plan, 0, 0, 1, 1, 1);
	plan_is_rejected(&plan, 8, 1, 0, "a plan that generates has no marks");
}

TEST(most_marks, "64 marks can belong to one rule")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 1, "1 11");
	for (unsigned i = 0; i < 64; ++i)
		plan_mark(&plan, 0, 0, 0xFF, i + 1, i + 1);
	plan_commit(&plan, 0);
	SAME(pass(1, "0"), "11");
	SAME(pass(1, "1"), "01");
	SAME(pass(1, "40"), "40");
	SAME(pass(1, "41"), "11");
}

TEST(any_field, "a mark holds for each of its codes, whichever bits these have in common, and when 0 is one of them")
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 1, "0 0 0, 1 11");
	plan_rule(&plan, 0, 2, "0 0 0, 1 11");
	plan_rule(&plan, 0, 3, "0 0 0, 1 11");
	plan_mark(&plan, 0, 0, 0x06, 0x02, 0x06); /* either of two bits, or both */
	plan_mark(&plan, 1, 0, 0xFF, 0x00, 0x0F); /* all below 10 */
	plan_mark(&plan, 2, 0, 0xFF, 0x55, 0x5A);
	plan_commit(&plan, 0);
	for (unsigned value = 0; value < 256; ++value) {
		char data[8];
		snprintf(data, sizeof data, "%02X 22", value);
		CHECK(!strcmp(pass(1, data) + 3, value & 6 ? "22" : "11"));
		CHECK(!strcmp(pass(2, data) + 3, value < 0x10 ? "22" : "11"));
		CHECK(!strcmp(pass(3, data) + 3, value >= 0x55 && value <= 0x5A ? "22" : "11"));
	}
}
