/* The event loop (see loop.h). In a replay it also drives the clock: next frame or timer, whichever comes first; frames go first. */
#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "engine.h"
#include "faults.h"
#include "gateway_host.h"
#include "report.h"

#define REPLAY_TAIL_US 100000   /* how long a replay runs on after its last frame: two plan leases would be too long, one control step too short */
#define NEVER UINT64_MAX
#define NO_EXIT (-1)

static struct loop_timer *timers;    /* sorted by due time */
static struct loop_watch *watches;
static struct loop_garbage *garbage;
static struct pollfd *polled;        /* [0] is the signal pipe */
static struct loop_watch **polled_watches;   /* parallel to `polled`; NULL for one that was stopped since */
static size_t polled_capacity;
static size_t polled_count;
static int signal_pipe[2] = { -1, -1 };
static volatile sig_atomic_t stop_requested;
static int exit_code = NO_EXIT;
static uint64_t stalled_until_us;
static uint64_t turn_from_us;        /* CPU time of this thread when a timer last had its chance; 0: not yet */
static uint32_t turn_from_meter;
static struct loop_turn longest_turn;

/// Timers ///

/* Time this thread ran, without what the system or a hypervisor gave to others. */
static uint64_t cpu_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* To be called where a due timer gets its chance. */
static void measure_turn(xsMachine *the)
{
	uint64_t now_us = cpu_us();
	uint32_t meter = engine_meter(the);
	if (turn_from_us && now_us - turn_from_us > longest_turn.us)
		longest_turn.us = (uint32_t)(now_us - turn_from_us);
	if (turn_from_us && meter - turn_from_meter > longest_turn.bytecodes)
		longest_turn.bytecodes = meter - turn_from_meter;
	turn_from_us = now_us;
	turn_from_meter = meter;
}

struct loop_turn loop_longest_turn(void)
{
	struct loop_turn turn = longest_turn;
	longest_turn = (struct loop_turn){ 0, 0 };
	turn_from_us = 0;
	return turn;
}

void loop_timer_start(struct loop_timer *timer)
{
	struct loop_timer **link = &timers;
	loop_timer_stop(timer);
	while (*link && (*link)->due_us <= timer->due_us)
		link = &(*link)->next;
	timer->next = *link;
	*link = timer;
	timer->queued = true;
}

void loop_timer_stop(struct loop_timer *timer)
{
	if (!timer->queued)
		return;
	struct loop_timer **link = &timers;
	while (*link != timer)
		link = &(*link)->next;
	*link = timer->next;
	timer->queued = false;
}

/* A repeating timer does not drift: it keeps its phase, and skips the periods it is late for. */
static void requeue(struct loop_timer *timer, uint64_t now)
{
	timer->due_us += timer->interval_us;
	if (timer->due_us <= now)
		timer->due_us += (now - timer->due_us) / timer->interval_us * timer->interval_us + timer->interval_us;
	loop_timer_start(timer);
}

/* Runs what was due at the start of the turn, and no more: a timer of 0 ms cannot starve the sockets. */
static void run_timers(xsMachine *the)
{
	uint64_t now = host_clock_us();
	measure_turn(the);
	while (timers && timers->due_us <= now && exit_code == NO_EXIT && now >= stalled_until_us) {
		struct loop_timer *timer = timers;
		loop_timer_stop(timer);
		if (timer->interval_us)
			requeue(timer, now);
		timer->fire(timer, the);
		engine_run_jobs(the);
	}
}

/// Watches ///

void loop_watch_start(struct loop_watch *watch)
{
	if (watch->watched)
		return;
	watch->watched = true;
	watch->next = watches;
	watches = watch;
}

void loop_watch_stop(struct loop_watch *watch)
{
	if (!watch->watched)
		return;
	struct loop_watch **link = &watches;
	while (*link != watch)
		link = &(*link)->next;
	*link = watch->next;
	watch->watched = false;
	for (size_t i = 1; i < polled_count; i++)
		if (polled_watches[i] == watch)
			polled_watches[i] = NULL;
}

static void collect_watches(void)
{
	size_t count = 1;
	for (struct loop_watch *watch = watches; watch; watch = watch->next)
		count++;
	if (count > polled_capacity) {
		polled_capacity = count + 8;
		polled = realloc(polled, polled_capacity * sizeof *polled);
		polled_watches = realloc(polled_watches, polled_capacity * sizeof *polled_watches);
		if (!polled || !polled_watches)
			abort();
	}
	polled[0] = (struct pollfd){ .fd = signal_pipe[0], .events = POLLIN };
	polled_count = 1;
	if (host_clock_us() < stalled_until_us)
		return;
	for (struct loop_watch *watch = watches; watch; watch = watch->next) {
		polled[polled_count] = (struct pollfd){ .fd = watch->fd, .events = watch->events };
		polled_watches[polled_count++] = watch;
	}
}

static void handle_signals(xsMachine *the)
{
	char names[16];
	ssize_t count = read(signal_pipe[0], names, sizeof names);
	for (ssize_t i = 0; i < count; i++) {
		if (names[i] == 'r')
			report_print(the);
		if (names[i] == 'f')
			faults_on_signal();
	}
	if (stop_requested)
		loop_stop(0);
}

