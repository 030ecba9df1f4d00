/* Applying a rule to one frame: with gateway_receive() the gateway's hottest code. See gateway_core.h; rules: README.md. */
#include "gateway_core.h"

static void show_counter(struct gateway_plan *plan, const struct gateway_shown *shown, uint8_t *frame)
{
	uint8_t *counter = plan->counters[shown->counter]; /* value, step, wrapAbove, wrapTo */
	uint8_t value = counter[0];
	frame[shown->at] = gateway_scale((uint8_t)(value + shown->offset), plan->share[shown->scaled]);
	if (shown->advances) {
		uint8_t next = (uint8_t)(value + counter[1]);
		counter[0] = next > counter[2] ? counter[3] : next;
	}
}

static void add_word(const struct gateway_added *added, uint8_t *frame)
{
	uint8_t *target = frame + added->at;
	unsigned value = target[0] | (unsigned)target[1] << 8;
	unsigned limit = added->limit ? (unsigned)added->limit << 8 : 0x10000;
	if (value >= limit)
		return;
	value += added->amount;
	if (value >= limit)
		value = limit - 1;
	target[0] = (uint8_t)value;
	target[1] = (uint8_t)(value >> 8);
}

static uint8_t checksum_of(const struct gateway_plan *plan, const struct gateway_step *step, const uint8_t *frame)
{
	uint8_t value = step->base;
	if (step->kind == GATEWAY_CRC) {
		uint8_t selector = frame[1];
		value ^= step->selected[selector & 15] ^ plan->crc_parts[step->before_selector][0][selector >> 4];
		for (const uint8_t *at = step->variable; *at < 8; ++at)
			value ^= gateway_crc_part(plan, step->before[*at], frame[*at]);
	} else if (step->kind == GATEWAY_XOR) {
		for (const uint8_t *at = step->variable; *at < 8; ++at)
			value ^= frame[*at];
	} else {
		for (const uint8_t *at = step->variable; *at < 8; ++at)
			value = (uint8_t)(value - frame[*at]);
	}
	return value;
}

/* The same for the frame as received: what the rule fixes is exchanged for what came. */
static uint8_t checksum_of_received(const struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_step *step,
	const uint8_t *received)
{
	uint8_t value = checksum_of(plan, step, received);
	for (unsigned at = 0; step->constant >> at; ++at)
		if (step->constant >> at & 1)
			value = gateway_exchange(plan, step, at, value, rule->set.byte[at], received[at]);
	return value;
}

/* Whether a received frame carries the checksums that the rule demands; those beyond its DLC do not count. */
static bool is_verified(const struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_frame *frame)
{
	const struct gateway_step *step = rule->steps;
	do
		if (step->verify && step->target < frame->dlc &&
			checksum_of_received(plan, rule, step, frame->data) != frame->data[step->target])
			return false;
	while ((step++)->more);
	return true;
}

/* The computed part of a rule, on the constant part; advances the rule's counters. `dlc` is the one that is sent. */
static void compute(struct gateway_plan *plan, const struct gateway_rule *rule, uint8_t *frame, unsigned dlc)
{
	const struct gateway_shown *shown = rule->shown;
	const struct gateway_added *added = rule->added;
	const struct gateway_step *step = rule->steps;
	if (rule->shown_count)
		do
			show_counter(plan, shown, frame);
		while ((shown++)->more);
	if (rule->added_count)
		do
			add_word(added, frame);
		while ((added++)->more);
	if (rule->step_count)
		do
			if (step->target < dlc)
				frame[step->target] = checksum_of(plan, step, frame);
		while ((step++)->more);
}

/* A rewritten frame: `data` are its bytes, beyond its DLC anything. */
static bool finish(struct gateway *gateway, struct gateway_waiting *waiting, struct gateway_record *record, uint64_t data)
{
	uint64_t received, sent = gateway_clear_beyond(waiting->frame.dlc, data);
	memcpy(&received, record->received, 8);
	memcpy(waiting->frame.data, &sent, 8);
	memcpy(record->sent, &sent, 8);
	if (sent != received)
		waiting->kind.flags = record->flags = GATEWAY_CHANGED;
	++gateway->counters[GATEWAY_REWRITTEN];
	return true;
}

/* Not in line: a rule without computed bytes would have to save the registers. */
__attribute__((noinline)) static bool apply_computed(struct gateway *gateway, const struct gateway_rule *rule,
	struct gateway_waiting *waiting, struct gateway_record *record, union gateway_data data)
{
	compute(gateway->plan, rule, data.byte, waiting->frame.dlc);
	return finish(gateway, waiting, record, data.whole);
}

/* Gives the frame the DLC with which it is sent, and what the rule makes of the bytes that it does not compute. */
static inline union gateway_data begin(const struct gateway_rule *rule, struct gateway_waiting *waiting, struct gateway_record *record)
{
	struct gateway_frame *frame = &waiting->frame;
	union gateway_data data;
	if (rule->dlc_out && rule->dlc_out != frame->dlc) {
		frame->dlc = record->dlc[1] = rule->dlc_out;
		waiting->kind.flags = record->flags = GATEWAY_CHANGED;
	}
	memcpy(&data, frame->data, 8);
	data.whole = (data.whole & rule->keep.whole) | rule->set.whole;
	return data;
}

/* Not in line, for the same reason. */
__attribute__((noinline)) static bool apply_verified(struct gateway *gateway, const struct gateway_rule *rule,
	struct gateway_waiting *waiting, struct gateway_record *record)
{
	if (!is_verified(gateway->plan, rule, &waiting->frame)) {
		++gateway->counters[GATEWAY_UNVERIFIED];
		return true;
	}
	return apply_computed(gateway, rule, waiting, record, begin(rule, waiting, record));
}

bool gateway_apply_rule(struct gateway *gateway, const struct gateway_rule *rule, struct gateway_waiting *waiting,
	struct gateway_record *record)
{
	if (!rule->applies)
		return true;
	if (waiting->frame.dlc < rule->min_dlc) {
		++gateway->counters[GATEWAY_REFUSED];
		return true;
	}
	if (rule->verifies)
		return apply_verified(gateway, rule, waiting, record);
	union gateway_data data = begin(rule, waiting, record);
	if (rule->computed)
		return apply_computed(gateway, rule, waiting, record, data);
	return finish(gateway, waiting, record, data.whole);
}
