/*
 * The signal catalogue: what is known of the frames of the PQ and the MQB network, a text for each frame. The
 * DBC files in src/can/dbc are the source, and src/can/layouts for what is not in them;
 * tools/build-catalogue.mjs makes generated/catalogue_data.c of both, and src/can/catalogue.ts has the
 * format. The texts are packed (byte pair encoding): a byte from 0x80 on stands for a pair of bytes, which
 * may be such bytes themselves. Identifiers, '|' and ",m" are never part of a pair.
 */
#ifndef OPENCOUPLING_SIGNAL_CATALOGUE_H
#define OPENCOUPLING_SIGNAL_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

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
 * Where a network's coupling reports, by the rows of src/can/layouts: identifier without flag bits, and which
 * bytes are its state and its engagement, 0..7.
 */
struct coupling_report {
	uint32_t id;
	uint8_t state, engagement;
};
extern const struct coupling_report coupling_reports[NETWORKS];

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

#endif
