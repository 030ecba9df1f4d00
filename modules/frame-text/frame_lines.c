#include "frame_text.h"

/* ---- numbers and texts ---- */

#define BILLION 1000000000u

const char lower_hex[16] = "0123456789abcdef", upper_hex[16] = "0123456789ABCDEF";

char *put_decimal(char *at, uint32_t value)
{
	char digits[10];
	unsigned first = sizeof digits;
	do
		digits[--first] = (char)('0' + value % 10);
	while (value /= 10);
	return put_bytes(at, digits + first, sizeof digits - first);
}

char *put_decimal64(char *at, uint64_t value)
{
	if (value <= UINT32_MAX)
		return put_decimal(at, (uint32_t)value);
	return put_padded(put_decimal64(at, value / BILLION), (uint32_t)(value % BILLION), 9);
}

char *put_padded(char *at, uint32_t value, unsigned digits)
{
	for (unsigned i = digits; i-- > 0; value /= 10)
		at[i] = (char)('0' + value % 10);
	return at + digits;
}

char *put_hex(char *at, uint32_t value, unsigned digits, const char *alphabet)
{
	for (unsigned i = digits; i-- > 0; value >>= 4)
		at[i] = alphabet[value & 15];
	return at + digits;
}

unsigned hex_digits(uint32_t value)
{
	unsigned digits = 1;
	while (value >>= 4)
		++digits;
	return digits;
}

char *put_hex_bytes(char *at, const uint8_t *bytes, unsigned count, char separator, const char *alphabet)
{
	if (count == 0)
		return at;
	for (const uint8_t *byte = bytes; byte < bytes + count; ++byte) {
		*at++ = alphabet[*byte >> 4];
		*at++ = alphabet[*byte & 15];
		if (separator)
			*at++ = separator;
	}
	return separator ? at - 1 : at;
}

/* ---- lines ---- */

#define RECORDS_AT_ONCE 16u /* 512 bytes of stack; the gateway is locked while they are copied */
#define ID_MASK 0x1FFFFFFFu
#define US_PER_S 1000000u

unsigned frame_rows(const struct gateway_record *record)
{
	unsigned received = record->bus == GATEWAY_CHASSIS ? ROW_CHASSIS_RECEIVED : ROW_COUPLING_RECEIVED;
	unsigned sent = frame_sent_on(record) == GATEWAY_CHASSIS ? ROW_CHASSIS_SENT : ROW_COUPLING_SENT;
	return (record->flags & GATEWAY_CYCLIC ? 0 : received) | (record->flags & GATEWAY_DROPPED ? 0 : sent);
}

unsigned frame_sent_on(const struct gateway_record *record)
{
	return record->flags & GATEWAY_CYCLIC ? record->bus : record->bus ^ 1u;
}

bool frame_generated(const struct gateway_record *record)
{
	return (record->flags & (GATEWAY_CHANGED | GATEWAY_CYCLIC)) && frame_sent_on(record) == GATEWAY_COUPLING;
}

struct row {
	const struct gateway_record *record;
	const uint8_t *data;
	unsigned bus, dlc, length; /* length: bytes of data, none of a remote frame */
	uint32_t id;
	bool sent, extended, remote;
};

static struct row row_of(const struct gateway_record *record, bool sent)
{
	struct row row = {
		.record = record,
		.data = sent ? record->sent : record->received,
		.bus = sent ? frame_sent_on(record) : record->bus,
		.dlc = record->dlc[sent],
		.id = record->id & ID_MASK,
		.sent = sent,
		.extended = record->id & GATEWAY_EXTENDED,
		.remote = record->id & GATEWAY_REMOTE,
	};
	row.length = row.remote ? 0 : row.dlc;
	return row;
}

