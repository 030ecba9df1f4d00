/* Text made of the gateway's memory and of the signal catalogue: C11 without allocation, lock or clock. */
#ifndef OPENCOUPLING_FRAME_TEXT_H
#define OPENCOUPLING_FRAME_TEXT_H

#include <string.h>

#include "gateway_core.h"

/* ---- numbers and texts as ASCII ---- */

/*
 * Numbers and texts as ASCII. Each function writes to `at`, where the caller has seen to it that it
 * fits, ends nothing with a 0, and returns the place behind what it wrote.
 */

/* Alphabets for hexadecimal digits. */
extern const char lower_hex[16], upper_hex[16];

/* `length` characters of a text. */
static inline char *put_bytes(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}

/* A text up to its 0. */
static inline char *put_text(char *at, const char *text)
{
	return put_bytes(at, text, strlen(text));
}

/* All digits of a number: 1..10, 1..20. */
char *put_decimal(char *at, uint32_t value);
char *put_decimal64(char *at, uint64_t value);

/* The last `digits` digits of a number, with leading zeros: decimal, 1..10, and hexadecimal, 1..8. */
char *put_padded(char *at, uint32_t value, unsigned digits);
char *put_hex(char *at, uint32_t value, unsigned digits, const char *alphabet);

/* Hexadecimal digits of a number without leading zeros: 1..8. */
unsigned hex_digits(uint32_t value);

/* Bytes as two hexadecimal digits each; the separator stands between two of them, 0 = none. */
char *put_hex_bytes(char *at, const uint8_t *bytes, unsigned count, char separator, const char *alphabet);

/* ---- lines of frames ---- */

/*
 * The frames in the gateway's ring as lines of text; README.md has the formats. C11 without allocation, lock
 * or clock: the caller reads the ring, as records come and go in it while lines are written.
 */

/* FRAME_LOG and FRAME_TABLE write a time modulo 2^32 ms, FRAME_CANDUMP seconds modulo 10^10. */
enum frame_format { FRAME_TABLE, FRAME_CANDUMP, FRAME_SAVVYCAN, FRAME_LOG, FRAME_GVRET, FRAME_FORMATS };

/* No line is longer: CSV with a time of 20 digits has 69 bytes. */
#define FRAME_LINE_BYTES 72u
#define FRAME_RECORD_BYTES (2 * FRAME_LINE_BYTES)

/* Rows of a record: the frame as it was received on a bus, and as it was sent on one. */
enum { ROW_CHASSIS_RECEIVED = 1, ROW_CHASSIS_SENT = 2, ROW_COUPLING_RECEIVED = 4, ROW_COUPLING_SENT = 8, ROWS_ALL = 15 };
#define ROWS_SENT (ROW_CHASSIS_SENT | ROW_COUPLING_SENT)

/* The rows that a record has: what was dropped was not sent, what is cyclic was not received. */
unsigned frame_rows(const struct gateway_record *record);

/* Bus that the frame was sent on, if it was. */
unsigned frame_sent_on(const struct gateway_record *record);

/*
 * The controller changed or made what was sent: said of what leaves on the coupling bus only, as the
 * reference does.
 */
bool frame_generated(const struct gateway_record *record);

/* Reads up to `max` records from *cursor on, as gateway_read_ring() does. */
typedef uint32_t frame_reader(uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten);

struct frame_lines {
	enum frame_format format;
	unsigned rows;        /* those that are wanted */
	uint64_t cursor, end; /* numbers of the next record, and of the first that is not wanted any more */
	uint64_t overwritten; /* wanted records that the ring had lost; the owner may set it back */
};

/* Records that one call passes over at the most when none of their rows is wanted. */
#define FRAME_LINES_SEARCHED 2048u

/*
 * Writes lines of whole records, as many as fit, and moves the cursor behind them; FRAME_TABLE tells in a
 * comment of overwritten ones. Returns where it stopped: `at` when a record does not fit, when nothing was
 * found for now, or at the end (cursor >= end).
 */
char *frame_lines_write(struct frame_lines *lines, frame_reader *read, char *at, const char *end);

/*
 * Has the lines begin a window before now; `end` has been set, oldest is the number of the oldest record.
 * Returns how many microseconds they cover: every frame of that time is there. Less than the window if
 * the ring, or the time since start, is shorter.
 */
uint64_t frame_lines_look_back(struct frame_lines *lines, frame_reader *read, uint64_t oldest, uint64_t window_us, uint64_t now_us);

/* ---- the signal catalogue ---- */

/*
 * The signal catalogue: what is known of the frames of the PQ and the MQB network, a text for each frame. The
 * DBC files in src/can/dbc are the source, and src/can/layouts for what is not in them;
 * tools/build-catalogue.mjs makes generated/catalogue_data.c of both, and src/can/catalogue.ts has the
 * format. The texts are packed (byte pair encoding): a byte from 0x80 on stands for a pair of bytes, which
 * may be such bytes themselves. Identifiers, '|' and ",m" are never part of a pair.
 */

