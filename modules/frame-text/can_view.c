#include "frame_text.h"

#define STALE_MS 1500u        /* a frame that is older is not shown: docs/api.md, "CAN buses" */
#define RATE_WINDOW_US 1000000u /* over which frames are counted at least */
#define RATE_EXPIRES_US 10000000u /* a count that is older says nothing about now */

enum { COUPLING_LISTS = 2, LISTS = 4 };
#define STATE_ROWS 4u         /* two for each direction */
#define RAW_ROWS 32u          /* of each bus and direction: docs/api.md, "CAN buses" */
/* Frames of a bus that is nearly silent are not dug out from between many others. */
#define RECORDS_SEARCHED 512u

enum stage { OPEN_DECODED, DECODED, OPEN_RAW, RAW, CLOSE, COMPLETE };

static const char *const bus_names[GATEWAY_BUSES] = {"chassis", "haldex"};

/* ---- frames ---- */

static const struct coupling_report *report_of(unsigned generation)
{
	const struct coupling_report *report = coupling_reports;
	while (report->generation != generation && report->generation != 0)
		++report;
	return report;
}

static uint32_t frame_id(const struct coupling_report *report, unsigned frame)
{
	return frame < report->catalogue->frame_count ? catalogue_id(report->catalogue, frame) : report->id;
}

static void count_one(uint16_t *counted, uint16_t *hz10, uint32_t count, uint64_t elapsed_us)
{
	uint64_t frames = (uint16_t)(count - *counted);
	*hz10 = (uint16_t)(elapsed_us > RATE_EXPIRES_US ? 0 : (frames * 10000000u + elapsed_us / 2) / elapsed_us);
	*counted = (uint16_t)count;
}

static void count_frames(struct can_view_rates *rates, latest_reader *latest, const struct coupling_report *report, uint64_t now_us)
{
	const struct catalogue *catalogue = report->catalogue;
	if (rates->catalogue != catalogue) {
		memset(rates, 0, sizeof *rates);
		rates->catalogue = catalogue;
	} else if (now_us - rates->counted_us < RATE_WINDOW_US)
		return;
	uint64_t elapsed_us = rates->counted_us > 0 ? now_us - rates->counted_us : RATE_EXPIRES_US + 1;
	rates->counted_us = now_us;
	for (unsigned frame = 0; frame <= catalogue->frame_count; ++frame)
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
			struct gateway_latest seen;
			if (!latest(bus, frame_id(report, frame), &seen))
				continue;
			count_one(&rates->of[frame][bus][0].count, &rates->of[frame][bus][0].hz10, seen.received.count, elapsed_us);
			count_one(&rates->of[frame][bus][1].count, &rates->of[frame][bus][1].hz10, seen.sent.count, elapsed_us);
		}
}

/* Reads a frame as it was seen on a bus. Returns false if there was none, or it is stale. */
static bool read_frame(const struct can_view *view, unsigned frame, uint32_t id, unsigned bus, bool sent, struct can_view_frame *into)
{
	unsigned received_on = sent ? bus ^ 1 : bus;
	struct gateway_latest latest;
	if (!view->latest(received_on, id, &latest))
		return false;
	const struct gateway_seen *seen = sent ? &latest.sent : &latest.received;
	/* it may have come since the answer began */
	uint64_t age_ms = seen->time_us < view->now_us ? (view->now_us - seen->time_us) / 1000 : 0;
	if (seen->count == 0 || age_ms > STALE_MS)
		return false;
	*into = (struct can_view_frame){
		.id = id & ~GATEWAY_EXTENDED,
		.age_ms = (uint32_t)age_ms,
		.ts_ms = (uint32_t)(view->now_us / 1000 - age_ms),
		.hz10 = view->rates->of[frame][received_on][sent].hz10,
		.bus = (uint8_t)bus,
		.dlc = seen->dlc,
		.sent = sent,
		.generated = sent && bus == GATEWAY_COUPLING && (seen->flags & (GATEWAY_CHANGED | GATEWAY_CYCLIC)),
	};
	memcpy(into->data, seen->data, 8);
	return true;
}

