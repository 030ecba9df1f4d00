/*
 * A frame plan, loaded: everything that a commit or the frame path needs, at fixed offsets. The bytes that
 * TypeScript hands over are specified in README.md. Loading is done on the staging copy while another plan is
 * active; nothing here takes a lock.
 */
#ifndef OPENCOUPLING_GATEWAY_PLAN_H
#define OPENCOUPLING_GATEWAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where code lies on a chip. What the interrupt of a CAN controller runs must lie in internal RAM: while the
 * flash is erased or written nothing else can be fetched. A test looks at the object code
 * (test/hal/esp32/drivers.test.ts).
 */
#if ESP_PLATFORM
#include "esp_attr.h"
#define IN_RAM IRAM_ATTR
#else
#define IN_RAM
#endif

/* For functions in headers: never a copy of their own, which would lie in flash. */
#define IN_LINE static inline __attribute__((always_inline))

/*
 * Byte 0 of a plan; any other is rejected. Raised when a gateway that knows the old one would misunderstand
 * the bytes.
 */
#define GATEWAY_PLAN_FORMAT 2

/*
 * Most of each that a plan may have, 0 and more; gateway_plan_check() rejects one that has more. They set the
 * size of struct gateway_plan. A table of DataIDs has sixteen, of which the low four bits of byte 1 of a
 * frame select one. The largest plans, of generation 5, have 15 counters, 13 DataIDs, 30 rules, 30 marks, 23
 * bytes that show counters.
 */
#define GATEWAY_MAX_COUNTERS 32
#define GATEWAY_MAX_DATA_IDS 16
#define GATEWAY_MAX_RULES 48
#define GATEWAY_MAX_MARKS 64
#define GATEWAY_MAX_SHOWN 64
/* Six are used, of the torque model of generation 5. */
#define GATEWAY_MAX_FIELDS 8

/*
 * 100 %, in 1/256 %: the largest factor, with which a scaled byte gets the whole of its operand. 0 is the
 * smallest.
 */
#define GATEWAY_FULL_FACTOR 25600u
/*
 * Value of gateway_plan.factor from loading to the first gateway_plan_scale(): no factor is equal to it, so
 * that one computes everything.
 */
#define GATEWAY_NO_FACTOR UINT32_MAX

/*
 * How often a plan that generates sends a frame, in a byte of its rule: 1 to this many units, 5 ms to 1 s; 0 =
 * never. The unit divides all periods of docs/control-and-can.md 4.7. Phases are counted in tenths of it and
 * lie below one.
 */
#define GATEWAY_PERIOD_UNIT_US 5000u
#define GATEWAY_MAX_PERIOD 200u
/*
 * How long after the plan begins it sends the first: 0 to this many units, 0 to 4.5 ms, less than the
 * shortest period.
 */
#define GATEWAY_PHASE_UNIT_US 500u
#define GATEWAY_MAX_PHASE 9u

/*
 * Sizes of a plan's parts as TypeScript hands them over, in this order and without gaps; README.md has their
 * bytes.
 */
#define GATEWAY_PLAN_HEADER_BYTES 12
#define GATEWAY_PLAN_COUNTER_BYTES 4
#define GATEWAY_PLAN_DATA_ID_BYTES 16
#define GATEWAY_PLAN_RULE_BYTES 44
#define GATEWAY_PLAN_MARK_BYTES 8
#define GATEWAY_PLAN_FIELD_BYTES 8
/* In a rule: one of its eight byte operations, one of its two checksum steps. */
#define GATEWAY_PLAN_OPERATION_BYTES 3
#define GATEWAY_PLAN_CHECKSUM_BYTES 6
/* Size of the largest plan there can be: 3,084 bytes. */
#define GATEWAY_MAX_PLAN_BYTES \
	(GATEWAY_PLAN_HEADER_BYTES + GATEWAY_MAX_COUNTERS * GATEWAY_PLAN_COUNTER_BYTES + \
	 GATEWAY_MAX_DATA_IDS * GATEWAY_PLAN_DATA_ID_BYTES + GATEWAY_MAX_RULES * GATEWAY_PLAN_RULE_BYTES + \
	 GATEWAY_MAX_MARKS * GATEWAY_PLAN_MARK_BYTES + GATEWAY_MAX_FIELDS * GATEWAY_PLAN_FIELD_BYTES)

