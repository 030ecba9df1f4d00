/* Frame plans: check, load, scale. See gateway_plan.h and, for the bytes, README.md. */
#include "gateway_internal.h"

#include <string.h>

/* *shown: how many bytes show a counter so far. */
static const char *check_operations(const uint8_t *rule, unsigned counter_count, unsigned *shown)
{
	for (unsigned i = 0; i < 8; ++i) {
		const uint8_t *operation = rule + GATEWAY_RULE_OPERATIONS + GATEWAY_PLAN_OPERATION_BYTES * i;
		switch (operation[0]) {
		case GATEWAY_KEEP: case GATEWAY_SET: case GATEWAY_SCALE: case GATEWAY_SCALE_DOWN: case GATEWAY_SCALE_UP: case GATEWAY_SCALE_FROM:
			break;
		case GATEWAY_COUNTER: case GATEWAY_SCALE_COUNTER: case GATEWAY_ADVANCE:
			if (operation[1] >= counter_count)
				return "counter does not exist";
			if (++*shown > GATEWAY_MAX_SHOWN)
				return "more than 64 bytes that show counters";
			break;
		case GATEWAY_ADD_WORD:
			if (i == 7 || operation[GATEWAY_PLAN_OPERATION_BYTES] != GATEWAY_KEEP)
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
		const uint8_t *step = rule + GATEWAY_RULE_CHECKSUMS + GATEWAY_PLAN_CHECKSUM_BYTES * i;
		if (step[GATEWAY_STEP_KIND] >= GATEWAY_CHECKSUM_COUNT)
			return "unknown checksum kind";
		if (step[GATEWAY_STEP_TARGET] > 7)
			return "checksum target above 7";
		if (step[GATEWAY_STEP_DATA_ID] > data_id_count)
			return "DataID table does not exist";
		if (step[GATEWAY_STEP_POSITION] > GATEWAY_DATA_ID_LAST)
			return "DataID position above 2";
		if (step[GATEWAY_STEP_KIND] == GATEWAY_CRC && step[GATEWAY_STEP_DATA_ID] != 0 && step[GATEWAY_STEP_POSITION] == GATEWAY_DATA_ID_NOWHERE)
			return "DataID without position";
		if (step[GATEWAY_STEP_FLAGS] & ~GATEWAY_VERIFY)
			return "unknown checksum flag";
	}
	return NULL;
}

static const char *check_generated(const uint8_t *rule)
{
	if (rule[GATEWAY_RULE_PHASE] > GATEWAY_MAX_PHASE)
		return "phase above 9";
	if (rule[GATEWAY_RULE_PERIOD] > GATEWAY_MAX_PERIOD)
		return "period above 200";
	if (rule[GATEWAY_RULE_PERIOD] != 0 && rule[GATEWAY_RULE_DLC_OUT] == 0)
		return "dlcOut is 0";
	return NULL;
}

static const char *check_rewritten(const uint8_t *rule)
{
	if (rule[GATEWAY_RULE_GROUP] > 7)
		return "group above 7";
	if (rule[GATEWAY_RULE_MIN_DLC] > 8)
		return "minDlc above 8";
	return NULL;
}

static const char *check_rule(const uint8_t *rule, const uint8_t *header, unsigned *shown)
{
	if (!gateway_valid_id(gateway_u32(rule + GATEWAY_RULE_ID)))
		return "identifier out of range";
	if (rule[GATEWAY_RULE_BUS] > 1)
		return "bus above 1";
	if (rule[GATEWAY_RULE_DLC_OUT] > 8)
		return "dlcOut above 8";
	const char *unfit = header[GATEWAY_HEADER_GENERATES] ? check_generated(rule) : check_rewritten(rule);
	if (unfit)
		return unfit;
	const char *wrong = check_operations(rule, header[GATEWAY_HEADER_COUNTER_COUNT], shown);
	return wrong ? wrong : check_steps(rule, header[GATEWAY_HEADER_DATA_ID_COUNT]);
}

static const char *check_marks(const uint8_t *marks, const uint8_t *header, int *item)
{
	unsigned last_rule = 0;
	for (unsigned i = 0; i < header[GATEWAY_HEADER_MARK_COUNT]; ++i) {
		const uint8_t *mark = marks + i * GATEWAY_PLAN_MARK_BYTES;
		*item = mark[GATEWAY_MARK_RULE];
		if (header[GATEWAY_HEADER_GENERATES])
			return "a plan that generates has no marks";
		if (mark[GATEWAY_MARK_RULE] >= header[GATEWAY_HEADER_RULE_COUNT])
			return "mark of a rule that does not exist";
		if (mark[GATEWAY_MARK_RULE] < last_rule)
			return "marks not in the order of the rules";
		if (mark[GATEWAY_MARK_AT] > 6)
			return "word of a mark above byte 6";
		last_rule = mark[GATEWAY_MARK_RULE];
	}
	return NULL;
}

static unsigned load_u16(const uint8_t *bytes)
{
	return bytes[0] | (unsigned)bytes[1] << 8;
}

static const char *check_fields(const uint8_t *fields, const uint8_t *header, int *item)
{
	unsigned last_rule = 0, end = 0;
	for (unsigned i = 0; i < header[GATEWAY_HEADER_FIELD_COUNT]; ++i) {
		const uint8_t *field = fields + i * GATEWAY_PLAN_FIELD_BYTES;
		unsigned rule = field[GATEWAY_FIELD_RULE], start = field[GATEWAY_FIELD_START], length = field[GATEWAY_FIELD_LENGTH];
		*item = (int)rule;
		if (rule >= header[GATEWAY_HEADER_RULE_COUNT])
			return "field of a rule that does not exist";
		if (rule < last_rule)
			return "fields not in the order of the rules";
		if (rule == last_rule && start < end)
			return "fields not in the order of their bits";
		if (length == 0 || length > 16 || start + length > 64)
			return "field without bits, of more than 16, or behind byte 7";
		if ((load_u16(field + GATEWAY_FIELD_LOW) + load_u16(field + GATEWAY_FIELD_SPAN)) >> length)
			return "value beyond its field";
		last_rule = rule;
		end = start + length;
	}
	return NULL;
}

const char *gateway_plan_check(const uint8_t *bytes, size_t size, int *item)
{
	*item = -1;
	if (size < GATEWAY_PLAN_HEADER_BYTES)
		return "shorter than its header";
	if (bytes[GATEWAY_HEADER_FORMAT] != GATEWAY_PLAN_FORMAT)
		return "unknown format";
	if (bytes[GATEWAY_HEADER_COUNTER_COUNT] > GATEWAY_MAX_COUNTERS)
		return "more than 32 counters";
	if (bytes[GATEWAY_HEADER_DATA_ID_COUNT] > GATEWAY_MAX_DATA_IDS)
		return "more than 16 DataID tables";
	if (bytes[GATEWAY_HEADER_RULE_COUNT] > GATEWAY_MAX_RULES)
		return "more than 48 rules";
	if (bytes[GATEWAY_HEADER_GENERATES] > 1)
		return "unknown kind";
	if (bytes[GATEWAY_HEADER_MARK_COUNT] > GATEWAY_MAX_MARKS)
		return "more than 64 marks";
	if (bytes[GATEWAY_HEADER_FIELD_COUNT] > GATEWAY_MAX_FIELDS)
		return "more than 8 fields";
	if (bytes[GATEWAY_HEADER_RESERVED] != 0)
		return "reserved byte not 0";
	size_t rules = (size_t)GATEWAY_PLAN_HEADER_BYTES + (size_t)bytes[GATEWAY_HEADER_COUNTER_COUNT] * GATEWAY_PLAN_COUNTER_BYTES +
		(size_t)bytes[GATEWAY_HEADER_DATA_ID_COUNT] * GATEWAY_PLAN_DATA_ID_BYTES;
	size_t marks = rules + (size_t)bytes[GATEWAY_HEADER_RULE_COUNT] * GATEWAY_PLAN_RULE_BYTES;
	size_t fields = marks + (size_t)bytes[GATEWAY_HEADER_MARK_COUNT] * GATEWAY_PLAN_MARK_BYTES;
	if (size != fields + (size_t)bytes[GATEWAY_HEADER_FIELD_COUNT] * GATEWAY_PLAN_FIELD_BYTES)
		return "size does not fit the counts";
	unsigned shown = 0;
	for (unsigned i = 0; i < bytes[GATEWAY_HEADER_RULE_COUNT]; ++i) {
		const uint8_t *rule = bytes + rules + i * GATEWAY_PLAN_RULE_BYTES;
		*item = (int)i;
		const char *wrong = check_rule(rule, bytes, &shown);
		if (wrong)
			return wrong;
		for (const uint8_t *other = bytes + rules; other < rule && !bytes[GATEWAY_HEADER_GENERATES]; other += GATEWAY_PLAN_RULE_BYTES)
			if (memcmp(other, rule, GATEWAY_RULE_BUS + 1) == 0) /* identifier and bus */
				return "second rule for the same bus and identifier";
	}
	const char *wrong = check_marks(bytes + marks, bytes, item);
	return wrong ? wrong : check_fields(bytes + fields, bytes, item);
}

/* ---- loading ---- */

/* Bytes of a rule lie one behind the other, from `first` on. */
static void load_shown(struct gateway_shown *first, struct gateway_rule *rule, unsigned at)
{
	const uint8_t *operation = rule->operations[at];
	bool scaled = operation[0] == GATEWAY_SCALE_COUNTER;
	bool hidden = operation[0] == GATEWAY_ADVANCE;
	union gateway_data place = {.whole = 0};
	place.byte[at] = 1;
	struct gateway_shown shown = {
		.places = {place.half[0], place.half[1]},
		.counter = operation[1], .offset = scaled ? operation[2] : 0, .scaled = hidden ? 2 : scaled};
	struct gateway_shown *last = NULL, *same = NULL; /* of this counter */
	for (unsigned i = 0; i < rule->shown_count; ++i) {
		struct gateway_shown *other = &first[i];
		if (other->counter != shown.counter)
			continue;
		other->advances = 0;
		last = other;
		if (other->offset == shown.offset && other->scaled == shown.scaled)
			same = other;
	}
	if (same) {
		same->places[0] |= shown.places[0];
		same->places[1] |= shown.places[1];
	} else {
		last = &first[rule->shown_count++];
		*last = shown;
	}
	last->advances = hidden ? 2 : 1;
}

/* Returns the bit mask of the bytes that are not the same in every frame. `shown`: free ones. */
static unsigned load_operations(struct gateway_shown *shown, struct gateway_rule *rule)
{
	unsigned variable = 0;
	rule->shown = shown;
	for (unsigned at = 0; at < 8; ++at) {
		const uint8_t *operation = rule->operations[at];
		unsigned bit = 1u << at;
		switch (operation[0]) {
		case GATEWAY_SET:
			rule->set.byte[at] = operation[1];
			break;
		case GATEWAY_SCALE: case GATEWAY_SCALE_DOWN: case GATEWAY_SCALE_UP: case GATEWAY_SCALE_FROM:
			rule->scales |= (uint8_t)bit;
			break;
		case GATEWAY_COUNTER: case GATEWAY_SCALE_COUNTER: case GATEWAY_ADVANCE:
			load_shown(shown, rule, at);
			variable |= bit;
			break;
		case GATEWAY_ADD_WORD:
			rule->added[rule->added_count++] = (struct gateway_added){.at = (uint8_t)at, .limit = operation[2]};
			rule->scales |= (uint8_t)bit;
			/* fall through */
		default: /* KEEP */
			rule->keep.byte[at] = 0xFF;
			variable |= bit;
		}
	}
	return variable;
}

/*
 * Takes those of a rule from the front of `from`, `left` fields. Returns the bit mask of the bytes that they
 * touch.
 */
static unsigned load_fields(struct gateway_field *fields, struct gateway_rule *rule, unsigned number, const uint8_t *from, unsigned left)
{
	unsigned touched = 0;
	rule->fields = fields;
	for (; left && from[GATEWAY_FIELD_RULE] == number; --left, from += GATEWAY_PLAN_FIELD_BYTES) {
		unsigned low = load_u16(from + GATEWAY_FIELD_LOW);
		struct gateway_field field = {
			.start = from[GATEWAY_FIELD_START], .length = from[GATEWAY_FIELD_LENGTH], .step = from[GATEWAY_FIELD_STEP],
			.low = (uint16_t)low, .most = (uint16_t)(low + load_u16(from + GATEWAY_FIELD_SPAN))};
		fields[rule->field_count++] = field;
		rule->field_mask |= ((UINT64_C(1) << field.length) - 1) << field.start;
	}
	for (unsigned at = 0; at < 8; ++at)
		touched |= (unsigned)(rule->field_mask >> 8 * at & 0xFF ? 1 : 0) << at;
	return touched;
}

void gateway_plan_load(struct gateway_plan *plan, const uint8_t *bytes)
{
	memset(plan, 0, sizeof *plan);
	plan->counter_set = bytes[GATEWAY_HEADER_COUNTER_SET];
	plan->crc_initial = bytes[GATEWAY_HEADER_CRC_INITIAL];
	plan->crc_final_xor = bytes[GATEWAY_HEADER_CRC_FINAL_XOR];
	plan->generates = bytes[GATEWAY_HEADER_GENERATES];
	plan->counter_count = bytes[GATEWAY_HEADER_COUNTER_COUNT];
	plan->rule_count = bytes[GATEWAY_HEADER_RULE_COUNT];
	plan->factor = GATEWAY_NO_FACTOR;
	plan->share[0] = gateway_share(GATEWAY_FULL_FACTOR);
	const uint8_t *from = bytes + GATEWAY_PLAN_HEADER_BYTES;
	memcpy(plan->counters, from, (size_t)bytes[GATEWAY_HEADER_COUNTER_COUNT] * GATEWAY_PLAN_COUNTER_BYTES);
	from += bytes[GATEWAY_HEADER_COUNTER_COUNT] * GATEWAY_PLAN_COUNTER_BYTES;
	const uint8_t *data_ids = from;
	from += bytes[GATEWAY_HEADER_DATA_ID_COUNT] * GATEWAY_PLAN_DATA_ID_BYTES;
	gateway_checksum_load_crc(plan, bytes[GATEWAY_HEADER_CRC_POLYNOMIAL]);
	struct gateway_shown *shown = plan->shown;
	struct gateway_field *fields = plan->fields;
	const uint8_t *field = from + (unsigned)bytes[GATEWAY_HEADER_RULE_COUNT] * GATEWAY_PLAN_RULE_BYTES +
		(unsigned)bytes[GATEWAY_HEADER_MARK_COUNT] * GATEWAY_PLAN_MARK_BYTES;
	unsigned fields_left = bytes[GATEWAY_HEADER_FIELD_COUNT];
	for (unsigned i = 0; i < plan->rule_count; ++i, from += GATEWAY_PLAN_RULE_BYTES) {
		struct gateway_rule *rule = &plan->rules[i];
		rule->id = gateway_u32(from + GATEWAY_RULE_ID);
		rule->bus = from[GATEWAY_RULE_BUS];
		if (plan->generates) {
			rule->phase_us = from[GATEWAY_RULE_PHASE] * GATEWAY_PHASE_UNIT_US;
			rule->period_us = from[GATEWAY_RULE_PERIOD] * GATEWAY_PERIOD_UNIT_US;
		} else {
			rule->group = from[GATEWAY_RULE_GROUP];
			rule->min_dlc = from[GATEWAY_RULE_MIN_DLC];
		}
		rule->dlc_out = from[GATEWAY_RULE_DLC_OUT];
		memcpy(rule->operations, from + GATEWAY_RULE_OPERATIONS, sizeof rule->operations);
		unsigned variable = load_operations(shown, rule);
		shown += rule->shown_count;
		variable |= load_fields(fields, rule, i, field, fields_left);
		fields += rule->field_count;
		field += rule->field_count * GATEWAY_PLAN_FIELD_BYTES;
		fields_left -= rule->field_count;
		gateway_checksum_load(plan, rule, from + GATEWAY_RULE_CHECKSUMS, variable, data_ids);
		if (rule->step_count)
			variable |= 1u << rule->steps[0].target;
		gateway_checksum_load(plan, rule, from + GATEWAY_RULE_CHECKSUMS + GATEWAY_PLAN_CHECKSUM_BYTES, variable, data_ids);
		rule->computes_more = rule->added_count || rule->field_count;
	}
	for (unsigned i = 0; i < bytes[GATEWAY_HEADER_MARK_COUNT]; ++i, from += GATEWAY_PLAN_MARK_BYTES) {
		struct gateway_rule *rule = &plan->rules[from[GATEWAY_MARK_RULE]];
		uint16_t first = (uint16_t)load_u16(from + GATEWAY_MARK_FIRST);
		plan->marks[i] = (struct gateway_mark){
			.at = from[GATEWAY_MARK_AT], .mask = (uint16_t)load_u16(from + GATEWAY_MARK_MASK),
			.first = first, .span = (uint16_t)(load_u16(from + GATEWAY_MARK_LAST) - first)};
		if (!rule->mark_count++)
			rule->marks = &plan->marks[i];
	}
}

/* ---- at commit ---- */

static uint8_t scaled(const uint8_t *operation, uint32_t share)
{
	if (operation[0] == GATEWAY_SCALE_DOWN)
		return (uint8_t)(operation[1] - gateway_scale(operation[2], share));
	if (operation[0] == GATEWAY_SCALE_UP && !share)
		return 0;
	if (operation[0] == GATEWAY_SCALE_UP || operation[0] == GATEWAY_SCALE_FROM)
		return (uint8_t)(operation[1] + gateway_scale(operation[2], share));
	return gateway_scale(operation[1], share);
}

static void scale_rule(const struct gateway_plan *plan, struct gateway_rule *rule)
{
	struct gateway_added *added = rule->added;
	for (unsigned at = 0; rule->scales >> at; ++at) {
		if (!(rule->scales >> at & 1))
			continue;
		uint8_t value = scaled(rule->operations[at], plan->share[1]);
		if (rule->operations[at][0] == GATEWAY_ADD_WORD) {
			added++->amount = value;
			continue;
		}
		for (unsigned i = 0; i < rule->step_count; ++i)
			gateway_checksum_fix(plan, &rule->steps[i], at, rule->set.byte[at], value);
		rule->set.byte[at] = value;
	}
}

/* At factor 0, open, no field takes steps: nothing may delay it. */
static void scale_fields(const struct gateway_plan *plan, struct gateway_rule *rule)
{
	rule->field_bits = 0;
	for (struct gateway_field *field = rule->fields; field < rule->fields + rule->field_count; ++field) {
		field->target = (uint16_t)(field->low + ((uint64_t)(field->most - field->low) * plan->share[1] >> 23));
		if (!field->step || !plan->factor)
			rule->field_bits |= (uint64_t)field->target << field->start;
	}
}

void gateway_plan_scale(struct gateway_plan *plan, uint32_t factor)
{
	if (plan->factor == factor)
		return;
	plan->factor = factor;
	plan->share[1] = gateway_share(factor);
	for (unsigned i = 0; i < plan->rule_count; ++i) {
		scale_rule(plan, &plan->rules[i]);
		if (plan->rules[i].field_count)
			scale_fields(plan, &plan->rules[i]);
	}
}

void gateway_plan_select(struct gateway_plan *plan, uint8_t groups)
{
	if (plan->groups == groups)
		return;
	plan->groups = groups;
	for (unsigned i = 0; i < plan->rule_count; ++i)
		plan->rules[i].applies = !plan->generates && groups >> plan->rules[i].group & 1;
}