/* Waits for sockets and signals until the host clock's `until_us`, then serves them. Returns whether any socket was ready. */
static bool serve_watches(xsMachine *the, uint64_t until_us, uint64_t now_us)
{
	bool served = false;
	struct timespec timeout = { 0, 0 };
	struct timespec *wait = &timeout;
	if (until_us == NEVER)
		wait = NULL;
	else if (until_us > now_us) {
		timeout.tv_sec = (time_t)((until_us - now_us) / 1000000);
		timeout.tv_nsec = (long)((until_us - now_us) % 1000000) * 1000;
	}
	collect_watches();
	if (ppoll(polled, polled_count, wait, NULL) <= 0)
		return false;
	if (polled[0].revents)
		handle_signals(the);
	for (size_t i = 1; i < polled_count && exit_code == NO_EXIT; i++) {
		struct loop_watch *watch = polled_watches[i];
		if (!watch || !polled[i].revents)
			continue;
		watch->ready(watch, the, polled[i].revents);
		engine_run_jobs(the);
		/* a timer that has become due does not wait for the other sockets */
		run_timers(the);
		served = true;
	}
	return served;
}

/// Turns ///

void loop_free_later(struct loop_garbage *item, void *record)
{
	item->record = record;
	item->next = garbage;
	garbage = item;
}

static void free_garbage(void)
{
	while (garbage) {
		struct loop_garbage *next = garbage->next;
		free(garbage->record);
		garbage = next;
	}
}

/* When the next timer may run; a stall postpones all. */
static uint64_t next_timer_us(void)
{
	uint64_t due = timers ? timers->due_us : NEVER;
	return due < stalled_until_us ? stalled_until_us : due;
}

static bool is_idle(void)
{
	for (struct loop_timer *timer = timers; timer; timer = timer->next)
		if (!timer->background)
			return false;
	return !watches;
}

static void run_real(xsMachine *the, bool until_idle)
{
	while (exit_code == NO_EXIT && !(until_idle && is_idle())) {
		uint64_t until = next_timer_us();
		/* a stall also postpones the sockets */
		if (host_clock_us() < stalled_until_us && stalled_until_us < until)
			until = stalled_until_us;
		serve_watches(the, until, host_clock_us());
		if (exit_code == NO_EXIT)
			run_timers(the);
		free_garbage();
	}
}

static uint64_t real_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void run_replay(xsMachine *the, enum loop_pace pace)
{
	uint64_t real_start_us = real_us() - host_clock_us();
	uint64_t end_us = host_clock_us() + REPLAY_TAIL_US;
	while (exit_code == NO_EXIT) {
		uint64_t frame_us = gateway_host_replay_next_us();
		uint64_t next_us = next_timer_us();
		if (frame_us != NEVER)
			end_us = frame_us + REPLAY_TAIL_US;
		if (frame_us < next_us)
			next_us = frame_us;
		if (end_us < next_us)
			next_us = end_us;
		uint64_t real_now_us = real_us() - real_start_us;
		bool sleeps = pace == LOOP_PACE_REAL && next_us > real_now_us;
		serve_watches(the, sleeps ? next_us : 0, real_now_us);
		if (exit_code != NO_EXIT)
			break;
		/* a socket's callback may have set an earlier timer: look again before time moves */
		if (sleeps && real_us() - real_start_us < next_us)
			continue;
		host_clock_advance(next_us);
		if (frame_us <= next_us)
			gateway_host_replay_step();
		run_timers(the);
		free_garbage();
		if (frame_us == NEVER && host_clock_us() >= end_us)
			loop_stop(0);
	}
}

/* What is written to standard input is thrown away; only its end counts. */
static void on_input(struct loop_watch *watch, xsMachine *the, short revents)
{
	char input[256];
	(void)the;
	(void)revents;
	ssize_t count = read(watch->fd, input, sizeof input);
	if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
		loop_stop(0);
}

static struct loop_watch input_watch = { .fd = STDIN_FILENO, .events = POLLIN, .ready = on_input };

int loop_run(xsMachine *the, const struct loop_options *options)
{
	if (options->until_eof)
		loop_watch_start(&input_watch);
	engine_run_jobs(the);
	if (options->replay)
		run_replay(the, options->pace);
	else
		run_real(the, options->until_idle);
	return exit_code == NO_EXIT ? 0 : exit_code;
}

void loop_stop(int code)
{
	if (exit_code == NO_EXIT)
		exit_code = code;
}

void loop_stall_until(uint64_t us)
{
	stalled_until_us = us;
}

/// Signals ///

static void on_signal(int number)
{
	int saved = errno;
	bool stop = number != SIGUSR1 && number != SIGUSR2;
	/* asked twice: the script hangs and the loop does not come round any more */
	if (stop && stop_requested)
		_exit(128 + number);
	if (stop)
		stop_requested = 1;
	if (write(signal_pipe[1], stop ? "s" : number == SIGUSR1 ? "r" : "f", 1) < 0)
		errno = saved;
	errno = saved;
}

bool loop_open(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	if (pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC) < 0)
		return false;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return true;
}

void loop_close(void)
{
	free_garbage();
	free(polled);
	free(polled_watches);
	close(signal_pipe[0]);
	close(signal_pipe[1]);
}