/* Where a row was seen, as tables say it; by 4 * sent + 2 * generated + bus. */
struct place {
	const char *text;
	uint8_t length;
};
#define PLACE(text) {text, sizeof text - 1}
static const struct place places[] = {
	PLACE("\tchassis\tRX\t-\t0x"), PLACE("\thaldex\tRX\t-\t0x"), {NULL, 0}, {NULL, 0},
	PLACE("\tchassis\tTX\t-\t0x"), PLACE("\thaldex\tTX\t-\t0x"), {NULL, 0}, PLACE("\thaldex\tTX\tGEN\t0x"),
};

/*
 * `99000 TAB chassis TAB RX TAB - TAB 0x1a0 TAB 3 TAB 00 41 ff`; source: docs/api.md, "CAN buses". The log
 * has CAN after the time.
 */
static char *table_line(const struct row *row, bool is_log, char *at)
{
	bool is_generated = row->sent && frame_generated(row->record);
	const struct place *place = &places[4u * row->sent + 2u * is_generated + row->bus];
	at = put_decimal(at, (uint32_t)(row->record->time_us / 1000));
	if (is_log)
		at = put_text(at, "\tCAN");
	at = put_bytes(at, place->text, place->length);
	at = put_hex(at, row->id, hex_digits(row->id), lower_hex);
	*at++ = '\t';
	*at++ = (char)('0' + row->dlc);
	*at++ = '\t';
	return put_hex_bytes(at, row->data, row->length, ' ', lower_hex);
}

/* `(0000000099.000007) can0 1A0#0041FF`; source: can-utils, `candump -L`; the chassis is can0. */
static char *candump_line(const struct row *row, char *at)
{
	uint64_t seconds = row->record->time_us / US_PER_S;
	*at++ = '(';
	at = put_padded(at, (uint32_t)(seconds / 100000 % 100000), 5);
	at = put_padded(at, (uint32_t)(seconds % 100000), 5);
	*at++ = '.';
	at = put_padded(at, (uint32_t)(row->record->time_us - seconds * US_PER_S), 6);
	at = put_text(at, row->bus == GATEWAY_CHASSIS ? ") can0 " : ") can1 ");
	at = put_hex(at, row->id, row->extended ? 8 : 3, upper_hex);
	*at++ = '#';
	if (!row->remote)
		return put_hex_bytes(at, row->data, row->dlc, 0, upper_hex);
	*at++ = 'R';
	if (row->dlc > 0)
		*at++ = (char)('0' + row->dlc);
	return at;
}

/*
 * `99000007,000001A0,false,Rx,0,3,00,41,FF,00,00,00,00,00,`; source: SavvyCAN,
 * FrameFileIO::saveNativeCSVFile. It has no column for remote frames and writes them without data.
 */
static char *savvycan_line(const struct row *row, char *at)
{
	static const uint8_t zeros[8];
	at = put_decimal64(at, row->record->time_us);
	*at++ = ',';
	at = put_hex(at, row->id, 8, upper_hex);
	at = put_text(at, row->extended ? ",true," : ",false,");
	at = put_text(at, row->sent ? "Tx," : "Rx,");
	*at++ = (char)('0' + row->bus);
	*at++ = ',';
	*at++ = (char)('0' + row->length);
	*at++ = ',';
	at = put_hex_bytes(at, row->data, row->length, ',', upper_hex);
	if (row->length > 0 && row->length < 8)
		*at++ = ',';
	at = put_hex_bytes(at, zeros, 8 - row->length, ',', upper_hex);
	*at++ = ',';
	return at;
}

static char *put_word(char *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; ++i, value >>= 8)
		*at++ = (char)(value & 0xFF);
	return at;
}

/*
 * F1 00, microseconds modulo 2^32, identifier with bit 31 = extended, bus and length, data, 0;
 * docs/api.md, "The GVRET protocol". It has no mark for remote frames, which have no data here, and none for
 * direction: the bus is the one that the frame was seen on.
 */
