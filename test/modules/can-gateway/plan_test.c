/*
 * Frame plans: what is rejected, what operations, checksums, fields and marks do. Values by hand and from
 * docs/control-and-can.md section 9.
 */
#include "testing.h"

static struct builder plan;

static void commit(uint32_t factor)
{
	gateway_commit(&gateway, factor, 0xFF, GATEWAY_MAX_LEASE_MS, now_us);
}

static const char *wrong_with(const struct builder *wrong_plan)
{
	int item;
	return gateway_load_plan(&gateway, wrong_plan->bytes, wrong_plan->size, &item);
}

/* ---- what is rejected ---- */

#define RULE (12 + 4 + 16)
#define SECOND (RULE + 44)
#define FIRST_MARK (SECOND + 44)
#define SECOND_MARK (FIRST_MARK + 8)
#define FIELD (SECOND_MARK + 8)

/* A plan with one of everything, to be broken in one place. */
static void good_plan(void)
{
	plan_begin(&plan, 1);
	plan_counter(&plan, 0, 1, 255, 0);
	plan_data_ids(&plan, "0 1 2 3 4 5 6 7 8 9 A B C D E F");
	uint8_t *rule = plan_rule(&plan, 0, 0x280, "4 0 0, 5 0 0, 6 1 1, 0 0 0");
	rule_step(rule, 0, GATEWAY_CRC, 7, 0x7F, 1, 2);
	plan_rule(&plan, 1, 0x280, "1 5");
	plan_mark(&plan, 0, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_mark(&plan, 1, 6, 0xFFFE, 0xFF00, 0xFFFE);
	plan_field(&plan, 1, 54, 10, 0, 1000, 23);
}

static const struct {
	size_t at;
	uint8_t value;
	int rule;
	const char *wrong;
} rejections[] = {
	{0, 1, -1, "unknown format"},
	{0, 3, -1, "unknown format"},
	{5, 33, -1, "more than 32 counters"},
	{6, 17, -1, "more than 16 DataID tables"},
	{7, 49, -1, "more than 48 rules"},
	{5, 0, -1, "size does not fit the counts"},
	{8, 2, -1, "unknown kind"},
	{9, 65, -1, "more than 64 marks"},
	{9, 1, -1, "size does not fit the counts"},
	{10, 9, -1, "more than 8 fields"},
	{10, 2, -1, "size does not fit the counts"},
	{11, 1, -1, "reserved byte not 0"},
	{RULE + 1, 0x08, 0, "identifier out of range"},
	{RULE + 3, 0x40, 0, "identifier out of range"},
	{SECOND + 3, 0xA0, 1, "identifier out of range"},
	{SECOND + 3, 0xC0, 1, "identifier out of range"},
	{RULE + 4, 2, 0, "bus above 1"},
	{SECOND + 5, 8, 1, "group above 7"},
	{SECOND + 6, 9, 1, "minDlc above 8"},
	{SECOND + 7, 9, 1, "dlcOut above 8"},
	{SECOND + 4, 0, 1, "second rule for the same bus and identifier"},
	{SECOND + 8, 10, 1, "unknown byte operation"},
	{RULE + 8 + 1, 1, 0, "counter does not exist"},
	{RULE + 8 + 4, 1, 0, "counter does not exist"},
	{RULE + 8 + 9, 1, 0, "ADD_WORD needs a KEEP in the next byte"},
	{SECOND + 8 + 21, 6, 1, "ADD_WORD needs a KEEP in the next byte"},
	{RULE + 32, 4, 0, "unknown checksum kind"},
	{RULE + 33, 8, 0, "checksum target above 7"},
	{RULE + 35, 2, 0, "DataID table does not exist"},
	{RULE + 36, 3, 0, "DataID position above 2"},
	{RULE + 36, 0, 0, "DataID without position"},
	{RULE + 37, 2, 0, "unknown checksum flag"},
	{SECOND + 43, 0x81, 1, "unknown checksum flag"},
	{SECOND + 38, 4, 1, "unknown checksum kind"},
	{FIRST_MARK, 2, 2, "mark of a rule that does not exist"},
	{FIRST_MARK, 1, 1, NULL},
	{SECOND_MARK + 1, 7, 1, "word of a mark above byte 6"},
	{SECOND_MARK, 0, 0, NULL},
	{FIELD, 2, 2, "field of a rule that does not exist"},
	{FIELD + 2, 0, 1, "field without bits, of more than 16, or behind byte 7"},
	{FIELD + 1, 55, 1, "field without bits, of more than 16, or behind byte 7"},
	{FIELD + 6, 24, 1, "value beyond its field"},
};

TEST(rejects, "a plan is rejected for each field that is out of range, naming the rule")
{
	good_plan();
	CHECK(!wrong_with(&plan));
	EQUAL(COUNT(PLANS_LOADED), 1);
	for (size_t i = 0; i < sizeof rejections / sizeof *rejections; ++i) {
		uint32_t rejected = COUNT(PLANS_REFUSED);
		if (rejections[i].wrong) {
			plan_is_rejected(&plan, rejections[i].at, rejections[i].value, rejections[i].rule, rejections[i].wrong);
			EQUAL(COUNT(PLANS_REFUSED), rejected + 1);
		} else {
			struct builder changed = plan;
			changed.bytes[rejections[i].at] = rejections[i].value;
			CHECK(!wrong_with(&changed));
		}
	}
	for (size_t size = 0; size <= sizeof plan.bytes; ++size) {
		int item;
		CHECK(size == plan.size || gateway_plan_check(plan.bytes, size, &item) != NULL);
	}
	plan.bytes[RULE + 35] = plan.bytes[RULE + 36] = 0; /* no DataID needs no position */
	CHECK(!wrong_with(&plan));
	plan_begin(&plan, 1);
	CHECK(!wrong_with(&plan)); /* a header alone */
	plan.size = 11;
	SAME(wrong_with(&plan), "shorter than its header");
}

TEST(rejects_order, "a plan is rejected for marks and fields that are not in order, and for a counter shown too often")
{
	int item;
	good_plan();
	plan.bytes[FIRST_MARK] = 1;
	plan_is_rejected(&plan, SECOND_MARK, 0, 0, "marks not in the order of the rules");
	plan.bytes[FIELD + 1] = 0;
	plan_is_rejected(&plan, FIELD + 2, 17, 1, "field without bits, of more than 16, or behind byte 7");
	plan.bytes[FIELD + 1] = 54;
	plan_field(&plan, 1, 63, 1, 0, 0, 0);
	SAME(wrong_with(&plan), "fields not in the order of their bits");
	plan.bytes[FIELD + 8] = 0;
	SAME(wrong_with(&plan), "fields not in the order of the rules");
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x280, "0");
	plan_field(&plan, 0, 0, 16, 0, 0xFFFE, 1);
	CHECK(gateway_plan_check(plan.bytes, plan.size, &item) == NULL); /* the first bit, and the longest field */
	plan_begin(&plan, 1);
	plan.bytes[8] = 1;
	plan_rule(&plan, 1, 1, "1 11")[7] = 8;
	plan_mark(&plan, 0, 0, 1, 1, 1);
	plan_is_rejected(&plan, 8, 1, 0, "a plan that generates has no marks");
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x280, "1 55");
	plan_rule(&plan, 0, 0x280, "1 66")[5] = 1; /* another group */
	SAME(wrong_with(&plan), "second rule for the same bus and identifier");
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

