/* The host program: options, flash folder, gateway, then the machine; in that order, as on a board. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "host.h"
#include "io/flash.h"
#include "loop.h"
#include "options.h"

/* ---- deep sleep ---- */

/*
 * The engine is gone, the gateway's links stay and what comes on them is lost, until a frame of the chassis bus or
 * the timer ends it. Then the program starts itself again, as a board does. What survives it, as memory of the
 * real-time clock does on a board, is handed on in the environment.
 */

#define CAUSE "OPENCOUPLING_WAKE_CAUSE"
#define ENTRIES "OPENCOUPLING_SLEEPS"
#define NO_CAUSE "power_on_or_reset"

static const char *cause = NO_CAUSE;
static unsigned entries;
static uint64_t wake_after_us;

/* Reads what the sleep before this start has left. */
static void sleep_boot(void)
{
	const char *woken = getenv(CAUSE), *count = getenv(ENTRIES);
	if (woken)
		cause = woken;
	entries = count ? (unsigned)strtoul(count, NULL, 10) : 0;
}

/* Whether this start follows a sleep. */
static bool sleep_woken(void)
{
	return cause[0] != NO_CAUSE[0];
}

/*
 * After the engine has left with EXIT_ASLEEP. Returns that when it was woken, or the program's exit code when
 * it is to end.
 */
static int sleep_run(void)
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

/* Before the program starts itself again: tells that one why. */
static void sleep_leave(bool woken)
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

/* ---- start ---- */

/* Tells the program that it started itself again, and why: its reset reason. */
#define RESTARTED "OPENCOUPLING_RESTARTED"

/* The gateway's threads inherit a mask that leaves all signals to the main thread. */
static int start_gateway(void)
{
	char problem[256] = "the gateway does not start";
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int code = gateway_host_start(&host_options.gateway, problem, sizeof problem);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code)
		fprintf(stderr, "opencoupling: %s\n", problem);
	return code;
}

int main(int argc, char **argv)
{
	int code;
	if (!options_parse(argc, argv, &code))
		return code;
	host_options.restarted = getenv(RESTARTED);
	sleep_boot();
	if (!loop_open()) {
		fprintf(stderr, "opencoupling: %s\n", strerror(errno));
		return EXIT_FAILED;
	}
	if (host_options.gateway.replay_path || host_options.gateway.on_stdio)
		host_clock_make_virtual();
	if (!flash_open(host_options.flash_path)) {
		fprintf(stderr, "opencoupling: flash folder %s is not usable: %s\n", host_options.flash_path, strerror(errno));
		return EXIT_FLASH;
	}
	partitions_boot();
	code = start_gateway();
	if (code == EXIT_OK) {
		if (sleep_woken())
			printf("frames are forwarded after %u storage operations, before the engine starts\n", flash_calls);
		code = machine_run();
		if (code == EXIT_ASLEEP)
			code = sleep_run();
		if (code != EXIT_HUNG) /* a hung thread is not joined */
			gateway_host_stop();
		if (code >= EXIT_ENGINE && !host_options.run_path)
			partitions_note_crash();
	}
	flash_close();
	loop_close();
	if (code == EXIT_RESTART || code == EXIT_HUNG || code == EXIT_ASLEEP) {
		fflush(stdout);
		setenv(RESTARTED, code == EXIT_HUNG ? "watchdog" : code == EXIT_ASLEEP ? "wake" : "restart", 1);
		sleep_leave(code == EXIT_ASLEEP);
		execv("/proc/self/exe", argv);
		fprintf(stderr, "opencoupling: cannot start again: %s\n", strerror(errno));
	}
	return code;
}
