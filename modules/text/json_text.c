#include "text.h"

#include <string.h>

#define NO_END SIZE_MAX
#define NO_UNIT UINT32_MAX
#define EXPONENT_DIGITS_MAX 2

/* ---- UTF-8 ---- */

static bool is_continuation(uint8_t byte)
{
	return (byte & 0xc0) == 0x80;
}

size_t utf8_character(const uint8_t *text, size_t length)
{
	if (length == 0)
		return 0;
	uint8_t first = text[0];
	if (first < 0x80)
		return 1;
	size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	if (bytes == 0 || bytes > length)
		return 0;
	/* what the first byte leaves open is overlong, a surrogate or too large */
	if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f))
		return 0;
	if ((first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f))
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if (!is_continuation(text[i]))
			return 0;
	return bytes;
}

size_t utf8_encode(const uint8_t *text, uint8_t *into)
{
	static const uint8_t replacement[] = { 0xef, 0xbf, 0xbd };
	size_t end = 0;
	if (!strchr((const char *)text, 0xc0) && !strchr((const char *)text, 0xed)) {
		end = strlen((const char *)text);
		if (into)
			memcpy(into, text, end);
		return end;
	}
	while (*text) {
		bool is_zero = text[0] == 0xc0 && text[1] == 0x80, is_surrogate = text[0] == 0xed && text[1] > 0x9f;
		size_t bytes = is_zero ? 1 : is_surrogate ? sizeof replacement : 1;
		if (into && is_surrogate)
			memcpy(into + end, replacement, bytes);
		else if (into)
			into[end] = is_zero ? 0 : *text;
		end += bytes;
		text += is_zero ? 2 : bytes;
	}
	return end;
}

/* ---- JSON ---- */

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

/*
 * A request may have 200 members, and there are 120 names: the C library's functions would take three times
 * as long.
 */
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

/*
 * Bytes of the escape whose backslash is at `text`, 0 if it is wrong. A high surrogate is one escape with its
 * low one.
 */
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

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

/*
 * Makes 99 of a larger exponent, with zeros before it: for three digits the engine takes 28,000 instructions,
 * 5,000 for two. No value of ours is beyond either.
 */
static void limit_exponent(uint8_t *number, size_t length)
{
	size_t first = length;
	while (first > 0 && is_digit(number[first - 1]))
		first--;
	size_t mark = first > 0 && (number[first - 1] == '-' || number[first - 1] == '+') ? first - 1 : first;
	if (mark == 0 || (number[mark - 1] | 0x20) != 'e')
		return;
	while (first < length && number[first] == '0')
		first++;
	if (length - first <= EXPONENT_DIGITS_MAX)
		return;
	memset(number + first, '0', length - first - EXPONENT_DIGITS_MAX);
	memset(number + length - EXPONENT_DIGITS_MAX, '9', EXPONENT_DIGITS_MAX);
}

static bool colon_follows(const uint8_t *text, size_t length, size_t at)
{
	while (at < length && is_blank(text[at]))
		at++;
	return at < length && text[at] == ':';
}

bool json_prepare(uint8_t *text, size_t length, const char *names, const struct json_limits *limits)
{
	size_t depth = 0, items = 0, at = 0;
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
			if (end == NO_END || end - start > limits->token_bytes)
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
			if (at - start > limits->token_bytes)
				return false;
			limit_exponent(text + start, at - start);
		}
	}
	return items > 0;
}
