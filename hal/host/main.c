/* The host program: options, flash folder, gateway, then the machine; in that order, as on a board. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "io/flash.h"
#include "io/partitions.h"
#include "loop.h"
#include "machine.h"
#include "options.h"
#include "sleep.h"

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
