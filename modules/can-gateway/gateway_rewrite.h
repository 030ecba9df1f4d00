/*
 * Applying a rule to one frame: the gateway's hottest code, in a header so that the compiler can put it in line (gateway_core.c is
 * its only user). A frame's eight data bytes travel as one uint64_t in memory order; no arithmetic is done on it as a number, so the
 * machine's byte order does not matter.
 */
#ifndef OPENCOUPLING_GATEWAY_REWRITE_H
#define OPENCOUPLING_GATEWAY_REWRITE_H

#include <string.h>

#include "gateway_plan.h"

static inline uint8_t gateway_crc(const struct gateway_plan *plan, const struct gateway_step *step, const uint8_t *frame)
{
	const uint8_t *table = plan->crc_table;
	uint8_t crc = plan->crc_initial;
	uint8_t data_id = 0;
	if (step->data_id) {
		data_id = plan->data_ids[step->data_id - 1][frame[1] & 15];
		if (step->position == 1)
			crc = table[crc ^ data_id];
	}
	if (!step->gaps) {
		for (unsigned i = step->first; i < step->end; ++i)
			crc = table[crc ^ frame[i]];
	} else {
		for (unsigned i = step->first; i < step->end; ++i)
			if (step->mask >> i & 1)
				crc = table[crc ^ frame[i]];
	}
	if (step->data_id && step->position == 2)
		crc = table[crc ^ data_id];
	return crc ^ plan->crc_final_xor;
}

/* XOR or sum of the bytes that the step covers. */
static inline uint8_t gateway_fold(const struct gateway_step *step, const uint8_t *frame)
{
	unsigned exclusive = 0, sum = 0;
	for (unsigned i = step->first; i < step->end; ++i)
		if (step->mask >> i & 1) {
			exclusive ^= frame[i];
			sum += frame[i];
		}
	return (uint8_t)(step->kind == GATEWAY_XOR ? exclusive : 0xFF - sum);
}

static inline void gateway_operate(const struct gateway_dynamic *dynamic, const uint8_t *counters, uint32_t factor, uint8_t *frame)
{
	uint8_t *target = frame + dynamic->target;
	if (dynamic->operation == GATEWAY_COUNTER) {
		*target = counters[dynamic->a];
	} else if (dynamic->operation == GATEWAY_SCALE_COUNTER) {
		*target = gateway_scale((counters[dynamic->a] + dynamic->b) & 0xFFu, factor);
	} else {
		unsigned value = target[0] | (unsigned)target[1] << 8;
		unsigned limit = dynamic->b ? (unsigned)dynamic->b << 8 : 0x10000;
		if (value < limit) {
			value += dynamic->a;
			if (value >= limit)
				value = limit - 1;
			target[0] = (uint8_t)value;
			target[1] = (uint8_t)(value >> 8);
		}
	}
}

/* The eight bytes to send instead of `received`; those beyond `dlc` are not cleared. */
static inline uint64_t gateway_rewrite(const struct gateway_plan *plan, const struct gateway_rule *rule, const uint8_t *counters,
	uint64_t received, unsigned dlc)
{
	uint64_t sent = (received & rule->keep) | rule->set;
	if ((rule->dynamic_count | rule->step_count) == 0)
		return sent;
	uint8_t frame[8];
	memcpy(frame, &sent, 8);
	for (unsigned i = 0; i < rule->dynamic_count; ++i)
		gateway_operate(&rule->dynamic[i], counters, plan->factor, frame);
	for (const struct gateway_step *step = rule->steps; step < rule->steps + rule->step_count; ++step) {
		if (step->target < dlc)
			frame[step->target] = step->kind == GATEWAY_CRC ? gateway_crc(plan, step, frame) : gateway_fold(step, frame);
	}
	memcpy(&sent, frame, 8);
	return sent;
}

/* Advances the counters that the rule names, after its frame was accepted. */
static inline void gateway_advance(const struct gateway_plan *plan, const struct gateway_rule *rule, uint8_t *counters)
{
	for (unsigned i = 0; i < rule->advance_count; ++i) {
		unsigned counter = rule->advance[i];
		const uint8_t *definition = plan->counters[counter]; /* initial, step, wrapAbove, wrapTo */
		uint8_t value = (uint8_t)(counters[counter] + definition[1]);
		counters[counter] = value > definition[2] ? definition[3] : value;
	}
}

#endif
