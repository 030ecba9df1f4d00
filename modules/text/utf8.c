/* See utf8.h. */
#include "utf8.h"

#include <stdbool.h>
#include <string.h>

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
