/* Frame plans: check, load, scale. See gateway_plan.h and, for the bytes, README.md. */
#include "gateway_plan.h"

#include <string.h>

static const char *check_operations(const uint8_t *rule, unsigned counter_count)
{
	for (unsigned i = 0; i < 8; ++i) {
		const uint8_t *operation = rule + 8 + 3 * i;
		switch (operation[0]) {
		case GATEWAY_KEEP: case GATEWAY_SET: case GATEWAY_SCALE: case GATEWAY_SCALE_DOWN:
			break;
		case GATEWAY_COUNTER: case GATEWAY_SCALE_COUNTER:
			if (operation[1] >= counter_count)
				return "counter does not exist";
			break;
		case GATEWAY_ADD_WORD:
			if (i == 7 || operation[3] != GATEWAY_KEEP)
				return "ADD_WORD needs a KEEP in the next byte";
			break;
		default:
			return "unknown byte operation";
		}
	}
	return NULL;
}

static const char *check_steps(const uint8_t *rule, unsigned data_id_count)
{
	for (unsigned i = 0; i < 2; ++i) {
		const uint8_t *step = rule + 32 + 6 * i; /* kind, target, byteMask, dataId, position, 0 */
		if (step[0] >= GATEWAY_CHECKSUM_COUNT)
			return "unknown checksum kind";
		if (step[1] > 7)
			return "checksum target above 7";
		if (step[3] > data_id_count)
			return "DataID table does not exist";
		if (step[4] > 2)
			return "DataID position above 2";
		if (step[0] == GATEWAY_CRC && step[3] != 0 && step[4] == 0)
			return "DataID without position";
		if (step[5] != 0)
			return "reserved byte not 0";
	}
	return NULL;
}

static const char *check_rule(const uint8_t *rule, const uint8_t *header)
{
	if (!gateway_valid_id(gateway_u32(rule)))
		return "identifier out of range";
	if (rule[4] > 1)
		return "bus above 1";
	if (rule[5] > 7)
		return "group above 7";
	if (rule[6] > 8)
		return "minDlc above 8";
	if (rule[7] > 8)
		return "dlcOut above 8";
	const char *wrong = check_operations(rule, header[5]);
	return wrong ? wrong : check_steps(rule, header[6]);
}

const char *gateway_plan_check(const uint8_t *bytes, size_t size, int *item)
{
	*item = -1;
	if (size < GATEWAY_PLAN_HEADER_BYTES)
		return "shorter than its header";
	if (bytes[0] != GATEWAY_PLAN_FORMAT)
		return "unknown format";
	if (bytes[5] > GATEWAY_MAX_COUNTERS)
		return "more than 32 counters";
	if (bytes[6] > GATEWAY_MAX_DATA_IDS)
		return "more than 16 DataID tables";
	if (bytes[7] > GATEWAY_MAX_RULES)
		return "more than 48 rules";
	if (gateway_u32(bytes + 8) != 0)
		return "reserved byte not 0";
	size_t rules = (size_t)GATEWAY_PLAN_HEADER_BYTES + (size_t)bytes[5] * GATEWAY_PLAN_COUNTER_BYTES +
		(size_t)bytes[6] * GATEWAY_PLAN_DATA_ID_BYTES;
	if (size != rules + (size_t)bytes[7] * GATEWAY_PLAN_RULE_BYTES)
		return "size does not fit the counts";
	for (unsigned i = 0; i < bytes[7]; ++i) {
		const uint8_t *rule = bytes + rules + i * GATEWAY_PLAN_RULE_BYTES;
		*item = (int)i;
		const char *wrong = check_rule(rule, bytes);
		if (wrong)
			return wrong;
		for (const uint8_t *other = bytes + rules; other < rule; other += GATEWAY_PLAN_RULE_BYTES)
			if (memcmp(other, rule, 5) == 0) /* identifier and bus */
				return "second rule for the same bus and identifier";
	}
	return NULL;
}

static void load_operations(struct gateway_rule *rule)
{
	uint8_t keep[8] = {0};
	for (unsigned i = 0; i < 8; ++i) {
		const uint8_t *operation = rule->operations[i];
		if (operation[0] == GATEWAY_KEEP || operation[0] == GATEWAY_ADD_WORD)
			keep[i] = 0xFF;
		if (operation[0] < GATEWAY_COUNTER)
			continue;
		bool counts = operation[0] != GATEWAY_ADD_WORD;
		for (unsigned earlier = 0; earlier < rule->dynamic_count; ++earlier)
			if (counts && rule->dynamic[earlier].a == operation[1])
				rule->dynamic[earlier].advances = false;
		rule->dynamic[rule->dynamic_count++] =
			(struct gateway_dynamic){operation[0], (uint8_t)i, operation[1], operation[2], counts};
	}
	memcpy(&rule->keep, keep, 8);
}

