/* See base64.h. */
#include "base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_decode(uint8_t *text, size_t length)
{
	uint32_t bits = 0;
	int count = 0;
	size_t end = 0;
	for (size_t at = 0; at < length && text[at] != '='; at++) {
		const char *digit = memchr(digits, text[at], sizeof digits - 1);
		if (!digit)
			return 0;
		bits = (bits << 6 | (uint32_t)(digit - digits)) & 0xffff;
		count += 6;
		if (count < 8)
			continue;
		count -= 8;
		text[end++] = (uint8_t)(bits >> count);
	}
	return end;
}
