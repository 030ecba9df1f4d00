#include "frame_text.h"

#define EXTENDED 0x80000000u

static const char *read_number(const char *at, unsigned *value)
{
	for (*value = 0; *at >= '0' && *at <= '9'; ++at)
		*value = *value * 10 + (unsigned)(*at - '0');
	return at;
}

/*
 * A decimal number without exponent. With up to 15 digits and powers of ten that a double holds, one
 * operation rounds it rightly.
 */
static const char *read_decimal(const char *at, float *value)
{
	bool is_negative = *at == '-';
	double scale = 1;
	uint64_t digits = 0;
	if (is_negative)
		++at;
	for (bool is_fraction = false; (*at >= '0' && *at <= '9') || *at == '.'; ++at) {
		if (*at == '.') {
			is_fraction = true;
			continue;
		}
		digits = digits * 10 + (unsigned)(*at - '0');
		if (is_fraction)
			scale *= 10;
	}
	double number = (double)digits / scale;
	*value = (float)(is_negative ? -number : number);
	return at;
}

static char *put_unpacked(char *at, uint8_t byte)
{
	if (byte < PACKED_FROM) {
		*at = (char)byte;
		return at + 1;
	}
	const uint8_t *pair = catalogue_pairs[byte - PACKED_FROM];
	return put_unpacked(put_unpacked(at, pair[0]), pair[1]);
}

const char *catalogue_text(const char *packed, char text[CATALOGUE_TEXT_BYTES])
{
	char *at = text;
	while (*packed != '|')
		at = put_unpacked(at, (uint8_t)*packed++);
	*at = 0;
	return packed + 1;
}