static char *gvret_record(const struct row *row, char *at)
{
	*at++ = (char)0xF1;
	*at++ = 0;
	at = put_word(at, (uint32_t)row->record->time_us);
	at = put_word(at, row->id | (row->extended ? 0x80000000u : 0));
	*at++ = (char)(row->bus << 4 | row->length);
	at = put_bytes(at, (const char *)row->data, row->length);
	*at++ = 0;
	return at;
}

/*
 * Writes the line of one row, LF included, or its record in GVRET. Returns where it stopped: at most
 * FRAME_LINE_BYTES further.
 */
static char *frame_line(enum frame_format format, const struct gateway_record *record, bool sent, char *at)
{
	struct row row = row_of(record, sent);
	switch (format) {
	case FRAME_GVRET:
		return gvret_record(&row, at);
	case FRAME_CANDUMP:
		at = candump_line(&row, at);
		break;
	case FRAME_SAVVYCAN:
		at = savvycan_line(&row, at);
		break;
	default:
		at = table_line(&row, format == FRAME_LOG, at);
	}
	*at++ = '\n';
	return at;
}

static char *put_overwritten(char *at, uint64_t count)
{
	at = put_text(at, "# ");
	at = put_decimal64(at, count);
	return put_text(at, " frames were overwritten before they could be sent\n");
}

char *frame_lines_write(struct frame_lines *lines, frame_reader *read, char *at, const char *end)
{
	struct gateway_record records[RECORDS_AT_ONCE];
	for (unsigned searched = 0; lines->cursor < lines->end && searched < FRAME_LINES_SEARCHED; searched += RECORDS_AT_ONCE) {
		if ((size_t)(end - at) < FRAME_RECORD_BYTES)
			break;
		uint64_t first = lines->cursor, overwritten;
		uint32_t count = read(&lines->cursor, records, RECORDS_AT_ONCE, &overwritten);
		if (overwritten > lines->end - first)
			overwritten = lines->end - first;
		if (overwritten > 0) {
			lines->overwritten += overwritten;
			if (lines->format == FRAME_TABLE)
				at = put_overwritten(at, overwritten);
		}
		lines->cursor = first + overwritten;
		if (count == 0)
			break;
		for (uint32_t i = 0; i < count && lines->cursor < lines->end; ++i, ++lines->cursor) {
			if ((size_t)(end - at) < FRAME_RECORD_BYTES)
				return at;
			unsigned rows = frame_rows(&records[i]) & lines->rows;
			if (rows & ~(unsigned)ROWS_SENT)
				at = frame_line(lines->format, &records[i], false, at);
			if (rows & ROWS_SENT)
				at = frame_line(lines->format, &records[i], true, at);
		}
	}
	return at;
}

/*
 * Number of the first record from oldest on, before end, that is not older than a time; `end` if all are
 * older, or overwritten meanwhile.
 */
static uint64_t first_since(frame_reader *read, uint64_t oldest, uint64_t end, uint64_t since_us, uint64_t *time_us)
{
	while (oldest < end) {
		uint64_t middle = oldest + (end - oldest) / 2, cursor = middle, overwritten;
		struct gateway_record record;
		if (read(&cursor, &record, 1, &overwritten) == 1 && overwritten == 0 && record.time_us >= since_us) {
			end = middle;
			*time_us = record.time_us;
		} else
			oldest = middle + 1;
	}
	return oldest;
}

uint64_t frame_lines_look_back(struct frame_lines *lines, frame_reader *read, uint64_t oldest, uint64_t window_us, uint64_t now_us)
{
	uint64_t reach_us = now_us, time_us = now_us;
	lines->cursor = first_since(read, oldest, lines->end, window_us < now_us ? now_us - window_us : 0, &time_us);
	/* what the ring has lost may have been in the window */
	if (lines->cursor == oldest && oldest > 0 && oldest < lines->end)
		reach_us = time_us < now_us ? now_us - time_us : 0;
	return reach_us < window_us ? reach_us : window_us;
}
