/* What the files of the core share. See gateway_core.h. */
#ifndef OPENCOUPLING_GATEWAY_INTERNAL_H
#define OPENCOUPLING_GATEWAY_INTERNAL_H

#include "gateway_core.h"

#define RARE IN_RAM __attribute__((noinline)) /* kept out of the path of most frames */

/*
 * What belongs to the id of a data frame, without its flags but GATEWAY_EXTENDED, as far as it is known yet
 * (gateway_ids.c).
 */
struct gateway_entry gateway_find_known(const struct gateway *gateway, unsigned bus, uint32_t id);

/* As `gateway_find_known`; an id without an entry among the latest frames gets one (gateway_ids.c). */
struct gateway_entry gateway_find(struct gateway *gateway, unsigned bus, uint32_t id);

/*
 * As `gateway_find_known` for a remote frame: it has no entry among the latest data frames, and is not
 * watched (gateway_ids.c).
 */
struct gateway_entry gateway_find_remote(const struct gateway *gateway, unsigned bus, uint32_t id);

/*
 * Has no id named by the plan and the watch list, before they change, and afterwards those that they name
 * (gateway_ids.c).
 */
void gateway_unpin_all(struct gateway *gateway);
void gateway_pin_all(struct gateway *gateway);

/*
 * Rewrites a waiting frame, and what its record says of it, as its rule says, if the rule applies and the
 * frame fits (gateway_rewrite.c). Data beyond the DLC are 0, before and after.
 */
void gateway_rewrite(struct gateway *gateway, const struct gateway_rule *rule, struct gateway_waiting *waiting,
	struct gateway_record *record);

/*
 * The data of the next frame of a rule that generates, `last` the one before; advances its counters
 * (gateway_rewrite.c).
 */
uint64_t gateway_generated(struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_seen *last);

/* Loads what a CRC of this polynomial is made of; before the plan's checksums (gateway_checksum.c). */
void gateway_checksum_load_crc(struct gateway_plan *plan, unsigned polynomial);

/*
 * Loads a checksum step of a rule from its six bytes, after the rule's operations; `variable` is the bit mask
 * of the bytes that these do not fix (gateway_checksum.c).
 */
void gateway_checksum_load(const struct gateway_plan *plan, struct gateway_rule *rule, const uint8_t *from, unsigned variable,
	const uint8_t *data_ids);

/* What a byte contributes to a CRC when `before` bytes are fed after it. */
IN_LINE uint8_t gateway_crc_part(const struct gateway_plan *plan, unsigned before, unsigned byte)
{
	return plan->crc_parts[before][0][byte >> 4] ^ plan->crc_parts[before][1][byte & 15];
}

/* A checksum after one of the bytes that it covers became `value`, where it was `old`. */
IN_LINE uint8_t gateway_exchange(const struct gateway_plan *plan, const struct gateway_step *step, unsigned at, uint8_t checksum,
	uint8_t old, uint8_t value)
{
	if (step->kind == GATEWAY_CRC)
		return checksum ^ gateway_crc_part(plan, step->before[at], old ^ value);
	if (step->kind == GATEWAY_XOR)
		return checksum ^ old ^ value;
	return (uint8_t)(checksum + old - value);
}

/* A byte that is the same in every frame is from now on `value`, no longer `old`. */
IN_LINE void gateway_checksum_fix(const struct gateway_plan *plan, struct gateway_step *step, unsigned at, uint8_t old, uint8_t value)
{
	if (step->constant >> at & 1)
		step->base = gateway_exchange(plan, step, at, step->base, old, value);
}

/* The checksum of a frame that a rule has made (gateway_checksum.c). */
uint8_t gateway_checksum(const struct gateway_plan *plan, const struct gateway_step *step, const uint8_t *frame);

/*
 * Whether a received frame carries the checksums that the rule demands; those beyond its DLC do not count
 * (gateway_checksum.c).
 */
