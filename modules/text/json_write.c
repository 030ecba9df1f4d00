/* See json_write.h. */
#include "json_write.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define INTEGER_CHARACTERS 11 /* -2147483648 */

void json_put_integer(struct json_out *out, int value)
{
	char digits[INTEGER_CHARACTERS], *first = digits + sizeof digits;
	uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
	do
		*--first = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--first = '-';
	json_put(out, first, (size_t)(digits + sizeof digits - first));
}

static void put_unicode(struct json_out *out, unsigned character)
{
	char escape[] = "\\u0000";
	for (unsigned i = 0; i < 4; i++)
		escape[5 - i] = "0123456789abcdef"[character >> 4 * i & 15];
	json_put(out, escape, 6);
}

static void put_control(struct json_out *out, unsigned character)
{
	static const char letters[] = "btn\0fr"; /* of the characters 8 to 13 */
	char escape[] = {'\\', character >= 8 && character <= 13 ? letters[character - 8] : 0};
	if (escape[1])
		json_put(out, escape, sizeof escape);
	else
		put_unicode(out, character);
}

void json_put_string(struct json_out *out, const char *text)
{
	const uint8_t *at = (const uint8_t *)text, *start = at;
	json_put(out, "\"", 1);
	for (;;) {
		bool is_zero = at[0] == 0xc0 && at[1] == 0x80, is_surrogate = at[0] == 0xed && at[1] >= 0xa0;
		if (*at >= 0x20 && *at != '"' && *at != '\\' && !is_zero && !is_surrogate) {
			at++;
			continue;
		}
		json_put(out, (const char *)start, (size_t)(at - start));
		if (*at == 0)
			break;
		if (is_surrogate)
			put_unicode(out, 0xd000u | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu));
		else if (is_zero)
			put_unicode(out, 0);
		else if (*at < 0x20)
			put_control(out, *at);
		else
			json_put(out, (const char[]){'\\', (char)*at}, 2);
		at += is_surrogate ? 3 : is_zero ? 2 : 1;
		start = at;
	}
	json_put(out, "\"", 1);
}
