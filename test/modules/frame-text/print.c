/*
 * The text of modules/frame-text, from standard input to standard output:
 *
 * lines FORMAT ROWS ROOM [WINDOW_US NOW_US]: records of 32 bytes become lines. What a look back covers goes to
 * standard error. A record of zeros with flags 255 says that its predecessors were overwritten.
 * view ROOM: the CAN view. Standard input has requests, one after the other: a header, latest frames, records; the
 * answer to the last one is printed. What a request says of the ring: records before `lost` have been
 * overwritten since it began at `first`.
 * dbc NETWORK ROOM [BYTES]: a DBC file. BYTES is what the coupling's report has.
 *
 * ROOM is what each call gets.
 */
#include <stdio.h>
#include <stdlib.h>

#include "frame_text.h"

#define OVERWRITTEN 255

static struct gateway_record ring[1 << 19];
static size_t room;
static char *text;

static uint64_t ring_end;

static uint32_t read_ring(uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten)
{
	uint64_t from = *cursor;
	uint32_t count = 0;
	for (uint64_t i = from; i < ring_end && i < from + max; ++i)
		if (ring[i].flags == OVERWRITTEN)
			from = i + 1;
	*overwritten = from - *cursor;
	for (*cursor = from; count < max && *cursor < ring_end && ring[*cursor].flags != OVERWRITTEN; ++count)
		into[count] = ring[(*cursor)++];
	return count;
}

static int print_lines(int count, char **words)
{
	ring_end = fread(ring, sizeof *ring, sizeof ring / sizeof *ring, stdin);
	struct frame_lines lines = {.format = (enum frame_format)atoi(words[0]), .rows = (unsigned)atoi(words[1]), .end = ring_end};
	if (count > 4)
		fprintf(stderr, "%llu", (unsigned long long)frame_lines_look_back(&lines, read_ring, 0, strtoull(words[3], NULL, 10),
			strtoull(words[4], NULL, 10)));
	for (unsigned idle = 0; lines.cursor < lines.end && idle < 2;) {
		uint64_t before = lines.cursor;
		size_t length = (size_t)(frame_lines_write(&lines, read_ring, text, text + room) - text);
		idle = lines.cursor > before ? 0 : idle + 1;
		fwrite(text, 1, length, stdout);
	}
	return 0;
}

struct request {
	uint64_t now_us, first, lost;
	uint32_t generation, rows, decoded_limit, raw_limit, latest_count, record_count;
};

struct seen {
	uint64_t time_us;
	uint8_t data[8];
	uint32_t count;
	uint8_t dlc, flags, reserved[2];
};

struct latest {
	uint32_t id;
	uint8_t bus, reserved[3];
	struct seen directions[2]; /* received, sent */
};

static struct latest latest[1024];
static struct request request;

static bool read_latest(unsigned bus, uint32_t id, struct gateway_latest *into)
{
	for (uint32_t i = 0; i < request.latest_count; ++i)
		if (latest[i].bus == bus && latest[i].id == id) {
			*into = (struct gateway_latest){.id = id, .bus = (uint8_t)bus};
			for (unsigned sent = 0; sent < 2; ++sent) {
				const struct seen *from = &latest[i].directions[sent];
				struct gateway_seen *seen = sent ? &into->sent : &into->received;
				seen->time_us = from->time_us;
				seen->count = from->count;
				seen->dlc = from->dlc;
				seen->flags = from->flags;
				memcpy(seen->data, from->data, 8);
			}
			return true;
		}
	return false;
}

static uint32_t read_records(uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten)
{
	uint32_t count = 0;
	*overwritten = *cursor < request.lost ? request.lost - *cursor : 0;
	for (*cursor += *overwritten; count < max && *cursor < request.record_count; ++count)
		into[count] = ring[(*cursor)++];
	return count;
}

static int print_view(void)
{
	static struct can_view_rates rates;
	struct can_view view;
	while (fread(&request, sizeof request, 1, stdin) == 1) {
		if (fread(latest, sizeof *latest, request.latest_count, stdin) != request.latest_count ||
			fread(ring, sizeof *ring, request.record_count, stdin) != request.record_count)
			return 3;
		can_view_begin(&view, &rates, read_latest, read_records, request.generation, request.rows, request.decoded_limit,
			request.raw_limit, request.first, request.record_count, request.now_us);
	}
	while (!can_view_is_complete(&view)) {
		size_t length = (size_t)(can_view_write(&view, text, text + room) - text);
		if (length == 0 && room >= CAN_VIEW_ROW_BYTES && !can_view_is_complete(&view))
			return 4;
		fwrite(text, 1, length, stdout);
	}
	return 0;
}

static int print_dbc(int count, char **words)
{
	struct dbc_file file = {.network = (enum network)atoi(words[0])};
	if (count > 2)
		file.report_bytes = (unsigned)atoi(words[2]);
	while (!dbc_file_is_complete(&file)) {
		size_t length = (size_t)(dbc_file_write(&file, text, text + room) - text);
		if (length == 0 && !dbc_file_is_complete(&file))
			return 2;
		fwrite(text, 1, length, stdout);
	}
	return 0;
}

int main(int count, char **words)
{
	char kind = words[1][0];
	room = (size_t)atoi(words[kind == 'l' ? 4 : kind == 'v' ? 2 : 3]);
	text = malloc(room); /* so that the sanitizer sees a byte beyond */
	int code = kind == 'l' ? print_lines(count - 2, words + 2) : kind == 'v' ? print_view() : print_dbc(count - 2, words + 2);
	free(text);
	return code;
}
