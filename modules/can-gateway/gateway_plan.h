/*
 * A frame plan, loaded: everything that a commit or the frame path needs, at fixed offsets. The bytes that TypeScript hands over
 * are specified in README.md. Loading is done on the staging copy while another plan is in force; nothing here takes a lock.
 */
#ifndef OPENCOUPLING_GATEWAY_PLAN_H
#define OPENCOUPLING_GATEWAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GATEWAY_PLAN_FORMAT 1
#define GATEWAY_MAX_COUNTERS 32
#define GATEWAY_MAX_DATA_IDS 16
#define GATEWAY_MAX_RULES 48
#define GATEWAY_FULL_FACTOR 25600u /* 100 % */
#define GATEWAY_NO_FACTOR UINT32_MAX /* no commit yet */

#define GATEWAY_PLAN_HEADER_BYTES 12
#define GATEWAY_PLAN_COUNTER_BYTES 4
#define GATEWAY_PLAN_DATA_ID_BYTES 16
#define GATEWAY_PLAN_RULE_BYTES 44
#define GATEWAY_MAX_PLAN_BYTES \
	(GATEWAY_PLAN_HEADER_BYTES + GATEWAY_MAX_COUNTERS * GATEWAY_PLAN_COUNTER_BYTES + \
	 GATEWAY_MAX_DATA_IDS * GATEWAY_PLAN_DATA_ID_BYTES + GATEWAY_MAX_RULES * GATEWAY_PLAN_RULE_BYTES)

/* Byte operations, README "Byte operations". */
enum {
	GATEWAY_KEEP, GATEWAY_SET, GATEWAY_SCALE, GATEWAY_SCALE_DOWN, GATEWAY_COUNTER, GATEWAY_SCALE_COUNTER, GATEWAY_ADD_WORD,
	GATEWAY_OPERATION_COUNT
};

/* Checksum kinds. */
enum { GATEWAY_NO_CHECKSUM, GATEWAY_CRC, GATEWAY_XOR, GATEWAY_SUM, GATEWAY_CHECKSUM_COUNT };

/* A byte operation whose result is not known at commit. */
struct gateway_dynamic {
	uint8_t operation; /* COUNTER, SCALE_COUNTER or ADD_WORD */
	uint8_t target;    /* byte of the frame */
	uint8_t a;         /* number of the counter; ADD_WORD: what is added, scaled at commit */
	uint8_t b;
	uint8_t advances;  /* the counter advances: this is the rule's last operation that names it */
};

/* A checksum step; kind NO_CHECKSUM is left out when loading. */
struct gateway_step {
	uint8_t kind, target;
	uint8_t data_id_first; /* DataID fed first: 0 = none, n = table n - 1 */
	uint8_t data_id_last;  /* DataID fed last, the same */
	uint8_t first;    /* the bytes covered are first, first + 1, ... */
	uint8_t end;      /* ... end - 1, those of them that `mask` names */
	uint8_t mask;
	uint8_t gaps;     /* 0: every byte from first to end - 1 is covered */
};

/* One rule. `keep` and `set` are byte images of a frame's data: sent = (received & keep) | set, then the dynamic operations. */
struct gateway_rule {
	uint64_t keep;
	uint64_t set;          /* at the committed factor */
	uint32_t id;           /* bit 31 = extended */
	uint8_t bus, group, min_dlc;
	uint8_t dlc_out;       /* DLC that is sent; 0 = as received */
	uint8_t applies;       /* the committed group mask names its group */
	uint8_t dynamic_count, step_count;
	struct gateway_dynamic dynamic[8];
	struct gateway_step steps[2];
	uint8_t operations[8][3]; /* as loaded: `set` is computed from them again when the factor changes */
};

struct gateway_plan {
	uint8_t counter_set, crc_initial, crc_final_xor;
	uint8_t counter_count, rule_count;
	uint32_t factor; /* for which `set` holds */
	uint8_t counters[GATEWAY_MAX_COUNTERS][4]; /* initial, step, wrapAbove, wrapTo */
	uint8_t data_ids[GATEWAY_MAX_DATA_IDS][16];
	uint8_t crc_table[256];
	uint8_t crc_start[GATEWAY_MAX_DATA_IDS + 1][16]; /* state after the DataID fed first, by data_id_first and nibble */
	struct gateway_rule rules[GATEWAY_MAX_RULES];
};

/* Checks a plan. Returns NULL, or what is wrong in a few words; then *item is the number of the rule, -1 when it is the header. */
const char *gateway_plan_check(const uint8_t *bytes, size_t size, int *item);

/* Loads a plan that gateway_plan_check() accepted. */
void gateway_plan_load(struct gateway_plan *plan, const uint8_t *bytes);

/* Computes what depends on the factor, 0..25600. Does nothing if the plan holds for it already. */
void gateway_plan_scale(struct gateway_plan *plan, uint32_t factor);

/* Marks the rules whose group the mask names. */
void gateway_plan_select(struct gateway_plan *plan, uint8_t groups);

/* floor(x * factor / 25600), x and result 0..255. */
static inline uint8_t gateway_scale(unsigned x, uint32_t factor)
{
	return (uint8_t)(x * factor / GATEWAY_FULL_FACTOR);
}

/* Little-endian 32-bit value. */
static inline uint32_t gateway_u32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

#define GATEWAY_EXTENDED 0x80000000u /* flag bits of an identifier, as in SocketCAN */
#define GATEWAY_REMOTE 0x40000000u
#define GATEWAY_ERROR 0x20000000u
#define GATEWAY_MAX_STANDARD_ID 0x7FFu

/* Whether this is a data frame's identifier: 11 bits, or 29 with bit 31 set. */
static inline bool gateway_valid_id(uint32_t id)
{
	return id <= GATEWAY_MAX_STANDARD_ID || (id & (GATEWAY_EXTENDED | GATEWAY_REMOTE | GATEWAY_ERROR)) == GATEWAY_EXTENDED;
}

#endif