TEST(rejected_changes_nothing, "a rejected plan leaves the active plan and the staged one as they were")
{
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x100, "1 11");
	plan_commit(&plan, 0);
	plan.bytes[12 + 9] = 0x22;
	CHECK(!wrong_with(&plan));
	plan.bytes[0] = 9;
	plan.bytes[12 + 9] = 0x33;
	CHECK(wrong_with(&plan) != NULL);
	SAME(pass(0x100, "0"), "11");
	commit(0);
	SAME(pass(0x100, "0"), "22");
}

TEST(largest_plan, "the largest plan fits")
{
	plan_begin(&plan, 1);
	for (int i = 0; i < 32; ++i)
		plan_counter(&plan, (uint8_t)i, 1, 255, 0);
	for (int i = 0; i < 16; ++i)
		plan_data_ids(&plan, "0 1 2 3 4 5 6 7 8 9 A B C D E F");
	for (uint32_t i = 0; i < 48; ++i)
		plan_rule(&plan, 0, i, "4 1F");
	for (unsigned i = 0; i < 64; ++i)
		plan_mark(&plan, 47, 0, 0xFF, i + 1, i + 1);
	for (unsigned i = 0; i < 8; ++i)
		plan_field(&plan, 47, 8 + i, 1, 0, 1, 0);
	EQUAL(plan.size, GATEWAY_MAX_PLAN_BYTES);
	plan_commit(&plan, 0);
	SAME(pass(47, "0 0"), "1F FF");
	SAME(pass(47, "1 0"), "01 00"); /* of all marks */
	SAME(pass(47, "40 0"), "40 00");
	SAME(pass(47, "41 0"), "20 FF");
	SAME(pass(48, "0"), "00");
}

