/*
 * The answer of GET /api/canview: the signals of the catalogue in the latest frames, decoded, and the last
 * frames as they were, as JSON. Source: docs/api.md, "CAN buses". C11 without allocation, lock or clock.
 *
 * Decoded rows come in the reference's order: coupling bus before chassis, received before sent, signals in
 * the catalogue's order. With both buses and a limit, the coupling bus leaves half of it to the chassis, or
 * as much as the chassis needs: what is forwarded to the coupling would otherwise push the chassis out. Raw
 * rows are the last frames of each bus and direction, newest first.
 */
#ifndef OPENCOUPLING_CAN_VIEW_H
#define OPENCOUPLING_CAN_VIEW_H

#include "signal_catalogue.h"
#include "frame_lines.h"

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
	unsigned generation;
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
 * Begins an answer. generation: 0 is shown as 4. rows: as for frame_lines, 0 = none. `first` and `end` are
 * the numbers of the oldest record in the ring and of the next one. Counts how often frames come, if it is
 * time.
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
