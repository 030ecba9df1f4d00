/*
 * Checksums of frames: CRC-8 with DataID, exclusive or, sum. They are loaded with the plan, follow the factor
 * at commit, and are computed for each frame that is rewritten or generated. Which ones a plan can ask for is
 * in README.md "Frame plan", what is kept of them in gateway_plan.h; what a commit needs in line is in
 * gateway_internal.h.
 */
#include "gateway_internal.h"

/* ---- at load ---- */

static uint8_t crc_of_zero_byte(unsigned crc, unsigned polynomial)
{
	for (unsigned bit = 0; bit < 8; ++bit)
		crc = crc << 1 ^ (crc >> 7 & 1) * polynomial;
	return (uint8_t)crc;
}

void gateway_checksum_load_crc(struct gateway_plan *plan, unsigned polynomial)
{
	for (unsigned before = 0; before < GATEWAY_NO_PART; ++before)
		for (unsigned nibble = 0; nibble < 16; ++nibble)
			for (unsigned low = 0; low < 2; ++low) {
				unsigned crc = before ? plan->crc_parts[before - 1][low][nibble] : low ? nibble : nibble << 4;
				plan->crc_parts[before][low][nibble] = crc_of_zero_byte(crc, polynomial);
			}
}

/*
 * What only a CRC has. `count` bytes are covered, byte 1 is one of the variable ones or not, `data_id` are
 * the sixteen values of the DataID, or NULL.
 */
static void load_crc(const struct gateway_plan *plan, struct gateway_step *step, unsigned count, bool selects, const uint8_t *data_id,
	bool last)
{
	step->before_selector = selects ? step->before[1] : GATEWAY_NO_PART;
	for (unsigned nibble = 0; nibble < 16; ++nibble) {
		step->selected[nibble] = gateway_crc_part(plan, step->before_selector, nibble);
		if (data_id)
			step->selected[nibble] ^= gateway_crc_part(plan, last ? 0 : count, data_id[nibble]);
	}
	unsigned fed = count + (data_id != NULL);
	/* As if the initial value were a byte that is fed together with the first one. */
	step->base = plan->crc_final_xor ^ (fed ? gateway_crc_part(plan, fed - 1, plan->crc_initial) : plan->crc_initial);
}

void gateway_checksum_load(const struct gateway_plan *plan, struct gateway_rule *rule, const uint8_t *from, unsigned variable,
	const uint8_t *data_ids)
{
	uint8_t kind = from[GATEWAY_STEP_KIND], mask = from[GATEWAY_STEP_BYTE_MASK];
	if (kind == GATEWAY_NO_CHECKSUM)
		return;
	struct gateway_step *step = &rule->steps[rule->step_count++];
	unsigned table = from[GATEWAY_STEP_DATA_ID]; /* from 1; 0 = none */
	const uint8_t *data_id = table ? data_ids + (table - 1) * GATEWAY_PLAN_DATA_ID_BYTES : NULL;
	bool last = data_id && from[GATEWAY_STEP_POSITION] == GATEWAY_DATA_ID_LAST;
	step->kind = kind;
	step->verify = from[GATEWAY_STEP_FLAGS];
	rule->verifies |= step->verify;
	step->target = from[GATEWAY_STEP_TARGET];
	step->base = kind == GATEWAY_SUM ? 0xFF : 0;
	step->constant = (uint8_t)(mask & ~variable);
	variable &= mask;
	unsigned count = 0;
	for (unsigned at = 8; at-- > 0;)
		if (mask >> at & 1)
			step->before[at] = (uint8_t)(count++ + last);
	if (kind == GATEWAY_CRC) {
		load_crc(plan, step, count, variable & 2, data_id, last);
		variable &= ~2u;
	}
	uint8_t *listed = step->variable;
	for (uint8_t at = 0; at < 8; ++at) {
		gateway_checksum_fix(plan, step, at, 0, rule->set.byte[at]);
		if (variable >> at & 1)
			*listed++ = at;
	}
	*listed = 8;
}

/* ---- for each frame ---- */

IN_RAM uint8_t gateway_checksum(const struct gateway_plan *plan, const struct gateway_step *step, const uint8_t *frame)
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

/* Makes of the checksum of a frame with what the rule fixes that of the frame as it was received. */
IN_RAM static uint8_t checksum_of_received(const struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_step *step,
	const uint8_t *received, uint8_t value)
{
	for (unsigned at = 0; step->constant >> at; ++at)
		if (step->constant >> at & 1)
			value = gateway_exchange(plan, step, at, value, rule->set.byte[at], received[at]);
	return value;
}

IN_RAM bool gateway_checksum_verify(const struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_frame *frame)
{
	for (unsigned i = 0; i < rule->step_count; ++i) {
		const struct gateway_step *step = &rule->steps[i];
		if (!step->verify || step->target >= frame->dlc)
			continue;
		uint8_t fixed = gateway_checksum(plan, step, frame->data);
		if (checksum_of_received(plan, rule, step, frame->data, fixed) != frame->data[step->target])
			return false;
	}
	return true;
}