/* Offsets in the header. */
enum {
	GATEWAY_HEADER_FORMAT = 0, GATEWAY_HEADER_COUNTER_SET = 1, GATEWAY_HEADER_CRC_POLYNOMIAL = 2, GATEWAY_HEADER_CRC_INITIAL = 3,
	GATEWAY_HEADER_CRC_FINAL_XOR = 4, GATEWAY_HEADER_COUNTER_COUNT = 5, GATEWAY_HEADER_DATA_ID_COUNT = 6, GATEWAY_HEADER_RULE_COUNT = 7,
	GATEWAY_HEADER_GENERATES = 8, GATEWAY_HEADER_MARK_COUNT = 9, GATEWAY_HEADER_FIELD_COUNT = 10, GATEWAY_HEADER_RESERVED = 11
};

/* Offsets in a rule. Phase and period: of a plan that generates. */
enum {
	GATEWAY_RULE_ID = 0, GATEWAY_RULE_BUS = 4, GATEWAY_RULE_GROUP = 5, GATEWAY_RULE_PHASE = 5, GATEWAY_RULE_MIN_DLC = 6,
	GATEWAY_RULE_PERIOD = 6, GATEWAY_RULE_DLC_OUT = 7, GATEWAY_RULE_OPERATIONS = 8, GATEWAY_RULE_CHECKSUMS = 32
};

/* Offsets in a checksum step, a mark and a field. Words are little-endian. */
enum {
	GATEWAY_STEP_KIND = 0, GATEWAY_STEP_TARGET = 1, GATEWAY_STEP_BYTE_MASK = 2, GATEWAY_STEP_DATA_ID = 3, GATEWAY_STEP_POSITION = 4,
	GATEWAY_STEP_FLAGS = 5,
	GATEWAY_MARK_RULE = 0, GATEWAY_MARK_AT = 1, GATEWAY_MARK_MASK = 2, GATEWAY_MARK_FIRST = 4, GATEWAY_MARK_LAST = 6,
	GATEWAY_FIELD_RULE = 0, GATEWAY_FIELD_START = 1, GATEWAY_FIELD_LENGTH = 2, GATEWAY_FIELD_STEP = 3, GATEWAY_FIELD_LOW = 4,
	GATEWAY_FIELD_SPAN = 6
};

/* Where a CRC takes its DataID: nowhere, before or after the frame's bytes. */
enum { GATEWAY_DATA_ID_NOWHERE, GATEWAY_DATA_ID_FIRST, GATEWAY_DATA_ID_LAST };

/*
 * Byte operations, README "Byte operations". The numbers are those of a plan's bytes: a new one goes before
 * the count.
 */
enum {
	GATEWAY_KEEP, GATEWAY_SET, GATEWAY_SCALE, GATEWAY_SCALE_DOWN, GATEWAY_COUNTER, GATEWAY_SCALE_COUNTER, GATEWAY_ADD_WORD,
	GATEWAY_ADVANCE, GATEWAY_SCALE_UP, GATEWAY_SCALE_FROM, GATEWAY_OPERATION_COUNT
};

/* Flag of a checksum step; every other bit must be 0. */
#define GATEWAY_VERIFY 1u

/* Checksum kinds, by their number in a plan; 0 = the step is not there. */
enum { GATEWAY_NO_CHECKSUM, GATEWAY_CRC, GATEWAY_XOR, GATEWAY_SUM, GATEWAY_CHECKSUM_COUNT };

/*
 * A frame's eight data bytes; as a whole they are only masked and copied, so the machine's byte order does
 * not matter.
 */
