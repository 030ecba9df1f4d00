/* See text_out.h. */
#include "text_out.h"

#define BILLION 1000000000u

const char lower_hex[16] = "0123456789abcdef", upper_hex[16] = "0123456789ABCDEF";

char *put_decimal(char *at, uint32_t value)
{
	char digits[10];
	unsigned first = sizeof digits;
	do
		digits[--first] = (char)('0' + value % 10);
	while (value /= 10);
	return put_bytes(at, digits + first, sizeof digits - first);
}

char *put_decimal64(char *at, uint64_t value)
{
	if (value <= UINT32_MAX)
		return put_decimal(at, (uint32_t)value);
	return put_padded(put_decimal64(at, value / BILLION), (uint32_t)(value % BILLION), 9);
}

char *put_padded(char *at, uint32_t value, unsigned digits)
{
	for (unsigned i = digits; i-- > 0; value /= 10)
		at[i] = (char)('0' + value % 10);
	return at + digits;
}

char *put_hex(char *at, uint32_t value, unsigned digits, const char *alphabet)
{
	for (unsigned i = digits; i-- > 0; value >>= 4)
		at[i] = alphabet[value & 15];
	return at + digits;
}

unsigned hex_digits(uint32_t value)
{
	unsigned digits = 1;
	while (value >>= 4)
		++digits;
	return digits;
}

char *put_hex_bytes(char *at, const uint8_t *bytes, unsigned count, char separator, const char *alphabet)
{
	if (count == 0)
		return at;
	for (const uint8_t *byte = bytes; byte < bytes + count; ++byte) {
		*at++ = alphabet[*byte >> 4];
		*at++ = alphabet[*byte & 15];
		if (separator)
			*at++ = separator;
	}
	return separator ? at - 1 : at;
}