uint32_t catalogue_id(const struct catalogue *catalogue, unsigned index)
{
	const char *at = catalogue->frames[index];
	uint32_t id = 0;
	for (; *at != ' ' && *at != 'x'; ++at)
		id = id << 4 | (uint32_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
	return *at == 'x' ? id | EXTENDED : id;
}

struct catalogue_frame catalogue_frame(const struct catalogue *catalogue, unsigned index)
{
	struct catalogue_frame frame = {
		.id = catalogue_id(catalogue, index),
		.signals = strchr(catalogue->frames[index], '|') + 1,
	};
	for (const char *at = frame.signals; *at; ++at)
		frame.signal_count += *at == '|';
	return frame;
}

const char *catalogue_find(const struct catalogue *catalogue, uint32_t id)
{
	for (unsigned i = 0; i < catalogue->frame_count; ++i)
		if ((catalogue_id(catalogue, i) & ~EXTENDED) == id)
			return catalogue->frames[i];
	return NULL;
}

bool catalogue_signal(const char **packed, struct catalogue_signal *signal)
{
	unsigned number = 0;
	if (!**packed)
		return false;
	*signal = (struct catalogue_signal){.scale = "1,0", .scale_length = 3, .factor = 1, .mux = MUX_NONE};
	*packed = catalogue_text(*packed, signal->text);
	const char *at = strchr(signal->text, ',');
	signal->name_length = (unsigned)(at - signal->text);
	at = read_number(at + 1, &signal->start);
	at = read_number(at + 1, &signal->length);
	signal->codes_known = signal->length == 1;
	if (*at == ',') {
		for (++at; *at != ',' && *at;) {
			switch (*at++) {
			case 'B':
				signal->is_motorola = true;
				break;
			case 'S':
				signal->is_signed = true;
				break;
			case 'K':
				signal->codes_known = true;
				break;
			case 'M':
				signal->mux = MUX_SELECTOR;
				break;
			default:
				at = read_number(at, &number);
				signal->mux = (int)number;
			}
		}
		number = 0;
		if (*at == ',') {
			signal->scale = at + 1;
			at = read_decimal(at + 1, &signal->factor);
			at = read_decimal(at + 1, &signal->offset);
			signal->scale_length = (unsigned)(at - signal->scale);
			at = read_number(at + 1, &number);
		}
	}
	signal->unit = catalogue_units[number];
	return true;
}

const char *catalogue_selecting(const char *frame)
{
	struct catalogue_signal signal;
	if (!strstr(frame, ",m")) /* nothing else there begins with a small letter */
		return NULL;
	for (const char *next = strchr(frame, '|') + 1, *at = next; catalogue_signal(&next, &signal); at = next)
		if (signal.mux == MUX_SELECTOR)
			return at;
	return NULL;
}

bool catalogue_selector(const struct catalogue_frame *frame, struct catalogue_signal *signal)
{
	const char *at = catalogue_selecting(frame->signals - 1);
	return at && catalogue_signal(&at, signal);
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether a signal's text begins with that name, in capitals or not, and underscores at its end. */
static bool has_name(const char *text, const char *name)
{
	for (; *name; ++name, ++text)
		if (small(*text) != *name)
			return false;
	while (*text == '_')
		++text;
	return *text == ',';
}

const char *catalogue_named(const char *frame, const char *name)
{
	char text[CATALOGUE_TEXT_BYTES];
	for (const char *next = strchr(frame, '|') + 1, *at = next; *at; at = next) {
		next = catalogue_text(at, text);
		if (has_name(text, name))
			return at;
	}
	return NULL;
}

bool signal_raw(const struct catalogue_signal *signal, const uint8_t data[8], unsigned dlc, uint64_t *raw)
{
	/* a Motorola signal starts with its most significant bit, counted from that of byte 0 on */
	unsigned start = signal->is_motorola ? (signal->start ^ 7u) : signal->start;
	if (start + signal->length > 8 * dlc)
		return false;
	uint64_t bits = 0;
	for (unsigned i = 0; i < 8; ++i)
		bits = bits << 8 | data[signal->is_motorola ? i : 7 - i];
	unsigned above = signal->is_motorola ? start : 64 - start - signal->length;
	bits <<= above;
	unsigned unused = 64 - signal->length;
	*raw = signal->is_signed ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
	return true;
}

bool signal_value(const struct catalogue_signal *signal, const uint8_t data[8], unsigned dlc, float *value)
{
	uint64_t raw;
	if (!signal_raw(signal, data, dlc, &raw))
		return false;
	float number = signal->is_signed ? (float)(int64_t)raw : (float)raw;
	volatile float product = number * signal->factor; /* else compilers make one operation, rounded once, of both */
	*value = product + signal->offset;
	return true;
}

/* ---- the DBC file ---- */

enum stage { HEAD, FRAMES, VALUES, COMPLETE };

static const char *const left_out[] = {"GK1_Counter_Trailer", "PLA_Bremsmoment", "GK1_Charisma_Mode"};

static bool is_left_out(const struct catalogue_signal *signal)
{
	for (unsigned i = 0; i < sizeof left_out / sizeof *left_out; ++i)
		if (strlen(left_out[i]) == signal->name_length && memcmp(left_out[i], signal->text, signal->name_length) == 0)
			return true;
	return false;
}

static char *put_signal(char *at, const struct catalogue_signal *signal)
{
	at = put_text(at, " SG_ ");
	at = put_bytes(at, signal->text, signal->name_length);
	if (signal->mux == MUX_SELECTOR)
		at = put_text(at, " M");
	else if (signal->mux >= 0)
		at = put_decimal(put_text(at, " m"), (uint32_t)signal->mux);
	at = put_decimal(put_text(at, " : "), signal->start);
	at = put_decimal(put_text(at, "|"), signal->length);
	at = put_text(at, signal->is_motorola ? "@0" : "@1");
	at = put_text(at, signal->is_signed ? "- (" : "+ (");
	at = put_bytes(at, signal->scale, signal->scale_length);
	at = put_text(at, ") [0|0] \"");
	at = put_text(at, signal->unit);
	return put_text(at, "\" Vector__XXX\n");
}

/* Length of the frame at an index as it is sent: strict readers reject frames of another length. */
static unsigned bytes_of(const struct dbc_file *file, const struct catalogue *catalogue, unsigned index)
{
	uint32_t id = catalogue_id(catalogue, index);
	if (id == coupling_reports[file->network].id && file->report_bytes)
		return file->report_bytes;
	const struct short_frame *short_frame = short_frames[file->network];
	while (short_frame->bytes && short_frame->id != id)
		++short_frame;
	return short_frame->bytes ? short_frame->bytes : 8;
}

static char *put_frame(char *at, const struct catalogue *catalogue, unsigned index, unsigned bytes)
{
	char name[CATALOGUE_TEXT_BYTES];
	catalogue_text(strchr(catalogue->frames[index], ' ') + 1, name);
	at = put_decimal(put_text(at, "BO_ "), catalogue_id(catalogue, index));
	*at++ = ' ';
	at = put_text(at, name);
	at = put_decimal(put_text(at, ": "), bytes);
	return put_text(at, " Vector__XXX\n");
}

/* The next line of the frames; `at`: this step found no line. */
static char *put_frame_line(struct dbc_file *file, char *at)
{
	const struct catalogue *catalogue = file->own ? &own_frames[file->network] : &catalogues[file->network];
	struct catalogue_signal signal;
	if (!file->signal) {
		if (file->frame < catalogue->frame_count) {
			file->signal = catalogue_frame(catalogue, file->frame).signals;
			unsigned index = file->frame++;
			return put_frame(at, catalogue, index, bytes_of(file, catalogue, index));
		}
		file->frame = 0;
		file->stage += file->own;
		file->own = true;
		return at;
	}
	if (catalogue_signal(&file->signal, &signal)) {
		bool is_beyond = signal.start + signal.length > 8 * bytes_of(file, catalogue, file->frame - 1) && !signal.is_motorola;
		return is_beyond || is_left_out(&signal) ? at : put_signal(at, &signal);
	}
	file->signal = NULL;
	return put_text(at, "\n");
}

char *dbc_file_write(struct dbc_file *file, char *at, const char *end)
{
	while ((size_t)(end - at) >= DBC_LINE_BYTES && file->stage != COMPLETE)
		switch (file->stage) {
		case HEAD:
			at = put_text(at, "VERSION \"OpenCoupling\"\n\nNS_ :\n\nBS_:\n\nBU_:\n\n");
			++file->stage;
			break;
		case FRAMES:
			at = put_frame_line(file, at);
			break;
		default:
			at = put_text(at, dbc_values);
			++file->stage;
		}
	return at;
}

bool dbc_file_is_complete(const struct dbc_file *file)
{
	return file->stage == COMPLETE;
}
