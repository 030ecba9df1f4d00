/*
 * Answers of the CAN view: print_view ROOM. Standard input has requests, one after the other: a header,
 * latest frames, records; the answer to the last one goes to standard output. What a request says of the
 * ring: records before `lost` have been overwritten since it began at `first`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "can_view.h"

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
static struct gateway_record ring[4096];
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

int main(int argc, char **argv)
{
	static struct can_view_rates rates;
	struct can_view view;
	if (argc < 2)
		return 2;
	size_t room = (size_t)atoi(argv[1]);
	while (fread(&request, sizeof request, 1, stdin) == 1) {
		if (fread(latest, sizeof *latest, request.latest_count, stdin) != request.latest_count ||
			fread(ring, sizeof *ring, request.record_count, stdin) != request.record_count)
			return 3;
		can_view_begin(&view, &rates, read_latest, read_records, request.generation, request.rows, request.decoded_limit,
			request.raw_limit, request.first, request.record_count, request.now_us);
	}
	char *text = malloc(room);
	while (!can_view_is_complete(&view)) {
		size_t length = (size_t)(can_view_write(&view, text, text + room) - text);
		if (length == 0 && room >= CAN_VIEW_ROW_BYTES && !can_view_is_complete(&view))
			return 4;
		fwrite(text, 1, length, stdout);
	}
	free(text);
	return 0;
}