/* Rows that the chassis bus could fill, up to `most`. */
static uint32_t count_chassis(const struct can_view *view, uint32_t most)
{
	const struct catalogue *catalogue = view->report->catalogue;
	uint32_t count = 0;
	for (unsigned i = 0; i < catalogue->frame_count && count < most; ++i)
		for (unsigned sent = 0; sent < 2; ++sent) {
			struct can_view_frame seen;
			if (read_frame(view, i, catalogue_id(catalogue, i), GATEWAY_CHASSIS, sent, &seen))
				count += catalogue_frame(catalogue, i).signal_count;
		}
	return count < most ? count : most;
}

void can_view_begin(struct can_view *view, struct can_view_rates *rates, latest_reader *latest, frame_reader *read, unsigned generation,
	unsigned rows, uint32_t decoded_limit, uint32_t raw_limit, uint64_t first, uint64_t end, uint64_t now_us)
{
	bool coupling = rows & (ROW_COUPLING_RECEIVED | ROW_COUPLING_SENT);
	bool chassis = rows & (ROW_CHASSIS_RECEIVED | ROW_CHASSIS_SENT);
	*view = (struct can_view){
		.rates = rates,
		.latest = latest,
		.read = read,
		.now_us = now_us,
		.report = report_of(generation),
		.list = coupling ? 0 : COUPLING_LISTS,
		.end_list = chassis ? LISTS : COUPLING_LISTS,
		.state_row = coupling ? 0 : STATE_ROWS,
		.left = decoded_limit,
		.rows = rows,
		.raw_left = raw_limit,
		.row_left = {RAW_ROWS, RAW_ROWS, RAW_ROWS, RAW_ROWS},
		.next = end,
		.oldest = end - first > RECORDS_SEARCHED ? end - RECORDS_SEARCHED : first,
	};
	count_frames(rates, latest, view->report, now_us);
	view->coupling_left = coupling && chassis ? decoded_limit - count_chassis(view, decoded_limit / 2) : decoded_limit;
}

/* ---- JSON ---- */

static char *put_place(char *at, unsigned bus, bool sent, uint32_t id)
{
	at = put_text(at, "{\"bus\":\"");
	at = put_text(at, bus_names[bus]);
	at = put_text(at, sent ? "\",\"dir\":\"TX\",\"id\":" : "\",\"dir\":\"RX\",\"id\":");
	return put_decimal(at, id);
}

static char *put_time(char *at, uint32_t ts_ms, bool generated, uint32_t age_ms)
{
	at = put_text(at, ",\"ts\":");
	at = put_decimal(at, ts_ms);
	at = put_text(at, generated ? ",\"generated\":true,\"ageMs\":" : ",\"generated\":false,\"ageMs\":");
	return put_decimal(at, age_ms);
}

/*
 * With three decimals; a float32 times 1000 is exact in a double, and rounds as Number.prototype.toFixed
 * does.
 */
static char *put_value(char *at, float value)
{
	double size = value < 0 ? -(double)value : (double)value;
	if (value < 0)
		*at++ = '-';
	if (size >= 1e15) /* a whole number; no signal reaches 2^64 */
		return put_text(put_decimal64(at, (uint64_t)size), ".000");
	uint64_t thousandths = (uint64_t)(size * 1000 + 0.5);
	at = put_decimal64(at, thousandths / 1000);
	*at++ = '.';
	return put_padded(at, (uint32_t)(thousandths % 1000), 3);
}

static char *put_frame_end(char *at, const struct can_view_frame *frame)
{
	at = put_time(at, frame->ts_ms, frame->generated, frame->age_ms);
	at = put_text(at, ",\"hz\":");
	at = put_decimal(at, frame->hz10 / 10u);
	if (frame->hz10 % 10) {
		*at++ = '.';
		*at++ = (char)('0' + frame->hz10 % 10);
	}
	return put_text(at, "}");
}

