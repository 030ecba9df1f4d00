/* See json_text.h. */
#include "json_text.h"

#include <string.h>

#include "utf8.h"

#define NO_END SIZE_MAX
#define NO_UNIT UINT32_MAX
#define NUMBER_BYTES_MAX 24 /* of a double in full: -1.2345678901234567e-300 */
#define NUMBER_BYTES_EASY 15
#define EXPONENT_BYTES_EASY 4 /* e-99 */

static bool is_blank(uint8_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* What ends a number or one of true, false and null. */
static bool is_structure(uint8_t byte)
{
	return is_blank(byte) || (byte != 0 && strchr("{}[]:,\"", byte));
}

static bool is_end(char character)
{
	return character == ' ' || character == 0;
}

/* A request may have 200 members, and there are 120 names: the C library's functions would take three times as long. */
static bool is_name(const uint8_t *text, size_t length, const char *names)
{
	for (;;) {
		size_t at = 0;
		while (at < length && !is_end(names[at]) && names[at] == (char)text[at])
			at++;
		if (at == length && is_end(names[at]))
			return true;
		while (!is_end(names[at]))
			at++;
		if (names[at] == 0)
			return false;
		names += at + 1;
	}
}

/* The UTF-16 unit of four hexadecimal digits; NO_UNIT if they are none. */
static uint32_t unit_at(const uint8_t *digits, size_t length)
{
	uint32_t unit = 0;
	if (length < 4)
		return NO_UNIT;
	for (size_t i = 0; i < 4; i++) {
		uint8_t letter = digits[i] | 0x20;
		if (digits[i] >= '0' && digits[i] <= '9')
			unit = unit << 4 | (uint32_t)(digits[i] - '0');
		else if (letter >= 'a' && letter <= 'f')
			unit = unit << 4 | (uint32_t)(letter - 'a' + 10);
		else
			return NO_UNIT;
	}
	return unit;
}

/* Bytes of the escape whose backslash is at `text`, 0 if it is wrong. A high surrogate is one escape with its low one. */
static size_t escape_bytes(const uint8_t *text, size_t length)
{
	if (length < 2)
		return 0;
	if (text[1] != 'u')
		return text[1] != 0 && strchr("\"\\/bfnrt", text[1]) ? 2 : 0;
	uint32_t unit = unit_at(text + 2, length - 2);
	if (unit == NO_UNIT || (unit >= 0xdc00 && unit <= 0xdfff))
		return 0;
	if (unit < 0xd800 || unit > 0xdbff)
		return 6;
	if (length < 8 || text[6] != '\\' || text[7] != 'u')
		return 0;
	uint32_t low = unit_at(text + 8, length - 8);
	return low != NO_UNIT && low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

/* Index of the quote that ends the string whose characters begin at `start`; NO_END if it is wrong. */
static size_t string_end(const uint8_t *text, size_t length, size_t start)
{
	size_t at = start;
	while (at < length && text[at] != '"') {
		size_t bytes;
		if (text[at] == '\\')
			bytes = escape_bytes(text + at, length - at);
		else
			bytes = text[at] < ' ' ? 0 : utf8_character(text + at, length - at);
		if (bytes == 0)
			return NO_END;
		at += bytes;
	}
	return at < length ? at : NO_END;
}

/*
 * What it takes the engine to make a number of it, in units of some 3,000 instructions: with 15 characters hardly any, with more of them or an
 * exponent its strtod() calculates with as many digits as both say, up to 28,000 instructions. SIZE_MAX: it is too long. What is no number is 0.
 */
static size_t number_work(const uint8_t *text, size_t length)
{
	const uint8_t *end = text + length, *exponent = text;
	if (*text != '-' && (*text < '0' || *text > '9'))
		return 0;
	while (exponent < end && (*exponent | 0x20) != 'e')
		exponent++;
	if (length > NUMBER_BYTES_MAX)
		return SIZE_MAX;
	if (exponent < end)
		return end - exponent > EXPONENT_BYTES_EASY ? 10 : 2;
	return length > NUMBER_BYTES_EASY;
}

static bool colon_follows(const uint8_t *text, size_t length, size_t at)
{
	while (at < length && is_blank(text[at]))
		at++;
	return at < length && text[at] == ':';
}

bool json_prepare(uint8_t *text, size_t length, const char *names, const struct json_limits *limits)
{
	size_t depth = 0, items = 0, at = 0, left = limits->number_work;
	uint32_t objects = 0;         /* bit n: level n is an object */
	bool name_expected = false;   /* after `{`, and after `,` in an object */
	if (limits->depth >= 32)
		return false;
	while (at < length) {
		uint8_t byte = text[at];
		if (is_blank(byte)) {
			at++;
			continue;
		}
		bool is_member = name_expected && byte == '"';
		name_expected = (byte == ',' && (objects >> depth & 1)) || byte == '{';
		if (byte == ':' || byte == ',') {
			at++;
			continue;
		}
		if (byte == '}' || byte == ']') {
			if (depth == 0)
				return false;
			depth--;
			at++;
			continue;
		}
		if (++items > limits->items)
			return false;
		if (byte == '"') {
			size_t start = at + 1, end = string_end(text, length, start);
			if (end == NO_END || end - start > limits->string_bytes)
				return false;
			/* the parser makes a name of it before it misses the colon */
			if (is_member && !colon_follows(text, length, end + 1))
				return false;
			if (is_member && end > start && !is_name(text + start, end - start, names)) {
				text[start] = '"';
				memset(text + start + 1, ' ', end - start);
			}
			at = end + 1;
		} else if (byte == '{' || byte == '[') {
			if (++depth > limits->depth)
				return false;
			objects = byte == '{' ? objects | 1u << depth : objects & ~(1u << depth);
			at++;
		} else {
			size_t start = at;
			while (at < length && !is_structure(text[at]))
				if (text[at++] >= 0x80)
					return false;
			size_t work = number_work(text + start, at - start);
			if (work > left)
				return false;
			left -= work;
		}
	}
	return items > 0;
}