struct catalogue {
	const char *const *frames;
	unsigned frame_count;
};

enum network { NETWORK_PQ, NETWORK_MQB, NETWORKS };
extern const struct catalogue catalogues[NETWORKS];

/*
 * Frames of a network that the catalogue does not have: what we send, and the coupling's report of MQB. Only
 * the DBC file has them.
 */
extern const struct catalogue own_frames[NETWORKS];

/*
 * A coupling's car and its report, of src/coupling/couplings. The last row has generation 0: it stands for
 * each generation that has no row.
 */
struct coupling_report {
	const struct catalogue *catalogue; /* of the car's network */
	const char *flags[8];              /* names of the bits of its state, NULL = none */
	uint32_t id;                       /* of its frame, without flag bits */
	uint8_t generation;
	uint8_t state, engagement;         /* bytes of the frame, 0..7 */
};
extern const struct coupling_report coupling_reports[];

/* Frames that cars send with fewer than 8 bytes; the last row of a network has 0 bytes. */
struct short_frame {
	uint16_t id;
	uint8_t bytes;
};
extern const struct short_frame *const short_frames[NETWORKS];

/* A line of the DBC file: the modes by their numbers, in the status frame. */
extern const char dbc_values[];

/* The units by the numbers that texts have, 0..catalogue_unit_count - 1. */
extern const char *const catalogue_units[];
extern const unsigned catalogue_unit_count;

/* The pairs that the bytes from 0x80 on stand for. */
enum { PACKED_FROM = 0x80 };
extern const uint8_t catalogue_pairs[][2];

/* Longest text between two '|', with its 0. */
enum { CATALOGUE_TEXT_BYTES = 64 };

/* Unpacks a text up to the next '|'. Returns what follows that. */
const char *catalogue_text(const char *packed, char text[CATALOGUE_TEXT_BYTES]);

/*
 * The text of the frame with this identifier, which has no flag bits; NULL for an unknown one. No standard
 * identifier of the catalogue is also an extended one.
 */
const char *catalogue_find(const struct catalogue *catalogue, uint32_t id);

/*
 * Where the text of a signal begins within a frame's text. `catalogue_named`: the signal with this name, in
 * small letters and without underscores at its end. `catalogue_selecting`: the signal whose value selects
 * others. NULL if the frame has no such signal.
 */
const char *catalogue_named(const char *frame, const char *name);
const char *catalogue_selecting(const char *frame);

/* Identifier of the frame at an index below frame_count, bit 31 set = extended. */
uint32_t catalogue_id(const struct catalogue *catalogue, unsigned index);

/* A frame's text taken apart. */
struct catalogue_frame {
	uint32_t id;
	const char *signals; /* text of the first signal; it ends with an empty one */
	unsigned signal_count;
};
/* The frame at an index below frame_count. */
struct catalogue_frame catalogue_frame(const struct catalogue *catalogue, unsigned index);

/* Values of catalogue_signal.mux that are no selector's. */
enum { MUX_NONE = -1, MUX_SELECTOR = -2 };

/* A signal's text taken apart. Value = raw * factor + offset. */
struct catalogue_signal {
	char text[CATALOGUE_TEXT_BYTES]; /* begins with the name, which is not terminated */
	const char *unit;
	const char *scale; /* factor, comma, offset as the text has them; not terminated, may point into `text` */
	unsigned name_length, scale_length;
	unsigned start, length;
	float factor, offset;
	int mux;          /* MUX_NONE, MUX_SELECTOR, or the selector's value with which it is present */
	bool is_motorola, is_signed;
	bool codes_known; /* it is known which raw values are no values: of one bit none is */
};

/* The signal whose text begins at *at, which moves to the next one. Returns false after the last. */
bool catalogue_signal(const char **at, struct catalogue_signal *signal);

/* The signal whose value selects others; false if the frame is not multiplexed. */
bool catalogue_selector(const struct catalogue_frame *frame, struct catalogue_signal *signal);

/* Raw value of up to 64 bits, sign-extended; false if the frame is too short for it. */
bool signal_raw(const struct catalogue_signal *signal, const uint8_t data[8], unsigned dlc, uint64_t *raw);

/*
 * Value in the signal's unit, in float32 as the reference computes it: rounded after each operation. False as
 * above.
 */
bool signal_value(const struct catalogue_signal *signal, const uint8_t data[8], unsigned dlc, float *value);

/* ---- the catalogue as a DBC file ---- */

