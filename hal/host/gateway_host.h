/*
 * The host's gateway: the core and the boards' bridge (hal/esp32/bridge.h) in a thread of its own, between
 * two endpoints; or in virtual time, by a log or by standard input.
 */
#ifndef OPENCOUPLING_GATEWAY_HOST_H
#define OPENCOUPLING_GATEWAY_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../esp32/bridge.h"

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

/* ---- buses ---- */

/*
 * One bus of the computer as a link of the boards' bridge (hal/esp32/bridge.h): a UNIX socket that one peer
 * at a time connects to, a SocketCAN interface, nothing at all, or in virtual time a log (log_link.c). Only
 * the gateway's thread uses it, except for the fault switches.
 */

#define HOST_LINK_INPUT_FRAMES 128u /* read at once; half a send queue, so that reading never overfills an empty one */

struct host_link {
	struct can_link link;
	atomic_bool fault_bus_off, fault_tx_full;
	bool connected;       /* a client is connected */
	bool off;             /* bus-off: by fault or by the interface */
	bool passive;         /* SocketCAN reports error warning or passive */
	/* For sockets only. */
	const char *path;     /* of the UNIX socket; NULL for other links */
	int listener, fd;     /* -1 = none */
	bool is_can;          /* SocketCAN: records never come in halves */
	bool readable, full;  /* the socket: set and cleared by the code that polls it, full also by sending */
	size_t read_at, read_bytes; /* records of `input` not handed on yet, the last one perhaps unfinished */
	size_t unsent_bytes;  /* tail of a record that the socket took only in part */
	uint8_t unsent[sizeof(struct gateway_frame)];
	struct gateway_frame input[HOST_LINK_INPUT_FRAMES];
};

/* One for each bus. */
extern struct host_link host_links[GATEWAY_BUSES];

/*
 * Opens an endpoint, "unix:PATH" or "can:INTERFACE"; NULL: none. Returns 0, or the program's exit code with
 * one line in `error`.
 */
int host_link_open(struct host_link *bus, const char *endpoint, char *error, size_t error_size);
void host_link_close(struct host_link *bus);

/* A client connects to the UNIX socket: the first is accepted, others are rejected. */
void host_link_accept(struct host_link *bus);

/* Whether the bus takes frames at all now. */
bool host_link_can_send(const struct host_link *bus);

/* What is the same for all of them in struct can_link_class. */
uint64_t host_link_service(struct can_link *link, uint64_t now_us);
enum bus_recovery_report host_link_report(const struct can_link *link);
void host_link_recover(struct can_link *link, bool lasting, uint64_t now_us);

/* ---- logs (log_link.c) ---- */

/*
 * CAN logs in the format of `candump -L`: reading one for a replay, writing one as a record. Other forms of
 * recordings become this one in tools/replay.
 */

struct log_entry {
	uint64_t time_us; /* since the first entry */
	struct gateway_frame frame;
	uint8_t bus;
};

/* Frames that wait in memory. */
struct can_log {
	struct log_entry *entries;
	size_t count;
};

/* A log that is read while it is played: a file of any size takes the same memory. */
struct can_log_file {
	FILE *file;
	uint64_t first_us;     /* time stamp of the first entry */
	struct log_entry next; /* the entry that comes next, unless `ended` */
	bool ended;
};

/*
 * Checks a whole log, then stands before its first entry. Interfaces can0, chassis, vcan0 are the chassis
 * bus, can1, coupling, vcan1 the coupling bus. Time stamps must not run backwards. Returns 0, or the
 * program's exit code with one line in `error`.
 */
int can_log_open(struct can_log_file *log, const char *path, char *error, size_t error_size);

/* Goes on to the next entry. */
void can_log_advance(struct can_log_file *log);

void can_log_close(struct can_log_file *log);

void can_log_free(struct can_log *log);

/*
 * Appends one line without its end. Returns what is wrong with it, or NULL. Time stamps of such a log count
 * from 0.
 */
const char *can_log_add(struct can_log *log, const char *line);

/* Writes one frame as a line; time_us is absolute. */
void can_log_write(FILE *file, uint64_t time_us, unsigned bus, const struct gateway_frame *frame);

#endif