static void load_step(struct gateway_rule *rule, const uint8_t *from)
{
	if (from[0] == GATEWAY_NO_CHECKSUM)
		return;
	struct gateway_step *step = &rule->steps[rule->step_count++];
	*step = (struct gateway_step){.kind = from[0], .target = from[1], .mask = from[2]};
	if (from[4] == 1)
		step->data_id_first = from[3];
	else if (from[4] == 2)
		step->data_id_last = from[3];
	unsigned covered = 0;
	for (unsigned i = 8; i-- > 0;)
		if (from[2] >> i & 1) {
			step->first = (uint8_t)i;
			if (covered++ == 0)
				step->end = (uint8_t)(i + 1);
		}
	step->gaps = covered != (unsigned)(step->end - step->first);
}

/* Called with the DataIDs loaded. */
static void load_crc(struct gateway_plan *plan, unsigned polynomial, unsigned data_id_count)
{
	uint8_t *table = plan->crc_table;
	for (unsigned i = 0; i < 256; ++i) {
		unsigned crc = i;
		for (unsigned bit = 0; bit < 8; ++bit)
			crc = crc << 1 ^ (crc >> 7 & 1) * polynomial;
		table[i] = (uint8_t)crc;
	}
	memset(plan->crc_start[0], plan->crc_initial, 16);
	for (unsigned i = 0; i < data_id_count; ++i)
		for (unsigned nibble = 0; nibble < 16; ++nibble)
			plan->crc_start[i + 1][nibble] = table[plan->crc_initial ^ plan->data_ids[i][nibble]];
}

void gateway_plan_load(struct gateway_plan *plan, const uint8_t *bytes)
{
	memset(plan, 0, sizeof *plan);
	plan->counter_set = bytes[1];
	plan->crc_initial = bytes[3];
	plan->crc_final_xor = bytes[4];
	plan->counter_count = bytes[5];
	plan->rule_count = bytes[7];
	plan->factor = GATEWAY_NO_FACTOR;
	const uint8_t *from = bytes + GATEWAY_PLAN_HEADER_BYTES;
	memcpy(plan->counters, from, (size_t)bytes[5] * GATEWAY_PLAN_COUNTER_BYTES);
	from += bytes[5] * GATEWAY_PLAN_COUNTER_BYTES;
	memcpy(plan->data_ids, from, (size_t)bytes[6] * GATEWAY_PLAN_DATA_ID_BYTES);
	from += bytes[6] * GATEWAY_PLAN_DATA_ID_BYTES;
	load_crc(plan, bytes[2], bytes[6]);
	for (unsigned i = 0; i < plan->rule_count; ++i, from += GATEWAY_PLAN_RULE_BYTES) {
		struct gateway_rule *rule = &plan->rules[i];
		rule->id = gateway_u32(from);
		rule->bus = from[4];
		rule->group = from[5];
		rule->min_dlc = from[6];
		rule->dlc_out = from[7];
		memcpy(rule->operations, from + 8, sizeof rule->operations);
		load_operations(rule);
		load_step(rule, from + 32);
		load_step(rule, from + 38);
	}
}

void gateway_plan_scale(struct gateway_plan *plan, uint32_t factor)
{
	if (plan->factor == factor)
		return;
	plan->factor = factor;
	for (unsigned r = 0; r < plan->rule_count; ++r) {
		struct gateway_rule *rule = &plan->rules[r];
		uint8_t set[8] = {0};
		for (unsigned i = 0; i < 8; ++i) {
			const uint8_t *operation = rule->operations[i];
			if (operation[0] == GATEWAY_SET)
				set[i] = operation[1];
			else if (operation[0] == GATEWAY_SCALE)
				set[i] = gateway_scale(operation[1], factor);
			else if (operation[0] == GATEWAY_SCALE_DOWN)
				set[i] = (uint8_t)(operation[1] - gateway_scale(operation[2], factor));
		}
		memcpy(&rule->set, set, 8);
		for (unsigned i = 0; i < rule->dynamic_count; ++i) {
			struct gateway_dynamic *dynamic = &rule->dynamic[i];
			if (dynamic->operation == GATEWAY_ADD_WORD)
				dynamic->a = gateway_scale(rule->operations[dynamic->target][1], factor);
		}
	}
}

void gateway_plan_select(struct gateway_plan *plan, uint8_t groups)
{
	for (unsigned i = 0; i < plan->rule_count; ++i)
		plan->rules[i].applies = groups >> plan->rules[i].group & 1;
}
