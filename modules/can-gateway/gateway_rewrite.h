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
	const uint8_t *end = frame + step->end;
	unsigned nibble = frame[1] & 15;
	uint8_t crc = plan->crc_start[step->data_id_first][nibble];
	if (step->gaps) {
		for (unsigned i = step->first; i < step->end; ++i)
			if (step->mask >> i & 1)
				crc = table[crc ^ frame[i]];
	} else {
		switch (step->end - step->first) { /* a loop would cost as much again as the bytes */
		case 8: crc = table[crc ^ end[-8]]; /* fall through */
		case 7: crc = table[crc ^ end[-7]]; /* fall through */
		case 6: crc = table[crc ^ end[-6]]; /* fall through */
		case 5: crc = table[crc ^ end[-5]]; /* fall through */
		case 4: crc = table[crc ^ end[-4]]; /* fall through */
		case 3: crc = table[crc ^ end[-3]]; /* fall through */
		case 2: crc = table[crc ^ end[-2]]; /* fall through */
		case 1: crc = table[crc ^ end[-1]]; /* fall through */
		default: break;
		}
	}
	if (step->data_id_last)
		crc = table[crc ^ plan->data_ids[step->data_id_last - 1][nibble]];
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

static inline void gateway_add_word(const struct gateway_dynamic *dynamic, uint8_t *target)
{
	unsigned value = target[0] | (unsigned)target[1] << 8;
	unsigned limit = dynamic->b ? (unsigned)dynamic->b << 8 : 0x10000;
	if (value >= limit)
		return;
	value += dynamic->a;
	if (value >= limit)
		value = limit - 1;
	target[0] = (uint8_t)value;
	target[1] = (uint8_t)(value >> 8);
}

static inline void gateway_operate(const struct gateway_plan *plan, const struct gateway_dynamic *dynamic, uint8_t *counters,
	uint8_t *frame)
{
	uint8_t *target = frame + dynamic->target;
	if (dynamic->operation == GATEWAY_ADD_WORD) {
		gateway_add_word(dynamic, target);
		return;
	}
	uint8_t value = counters[dynamic->a];
	*target = dynamic->operation == GATEWAY_COUNTER ? value : gateway_scale((value + dynamic->b) & 0xFFu, plan->factor);
	if (dynamic->advances) {
		const uint8_t *definition = plan->counters[dynamic->a]; /* initial, step, wrapAbove, wrapTo */
		uint8_t next = (uint8_t)(value + definition[1]);
		counters[dynamic->a] = next > definition[2] ? definition[3] : next;
	}
}

/* Rewrites a frame in place and advances the rule's counters. `dlc` is the one that is sent; bytes beyond it are not cleared. */
static inline void gateway_rewrite(const struct gateway_plan *plan, const struct gateway_rule *rule, uint8_t *counters, uint8_t *frame,
	unsigned dlc)
{
	uint64_t data;
	memcpy(&data, frame, 8);
	data = (data & rule->keep) | rule->set;
	memcpy(frame, &data, 8);
	for (const struct gateway_dynamic *dynamic = rule->dynamic, *end = dynamic + rule->dynamic_count; dynamic < end; ++dynamic)
		gateway_operate(plan, dynamic, counters, frame);
	for (const struct gateway_step *step = rule->steps, *end = step + rule->step_count; step < end; ++step)
		if (step->target < dlc)
			frame[step->target] = step->kind == GATEWAY_CRC ? gateway_crc(plan, step, frame) : gateway_fold(step, frame);
}

#endif
