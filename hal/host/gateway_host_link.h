/*
 * One bus of the host's gateway: a UNIX socket that one peer at a time connects to, or a SocketCAN interface, or nothing (a replay).
 * A link moves 16-byte records and knows its bus's state; it knows nothing of the gateway and takes no lock. Only the gateway's thread
 * uses it, except for the fault switches.
 */
#ifndef OPENCOUPLING_GATEWAY_HOST_LINK_H
#define OPENCOUPLING_GATEWAY_HOST_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "bus_recovery.h"
#include "gateway_core.h"

#define LINK_BATCH 128u /* frames read at once: half a send queue, so that reading never overfills an empty one */

struct gateway_link {
	const char *path;     /* of the UNIX socket, NULL if it is none */
	int listener, fd;     /* -1 = none */
	bool is_can;          /* SocketCAN: records never come in halves */
	bool connected;       /* somebody is there */
	bool congested;       /* the socket was full when last written to */
	bool controller_off;  /* bus-off: by fault or by the interface */
	bool passive;         /* SocketCAN reports error warning or passive */
	struct bus_recovery recovery;
	atomic_bool fault_bus_off, fault_tx_full;
	size_t read_bytes;    /* unfinished record at the start of `input` */
	size_t unsent_bytes;  /* tail of a record that the socket took only in part */
	uint8_t unsent[sizeof(struct gateway_frame)];
	struct gateway_frame input[LINK_BATCH];
};

/* Opens an endpoint, "unix:PATH" or "can:INTERFACE". Returns 0, or the program's exit code with one line in `error`. */
int link_open(struct gateway_link *link, const char *endpoint, char *error, size_t error_size);
void link_close(struct gateway_link *link);

/*
 * Reads what is there: whole records are at link->input, their number is returned. Call link_consume() when done with them.
 * *broken is the number of half records that a peer left behind. -1: the peer is gone.
 */
int link_read(struct gateway_link *link, unsigned *broken);
void link_consume(struct gateway_link *link, int count);

/* Somebody connects: taken if there is nobody yet, else refused. */
void link_accept(struct gateway_link *link);

/* Hands a frame to the socket. False: it does not take it now (or there is none). */
bool link_send(struct gateway_link *link, const struct gateway_frame *frame);

/* Whether the bus takes frames at all now. */
bool link_can_send(const struct gateway_link *link);

/* What the controller would report to the bus-off state machine. */
enum bus_recovery_report link_report(struct gateway_link *link);

/* The state machine wants the controller to recover: it does unless what put it off persists. */
void link_recover(struct gateway_link *link);

#endif
