/*
 * The frames in the gateway's ring as lines of text; README.md has the formats. C11 without allocation, lock
 * or clock: the caller reads the ring, as records come and go in it while lines are written.
 */
#ifndef OPENCOUPLING_FRAME_LINES_H
#define OPENCOUPLING_FRAME_LINES_H

#include "gateway_core.h"

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

#endif