union gateway_data {
	uint64_t whole;
	uint32_t half[2];
	uint8_t byte[8];
};

/* Bytes of a rule that show a counter in the same way: COUNTER, SCALE_COUNTER, ADVANCE. */
struct gateway_shown {
	uint32_t places[2]; /* 1 in each of these bytes: multiplied by a value, the value in each of them; halves, for 32-bit processors */
	uint8_t counter;  /* index of gateway_plan.counters */
	uint8_t offset;   /* added first */
	uint8_t scaled;   /* index of gateway_plan.share */
	uint8_t advances; /* the counter advances: nothing behind this shows it; 2 = without its wrap, ADVANCE */
};

/*
 * ADD_WORD: adds to the little-endian word in this byte and the next, below a limit. At most four fit in
 * eight bytes.
 */
struct gateway_added {
	uint8_t at;       /* low byte of the word, 0..6 */
	uint8_t amount;   /* at the committed factor */
	uint8_t limit;    /* high byte of the first value that is too much; 0 = none */
};

/* A value across bytes: low + span at full factor. It overlays what the byte operations made. */
struct gateway_field {
	uint8_t start, length; /* bits; the first one, counted from the least significant of byte 0 */
	uint8_t step;          /* most that it changes from one frame to the next, except at factor 0; 0 = any */
	uint16_t low, most;    /* at factor 0, and at the full one */
	uint16_t target;       /* at the committed factor */
};

/*
 * A checksum step; kind GATEWAY_NO_CHECKSUM is left out when loading. What the bytes that are the same in every
 * frame contribute is kept in `base`; only the others are looked at for each frame. For a CRC that works because
 * it is linear: it is the exclusive or of what each byte contributes alone, and that depends on how many bytes
 * are fed after it.
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

/*
 * How the car marks a signal as invalid: a frame whose masked word lies in first..first + span leaves as it
 * came. The word is little-endian.
 */
struct gateway_mark {
	uint8_t at;           /* low byte of the word, 0..6 */
	uint16_t mask;
	uint16_t first, span; /* of the masked word, modulo 2^16 */
};

/*
 * One rule, as it is used for each frame. Sent = (received & keep) | set, then what depends on counters,
 * received bytes and checksums.
 */
struct gateway_rule {
	union gateway_data keep;
	union gateway_data set;  /* at the committed factor; 0 in bytes that are kept or show a counter */
	uint32_t id;             /* bit 31 = extended */
	uint8_t bus, group, min_dlc;
	uint8_t dlc_out;         /* DLC that is sent; 0 = as received */
	uint8_t applies;         /* 1: the committed group mask names its group. 0: such frames leave as they came; all rules of a plan that generates */
	uint8_t scales;          /* bit mask of the bytes that are computed again when the factor changes */
	bool verifies;           /* one of its checksum steps does */
	uint8_t shown_count, added_count, step_count;
	uint8_t mark_count, field_count;
	bool computes_more;  /* it adds to words or has fields */
	const struct gateway_mark *marks; /* in gateway_plan.marks */
	const struct gateway_shown *shown; /* in gateway_plan.shown */
	struct gateway_field *fields; /* in gateway_plan.fields */
	uint64_t field_mask; /* 1 in each bit of a field */
	uint64_t field_bits; /* the fields at the committed factor, but those that take steps */
	struct gateway_added added[4];
	struct gateway_step steps[2];
	uint8_t operations[8][GATEWAY_PLAN_OPERATION_BYTES]; /* as loaded */
	uint32_t period_us, phase_us; /* of a plan that generates; period 0 = such frames of the chassis are forwarded all the same */
	uint64_t next_us;        /* when it is due */
};

/*
 * In the place of the number of bytes fed after a byte, 0..8: that byte contributes nothing to the CRC. Its
 * part in crc_parts is 0.
 */
#define GATEWAY_NO_PART 9

/*
 * 0 everywhere until it was loaded. Nothing but these functions and the frame path, which advances counters,
 * writes to it.
 */
