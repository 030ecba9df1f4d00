/* See hexadecimal.h. */
#include "hexadecimal.h"

#include <string.h>

/* Chosen: `0x` and 8 digits with a blank between any two have 19; half is less, twice helps nobody. */
#define VALUE_CHARACTERS_MAX 32
#define VALUE_DIGITS_MAX 8

void hex_write(const uint8_t *bytes, size_t length, bool spaced, uint8_t *text)
{
	static const char DIGITS[] = "0123456789abcdef";
	for (size_t i = 0; i < length; i++) {
		if (spaced && i > 0)
			*text++ = ' ';
		*text++ = (uint8_t)DIGITS[bytes[i] >> 4];
		*text++ = (uint8_t)DIGITS[bytes[i] & 15];
	}
}

void hex_write_number(uint32_t value, size_t digits, uint8_t *text)
{
	for (; digits > 0; value >>= 4)
		text[--digits] = (uint8_t)"0123456789ABCDEF"[value & 15];
}

static int digit_value(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	character |= 0x20;
	return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

int64_t hex_value(const char *text, size_t length)
{
	char digits[VALUE_CHARACTERS_MAX];
	size_t count = 0, at = 0;
	if (length > VALUE_CHARACTERS_MAX)
		return -1;
	for (size_t i = 0; i < length; i++)
		if (text[i] != ' ' && text[i] != '_')
			digits[count++] = text[i];
	if (count >= 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x')
		at = 2;
	if (count == at || count - at > VALUE_DIGITS_MAX)
		return -1;
	int64_t value = 0;
	for (; at < count; at++) {
		int digit = digit_value(digits[at]);
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

size_t hex_item_length(const char *list)
{
	return strcspn(list, ",;\t\r\n");
}

size_t printable_write(const uint8_t *bytes, size_t length, uint8_t *text)
{
	size_t count = 0, others = 0;
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] >= ' ' && bytes[i] < 0x7f)
			text[count++] = bytes[i];
		else if (bytes[i] != 0 && ++others * 4 > length)
			return SIZE_MAX;
	}
	return length > 0 ? count : SIZE_MAX;
}