TEST(highest_allowed, "the highest group, minDlc and dlcOut are accepted and take effect")
{
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

/* ---- operations and checksums ---- */

enum { MOTOR_12 = 1, MOTOR_11, MOTOR_14, ESP_10, HALDEX };
static const char *const data_ids[] = {
	"52 8C 50 EE 4F A6 CC CF 7D 2F 98 6B 27 41 9F 93",
	"D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C",
	"1F 28 C6 85 E6 F8 B0 19 5B 64 35 21 E4 F7 9C 24",
	"AC AC AC AC AC AC AC AC AC AC AC AC AC AC AC AC",
	"C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2",
};

/* The plan of all rows below: these counters and DataIDs, and one rule. Rows show counters by their index. */
static const uint8_t counters[][4] = {
	{0x1D, 1, 0x1F, 0x0A}, /* Gen 4 BRAKES1 */
	{0, 100, 0xFF, 0x55},  /* wraps at 256 by itself */
	{0xF0, 0, 255, 0},
	{0x30, 16, 0xF0, 0},
	{0x10, 0x10, 255, 0},
};

#define FIRST_BYTE GATEWAY_CRC, 0, 0xFE /* as on MQB */
#define VERIFIED GATEWAY_VERIFY

static const struct rewriting {
	const char *what, *operations;
	uint8_t steps[2][6]; /* kind, target, mask, DataIDs, position, flags */
	uint8_t dlc_out;
	unsigned unverified; /* passes that are counted so */
	struct {
		uint32_t factor;
		const char *received, *sent;
	} passes[6];
} rewritings[] = {
	/* the worked values of docs/control-and-can.md 1.6 for L = 50 */
	{"KEEP, SET, SCALE and SCALE_DOWN", "0, 1 21, 2 FE, 2 4E, 3 FE FE, 3 0 1, 2 FF, 2 1", .passes = {
		{11520, "A B C D E F 1 2", "0A 21 72 23 8C 00 72 00"},
		{0, "A B C D E F 1 2", "0A 21 00 00 FE 00 00 00"},
		{25600, "A B C D E F 1 2", "0A 21 FE 4E 00 FF FF 01"},
		{25599, "A B C D E F 1 2", "0A 21 FD 4D 01 00 FE 00"}}},
	{"SCALE_UP is 0 at factor 0 only, then begins at its base", "8 80 7E, 8 FF 2", .passes = {
		{0, "A B", "00 00"}, {1, "A B", "80 FF"}, {12800, "A B", "BF 00"}, {25600, "A B", "FE 01"}}},
	{"SCALE_FROM begins at its base, at factor 0 as well", "9 7F 37, 9 FF 2", .passes = {
		{0, "A B", "7F FF"}, {12800, "A B", "9A 00"}, {25600, "A B", "B6 01"}}},
	{"counters are shown, then advanced once, and wrap", "4 0, 4 1, 5 0 CA, 4 0", .passes = {
		{12800, "0 0 0 0", "1D 00 73 1D"}, {12800, "0 0 0 0", "1E 64 74 1E"}, {12800, "0 0 0 0", "1F C8 74 1F"},
		{12800, "0 0 0 0", "0A 2C 6A 0A"}}},
	{"any counter that is shown twice advances once", "4 1, 4 1, 5 1 10", .passes = {
		{25600, "0 0 0", "00 00 10"}, {25600, "0 0 0", "64 64 74"}}},
	{"a counter is shown as it is, scaled, and scaled with either of two offsets", "4 2, 5 2 0, 5 2 4, 5 2 8", .passes = {
		{12800, "0 0 0 0", "F0 78 7A 7C"}}},
	{"SCALE_COUNTER adds modulo 256 before it scales", "5 2 20", .passes = {{25600, "0", "10"}}},
	{"ADD_WORD adds below its limit and stops there", "6 80 FF, 0, 6 FF 0, 0, 6 10 1", .passes = {
		{25600, "00 10 00 FF 00 00", "80 10 FF FF 10 00"},
		{25600, "90 10 01 FF F5 00", "10 11 FF FF FF 00"}, /* carries; 0xFFFF and 0x00FF are the highest values */
		{25600, "FF FE FF FF 00 01", "FF FE FF FF 00 01"}, /* at the limit: 0xFEFF + 0x80 stops at 0xFEFF */
		{25600, "00 FF 00 00 FF FF", "00 FF FF 00 FF FF"}, /* at or above the limit: as received */
		{12800, "00 10 00 00 00 00", "40 10 7F 00 08 00"},
		{12800, "05", "45"}}}, /* the high byte lies beyond the DLC */
	{"four words, and nothing else but the checksum", "6 1 0, 0, 6 2 0, 0, 6 3 0, 0, 6 4 0", {{GATEWAY_SUM, 7, 0x01}}, .passes = {
		{25600, "10 0 20 0 30 0 40 0", "11 00 22 00 33 00 44 EE"}}},
	{"CRC with the DataID first", "", {{FIRST_BYTE, MOTOR_12, 1}}, .passes = {
		{0, "00 70 00 00 00 64 0F 70", "9C 70 00 00 00 64 0F 70"}}},
	{"CRC with the DataID last: Motor_12", "", {{FIRST_BYTE, MOTOR_12, 2}}, .passes = {
		{0, "00 70 00 00 00 64 0F 70", "18 70 00 00 00 64 0F 70"}}},
	{"Motor_11", "", {{FIRST_BYTE, MOTOR_11, 2}}, .passes = {{0, "00 40 FA FA 00 FA 70 70", "5E 40 FA FA 00 FA 70 70"}}},
	{"Motor_14", "", {{FIRST_BYTE, MOTOR_14, 2}}, .passes = {{0, "00 10 E6 01 C8 80 00 80", "37 10 E6 01 C8 80 00 80"}}},
	{"ESP_10, recorded in a vehicle", "", {{FIRST_BYTE, ESP_10, 2}}, .passes = {{0, "00 00 D5 98 9F 26 25 0F", "2D 00 D5 98 9F 26 25 0F"}}},
	{"CRC of all eight bytes", "", {{GATEWAY_CRC, 0, 0xFF}}, .passes = {{0, "DF 0 0 0 0 0 0 0", "94 00 00 00 00 00 00 00"}}},
	{"CRC of four bytes side by side, a position without DataID", "", {{GATEWAY_CRC, 7, 0x0F, 0, 2}}, .passes = {
		{0, "31 32 33 34 0 0 0 0", "31 32 33 34 00 00 00 34"}}},
	{"CRC of the same with gaps", "", {{GATEWAY_CRC, 7, 0x55, 0, 1}}, .passes = {
		{0, "31 9 32 9 33 9 34 9", "31 09 32 09 33 09 34 34"}}},
	{"XOR with a counter", "2 FE, 1 0, 1 0, 1 64, 1 0, 1 0, 4 3", {{GATEWAY_XOR, 7, 0x7F}}, .passes = {
		{25600, "0 0 0 0 0 0 0 0", "FE 00 00 64 00 00 30 AA"}}},
	{"CRC, then sum", "1 22, 1 0, 1 0, 1 0, 1 80, 1 50", {{GATEWAY_CRC, 6, 0x3F, HALDEX, 2}, {GATEWAY_SUM, 7, 0x2F}}, .passes = {
		{25600, "0 0 0 0 0 0 0 0", "22 00 00 00 80 50 11 8D"}}},
	{"XOR covers the last byte", "", {{GATEWAY_XOR, 0, 0xC0}}, .passes = {{0, "0 0 0 0 0 0 5 3", "06 00 00 00 00 00 05 03"}}},
	{"sum covers the last byte", "", {{GATEWAY_SUM, 0, 0xC0}}, .passes = {{0, "0 0 0 0 0 0 5 3", "F7 00 00 00 00 00 05 03"}}},
	{"XOR leaves the last byte out", "", {{GATEWAY_XOR, 0, 0x40}}, .passes = {{0, "0 0 0 0 0 0 5 3", "05 00 00 00 00 00 05 03"}}},
	{"the second step sees the result of the first", "", {{GATEWAY_XOR, 0, 0x06}, {GATEWAY_SUM, 3, 0x07}}, .passes = {
		{0, "99 01 02 03", "03 01 02 F9"}}},
	{"it does even where the rule sets that byte", "0, 0, 1 55", {{GATEWAY_XOR, 2, 0x03}, {GATEWAY_XOR, 3, 0x05}}, .passes = {
		{0, "11 22 0 0", "11 22 33 22"}}},
	{"a scaled byte beside two steps", "0, 2 FF", {{GATEWAY_XOR, 2, 0x02}, {GATEWAY_SUM, 3, 0x02}}, .passes = {
		{25600, "1 0 0 0", "01 FF FF 00"}, {0, "1 0 0 0", "01 00 00 FF"}}},
	{"a first byte that is scaled, beside a CRC", "3 FE FE", {{GATEWAY_XOR, 7, 0x01}, {GATEWAY_CRC, 6, 0x06, MOTOR_11, 2}}, .passes = {
		{0, "0 0 0 0 0 0 0 0", "FE 00 00 00 00 00 63 FE"}, {12800, "0 0 0 0 0 0 0 0", "7F 00 00 00 00 00 63 7F"}}},
	/* byte 6 is not sent, but the second step covers it, and its counter advances */
	{"beyond the DLC", "1 FE, 1 0, 1 0, 1 64, 1 0, 1 0, 4 4", {{GATEWAY_XOR, 3, 0x07}, {GATEWAY_XOR, 2, 0x40}}, .passes = {
		{0, "1 2 3", "FE 00 10"}, {0, "1 2 3", "FE 00 20"}}},
	{"a step behind the DLC is not there for the other", "1 FE", {{GATEWAY_XOR, 3, 0x01}, {GATEWAY_XOR, 2, 0x08}}, .passes = {
		{0, "1 2 3", "FE 02 00"}, {0, "1 2 3 4", "FE 02 FE FE"}}},
	{"longer than received", "0, 1 5", {{GATEWAY_XOR, 7, 0x7F}}, .dlc_out = 8, .passes = {{0, "1", "01 05 00 00 00 00 00 04"}}},
	{"shorter than received", "", .dlc_out = 1, .passes = {{0, "1 2 3", "01"}}},

	{"the CRC that is demanded", "0, 0, 1 FA, 0, 0, 0, 2 FA, 2 FA", {{FIRST_BYTE, MOTOR_11, 2, VERIFIED}}, .unverified = 2, .passes = {
		{12800, "02 40 FA FA 00 FA 11 22", "A1 40 FA FA 00 FA 7D 7D"},
		{12800, "38 41 33 FA 00 FA 11 22", "29 41 FA FA 00 FA 7D 7D"}, /* a byte that the rule fixes counts as received */
		{12800, "38 41 FA FA 00 FA 11 22", "38 41 FA FA 00 FA 11 22"},
		{12800, "02 42 FA FA 00 FA 11 22", "02 42 FA FA 00 FA 11 22"},
		{25600, "02 40 FA FA 00 FA 11 22", "80 40 FA FA 00 FA FA FA"}}},
	{"XOR and sum are demanded, within the DLC, before a counter moves", "2 FE, 1 5, 4 4",
		{{GATEWAY_XOR, 3, 0x07, 0, 0, VERIFIED}, {GATEWAY_SUM, 4, 0x0F, 0, 0, VERIFIED}}, .unverified = 2, .passes = {
		{0, "1 2 4 7 F1", "00 05 10 15 D5"},
		{0, "1 2 4 8 F0", "01 02 04 08 F0"}, /* the first is wrong */
		{0, "1 2 4 7 F0", "01 02 04 07 F0"}, /* the second is wrong */
		{0, "1 2 4 7", "00 05 20 25"},       /* there is no second one */
		{0, "1 2 4", "00 05 30"}}},
	{"the second is demanded, the first is not", "1 5", {{GATEWAY_XOR, 3, 0x07}, {GATEWAY_SUM, 4, 0x0F, 0, 0, VERIFIED}}, .passes = {
		{0, "1 2 4 8 F0", "05 02 04 03 F1"}}},
	{"the same of a frame sent with a DLC of its own", "1 5", {{GATEWAY_XOR, 3, 0x07}, {GATEWAY_SUM, 4, 0x0F, 0, 0, VERIFIED}}, 5, .passes = {
		{0, "1 2 4 8 F0", "05 02 04 03 F1"}, {0, "1 2 4 8", "05 02 04 03 F1"}}},
	{"the first is demanded, the second is not", "1 1 1", {{GATEWAY_XOR, 2, 0x03, 0, 0, VERIFIED}, {GATEWAY_XOR, 3, 0x03}}, .passes = {
		{0, "7 2 5 9", "01 02 03 03"}}},
	{"one XOR is demanded, beside SET", "1 7", {{GATEWAY_XOR, 4, 0x0F, 0, 0, VERIFIED}}, .unverified = 1, .passes = {
		{0, "1 2 3 4 4", "07 02 03 04 02"}, {0, "1 2 3 4", "07 02 03 04"}, {0, "1 2 3 4 5", "01 02 03 04 05"}}},
	{"beside a counter", "0, 0, 4 4", {{GATEWAY_XOR, 4, 0x0F, 0, 0, VERIFIED}}, .passes = {{0, "1 2 3 4 4", "01 02 10 04 17"}}},
	{"beside ADD_WORD", "0, 0, 6 1 FF", {{GATEWAY_XOR, 4, 0x0F, 0, 0, VERIFIED}}, .passes = {{25600, "1 2 3 4 4", "01 02 04 04 03"}}},
	{"one CRC is demanded, beside SET", "0, 1 41", {{FIRST_BYTE, MOTOR_11, 2, VERIFIED}}, .passes = {
		{0, "02 40 FA FA 00 FA 11 22", "8A 41 FA FA 00 FA 11 22"}}},
};

TEST(rewrites, "operations and checksums give what was worked out by hand; a frame without the checksum that is demanded leaves as it came")
{
	for (size_t i = 0; i < sizeof rewritings / sizeof *rewritings; ++i) {
		const struct rewriting *row = &rewritings[i];
		start();
		plan_begin(&plan, 1);
		for (size_t c = 0; c < sizeof counters / sizeof *counters; ++c)
			plan_counter(&plan, counters[c][0], counters[c][1], counters[c][2], counters[c][3]);
		for (size_t d = 0; d < sizeof data_ids / sizeof *data_ids; ++d)
			plan_data_ids(&plan, data_ids[d]);
		uint8_t *rule = plan_rule(&plan, 0, 0x0A7, row->operations);
		rule[7] = row->dlc_out;
		memcpy(rule + 32, row->steps, sizeof row->steps);
		plan_commit(&plan, 0);
		unsigned count = 0;
		for (; count < 6 && row->passes[count].received; ++count) {
			commit(row->passes[count].factor);
			const char *sent = pass(0x0A7, row->passes[count].received);
			if (strcmp(sent, row->passes[count].sent))
				test_fail(row->what, (int)count, sent, 0, 0);
		}
		EQUAL(COUNT(UNVERIFIED), row->unverified);
		EQUAL(COUNT(REWRITTEN), count - row->unverified);
	}
}

TEST(scale, "scaling rounds down for every byte at every factor")
{
	for (uint32_t factor = 0; factor <= GATEWAY_FULL_FACTOR; ++factor)
		for (unsigned x = 0; x < 256; ++x)
			EQUAL(gateway_scale(x, gateway_share(factor)), x * factor / GATEWAY_FULL_FACTOR);
}

TEST(advanced_unwrapped, "ADVANCE takes the counter of a rewritten frame one step further without its wrap")
{
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

TEST(dlc_changes, "a frame counts as changed if its DLC is, and as unmodified if the rule changed nothing")
{
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x118, "")[7] = 2;
	plan_commit(&plan, 0);
	SAME(pass(0x118, "1"), "01 00");
	BYTES(test_ring[0].dlc, 1, 2);
	EQUAL(test_ring[0].flags, GATEWAY_CHANGED);
	SAME(pass(0x118, "1 2"), "01 02");
	EQUAL(test_ring[1].flags, 0);
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

TEST(crc_lengths, "a CRC over any number of bytes is that of its polynomial's division")
{
	uint8_t bytes[8] = {0x31, 0xD2, 0x03, 0x84, 0x55, 0xF6, 0x07, 0xA8};
	plan_begin(&plan, 1);
	EQUAL(crc_by_bits((const uint8_t *)"123456789", 9, 0xFF, 0xFF), 0xDF);
	for (uint32_t count = 0; count <= 8; ++count)
		rule_step(plan_rule(&plan, 0, count, ""), 0, GATEWAY_CRC, 7, (uint8_t)((1u << count) - 1), 0, 0);
	plan_commit(&plan, 0);
	for (uint32_t count = 0; count <= 8; ++count) {
		pass(count, "31 D2 03 84 55 F6 07 A8");
		EQUAL(test_ring[count % RING].sent[7], crc_by_bits(bytes, count, 0xFF, 0xFF));
	}
}

TEST(crc_selects, "each of a DataID's sixteen values is the one for its counter, of the second table as of the first, with any initial value")
{
	static const uint8_t ids[2][16] = {{0x52, 0x8C, 0x50, 0xEE, 0x4F, 0xA6, 0xCC, 0xCF, 0x7D, 0x2F, 0x98, 0x6B, 0x27, 0x41, 0x9F, 0x93},
		{0xD2, 0x3D, 0xCD, 0x28, 0x4C, 0x14, 0x22, 0x4B, 0x24, 0xAC, 0xFA, 0x55, 0x66, 0x80, 0x0D, 0x6C}};
	plan_begin(&plan, 1);
	plan.bytes[3] = 0x12;
	plan.bytes[4] = 0x34;
	for (unsigned table = 0; table < 2; ++table)
		plan_data_ids(&plan, data_ids[table]);
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

/* ---- fields: the second torque model of Motor_11 ---- */

/*
 * docs/control-and-can.md 3.14: each torque is raw Nm + 509 in ten bits; 10 Nm open and 150 Nm at full lock are raw
 * 519 and 659, inertia 0 Nm is 509, overrun is 487.
 */

#define HALF (GATEWAY_FULL_FACTOR / 2)
/* 0 Nm actual and filtered, 22 Nm requested: a car in idle; bits 62 and 63 are its own. */
#define IDLE "0 35 61 7F FD F5 77 7E"

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

/* Bits of the last frame of the coupling bus. */
static unsigned sent_bits(unsigned start, unsigned length)
{
	uint64_t all = 0;
	for (unsigned at = 0; at < 8; ++at)
		all |= (uint64_t)test_latest[0].sent.data[at] << 8 * at;
	return (unsigned)(all >> start) & ((1u << length) - 1);
}

/* The last one of `times` frames. */
static void passes_as(unsigned times, const char *data, unsigned requested, unsigned actual, unsigned filtered)
{
	for (unsigned i = 0; i < times; ++i)
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
	passes_as(20, IDLE, 589, 589, 589);
	SAME(pass(0x0A7, "A0 35 61 7F FD F5 77 3E"), "A0 D5 64 93 FD 35 79 3E");
	commit(GATEWAY_FULL_FACTOR);
	passes_as(20, IDLE, 659, 659, 659);
	SAME(pass(0x0A7, "A0 3F 00 00 00 00 00 00"), "A0 3F E9 A4 FD 4D 7A 3E");
}

TEST(fields_steps, "a field with steps rises from the car's own value and falls by one step a frame, at factor 0 at once, never above its most")
{
	put_torques(150, GATEWAY_FULL_FACTOR);
	passes_as(1, IDLE, 659, 509 + 8, 509 + 32);
	passes_as(1, IDLE, 659, 509 + 16, 509 + 64);
	passes_as(2, IDLE, 659, 509 + 32, 509 + 128);
	passes_as(1, IDLE, 659, 509 + 40, 659);
	passes_as(13, IDLE, 659, 509 + 144, 659);
	passes_as(1, IDLE, 659, 659, 659);
	commit(HALF);
	passes_as(1, IDLE, 589, 651, 627);
	passes_as(2, IDLE, 589, 635, 589);
	commit(0);
	passes_as(1, IDLE, 519, 519, 519);
	put_torques(509, GATEWAY_FULL_FACTOR);
	passes_as(70, IDLE, 1018, 1018, 1018);
	put_torques(150, GATEWAY_FULL_FACTOR);
	passes_as(1, IDLE, 659, 659, 659);
}

TEST(fields_begin, "after stock a field begins with the car's own value, but not above its target")
{
	put_torques(150, HALF);
	passes_as(1, "0 35 61 CA FD A5 7C 3E", 589, 589, 589); /* 300 Nm actual and filtered: raw 809 */
	gateway_release(&gateway);
	SAME(pass(0x0A7, "0 35 61 7F FD F5 77 3E"), "00 35 61 7F FD F5 77 3E");
	commit(HALF);
	passes_as(1, IDLE, 589, 517, 541);
}

TEST(fields_checksum, "a written checksum is that of the sent fields, a demanded one that of the received bytes")
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

/* A rule that sets all bytes to 0, with this field over them and an XOR of all other bytes in `target`. */
static void put_field(unsigned at, unsigned length, unsigned value, unsigned target)
{
	plan_begin(&plan, 1);
	uint8_t *rule = plan_rule(&plan, 0, 0x0A7, "1, 1, 1, 1, 1, 1, 1, 1");
	rule_step(rule, 0, GATEWAY_XOR, (uint8_t)target, (uint8_t)(0xFF & ~(1u << target)), 0, 0);
	plan_field(&plan, 0, at, length, 0, value, 0);
	plan_commit(&plan, 0);
}

TEST(fields_in_checksum, "a checksum is that of the sent field wherever it lies: each length from each bit on, over bytes that the rule sets")
{
	for (unsigned length = 1; length <= 16; ++length)
		for (unsigned start = 0; start + length <= 64; ++start) {
			unsigned target = start < 32 ? 7 : 0, ones = (1u << length) - 1;
			put_field(start, length, ones, target);
			pass(0x0A7, "0 0 0 0 0 0 0 0");
			EQUAL(sent_bits(start, length), ones);
			uint8_t all = 0;
			for (unsigned at = 0; at < 8; ++at)
				all ^= test_latest[0].sent.data[at];
			EQUAL(all, 0); /* the exclusive or of all but one byte is in this one */
		}
}

TEST(fields_first_steps, "the first field of a rule falls at once at factor 0, if it is one that takes steps, too")
{
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, 0x0A7, "");
	plan_field(&plan, 0, 0, 8, 1, 0x10, 0x40);
	plan_commit(&plan, GATEWAY_FULL_FACTOR);
	SAME(pass(0x0A7, "60"), "50");
	commit(HALF);
	SAME(pass(0x0A7, "60"), "4F");
	commit(0);
	SAME(pass(0x0A7, "60"), "10");
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

TEST(fields_generate_two, "each of two generated frames begins with its own fields of an open coupling")
{
	plan_begin(&plan, 1);
	plan.bytes[8] = 1;
	for (uint32_t id = 0x0A7; id <= 0x0A8; ++id)
		memcpy(plan_rule(&plan, GATEWAY_COUPLING, id, "") + 5, (uint8_t[]){0, 2, 2}, 3);
	plan_field(&plan, 0, 0, 8, 2, 0x10, 0x40);
	plan_field(&plan, 0, 8, 8, 0, 0x22, 0);
	plan_field(&plan, 1, 0, 8, 2, 0x04, 0x40);
	plan_commit(&plan, HALF);
	for (unsigned i = 0; i < GATEWAY_LISTEN_US / 1000; ++i) {
		now_us += 1 * MS;
		gateway_commit(&gateway, HALF, 0, 240, now_us);
		gateway_tick(&gateway, now_us);
	}
	BYTES(send_next(GATEWAY_COUPLING)->data, 0x12, 0x22);
	BYTES(send_next(GATEWAY_COUPLING)->data, 0x06, 0x00);
	CHECK(!send_next(GATEWAY_COUPLING));
}

/* ---- marks ---- */

/*
 * What the car marks as invalid is never made valid: such a frame leaves as it came, is counted, and a sample names
 * it if that lasts.
 */

#define LASTS_US 1000000u
#define FORGET_US 2500000u

/* Speeds of 15 bits above a bit of their own, valid up to 7F7F; a counter at the end. */
static void put_wheels(void)
{
	plan_begin(&plan, 1);
	plan_counter(&plan, 0x40, 1, 255, 0);
	plan_rule(&plan, 0, 0x4A0, "1 11, 1 0, 1 22, 1 0, 4 0");
	plan_rule(&plan, 0, 0x4A2, "1 11");
	plan_mark(&plan, 0, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_mark(&plan, 0, 2, 0xFFFE, 0xFF00, 0xFFFE);
	plan_mark(&plan, 1, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_commit(&plan, 0);
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
	commit(0);
	uint32_t before = COUNT(INVALID);
	SAME(pass(id, "CC FF 0 0 0"), "CC FF 00 00 00");
	EQUAL(COUNT(INVALID), before + 1);
}

TEST(code_stays, "a frame with a code in a field that its rule would overwrite leaves as it came, is counted, and uses up no counter")
{
	put_wheels();
	SAME(pass(0x4A0, "CC FF 0 0 0"), "CC FF 00 00 00"); /* 7FE6 << 1: seen in two cars */
	SAME(pass(0x4A0, "0 0 CD FF 0"), "00 00 CD FF 00"); /* in the second field, with the direction bit */
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

TEST(long_identifier, "a sample names an identifier of 29 bits with its upper half")
{
	const uint32_t id = GATEWAY_EXTENDED | 0x17330510;
	plan_begin(&plan, 1);
	plan_rule(&plan, 0, id, "1 11");
	plan_mark(&plan, 0, 0, 0xFFFE, 0xFF00, 0xFFFE);
	plan_commit(&plan, 0);
	invalid_frame(id, 0);
	invalid_frame(id, LASTS_US);
	EQUAL(named(), id);
}

TEST(two_identifiers, "the identifier that was invalid first is named, and the other one when the first has been valid for 2.5 s")
{
	put_wheels();
	invalid_frame(0x4A0, 0);
	invalid_frame(0x4A2, 0);
	invalid_frame(0x4A0, LASTS_US);
	invalid_frame(0x4A2, 0);
	EQUAL(named(), 0x4A0);
	invalid_frame(0x4A2, FORGET_US);
	EQUAL(named(), 0x4A0);
	invalid_frame(0x4A2, 1); /* takes the place */
	EQUAL(named(), 0);
	invalid_frame(0x4A2, LASTS_US);
	EQUAL(named(), 0x4A2);
	now_us -= LASTS_US; /* a clock that steps back: it begins anew */
	EQUAL(named(), 0);
}

TEST(any_field, "a mark holds for each of its codes, whichever bits these have in common, and when 0 is one of them")
{
	plan_begin(&plan, 1);
	for (unsigned id = 1; id <= 3; ++id)
		plan_rule(&plan, 0, id, "0 0 0, 1 11");
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
