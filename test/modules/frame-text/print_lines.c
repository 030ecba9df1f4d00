/*
 * Records on standard input, 32 bytes each, become lines on standard output: print_lines FORMAT ROWS ROOM
 * [WINDOW_US NOW_US]. ROOM is what each call gets; what a look back covers goes to standard error. A record
 * of zeros with flags 255 says that its predecessors were overwritten.
 */
#include <stdio.h>
#include <stdlib.h>

#include "frame_lines.h"

#define OVERWRITTEN 255

static struct gateway_record *ring;
static uint64_t ring_end;

static uint32_t read_records(uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten)
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

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	size_t room = (size_t)atoi(argv[3]);
	char *text = malloc(room);
	ring = malloc(1 << 24);
	ring_end = fread(ring, sizeof *ring, (1 << 24) / sizeof *ring, stdin);
	struct frame_lines lines = {.format = (enum frame_format)atoi(argv[1]), .rows = (unsigned)atoi(argv[2]), .end = ring_end};
	if (argc > 5)
		fprintf(stderr, "%llu", (unsigned long long)frame_lines_look_back(&lines, read_records, 0, strtoull(argv[4], NULL, 10),
			strtoull(argv[5], NULL, 10)));
	for (unsigned idle = 0; lines.cursor < lines.end && idle < 2;) {
		uint64_t before = lines.cursor;
		size_t length = (size_t)(frame_lines_write(&lines, read_records, text, text + room) - text);
		idle = lines.cursor > before ? 0 : idle + 1;
		fwrite(text, 1, length, stdout);
	}
	free(text);
	free(ring);
	return 0;
}
