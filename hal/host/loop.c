/* The event loop (see loop.h). */
#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "engine.h"
#include "faults.h"
#include "io/board.h"
#include "gateway_driver.h"
#include "gateway_host.h"
#include "host.h"
#include "options.h"

#define NEVER LOOP_NEVER
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
static uint64_t turn_from_us;        /* CPU time of this thread at the last measure_turn(); 0: none yet */
static uint32_t turn_from_meter;
static struct loop_turn longest_turn;

/* ---- timers ---- */

/* Time this thread ran, without what the system or a hypervisor gave to others. */
static uint64_t cpu_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Call it where due timers are served: what ran since the last call is one turn. */
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

void loop_run_timers(xsMachine *the)
{
	uint64_t now = host_clock_us();
	measure_turn(the);
	while (timers && timers->due_us <= now && exit_code == NO_EXIT && now >= stalled_until_us) {
		struct loop_timer *timer = timers;
		loop_timer_stop(timer);
		if (timer->interval_us)
			requeue(timer, now);
		unsigned interval_ms = (unsigned)(timer->interval_us / 1000);
		turn_begin(the);
		timer->fire(timer, the);
		engine_run_jobs(the);
		turn_end(the, "timer", interval_ms);
		/*
		 * Virtual time stands still while timers run, so that a callback can make the next timer due at once.
		 * Each of them counts as a turn of its own.
		 */
		if (host_clock_is_virtual())
			measure_turn(the);
	}
}

/* ---- watches ---- */

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
		if (names[i] == 'r' && the)
			report_print(the);
		if (names[i] == 'f')
			faults_on_signal();
	}
	if (stop_requested)
		loop_stop(0);
}

bool loop_serve(xsMachine *the, uint64_t until_us, uint64_t now_us)
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
		turn_begin(the);
		watch->ready(watch, the, polled[i].revents);
		engine_run_jobs(the);
		turn_end(the, "socket", 0);
		/* a timer that has become due does not wait for the other sockets */
		loop_run_timers(the);
		served = true;
	}
	return served;
}

/* ---- turns ---- */

void loop_free_later(struct loop_garbage *item, void *record)
{
	item->record = record;
	item->next = garbage;
	garbage = item;
}

void loop_free_garbage(void)
{
	while (garbage) {
		struct loop_garbage *next = garbage->next;
		free(garbage->record);
		garbage = next;
	}
}

uint64_t loop_next_timer_us(void)
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
		uint64_t until = loop_next_timer_us();
		/* a stall also postpones the sockets */
		if (host_clock_us() < stalled_until_us && stalled_until_us < until)
			until = stalled_until_us;
		loop_serve(the, until, host_clock_us());
		if (exit_code == NO_EXIT)
			loop_run_timers(the);
		loop_free_garbage();
	}
}

/* ---- for a replay ---- */

bool loop_waits_for_input(xsMachine *the)
{
	struct pollfd fds[] = { { .fd = signal_pipe[0], .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
	while (exit_code == NO_EXIT) {
		if (ppoll(fds, 2, NULL, NULL) <= 0)
			continue;
		if (fds[0].revents)
			handle_signals(the);
		if (fds[1].revents)
			return true;
	}
	return false;
}

bool loop_is_over(void)
{
	return exit_code != NO_EXIT;
}

/* ---- sleep ---- */

enum loop_wake loop_sleep(int fd, uint64_t until_us, bool until_eof)
{
	for (;;) {
		uint64_t now_us = host_clock_us();
		if (now_us >= until_us)
			return LOOP_TIMED_OUT;
		struct timespec timeout = { (time_t)((until_us - now_us) / 1000000), (long)((until_us - now_us) % 1000000) * 1000 };
		struct pollfd fds[] = { { .fd = signal_pipe[0], .events = POLLIN }, { .fd = fd, .events = POLLIN },
			{ .fd = until_eof ? STDIN_FILENO : -1, .events = POLLIN } };
		if (ppoll(fds, 3, &timeout, NULL) <= 0)
			continue;
		if (fds[0].revents)
			handle_signals(NULL);
		if (stop_requested || (fds[2].revents && !controls_read_lines(STDIN_FILENO)))
			return LOOP_ENDED;
		if (fds[1].revents)
			return LOOP_WOKEN;
	}
}

/* ---- start and end ---- */

static void on_input(struct loop_watch *watch, xsMachine *the, short revents)
{
	(void)the;
	(void)revents;
	if (!controls_read_lines(watch->fd))
		loop_stop(0);
}

static struct loop_watch input_watch = { .fd = STDIN_FILENO, .events = POLLIN, .ready = on_input };

int loop_run(xsMachine *the, const struct loop_options *options)
{
	if (options->until_eof)
		loop_watch_start(&input_watch);
	engine_run_jobs(the);
	if (options->replay)
		replay_run(the, options->pace);
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

/* ---- signals ---- */

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
	loop_free_garbage();
	free(polled);
	free(polled_watches);
	close(signal_pipe[0]);
	close(signal_pipe[1]);
}

/* ---- the gateway's heartbeat ---- */

/* A timer of the event loop stands for the timer's interrupt of a board. */
static void look_at_gateway(struct loop_timer *timer, xsMachine *the)
{
	(void)timer, (void)the;
	if (gateway_host_hangs())
		loop_stop(EXIT_HUNG);
}

static struct loop_timer looks = { .interval_us = HEARTBEAT_LOOK_US, .fire = look_at_gateway, .background = true };

void loop_watch_gateway(void)
{
	if (looks.queued)
		return;
	looks.due_us = host_clock_us() + HEARTBEAT_LOOK_US;
	loop_timer_start(&looks);
}

/* ---- what each turn costs ---- */

#ifdef OPENCOUPLING_CALLGRIND
#include <valgrind/callgrind.h>

/* "internal": with the events of this thread so far */
#define SAY_EVENTS "status internal"

static bool counting;
static struct engine_figures before;

bool turns_count(void)
{
	if (!RUNNING_ON_VALGRIND)
		return false;
	CALLGRIND_START_INSTRUMENTATION;
	counting = true;
	return true;
}

void turn_begin(xsMachine *the)
{
	if (!counting)
		return;
	engine_figures(the, &before);
	VALGRIND_MONITOR_COMMAND(SAY_EVENTS);
}

void turn_end(xsMachine *the, const char *kind, unsigned interval_ms)
{
	if (!counting)
		return;
	struct engine_figures after;
	VALGRIND_MONITOR_COMMAND(SAY_EVENTS);
	engine_figures(the, &after);
	VALGRIND_PRINTF("turn %s%u bytecodes %u slots %d chunks %d collections %u\n", kind, interval_ms, after.meter - before.meter,
		(int)(after.slots - before.slots), (int)(after.chunks - before.chunks), (after.collections - before.collections) & 0xFFFF);
}

#else

bool turns_count(void)
{
	return false;
}

void turn_begin(xsMachine *the)
{
	(void)the;
}

void turn_end(xsMachine *the, const char *kind, unsigned interval_ms)
{
	(void)the, (void)kind, (void)interval_ms;
}

#endif
