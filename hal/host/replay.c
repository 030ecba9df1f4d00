/* Virtual time (see loop.h): goes on to the next frame or timer, whichever comes first; frames go first. */
#include "loop.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "faults.h"
#include "gateway_core.h"
#include "gateway_host.h"
#include "host.h"
#include "io/board.h"

#define INPUT_BYTES (1u << 16) /* read at once; a thousand lines of a log */
#define TAIL_US 100000   /* how long a replay runs on after its last frame: two plan leases would be too long, one control step too short */

static uint64_t real_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Until virtual time is `until_us`, or, but for steps, the log has ended. */
static void run(xsMachine *the, enum loop_pace pace, uint64_t until_us)
{
	uint64_t real_start_us = real_us() - host_clock_us();
	uint64_t end_us = host_clock_us() + TAIL_US;
	while (!loop_is_over()) {
		uint64_t frame_us = gateway_host_replay_next_us();
		uint64_t next_us = loop_next_timer_us();
		bool is_over = pace != LOOP_PACE_STEPS && gateway_host_replay_is_over();
		if (!is_over)
			end_us = frame_us >= LOOP_NEVER - TAIL_US || pace == LOOP_PACE_STEPS ? LOOP_NEVER : frame_us + TAIL_US;
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
		if (is_over && host_clock_us() >= end_us)
			loop_stop(0);
	}
}

/* Serves everything that is there while time stands still, and what it has put off until now. */
static void settle(xsMachine *the)
{
	while (!loop_is_over() && (loop_serve(the, 0, 0) || loop_next_timer_us() <= host_clock_us()))
		loop_run_timers(the);
	loop_free_garbage();
}

/* Lines of standard input that were not done yet, from `input_at`. */
static char input[INPUT_BYTES];
static size_t input_at, input_end;

/* Returns the next line without its end, or NULL when standard input or the loop has ended. */
static char *next_line(xsMachine *the)
{
	for (;;) {
		char *line = input + input_at;
		char *end = memchr(line, '\n', input_end - input_at);
		if (end) {
			*end = 0;
			input_at = (size_t)(end + 1 - input);
			return line;
		}
		memmove(input, line, input_end - input_at);
		input_end -= input_at;
		input_at = 0;
		if (input_end == sizeof input || !loop_waits_for_input(the))
			return NULL;
		ssize_t length = read(STDIN_FILENO, input + input_end, sizeof input - input_end);
		if (length <= 0)
			return NULL;
		input_end += (size_t)length;
	}
}

/* End of the command under way: a sleep that begins in it goes on in it. 0 = none. */
static uint64_t run_until_us;

static void answer(void)
{
	unsigned long long ms = host_clock_us() / 1000;
	printf("{\"ms\":%llu,\"sentBytes\":%llu}\n", ms, (unsigned long long)tcp_sent_bytes);
	fflush(stdout);
}

static void reject(const char *line, const char *problem)
{
	printf("{\"error\":\"%s: %s\"}\n", line, problem);
	fflush(stdout);
}

static void do_line(xsMachine *the, const char *line)
{
	static const char *const buses[GATEWAY_BUSES] = {"chassis", "coupling"};
	char word[12], rest[64], problem[120], more;
	unsigned ms;
	if (line[0] == '(') {
		const char *wrong = gateway_host_frame(line);
		if (wrong)
			reject(line, wrong);
	} else if (!strcmp(line, "collect")) {
		turn_begin(the);
		fxCollectGarbage(the);
		turn_end(the, "collection", 0);
		answer();
	} else if (sscanf(line, "run %u%c", &ms, &more) == 1) {
		run_until_us = host_clock_us() + ms * 1000ull;
		if (ms)
			run(the, LOOP_PACE_STEPS, run_until_us);
		settle(the);
		run_until_us = 0;
		if (!loop_is_over())
			answer();
	} else if (sscanf(line, "fault %63s%c", rest, &more) == 1) {
		if (!faults_add(rest, problem, sizeof problem))
			reject(line, problem);
	} else if (sscanf(line, "%11s %63s%c", word, rest, &more) == 2 && (!strcmp(word, "connect") || !strcmp(word, "disconnect"))) {
		unsigned bus = 0;
		while (bus < GATEWAY_BUSES && strcmp(rest, buses[bus]))
			bus++;
		if (bus < GATEWAY_BUSES)
			gateway_host_connect(bus, word[0] == 'c');
		else
			reject(line, "no such bus, chassis or coupling");
	} else if (!controls_do(line))
		reject(line, "no such command");
}

static void run_steps(xsMachine *the)
{
	answer();
	for (char *line; !loop_is_over() && (line = next_line(the));)
		do_line(the, line);
	loop_stop(0);
}

/* Time goes on until then, or until something ends the sleep. */
static enum loop_wake sleep_on(uint64_t until_us, uint64_t wake_us)
{
	uint64_t frame_us = gateway_host_wake_us();
	uint64_t first_us = frame_us < wake_us ? frame_us : wake_us;
	if (first_us > until_us) {
		host_clock_advance(until_us);
		return LOOP_ENDED;
	}
	host_clock_advance(first_us);
	return frame_us < wake_us ? LOOP_WOKEN : LOOP_TIMED_OUT;
}

enum loop_wake replay_sleep(uint64_t wake_us)
{
	if (gateway_host_knows_frames())
		return sleep_on(LOOP_NEVER, gateway_host_wake_us() == LOOP_NEVER ? LOOP_NEVER : wake_us);
	for (;;) {
		unsigned ms;
		if (run_until_us) {
			enum loop_wake wake = sleep_on(run_until_us, wake_us);
			if (wake != LOOP_ENDED)
				return wake;
			answer();
		}
		run_until_us = 0;
		char *line = next_line(NULL);
		if (!line)
			return LOOP_ENDED;
		if (sscanf(line, "run %u", &ms) == 1)
			run_until_us = host_clock_us() + ms * 1000ull;
		else if (!strcmp(line, "collect"))
			answer();
		else
			do_line(NULL, line);
	}
}

void replay_run(xsMachine *the, enum loop_pace pace)
{
	if (pace == LOOP_PACE_STEPS)
		run_steps(the);
	else
		run(the, pace, LOOP_NEVER);
}