/*
 * The signal catalogue as a DBC file, so that other tools read recordings with names: the frames of a
 * network, those that the catalogue does not have, and the modes by their numbers. Three signals are left
 * out: two lie on bits of others, for which strict readers reject the whole file, and one stands for one
 * value of 16 of a selector, for which they reject the frame.
 */

/* No line is longer; the test looks at all of them. */
#define DBC_LINE_BYTES 240u

struct dbc_file {
	enum network network;
	unsigned report_bytes; /* of the frame in which the coupling reports: strict readers want those that it sends. 0 = 8 */
	bool own;           /* the frames that the catalogue does not have */
	unsigned frame;
	const char *signal; /* text of the next signal of the frame, NULL: go to the next frame */
	unsigned stage;
};

/*
 * All 0 but the network and the bytes of the report at first. Writes whole lines, as many as fit before
 * `end`. Returns where it stopped: `at` if there is less space than DBC_LINE_BYTES for the next one, or
 * nothing is left.
 */
char *dbc_file_write(struct dbc_file *file, char *at, const char *end);

/* Everything has been written. */
bool dbc_file_is_complete(const struct dbc_file *file);

/* ---- the CAN view ---- */

/*
 * The answer of GET /api/canview: the signals of the catalogue in the latest frames, decoded, and the last
 * frames as they were, as JSON. Source: docs/api.md, "CAN buses". C11 without allocation, lock or clock.
 *
 * Decoded rows come in the reference's order: coupling bus before chassis, received before sent, signals in
 * the catalogue's order. With both buses and a limit, the coupling bus leaves half of it to the chassis, or
 * as much as the chassis needs: what is forwarded to the coupling would otherwise push the chassis out. Raw
 * rows are the last frames of each bus and direction, newest first.
 */

/* No row is longer; the test looks at the longest names. */
#define CAN_VIEW_ROW_BYTES 300u

/*
 * Copies the latest frames of an identifier received on a bus and sent on the other. Returns false if there
 * are none.
 */
typedef bool latest_reader(unsigned bus, uint32_t id, struct gateway_latest *into);

/* Most frames of a network, and the coupling's status frame, which MQB's catalogue does not have. */
#define CAN_VIEW_FRAMES (103u + 1u)

/* How often frames come: counted between two requests that are a second apart at least. All 0 at first. */
struct can_view_rates {
	const struct catalogue *catalogue;
	uint64_t counted_us;
	struct {
		uint16_t count, hz10; /* frames at counted_us, modulo 2^16; tenths of 1/s */
	} of[CAN_VIEW_FRAMES][GATEWAY_BUSES][2]; /* by the bus on which they are received, and 0 = as received, 1 = as sent */
};

/* One frame whose rows are being listed. */
struct can_view_frame {
	uint32_t id, age_ms, ts_ms;
	uint16_t hz10;
	uint8_t bus, dlc;
	bool sent, generated;
	uint8_t data[8];
};

struct can_view {
	const struct can_view_rates *rates;
	latest_reader *latest;
	frame_reader *read;
	uint64_t now_us;

	/* decoded rows */
	const struct coupling_report *report;
	unsigned list, end_list, frame; /* list: coupling received, coupling sent, chassis received, chassis sent */
	unsigned state_row;             /* rows on the coupling's state that have been looked at; they come before all others */
	uint32_t left, coupling_left;   /* rows still allowed: in all, and of the coupling bus */
	struct can_view_frame seen;
	const char *signal;             /* text of the next signal of the frame, NULL: go to the next frame */
	uint64_t selected;              /* value of the frame's selector */
	bool is_selected;               /* it has one */

	/* raw rows */
	unsigned rows;                  /* those that are wanted */
	uint32_t raw_left, row_left[4]; /* rows still allowed: in all, and of each bus and direction */
	uint64_t next, oldest;          /* records before `next` are to be looked at, down to `oldest` */
	unsigned record_rows;           /* rows of the record in hand that are still to come */
	struct gateway_record record;

	unsigned stage;
	bool comma;                     /* a row stands before */
};

/*
 * Begins an answer. generation: as in coupling_reports. rows: as for frame_lines, 0 = none. `first` and `end`
 * are the numbers of the oldest record in the ring and of the next one. Counts how often frames come, if it
 * is time.
 */
void can_view_begin(struct can_view *view, struct can_view_rates *rates, latest_reader *latest, frame_reader *read, unsigned generation,
	unsigned rows, uint32_t decoded_limit, uint32_t raw_limit, uint64_t first, uint64_t end, uint64_t now_us);

/*
 * Writes whole rows, as many as fit. Returns where it stopped; with CAN_VIEW_ROW_BYTES free that is `at`
 * only after the last byte.
 */
char *can_view_write(struct can_view *view, char *at, const char *end);

/* Everything has been written. */
bool can_view_is_complete(const struct can_view *view);

#endif
