/* See percent.h. */
#include "percent.h"

#include "utf8.h"

static int digit_of(uint8_t byte)
{
	uint8_t letter = byte | 0x20;
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

size_t percent_decode(uint8_t *text, size_t length, bool plus_is_blank)
{
	size_t end = 0;
	for (size_t at = 0; at < length; at++) {
		uint8_t byte = text[at];
		if (byte == '%') {
			int high = length - at > 2 ? digit_of(text[at + 1]) : -1;
			int low = high < 0 ? -1 : digit_of(text[at + 2]);
			if (low < 0)
				return SIZE_MAX;
			byte = (uint8_t)(high << 4 | low);
			at += 2;
		} else if (byte == '+' && plus_is_blank)
			byte = ' ';
		if (byte == 0)
			return SIZE_MAX;
		text[end++] = byte;
	}
	for (size_t at = 0; at < end;) {
		size_t bytes = utf8_character(text + at, end - at);
		if (bytes == 0)
			return SIZE_MAX;
		at += bytes;
	}
	return end;
}
