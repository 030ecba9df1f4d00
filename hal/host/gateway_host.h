/* The host's gateway driver: the portable core, in a thread of its own, on two endpoints; or driven step by step from a log. */
#ifndef OPENCOUPLING_GATEWAY_HOST_H
#define OPENCOUPLING_GATEWAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GATEWAY_HOST_RING_RECORDS (1u << 19) /* 30 s of two full buses at 4,504 frames/s are 270,240 */
#define GATEWAY_HOST_MAX_RING_RECORDS (1u << 24)

struct gateway_host_options {
	const char *endpoint[2];   /* chassis, coupling: "unix:PATH", "can:INTERFACE" or NULL for none */
	const char *replay_path;   /* candump -L log to replay in virtual time instead of endpoints, or NULL */
	const char *record_path;   /* candump -L log of what leaves on the coupling bus, or NULL; replay only */
	uint32_t ring_records;     /* recent frames to remember, a power of two */
};

/* Starts the gateway; before the JavaScript machine. Returns 0, or the program's exit code with one line in `error`. */
int gateway_host_start(const struct gateway_host_options *options, char *error, size_t error_size);

/* Stops the thread, flushes the record, removes the sockets. Idempotent. */
void gateway_host_stop(void);

/* --fault switches of the gateway: "bus-off-chassis", "bus-off-coupling", "tx-full-chassis", "tx-full-coupling".
 * Sets the fault on or off at run time; returns false for a name that is not one of these. Any thread. */
bool gateway_host_fault(const char *name, bool on);

/* Prints the counters as one JSON object, no line end. */
void gateway_host_report(FILE *out);

/* Replay: time of the next frame in microseconds of virtual time, UINT64_MAX after the last; then feed all frames due at host_clock_us(). */
uint64_t gateway_host_replay_next_us(void);
void gateway_host_replay_step(void);

#endif