static char *put_signal(char *at, const struct can_view_frame *frame, const struct catalogue_signal *signal, float value)
{
	at = put_place(at, frame->bus, frame->sent, frame->id);
	at = put_text(at, ",\"name\":\"");
	at = put_bytes(at, signal->text, signal->name_length);
	at = put_text(at, "\",\"value\":");
	at = put_value(at, value);
	at = put_text(at, ",\"unit\":\"");
	at = put_text(at, signal->unit);
	at = put_text(at, signal->codes_known ? "\",\"codesKnown\":true" : "\",\"codesKnown\":false");
	return put_frame_end(at, frame);
}

/* The status byte in words: `8 (Coupling open)`, `0 (None)`. */
static char *put_state(char *at, unsigned state, const struct coupling_report *report)
{
	const char *separator = " (";
	at = put_decimal(at, state);
	for (unsigned bit = 0; bit < 8; ++bit)
		if (state >> bit & 1 && report->flags[bit]) {
			at = put_text(put_text(at, separator), report->flags[bit]);
			separator = ", ";
		}
	return put_text(at, separator[0] == ' ' ? " (None)" : ")");
}

/* ---- decoded rows ---- */

/* State or engagement that the coupling reports. Returns `at` if it does not. */
static char *put_state_row(const struct can_view *view, unsigned row, char *at)
{
	const struct coupling_report *report = view->report;
	bool is_state = row % 2 == 0;
	struct can_view_frame frame;
	unsigned number = 0;
	while (frame_id(report, number) != report->id)
		++number;
	if (!read_frame(view, number, report->id, GATEWAY_COUPLING, row >= 2, &frame))
		return at;
	unsigned byte = is_state ? report->state : report->engagement;
	unsigned value = frame.data[byte];
	if (frame.dlc <= byte)
		return at;
	at = put_place(at, frame.bus, frame.sent, frame.id);
	at = put_text(at, is_state ? ",\"name\":\"Haldex state\",\"value\":\"" : ",\"name\":\"Engagement\",\"value\":");
	at = is_state ? put_text(put_state(at, value, report), "\"") : put_decimal(at, value);
	at = put_text(at, ",\"unit\":\"\",\"codesKnown\":true");
	return put_frame_end(at, &frame);
}

static void next_frame(struct can_view *view)
{
	const struct catalogue *catalogue = view->report->catalogue;
	if (view->frame >= catalogue->frame_count) {
		view->frame = 0;
		++view->list;
		return;
	}
	unsigned number = view->frame++;
	unsigned bus = view->list < COUPLING_LISTS ? GATEWAY_COUPLING : GATEWAY_CHASSIS;
	if (!read_frame(view, number, catalogue_id(catalogue, number), bus, view->list % 2, &view->seen))
		return;
	struct catalogue_frame frame = catalogue_frame(catalogue, number);
	struct catalogue_signal selector;
	view->signal = frame.signals;
	view->is_selected = catalogue_selector(&frame, &selector) && signal_raw(&selector, view->seen.data, view->seen.dlc, &view->selected);
}

/* Returns `at` if the frame does not carry the signal, and after the last one. */
static char *put_next_signal(struct can_view *view, char *at)
{
	struct catalogue_signal signal;
	float value;
	if (!catalogue_signal(&view->signal, &signal)) {
		view->signal = NULL;
		return at;
	}
	bool is_absent = signal.mux >= 0 && !(view->is_selected && view->selected == (uint64_t)signal.mux);
	if (is_absent || !signal_value(&signal, view->seen.data, view->seen.dlc, &value))
		return at;
	return put_signal(at, &view->seen, &signal, value);
}

static void skip_to_chassis(struct can_view *view)
{
	view->state_row = STATE_ROWS;
	view->signal = NULL;
	view->list = COUPLING_LISTS;
	view->frame = 0;
}

