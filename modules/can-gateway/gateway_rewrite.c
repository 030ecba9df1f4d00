/* Applying a rule to one frame. See gateway_plan.h; rules: README.md. */
#include "gateway_internal.h"

IN_LINE void show_counter(struct gateway_plan *plan, const struct gateway_shown *shown, union gateway_data *frame)
{
	uint8_t *counter = plan->counters[shown->counter]; /* value, step, wrapAbove, wrapTo */
	uint8_t value = counter[0];
	uint32_t sent = gateway_scale((uint8_t)(value + shown->offset), plan->share[shown->scaled]);
	frame->half[0] |= sent * shown->places[0];
	frame->half[1] |= sent * shown->places[1];
	if (shown->advances) {
		uint8_t next = (uint8_t)(value + counter[1]);
		counter[0] = next > counter[2] && shown->advances == 1 ? counter[3] : next;
	}
}

IN_RAM static void add_word(const struct gateway_added *added, uint8_t *frame)
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

/*
 * Fields at the committed factor. One that takes steps continues from `before`: the frame that was sent last
 * if that was `ours`, else the car's own value, and never above its target then: what falls from there falls
 * at once.
 */
IN_RAM static void write_fields(const struct gateway_plan *plan, const struct gateway_rule *rule, union gateway_data *frame,
	uint64_t before, bool ours)
{
	uint64_t bits = rule->field_bits;
	const struct gateway_field *field = rule->fields;
	for (unsigned left = plan->factor ? rule->field_count : 0; left; --left, ++field) {
		if (!field->step)
			continue;
		unsigned value = field->target;
		unsigned last = (unsigned)(before >> field->start) & ((1u << field->length) - 1);
		if (last > field->most)
			last = field->most;
		if (value > last + field->step)
			value = last + field->step;
		else if (ours && value + field->step < last)
			value = last - field->step;
		bits |= (uint64_t)value << field->start;
	}
	frame->whole = (frame->whole & ~rule->field_mask) | bits;
}

/* What few rules have: words, then fields, as write_fields() takes them. */
IN_RAM static void compute_more(const struct gateway_plan *plan, const struct gateway_rule *rule, union gateway_data *frame,
	uint64_t before, bool ours)
{
	for (unsigned i = 0; i < rule->added_count; ++i)
		add_word(&rule->added[i], frame->byte);
	if (rule->field_count)
		write_fields(plan, rule, frame, before, ours);
}

/* As `compute_more`, in a frame that was received and not yet overwritten. */
RARE static void compute_more_of_received(const struct gateway_plan *plan, const struct gateway_rule *rule, union gateway_data *frame,
	const struct gateway_waiting *waiting)
{
	bool ours = waiting->seen->flags & GATEWAY_CHANGED;
	compute_more(plan, rule, frame, gateway_data_at(ours ? waiting->seen->data : waiting->frame.data), ours);
}

/* What depends on counters; advances the rule's. */
IN_LINE void show_counters(struct gateway_plan *plan, const struct gateway_rule *rule, union gateway_data *frame)
{
	for (unsigned i = 0, count = rule->shown_count; i < count; ++i)
		show_counter(plan, &rule->shown[i], frame);
}

/* Last of all. `dlc` is the one that is sent. */
IN_LINE void put_checksums(struct gateway_plan *plan, const struct gateway_rule *rule, union gateway_data *frame, unsigned dlc)
{
	for (unsigned i = 0; i < rule->step_count; ++i)
		if (rule->steps[i].target < dlc)
			frame->byte[rule->steps[i].target] = gateway_checksum(plan, &rule->steps[i], frame->byte);
}

/* The fields of an open coupling. */
IN_RAM static uint64_t open_fields(const struct gateway_rule *rule)
{
	uint64_t bits = 0;
	for (const struct gateway_field *field = rule->fields; field < rule->fields + rule->field_count; ++field)
		bits |= (uint64_t)field->low << field->start;
	return bits;
}

uint64_t gateway_generated(struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_seen *last)
{
	union gateway_data data = rule->set;
	show_counters(plan, rule, &data);
	compute_more(plan, rule, &data, last->flags & GATEWAY_GENERATED ? gateway_data_at(last->data) : open_fields(rule), true);
	put_checksums(plan, rule, &data, rule->dlc_out);
	return gateway_first_bytes(data.whole, rule->dlc_out);
}

/* Whether the car marks a signal as invalid that the rule would overwrite. */
IN_RAM static bool is_invalid(const struct gateway_rule *rule, const uint8_t *data)
{
	const struct gateway_mark *mark = rule->marks;
	for (unsigned left = rule->mark_count; left; --left, ++mark) {
		unsigned word = data[mark->at] | (unsigned)data[mark->at + 1] << 8;
		if ((uint16_t)((word & mark->mask) - mark->first) <= mark->span)
			return true;
	}
	return false;
}

/*
 * Counts a frame that leaves as it came because of a mark, and remembers since when such frames of one
 * identifier came.
 */
RARE static void note_invalid(struct gateway *gateway, const struct gateway_rule *rule, uint64_t now_us)
{
	struct gateway_invalid *invalid = &gateway->invalid;
	++gateway->counters[GATEWAY_INVALID];
	if (!invalid->last_us || now_us - invalid->last_us > GATEWAY_INVALID_FORGET_US) {
		invalid->id = rule->id;
		invalid->since_us = now_us;
	}
	if (invalid->id == rule->id)
		invalid->last_us = now_us;
}

IN_RAM void gateway_rewrite(struct gateway *gateway, const struct gateway_rule *rule, struct gateway_waiting *waiting,
	struct gateway_record *record)
{
	struct gateway_frame *frame = &waiting->frame;
	if (!rule->applies)
		return;
	if (frame->id & GATEWAY_REMOTE || frame->dlc < rule->min_dlc) {
		++gateway->counters[GATEWAY_REFUSED];
		return;
	}
	uint64_t received = gateway_data_at(frame->data);
	if (is_invalid(rule, frame->data)) {
		note_invalid(gateway, rule, waiting->time_us);
		return;
	}
	if (rule->verifies && !gateway_checksum_verify(gateway->plan, rule, frame)) {
		++gateway->counters[GATEWAY_UNVERIFIED];
		return;
	}
	unsigned dlc = rule->dlc_out ? rule->dlc_out : frame->dlc;
	union gateway_data sent = {.whole = (received & rule->keep.whole) | rule->set.whole};
	show_counters(gateway->plan, rule, &sent);
	if (rule->computes_more)
		compute_more_of_received(gateway->plan, rule, &sent, waiting);
	put_checksums(gateway->plan, rule, &sent, dlc);
	sent.whole = gateway_first_bytes(sent.whole, dlc);
	if (dlc != frame->dlc || sent.whole != received)
		waiting->flags = record->flags = GATEWAY_CHANGED;
	frame->dlc = record->dlc[1] = (uint8_t)dlc;
	gateway_put_data(frame->data, sent.whole);
	gateway_put_data(record->sent, sent.whole);
	++gateway->counters[GATEWAY_REWRITTEN];
}
