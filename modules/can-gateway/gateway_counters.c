/* See gateway_counters.h. */
#include "gateway_counters.h"

#include <stddef.h>

static char *put_text(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	return at;
}

static char *put_number(char *at, uint32_t number)
{
	char digits[11];
	char *first = digits + sizeof digits - 1;
	*first = 0;
	do
		*--first = (char)('0' + number % 10);
	while (number /= 10);
	return put_text(at, first);
}

void gateway_counters_json(const uint32_t counters[GATEWAY_COUNTER_COUNT], char text[GATEWAY_COUNTERS_JSON_BYTES])
{
	static const char *const names[] = {
#define X(name, json) "\"" #json "\":",
		GATEWAY_COUNTER_LIST(X)
#undef X
	};
	char *at = text;
	for (size_t i = 0; i < GATEWAY_COUNTER_COUNT; ++i) {
		*at++ = i ? ',' : '{';
		at = put_number(put_text(at, names[i]), counters[i]);
	}
	*at++ = '}';
	*at = 0;
}