struct gateway_plan {
	uint8_t counter_set;   /* any number: a plan with the number of the plan before goes on with its counters */
	uint8_t crc_initial;   /* register of every CRC before the first byte */
	uint8_t crc_final_xor; /* and what its result is exclusive-ored with */
	bool generates;   /* its frames are sent without one having come */
	uint8_t counter_count, rule_count;
	uint8_t groups;   /* for which `applies` holds */
	uint32_t factor;  /* for which `set` and `base` hold */
	uint32_t share[3]; /* gateway_share(): of the whole, of the factor, of nothing */
	uint8_t counters[GATEWAY_MAX_COUNTERS][4]; /* value, step, wrapAbove, wrapTo */
	uint8_t crc_parts[GATEWAY_NO_PART + 1][2][16]; /* by bytes fed after it: what a byte's high and low four bits contribute */
	struct gateway_mark marks[GATEWAY_MAX_MARKS];
	struct gateway_shown shown[GATEWAY_MAX_SHOWN];
	struct gateway_field fields[GATEWAY_MAX_FIELDS];
	struct gateway_rule rules[GATEWAY_MAX_RULES];
};

/*
 * Checks `size` bytes, which may be any: nothing is read beyond them, nothing is changed. Returns NULL, or
 * what is wrong in a few words, a text that is constant and stays valid; then *item is the number of the
 * rule, from 0, -1 when it is the header. Without an error *item means nothing.
 */
const char *gateway_plan_check(const uint8_t *bytes, size_t size, int *item);

/*
 * Loads a plan that gateway_plan_check() accepted; of any other the result is undefined. The bytes are
 * copied, and not needed afterwards. The counters begin with their values in the plan, no rule applies, and
 * gateway_plan_scale() has to come before a frame.
 */
void gateway_plan_load(struct gateway_plan *plan, const uint8_t *bytes);

/*
 * Computes what depends on the factor, 0..GATEWAY_FULL_FACTOR, which the caller has checked. Does nothing if
 * the plan holds for it already.
 */
void gateway_plan_scale(struct gateway_plan *plan, uint32_t factor);

/*
 * Marks the rules whose group, 0..7, the mask names by a bit. In a plan that generates none applies, whatever
 * the mask.
 */
void gateway_plan_select(struct gateway_plan *plan, uint8_t groups);

/*
 * A factor, 0..GATEWAY_FULL_FACTOR, as a share of the whole in 1/2^23, 0..2^23, rounded up: what a byte gets
 * too much by that, below 255 / 2^23, is less than the 1 / 25600 to the next whole number.
 */
IN_LINE uint32_t gateway_share(uint32_t factor)
{
	return (uint32_t)((((uint64_t)factor << 23) + GATEWAY_FULL_FACTOR - 1) / GATEWAY_FULL_FACTOR);
}

/* floor(x * factor / 25600), x and result 0..255; `share` is that of the factor. */
IN_LINE uint8_t gateway_scale(unsigned x, uint32_t share)
{
	return (uint8_t)(x * share >> 23);
}

/* Little-endian 32-bit value of four bytes, which need not be aligned. */
IN_LINE uint32_t gateway_u32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * Flag bits of an identifier, as in SocketCAN: 29 bits, remote frame, error frame. The identifier itself is
 * in the bits below them.
 */
#define GATEWAY_EXTENDED 0x80000000u
#define GATEWAY_REMOTE 0x40000000u
#define GATEWAY_ERROR 0x20000000u
/* Largest identifier of 11 bits. */
#define GATEWAY_MAX_STANDARD_ID 0x7FFu

/* Whether this is a data frame's identifier: 11 bits, or 29 with bit 31 set. */
IN_LINE bool gateway_valid_id(uint32_t id)
{
	return id <= GATEWAY_MAX_STANDARD_ID || (id & (GATEWAY_EXTENDED | GATEWAY_REMOTE | GATEWAY_ERROR)) == GATEWAY_EXTENDED;
}

#endif
