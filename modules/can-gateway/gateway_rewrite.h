/*
 * Applying a rule to one frame: the gateway's hottest code, in a header so that the compiler can put it in line (gateway_core.c is
 * its only user).
 */
#ifndef OPENCOUPLING_GATEWAY_REWRITE_H
#define OPENCOUPLING_GATEWAY_REWRITE_H

#include "gateway_plan.h"

static inline void gateway_show_counter(struct gateway_plan *plan, const struct gateway_shown *shown, uint8_t *frame)
{
	uint8_t *counter = plan->counters[shown->counter]; /* value, step, wrapAbove, wrapTo */
	uint8_t value = counter[0];
	frame[shown->at] = gateway_scale((uint8_t)(value + shown->offset), plan->share[shown->scaled]);
	if (shown->advances) {
		uint8_t next = (uint8_t)(value + counter[1]);
		counter[0] = next > counter[2] ? counter[3] : next;
	}
}

static inline void gateway_add_word(const struct gateway_added *added, uint8_t *frame)
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

static inline uint8_t gateway_checksum(const struct gateway_plan *plan, const struct gateway_step *step, const uint8_t *frame)
{
	const uint8_t *at = step->variable;
	unsigned left = step->variable_count, value = step->base;
	if (step->kind == GATEWAY_CRC) {
		uint8_t selector = frame[1];
		value ^= step->selected[selector & 15] ^ plan->crc_parts[step->before_selector][0][selector >> 4];
		for (; left; --left, ++at)
			value ^= gateway_crc_part(plan, step->before[*at], frame[*at]);
	} else if (step->kind == GATEWAY_XOR) {
		for (; left; --left, ++at)
			value ^= frame[*at];
	} else {
		for (; left; --left, ++at)
			value -= frame[*at];
	}
	return (uint8_t)value;
}

/* The computed part of a rule, on the constant part; advances the rule's counters. `dlc` is the one that is sent. */
static inline void gateway_compute(struct gateway_plan *plan, const struct gateway_rule *rule, uint8_t *frame, unsigned dlc)
{
	const struct gateway_shown *shown = rule->shown;
	for (unsigned left = rule->shown_count; left; --left, ++shown)
		gateway_show_counter(plan, shown, frame);
	const struct gateway_added *added = rule->added;
	for (unsigned left = rule->added_count; left; --left, ++added)
		gateway_add_word(added, frame);
	const struct gateway_step *step = rule->steps;
	for (unsigned left = rule->step_count; left; --left, ++step)
		if (step->target < dlc)
			frame[step->target] = gateway_checksum(plan, step, frame);
}

#endif
