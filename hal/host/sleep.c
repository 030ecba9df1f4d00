/*
 * Deep sleep (see sleep.h). What survives it, as memory of the real-time clock does on a board, is handed on
 * in the environment.
 */
#include "sleep.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "gateway_host.h"
#include "loop.h"
#include "options.h"

#define CAUSE "OPENCOUPLING_WAKE_CAUSE"
#define ENTRIES "OPENCOUPLING_SLEEPS"
#define NO_CAUSE "power_on_or_reset"

static const char *cause = NO_CAUSE;
static unsigned entries;
static uint64_t wake_after_us;

void sleep_boot(void)
{
	const char *woken = getenv(CAUSE), *count = getenv(ENTRIES);
	if (woken)
		cause = woken;
	entries = count ? (unsigned)strtoul(count, NULL, 10) : 0;
}

bool sleep_woken(void)
{
	return cause[0] != NO_CAUSE[0];
}

int sleep_run(void)
{
	uint64_t from_us = host_clock_us();
	printf("asleep: engine, Wi-Fi and CAN controllers are off\n");
	fflush(stdout);
	gateway_host_sleep();
	enum loop_wake wake = host_clock_is_virtual() ? replay_sleep(from_us + wake_after_us)
						      : loop_sleep(gateway_host_sleep_fd(), from_us + wake_after_us, host_options.until_eof);
	if (wake == LOOP_ENDED)
		return EXIT_OK;
	cause = wake == LOOP_WOKEN ? "can_rx" : "timer";
	printf("woken after %llu s: %s\n", (unsigned long long)((host_clock_us() - from_us) / 1000000), cause);
	fflush(stdout);
	return EXIT_ASLEEP;
}

void sleep_leave(bool woken)
{
	char text[16];
	snprintf(text, sizeof text, "%u", entries + woken);
	setenv(ENTRIES, text, 1);
	if (woken)
		setenv(CAUSE, cause, 1);
	else
		unsetenv(CAUSE);
}

static void sleep_cause(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)cause);
}

static void sleep_entries(xsMachine *the)
{
	xsmcSetInteger(xsResult, (xsIntegerValue)entries);
}

/* (wakeAfterMs) */
static void sleep_enter(xsMachine *the)
{
	wake_after_us = (uint64_t)xsmcToNumber(xsArg(0)) * 1000;
	host_exit(the, EXIT_ASLEEP);
}

const struct host_native host_sleep_natives[] = {
	{ .name = "xs_hal_sleep_cause", .callback = sleep_cause },
	{ .name = "xs_hal_sleep_entries", .callback = sleep_entries },
	{ .name = "xs_hal_sleep_enter", .callback = sleep_enter, .length = 1 },
	{ .name = NULL },
};
