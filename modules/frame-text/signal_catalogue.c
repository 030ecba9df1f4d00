/* See signal_catalogue.h. */
#include "signal_catalogue.h"

#include <string.h>

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
