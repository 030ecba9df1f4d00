/*
 * The event loop: timers, sockets, promise jobs, in this order, on one thread. Nothing here allocates per
 * event: timers and watches are embedded in their owners' records.
 */
#ifndef OPENCOUPLING_LOOP_H
#define OPENCOUPLING_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "xs.h"

/* Part of its owner's record: it must stay where it is while it is queued. */
struct loop_timer {
	uint64_t due_us;                                         /* host clock */
	uint64_t interval_us;                                    /* 0: once */
	void (*fire)(struct loop_timer *timer, xsMachine *the);   /* a one-shot timer is no longer queued when it is called */
	bool background;                                         /* does not keep a --run script alive */
	bool queued;
	struct loop_timer *next;
};

/*
 * (Re)queues a timer whose due_us, interval_us and fire are set. Timers due at the same time fire in the
 * order of queueing.
 */
void loop_timer_start(struct loop_timer *timer);
/* Idempotent; allowed in callbacks, the timer's own included. */
void loop_timer_stop(struct loop_timer *timer);

/*
 * A file descriptor, watched until it is stopped; part of its owner's record. Closing the descriptor is the
 * owner's work.
 */
struct loop_watch {
	int fd;
	short events;                                                            /* POLLIN, POLLOUT ... read anew each turn; 0: errors only */
	void (*ready)(struct loop_watch *watch, xsMachine *the, short revents);   /* level-triggered */
	bool watched;
	struct loop_watch *next;
};

/* `fd`, `events` and `ready` are set; not while it is watched already. */
void loop_watch_start(struct loop_watch *watch);
/* Idempotent; allowed in callbacks. */
void loop_watch_stop(struct loop_watch *watch);

/*
 * A record whose timer or watch may be in the middle of a callback: freed when the turn is over, or by
 * loop_close().
 */
struct loop_garbage {
	void *record;
	struct loop_garbage *next;
};
void loop_free_later(struct loop_garbage *garbage, void *record);

/* Virtual time goes on as real time does, as fast as the work is done, or by commands. */
enum loop_pace { LOOP_PACE_REAL, LOOP_PACE_MAX, LOOP_PACE_STEPS };

struct loop_options {
	bool until_eof;         /* stop when standard input ends */
	bool until_idle;        /* return when neither timer nor watch is left, as for --run */
	bool replay;            /* virtual time, moved on by replay.c */
	enum loop_pace pace;
};

/* Installs signal handling; before any thread is started. Returns false with errno set. */
bool loop_open(void);
/* After loop_run(): frees what was left for later. */
void loop_close(void);

/* Runs until loop_stop(), SIGINT, SIGTERM, idle or the end of the replay. Returns the exit code. */
int loop_run(xsMachine *the, const struct loop_options *options);
void loop_stop(int exit_code);

/*
 * The most that a due timer has had to wait for other callbacks since this was last called (or the start):
 * what this program itself can make a control tick late. Bytecodes are the same on each computer; CPU time of
 * this thread (us) still grows when a hypervisor slows it down. The call itself does not count.
 */
struct loop_turn { uint32_t us, bytecodes; };
struct loop_turn loop_longest_turn(void);

/* ---- a replay: virtual time, with the frames of a log ---- */

/*
 * Runs until a little after the last frame, or until the loop is over.
 *
 * LOOP_PACE_STEPS: time goes on only as standard input says, one command at a time, each answered by a line
 * of JSON when it is done: `run MS` (0: only what can be done now), `collect` (garbage). So the same requests
 * get the same turns, however slow program and client are. Ends with standard input.
 */
void replay_run(xsMachine *the, enum loop_pace pace);

/* ---- what it is made of ---- */

#define LOOP_NEVER UINT64_MAX

/* When the next timer may run; a stall postpones all. */
uint64_t loop_next_timer_us(void);
/* Runs what is due when it is called, and no more: a timer of 0 ms cannot starve the sockets. */
void loop_run_timers(xsMachine *the);
/*
 * Waits for sockets and signals until the host clock's `until_us`, then serves them. Returns whether any
 * socket was ready.
 */
bool loop_serve(xsMachine *the, uint64_t until_us, uint64_t now_us);
/* To be called at the end of each turn. */
void loop_free_garbage(void);
/* Serves nothing but signals until standard input can be read. Returns false when the loop is over. */
bool loop_waits_for_input(xsMachine *the);
bool loop_is_over(void);

/* ---- sleep ---- */

enum loop_wake { LOOP_ENDED, LOOP_WOKEN, LOOP_TIMED_OUT };

/* Asleep until then, of the host's clock, in a replay: only time goes on, as the log or standard input says. */
enum loop_wake replay_sleep(uint64_t wake_us);

/* No turns any more: waits until `fd` can be read, or until then, or until the program is to end. */
enum loop_wake loop_sleep(int fd, uint64_t until_us, bool until_eof);

/* ---- faults ---- */

/* No JavaScript runs before this time of the host's clock (--fault script-stalled). */
void loop_stall_until(uint64_t us);

/*
 * Looks at the gateway's heartbeat from now on, and starts the program anew when nothing moves the gateway any
 * more, as a board does. Idempotent.
 */
void loop_watch_gateway(void);

/* ---- what each turn costs ---- */

/*
 * What each turn costs: from the callback of a timer or socket to the return to the event loop, promise jobs
 * included. Counted by callgrind, which says in its log (--log-file) before and after a turn what this thread
 * has run so far, as `callgrind_control -e` would ("events-1: 123"). In between the turn writes "turn KIND
 * bytecodes N slots N chunks N collections N", what it took of each; slots and chunk bytes may have been
 * given back by a collection.
 */

/*
 * Begins to count, which makes the program slower. False: it does not run under callgrind, or was built
 * without <valgrind/callgrind.h>.
 */
bool turns_count(void);

/* Around each turn; they do not nest. `kind` is one word, `interval_ms` of a repeating timer, else 0. */
void turn_begin(xsMachine *the);
void turn_end(xsMachine *the, const char *kind, unsigned interval_ms);

#endif
