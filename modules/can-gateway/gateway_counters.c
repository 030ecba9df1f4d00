/* See gateway_counters.h. */
#include "gateway_counters.h"

#include <inttypes.h>
#include <stdio.h>

void gateway_counters_json(const uint32_t counters[GATEWAY_COUNTER_COUNT], char text[GATEWAY_COUNTERS_JSON_BYTES])
{
	static const char *const names[] = {
#define X(name, json) #json,
		GATEWAY_COUNTER_LIST(X)
#undef X
	};
	int at = 0;
	for (int i = 0; i < GATEWAY_COUNTER_COUNT; ++i)
		at += snprintf(text + at, GATEWAY_COUNTERS_JSON_BYTES - (size_t)at, "%c\"%s\":%" PRIu32, i ? ',' : '{', names[i], counters[i]);
	text[at] = '}';
	text[at + 1] = 0;
}