bool gateway_checksum_verify(const struct gateway_plan *plan, const struct gateway_rule *rule, const struct gateway_frame *frame);

/* Whether the active plan generates, and nothing keeps it silent (gateway_generator.c). */
bool gateway_generates(const struct gateway *gateway, uint64_t now_us);

/*
 * Shows a received frame to the plan that generates; `rule` is that of its identifier, or GATEWAY_NONE. One
 * that is to be generated silences the plan. Returns whether it is kept from the coupling
 * (gateway_generator.c).
 */
bool gateway_withholds(struct gateway *gateway, unsigned bus, uint32_t id, unsigned rule, uint64_t now_us);

/*
 * Begins to listen before it generates, if that was not done since it could not hear (gateway_generator.c).
 */
void gateway_listen(struct gateway *gateway, uint64_t now_us);

/*
 * Until when a frame that a plan generated then may leave: as long as the plan would generate it now
 * (gateway_generator.c).
 */
uint64_t gateway_generated_until(const struct gateway *gateway, uint64_t generated_us);

/* As gateway_send(). Returns the frame's slot in the queue, or NULL (gateway_core.c). */
struct gateway_waiting *gateway_queue(struct gateway *gateway, unsigned bus, uint32_t id, const uint8_t *bytes, uint8_t dlc, uint64_t now_us);

/* Drops the frames that are too old from the front of a queue (gateway_core.c). */
void gateway_drop_old(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us);

/*
 * Called when the channel, or the plan, has changed: whether a received frame is to be looked at before it is
 * forwarded (gateway_generator.c).
 */
void gateway_update_attention(struct gateway *gateway);

/* Whether one more frame fits: never on a bus that does not run, for its capacity is 0. */
IN_LINE bool gateway_has_space(const struct gateway_queue *queue)
{
	return queue->count < queue->capacity;
}

/* Whether a frame waits that the driver does not have. */
IN_LINE bool gateway_has_waiting(const struct gateway_queue *queue)
{
	return queue->count && !queue->outstanding;
}

/*
 * Shows the open channel a received frame: a tester's closes it, the coupling's is kept if it is for us and
 * fits (gateway_channel.c).
 */
bool gateway_channel_keep(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us);

/* Called when the lease or a bus's state changed (gateway_control.c). */
void gateway_update_rewriting(struct gateway *gateway);

/*
 * A frame's eight data bytes at once. Wherever they are kept they lie at a multiple of 4, which the compiler
 * is told: for a chip it would call memcpy otherwise, for a third of what a frame costs.
 */
typedef uint64_t __attribute__((may_alias, aligned(4))) gateway_bytes;

/* Eight bytes at a multiple of 4, in the machine's order. */
IN_LINE uint64_t gateway_data_at(const uint8_t *bytes)
{
	return *(const gateway_bytes *)bytes;
}

/* Writes them back. */
IN_LINE void gateway_put_data(uint8_t *bytes, uint64_t data)
{
	*(gateway_bytes *)bytes = data;
}

/* A frame's data with those beyond `count` bytes cleared. All our platforms are little-endian. */
IN_LINE uint64_t gateway_first_bytes(uint64_t data, unsigned count)
{
	return count < 8 ? data & ~(UINT64_MAX << 8 * count) : data;
}

/* Slot of a key in a hash table of 256, from which to look on. */
IN_LINE uint32_t gateway_hash(uint32_t key)
{
	return key * 2654435761u >> 24; /* Knuth's multiplicative hash, to 8 bits: GATEWAY_PINS and GATEWAY_EXTENDED_IDS */
}

/* Key of a 29-bit identifier, GATEWAY_EXTENDED set, that is received on a bus. */
IN_LINE uint32_t gateway_pin_key(unsigned bus, uint32_t id)
{
	return id | (uint32_t)bus << 30; /* bit 31 is set in all of them, so no key is 0 */
}

#endif
