/* See columns.h. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES_MAX 32 /* chosen: a double in full has 18, 33.333333333333336 */

size_t column_length(const uint8_t *line, size_t length)
{
	const uint8_t *tab = memchr(line, '\t', length);
	return tab ? (size_t)(tab - line) : length;
}

static bool is_decimal(const uint8_t *text, size_t length)
{
	size_t at = length > 0 && text[0] == '-';
	if (at >= length || length > NUMBER_BYTES_MAX || text[at] == '.' || text[length - 1] == '.')
		return false;
	for (bool has_point = false; at < length; at++) {
		bool is_point = text[at] == '.' && !has_point;
		if (!is_point && (text[at] < '0' || text[at] > '9'))
			return false;
		has_point = has_point || is_point;
	}
	return true;
}

bool column_number(const uint8_t *text, size_t length, double *value)
{
	char digits[NUMBER_BYTES_MAX + 1];
	while (length > 0 && text[length - 1] == ' ')
		length--;
	while (length > 0 && text[0] == ' ')
		text++, length--;
	if (length > 0 && memchr("SsTt", text[0], 4))
		text++, length--;
	if (length > 0 && text[length - 1] == '%')
		length--;
	if (!is_decimal(text, length))
		return false;
	memcpy(digits, text, length);
	digits[length] = 0;
	*value = strtod(digits, NULL);
	return true;
}