/* The next decoded row; `at` after the last one. */
static char *put_decoded(struct can_view *view, char *at)
{
	for (char *start = at; at == start;) {
		if (view->list < COUPLING_LISTS && view->coupling_left == 0)
			skip_to_chassis(view);
		if (view->left == 0)
			return start;
		if (view->state_row < STATE_ROWS)
			at = put_state_row(view, view->state_row++, at);
		else if (view->signal)
			at = put_next_signal(view, at);
		else if (view->list >= view->end_list)
			return start;
		else
			next_frame(view);
	}
	--view->left;
	if (view->list < COUPLING_LISTS)
		--view->coupling_left;
	return at;
}

/* ---- raw rows ---- */

static char *put_raw_row(const struct can_view *view, bool sent, char *at)
{
	const struct gateway_record *record = &view->record;
	uint32_t ts_ms = (uint32_t)(record->time_us / 1000);
	uint64_t age_ms = view->now_us / 1000 - record->time_us / 1000;
	at = put_place(at, sent ? frame_sent_on(record) : record->bus, sent, record->id & ~(GATEWAY_EXTENDED | GATEWAY_REMOTE));
	at = put_text(at, ",\"dlc\":");
	at = put_decimal(at, record->dlc[sent]);
	at = put_text(at, ",\"data\":\"");
	at = put_hex_bytes(at, sent ? record->sent : record->received, record->id & GATEWAY_REMOTE ? 0 : record->dlc[sent], ' ', lower_hex);
	*at++ = '"';
	at = put_time(at, ts_ms, sent && frame_generated(record), (int64_t)age_ms > 0 ? (uint32_t)age_ms : 0);
	return put_text(at, "}");
}

/* The next raw row; `at` after the last one. What was sent comes first, for it left after it came. */
static char *put_raw(struct can_view *view, char *at)
{
	while (view->record_rows == 0) {
		uint64_t overwritten;
		if (view->raw_left == 0 || view->rows == 0 || view->next <= view->oldest)
			return at;
		uint64_t cursor = --view->next;
		if (view->read(&cursor, &view->record, 1, &overwritten) == 0 || overwritten > 0)
			view->next = view->oldest; /* those before it are gone as well */
		else
			view->record_rows = frame_rows(&view->record) & view->rows;
	}
	if (view->raw_left == 0)
		return at;
	bool sent = view->record_rows & ROWS_SENT;
	unsigned row = sent ? view->record_rows & ROWS_SENT : view->record_rows;
	unsigned number = 0;
	while (1u << number != row)
		++number;
	at = put_raw_row(view, sent, at);
	--view->raw_left;
	if (--view->row_left[number] == 0)
		view->rows &= ~row;
	view->record_rows &= ~row & view->rows;
	return at;
}

/* ---- the answer ---- */

static char *put_list(struct can_view *view, char *(*put_row)(struct can_view *view, char *at), char *at, const char *end)
{
	while ((size_t)(end - at) >= CAN_VIEW_ROW_BYTES) {
		if (view->comma)
			*at = ',';
		char *row = at + view->comma;
		char *next = put_row(view, row);
		if (next == row) {
			++view->stage;
			return at;
		}
		at = next;
		view->comma = true;
	}
	return at;
}

char *can_view_write(struct can_view *view, char *at, const char *end)
{
	while ((size_t)(end - at) >= CAN_VIEW_ROW_BYTES && view->stage != COMPLETE)
		switch (view->stage) {
		case DECODED:
			at = put_list(view, put_decoded, at, end);
			break;
		case RAW:
			at = put_list(view, put_raw, at, end);
			break;
		default: {
			static const char *const brackets[] = {[OPEN_DECODED] = "{\"decoded\":[", [OPEN_RAW] = "],\"raw\":[", [CLOSE] = "]}"};
			at = put_text(at, brackets[view->stage++]);
			view->comma = false;
		}
		}
	return at;
}

bool can_view_is_complete(const struct can_view *view)
{
	return view->stage == COMPLETE;
}
