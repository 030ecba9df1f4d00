/*
 * One bus of the computer as a link of the boards' bridge (hal/esp32/can_link.h): a UNIX socket that one peer
 * at a time connects to, a SocketCAN interface, nothing at all, or in virtual time a log (log_link.c). Only
 * the gateway's thread uses it, except for the fault switches.
 */
#ifndef OPENCOUPLING_HOST_LINK_H
#define OPENCOUPLING_HOST_LINK_H

#include <stdatomic.h>
#include <stddef.h>

#include "../esp32/can_link.h"

#define HOST_LINK_INPUT_FRAMES 128u /* read at once; half a send queue, so that reading never overfills an empty one */

struct host_link {
	struct can_link link;
	atomic_bool fault_bus_off, fault_tx_full;
	bool connected;       /* a client is connected */
	bool off;             /* bus-off: by fault or by the interface */
	bool passive;         /* SocketCAN reports error warning or passive */
	/* Of sockets. */
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

#endif
