/*
 * A frame plan, loaded: everything that a commit or the frame path needs, at fixed offsets. The bytes that TypeScript hands over
 * are specified in README.md. Loading is done on the staging copy while another plan is in force; nothing here takes a lock.
 */
#ifndef OPENCOUPLING_GATEWAY_PLAN_H
#define OPENCOUPLING_GATEWAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gateway_placement.h"

#define GATEWAY_PLAN_FORMAT 1

/* Chosen, with room above the largest plan that there is, generation 5 standalone: 15 counters, 13 DataIDs, 30 rules. */
#define GATEWAY_MAX_COUNTERS 32
#define GATEWAY_MAX_DATA_IDS 16
#define GATEWAY_MAX_RULES 48

#define GATEWAY_FULL_FACTOR 25600u /* 100 % */
#define GATEWAY_NO_FACTOR UINT32_MAX /* no commit yet */

/*
 * Of frames that are generated. The unit divides all their periods (docs/control-and-can.md 4.7), the longest of which, 1 s, has 200 of it.
 * Phases are counted in tenths of it and lie below one.
 */
#define GATEWAY_PERIOD_UNIT_US 5000u
#define GATEWAY_MAX_PERIOD 200u
#define GATEWAY_PHASE_UNIT_US 500u
#define GATEWAY_MAX_PHASE 9u

/* README "Frame plan, format 1". */
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
	GATEWAY_ADVANCE, GATEWAY_OPERATION_COUNT
};

/* Flag of a checksum step. */
#define GATEWAY_VERIFY 1u

/* Checksum kinds. */
enum { GATEWAY_NO_CHECKSUM, GATEWAY_CRC, GATEWAY_XOR, GATEWAY_SUM, GATEWAY_CHECKSUM_COUNT };

/* A frame's eight data bytes; as a whole they are only masked and copied, so the machine's byte order does not matter. */
union gateway_data {
	uint64_t whole;
	uint8_t byte[8];
};

/* A byte that shows a counter: COUNTER, SCALE_COUNTER, ADVANCE. */
struct gateway_shown {
	uint8_t at;       /* byte of the frame */
	uint8_t counter;
	uint8_t offset;   /* added first */
	uint8_t scaled;   /* index of gateway_plan.share */
	uint8_t advances; /* the counter advances: no later byte of the rule shows it; 2 = without its wrap, ADVANCE */
};

/* ADD_WORD. */
struct gateway_added {
	uint8_t at;
	uint8_t amount;   /* at the committed factor */
	uint8_t limit;    /* high byte; 0 = none */
};

/*
 * A checksum step; kind NO_CHECKSUM is left out when loading. What the bytes that are the same in every frame contribute is kept in
 * `base`; only the others are looked at for each frame. For a CRC that works because it is linear: it is the exclusive or of what
 * each byte contributes alone, and that depends on how many bytes are fed after it.
 */
struct gateway_step {
	uint8_t kind, target;
	uint8_t verify;          /* GATEWAY_VERIFY: the received frame must carry this checksum */
	uint8_t base;            /* at the committed factor; for a CRC with initial value and final XOR */
	uint8_t constant;        /* bit mask of the bytes in `base` */
	uint8_t variable[9];     /* the other bytes covered, for a CRC without byte 1; then an 8 */
	uint8_t before[8];       /* by byte: bytes fed after it */
	uint8_t before_selector; /* CRC: before[1] if byte 1 is one of the others, else GATEWAY_NO_PART */
	uint8_t selected[16];    /* CRC, by low four bits of byte 1: what they and the DataID that they select contribute */
};

/* One rule. Sent = (received & keep) | set, then what depends on counters, received bytes and checksums. */
struct gateway_rule {
	union gateway_data keep;
	union gateway_data set;  /* at the committed factor; 0 in bytes that are kept or show a counter */
	uint32_t id;             /* bit 31 = extended */
	uint8_t bus, group, min_dlc;
	uint8_t dlc_out;         /* DLC that is sent; 0 = as received */
	uint8_t applies;         /* the committed group mask names its group */
	uint8_t scales;          /* bit mask of the bytes that are computed again when the factor changes */
	bool verifies;           /* one of its checksum steps does */
	uint8_t shown_count, added_count, step_count;
	struct gateway_shown shown[8];
	struct gateway_added added[4];
	struct gateway_step steps[2];
	uint8_t operations[8][3]; /* as loaded */
	uint32_t period_us, phase_us; /* of a plan that generates; period 0 = such frames of the chassis are forwarded all the same */
	uint64_t next_us;        /* when it is due */
};

#define GATEWAY_NO_PART 9 /* instead of bytes fed after it, for a byte that contributes nothing */

struct gateway_plan {
	uint8_t counter_set, crc_initial, crc_final_xor;
	bool generates;   /* its frames are sent without one having come */
	uint8_t counter_count, rule_count;
	uint8_t groups;   /* for which `applies` holds */
	uint32_t factor;  /* for which `set` and `base` hold */
	uint32_t share[3]; /* gateway_share(): of the whole, of the factor, of nothing */
	uint8_t counters[GATEWAY_MAX_COUNTERS][4]; /* value, step, wrapAbove, wrapTo */
	uint8_t crc_parts[GATEWAY_NO_PART + 1][2][16]; /* by bytes fed after it: what a byte's high and low four bits contribute */
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

/* A factor as 1/2^23, rounded up: what a byte gets too much by that, below 255 / 2^23, is less than the 1 / 25600 to the next whole number. */
IN_LINE uint32_t gateway_share(uint32_t factor)
{
	return (uint32_t)((((uint64_t)factor << 23) + GATEWAY_FULL_FACTOR - 1) / GATEWAY_FULL_FACTOR);
}

/* floor(x * factor / 25600), x and result 0..255; `share` is that of the factor. */
IN_LINE uint8_t gateway_scale(unsigned x, uint32_t share)
{
	return (uint8_t)(x * share >> 23);
}

/* Little-endian 32-bit value. */
IN_LINE uint32_t gateway_u32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

#define GATEWAY_EXTENDED 0x80000000u /* flag bits of an identifier, as in SocketCAN */
#define GATEWAY_REMOTE 0x40000000u
#define GATEWAY_ERROR 0x20000000u
#define GATEWAY_MAX_STANDARD_ID 0x7FFu

/* Whether this is a data frame's identifier: 11 bits, or 29 with bit 31 set. */
IN_LINE bool gateway_valid_id(uint32_t id)
{
	return id <= GATEWAY_MAX_STANDARD_ID || (id & (GATEWAY_EXTENDED | GATEWAY_REMOTE | GATEWAY_ERROR)) == GATEWAY_EXTENDED;
}

#endif
