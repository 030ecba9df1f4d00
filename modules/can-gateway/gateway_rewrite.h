/*
 * Applying a rule to one frame: the gateway's hottest code, in a header so that the compiler can put it in line (gateway_core.c is
 * its only user).
 */
#ifndef OPENCOUPLING_GATEWAY_REWRITE_H
#define OPENCOUPLING_GATEWAY_REWRITE_H

#include "gateway_plan.h"

static inline void gateway_show_counter(const struct gateway_plan *plan, const struct gateway_shown *shown, uint8_t *counters,
	uint8_t *frame)
{
	uint8_t value = counters[shown->counter];
	frame[shown->at] = gateway_scale((uint8_t)(value + shown->offset), plan->share[shown->scaled]);
	if (shown->advances) {
		const uint8_t *definition = plan->counters[shown->counter]; /* initial, step, wrapAbove, wrapTo */
		uint8_t next = (uint8_t)(value + definition[1]);
		counters[shown->counter] = next > definition[2] ? definition[3] : next;
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
	const uint8_t *at = step->variable, *end = at + step->variable_count;
	unsigned value = step->base;
	if (step->kind == GATEWAY_CRC) {
		value ^= gateway_crc_part(plan, step->data_id_before, plan->data_ids[step->data_id][frame[1] & 15]);
		for (; at < end; ++at)
			value ^= gateway_crc_part(plan, step->before[*at], frame[*at]);
	} else if (step->kind == GATEWAY_XOR) {
		for (; at < end; ++at)
			value ^= frame[*at];
	} else {
		for (; at < end; ++at)
			value -= frame[*at];
	}
	return (uint8_t)value;
}

/* Rewrites a frame in place and advances the rule's counters. `dlc` is the one that is sent; bytes beyond it are not cleared. */
static inline void gateway_rewrite(const struct gateway_plan *plan, const struct gateway_rule *rule, uint8_t *counters,
	union gateway_data *data, unsigned dlc)
{
	data->whole = (data->whole & rule->keep.whole) | rule->set.whole;
	for (const struct gateway_shown *shown = rule->shown, *end = shown + rule->shown_count; shown < end; ++shown)
		gateway_show_counter(plan, shown, counters, data->byte);
	for (const struct gateway_added *added = rule->added, *end = added + rule->added_count; added < end; ++added)
		gateway_add_word(added, data->byte);
	for (const struct gateway_step *step = rule->steps, *end = step + rule->step_count; step < end; ++step)
		if (step->target < dlc)
			data->byte[step->target] = gateway_checksum(plan, step, data->byte);
}

#endif
