/* See percent.h. */
#include "percent.h"

#include <string.h>

#include "utf8.h"

static int digit_of(uint8_t byte)
{
	uint8_t letter = byte | 0x20;
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* The byte that stands at `*at`, which is moved behind it; -1 if that is a broken %XX. */
static int next_byte(const uint8_t *text, size_t length, size_t *at, bool plus_is_blank)
{
	uint8_t byte = text[(*at)++];
	if (byte != '%')
		return byte == '+' && plus_is_blank ? ' ' : byte;
	int high = length - *at > 1 ? digit_of(text[*at]) : -1;
	int low = high < 0 ? -1 : digit_of(text[*at + 1]);
	*at += 2;
	return low < 0 ? -1 : high << 4 | low;
}

size_t percent_decode(uint8_t *text, size_t length, bool plus_is_blank)
{
	size_t end = 0;
	for (size_t at = 0; at < length;) {
		int byte = next_byte(text, length, &at, plus_is_blank);
		if (byte <= 0)
			return SIZE_MAX;
		text[end++] = (uint8_t)byte;
	}
	for (size_t at = 0; at < end;) {
		size_t bytes = utf8_character(text + at, end - at);
		if (bytes == 0)
			return SIZE_MAX;
		at += bytes;
	}
	return end;
}

static bool is_encoded(const char *text, size_t length, const char *name)
{
	for (size_t at = 0; at < length;) {
		int byte = next_byte((const uint8_t *)text, length, &at, true);
		if (byte <= 0 || byte != (uint8_t)*name++)
			return false;
	}
	return *name == 0;
}

const char *percent_query_value(const char *query, const char *name, size_t *length)
{
	while (*query) {
		size_t all = strcspn(query, "&"), key = strcspn(query, "=&");
		if (is_encoded(query, key, name)) {
			size_t behind = key < all ? key + 1 : all;
			*length = all - behind;
			return query + behind;
		}
		query += query[all] ? all + 1 : all;
	}
	return NULL;
}
