/*
 * What the gateway remembers as text: lines of a dump, of the log and of GVRET, and the CAN view. A header of
 * four bytes (format, rows, room, how much was overwritten), then records. Records are as the core makes
 * them: their lengths are 0 to 8, their buses 0 and 1.
 */
#include "fuzz.h"

#include "frame_text.h"

#define HEADER 4u
#define RECORD 31u
#define RING 128u
#define LATEST 16u

const char *const fuzz_seeds[] = {
	"\x01\x0f\x40" "aAAAABBBBBCCCCCCCCDDDDDDDDEEEEEEEEFFFFFFFFGGGGGGGG", "\x04\x0f\xff" "z0123456789012345678901234567890123456789",
	"\x02\x03\x01" "b" "0123456789012345678901234567890" "0123456789012345678901234567890" "0123456789012345678901234567890", NULL,
};

static struct gateway_record ring[RING];
static uint64_t ring_first, ring_end;

static uint32_t read_records(uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten)
{
	uint32_t count = 0;
	*overwritten = *cursor < ring_first ? ring_first - *cursor : 0;
	for (*cursor += *overwritten; count < max && *cursor < ring_end; ++count)
		into[count] = ring[(*cursor)++];
	return count;
}

static bool read_latest(unsigned bus, uint32_t id, struct gateway_latest *into)
{
	for (uint64_t i = ring_first; i < ring_end; ++i)
		if (ring[i].bus == bus && ring[i].id == id) {
			*into = (struct gateway_latest){.id = id, .bus = (uint8_t)bus};
			into->received = (struct gateway_seen){.time_us = ring[i].time_us, .count = 1, .dlc = ring[i].dlc[0]};
			memcpy(into->received.data, ring[i].received, 8);
			into->sent = (struct gateway_seen){.time_us = ring[i].time_us, .count = 1, .dlc = ring[i].dlc[1], .flags = ring[i].flags};
			memcpy(into->sent.data, ring[i].sent, 8);
			return true;
		}
	return false;
}

static void take_records(const uint8_t *data, size_t size)
{
	for (ring_end = 0; ring_end < RING && size >= RECORD; data += RECORD, size -= RECORD) {
		struct gateway_record *record = &ring[ring_end++];
		*record = (struct gateway_record){0};
		memcpy(&record->time_us, data, 8);
		memcpy(&record->id, data + 8, 4);
		/* every other one is of the catalogue */
		const struct catalogue *catalogue = &catalogues[data[12] & 1];
		if (data[12] & 2)
			record->id = catalogue_id(catalogue, record->id % catalogue->frame_count);
		record->dlc[0] = data[12] % 9;
		record->dlc[1] = data[13] % 9;
		record->bus = data[14] & 1;
		record->flags = data[14] >> 1 & 7;
		memcpy(record->received, data + 15, 8);
		memcpy(record->sent, data + 23, 8);
	}
}

/*
 * In memory of exactly `room` bytes: no line is longer than promised, lines are whole, and it comes to its
 * end.
 */
static void write_lines(enum frame_format format, unsigned rows, size_t room)
{
	struct frame_lines lines = {.format = format, .rows = rows, .end = ring_end};
	for (unsigned idle = 0; lines.cursor < lines.end && idle < 2;) {
		uint64_t before = lines.cursor, lost = lines.overwritten;
		char *text = malloc(room);
		char *end = frame_lines_write(&lines, read_records, text, text + room);
		MUST(end >= text && end <= text + room && lines.cursor >= before && lines.cursor <= lines.end && lines.overwritten >= lost);
		if (format != FRAME_GVRET) {
			MUST(end == text || end[-1] == '\n');
			for (const char *at = text, *line = text; at < end; at++) {
				MUST((*at >= ' ' && *at < 0x7F) || *at == '\t' || *at == '\n');
				if (*at == '\n') {
					MUST(at + 1 - line <= FRAME_LINE_BYTES);
					line = at + 1;
				}
			}
		}
		/* space for two lines takes each record */
		MUST(room < FRAME_RECORD_BYTES || lines.cursor > before || idle == 0);
		idle = lines.cursor > before ? 0 : idle + 1;
		free(text);
	}
	MUST(room < FRAME_RECORD_BYTES || lines.cursor >= lines.end);
}

static void write_view(unsigned generation, unsigned rows, uint32_t limit, size_t room)
{
	static struct can_view_rates rates;
	struct can_view view;
	can_view_begin(&view, &rates, read_latest, read_records, generation, rows, limit, limit, ring_first, ring_end, ring[0].time_us + 1000000);
	for (size_t pieces = 0; !can_view_is_complete(&view); pieces++) {
		char *text = malloc(room);
		char *end = can_view_write(&view, text, text + room);
		MUST(end >= text && end <= text + room);
		MUST(end > text || can_view_is_complete(&view));
		MUST(pieces < 100000);
		for (const char *at = text; at < end; at++)
			MUST((unsigned char)*at >= ' ');
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < HEADER)
		return 0;
	take_records(data + HEADER, size - HEADER);
	ring_first = ring_end ? data[3] % (ring_end + 1) : 0;
	write_lines((enum frame_format)(data[0] % FRAME_FORMATS), data[1] & ROWS_ALL, FRAME_RECORD_BYTES + data[2]);
	write_lines((enum frame_format)(data[0] % FRAME_FORMATS), data[1] & ROWS_ALL, 1u + data[2] % FRAME_RECORD_BYTES);
	static const unsigned generations[] = { 0, 1, 2, 4, 5 };
	write_view(generations[data[0] % 5], data[1] & ROWS_ALL, data[2], CAN_VIEW_ROW_BYTES + data[1]);
	return 0;
}
