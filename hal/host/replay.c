/* Virtual time (see replay.h): goes on to the next frame or timer, whichever comes first; frames go first. */
#include "replay.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "gateway_host.h"
#include "io/tcp.h"
#include "turns.h"

#define TAIL_US 100000   /* how long a replay runs on after its last frame: two plan leases would be too long, one control step too short */

static uint64_t real_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Until the log has ended, or virtual time is `until_us`. */
static void run(xsMachine *the, enum loop_pace pace, uint64_t until_us)
{
	uint64_t real_start_us = real_us() - host_clock_us();
	uint64_t end_us = host_clock_us() + TAIL_US;
	while (!loop_is_over()) {
		uint64_t frame_us = gateway_host_replay_next_us();
		uint64_t next_us = loop_next_timer_us();
		if (frame_us != LOOP_NEVER)
			end_us = frame_us + TAIL_US;
		if (frame_us < next_us)
			next_us = frame_us;
		if (end_us < next_us)
			next_us = end_us;
		if (until_us < next_us)
			next_us = until_us;
		uint64_t real_now_us = real_us() - real_start_us;
		bool sleeps = pace == LOOP_PACE_REAL && next_us > real_now_us;
		loop_serve(the, sleeps ? next_us : 0, real_now_us);
		if (loop_is_over())
			break;
		/* a socket's callback may have set an earlier timer: look again before time moves */
		if (sleeps && real_us() - real_start_us < next_us)
			continue;
		host_clock_advance(next_us);
		if (frame_us <= next_us)
			gateway_host_replay_step();
		loop_run_timers(the);
		loop_free_garbage();
		if (host_clock_us() >= until_us)
			return;
		if (frame_us == LOOP_NEVER && host_clock_us() >= end_us)
			loop_stop(0);
	}
}

/* While time stands still: everything that is there to be served, and what it has put off until now. */
static void settle(xsMachine *the)
{
	while (!loop_is_over() && (loop_serve(the, 0, 0) || loop_next_timer_us() <= host_clock_us()))
		loop_run_timers(the);
	loop_free_garbage();
}

static void step(xsMachine *the, const char *command)
{
	unsigned ms;
	if (!strcmp(command, "collect\n")) {
		turn_begin(the);
		fxCollectGarbage(the);
		turn_end(the, "collection", 0);
	} else if (sscanf(command, "run %u\n", &ms) == 1) {
		if (ms)
			run(the, LOOP_PACE_STEPS, host_clock_us() + ms * 1000ull);
		settle(the);
	}
}

static void run_steps(xsMachine *the)
{
	char command[32];
	while (loop_waits_for_input(the)) {
		ssize_t length = read(STDIN_FILENO, command, sizeof command - 1);
		if (length <= 0)
			loop_stop(0);
		else {
			command[length] = 0;
			step(the, command);
			printf("{\"ms\":%llu,\"sentBytes\":%llu}\n", (unsigned long long)host_clock_us() / 1000, (unsigned long long)tcp_sent_bytes);
			fflush(stdout);
		}
	}
}

void replay_run(xsMachine *the, enum loop_pace pace)
{
	if (pace == LOOP_PACE_STEPS)
		run_steps(the);
	else
		run(the, pace, LOOP_NEVER);
}
