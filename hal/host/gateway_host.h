/*
 * The host's gateway: the core and the boards' bridge (hal/esp32/bridge.h) in a thread of its own, between
 * two endpoints; or in virtual time, by a log or by standard input.
 */
#ifndef OPENCOUPLING_GATEWAY_HOST_H
#define OPENCOUPLING_GATEWAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GATEWAY_HOST_RING_RECORDS (1u << 19) /* 30 s of two full buses at 4,504 frames/s are 270,240 */
#define GATEWAY_HOST_MAX_RING_RECORDS (1u << 24) /* 512 MB */

struct gateway_host_options {
	const char *endpoint[2];   /* chassis, coupling: "unix:PATH", "can:INTERFACE" or NULL for none */
	const char *replay_path;   /* candump -L log to replay in virtual time instead of endpoints, or NULL */
	const char *record_path;   /* candump -L log of what leaves on the coupling bus, or NULL; replay only */
	uint32_t ring_records;     /* recent frames to remember, a power of two */
	bool on_stdio;             /* both buses are standard input and output, in virtual time, instead of endpoints */
};

/*
 * Starts the gateway; before the JavaScript machine. Returns 0, or the program's exit code with one line in
 * `error`.
 */
int gateway_host_start(const struct gateway_host_options *options, char *error, size_t error_size);

/*
 * Until then only frames are moved, as by interrupts: bus states, cyclic frames, the end of a lease and the
 * PWM wait. Any thread.
 */
void gateway_host_block(uint64_t until_us);

/* To be called each HEARTBEAT_LOOK_US: whether nothing has moved the gateway for a second. */
bool gateway_host_hangs(void);

/*
 * The CAN controllers sleep: what comes on the buses is lost, and nothing is sent. In virtual time
 * gateway_host_wake_us() tells when a frame of the chassis bus ends that, else gateway_host_sleep_fd() can be
 * read then.
 */
void gateway_host_sleep(void);
int gateway_host_sleep_fd(void);

/* Stops the thread, flushes the record, removes the sockets. Idempotent. */
void gateway_host_stop(void);

/*
 * --fault switches of the gateway: "bus-off-chassis", "bus-off-coupling", "tx-full-chassis",
 * "tx-full-coupling", "gateway-stalled", "tick-throws". Sets the fault on or off at run time; returns false for
 * any other name. Any thread.
 */
bool gateway_host_fault(const char *name, bool on);

/*
 * Turns of the bridge, until nothing is to be done at once. Returns when to be called again at the latest, as
 * host_clock_us(). On the gateway's thread; in virtual time on the event loop's.
 */
uint64_t gateway_host_turn(void);

/* The gateway stands still, by the fault gateway-stalled or asleep. */
bool gateway_host_is_stalled(void);

/* Prints the counters as one JSON object, no line end. */
void gateway_host_report(FILE *out);

/* ---- in virtual time (log_link.c); on the event loop's thread ---- */

/*
 * Called by gateway_host_start() and gateway_host_stop(). Returns 0, or an exit code with its words in
 * `error`.
 */
int gateway_host_replay_start(const struct gateway_host_options *options, char *error, size_t error_size);
void gateway_host_replay_stop(void);

/* When the gateway next has something to do: a frame arrives, or a lease or period ends. */
uint64_t gateway_host_replay_next_us(void);
/* Does what is due at host_clock_us(). */
void gateway_host_replay_step(void);
/* Whether the frames of the future are known: those of a log are, standard input tells them later. */
bool gateway_host_knows_frames(void);
/*
 * Lets time go on to `until_us` with frames alone, which must be known: the script waits in a native
 * function.
 */
void gateway_host_replay_until(uint64_t until_us);
/* Asleep: when the next frame of the chassis bus arrives, UINT64_MAX = none is known. */
uint64_t gateway_host_wake_us(void);
/* True after the last frame. */
bool gateway_host_replay_is_over(void);

/*
 * With on_stdio: a frame in a line of `candump -L`, stamped with virtual time, that is to arrive. Returns
 * what is wrong with it, or NULL.
 */
const char *gateway_host_frame(const char *line);
/* With on_stdio: whether a bus has another node; at first it has. */
void gateway_host_connect(unsigned bus, bool connected);

#endif
