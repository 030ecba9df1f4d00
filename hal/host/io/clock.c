/* Natives of time.ts: the clock that the controller reads. */
#include "../clock.h"

#include "../host.h"

static void clock_ticks(xsMachine *the)
{
	xsmcSetInteger(xsResult, (xsIntegerValue)((host_clock_reading_us() / 1000) & 0x7FFFFFFF));
}

static void clock_microseconds(xsMachine *the)
{
	xsmcSetNumber(xsResult, (double)host_clock_reading_us());
}

const struct host_native host_clock_natives[] = {
	{ .name = "xs_hal_ticks", .callback = clock_ticks },
	{ .name = "xs_hal_microseconds", .callback = clock_microseconds },
};
const size_t host_clock_natives_count = HOST_COUNT(host_clock_natives);
