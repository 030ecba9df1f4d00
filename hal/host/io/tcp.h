/*
 * The record of a TCP object: tcp.c moves its bytes and reports its events, tcp_natives.c is what scripts
 * call.
 */
#ifndef OPENCOUPLING_IO_TCP_H
#define OPENCOUPLING_IO_TCP_H

#include "../host.h"
#include "../loop.h"

#define SEND_BUFFER_BYTES 5744    /* TCP_SND_BUF of the boards' lwIP: 4 segments of 1436 bytes */

enum format { FORMAT_NUMBER, FORMAT_BUFFER };

struct tcp {
	struct loop_watch watch;
	struct loop_timer linger;
	xsSlot self;                                     /* remembered while open */
	xsSlot *on_readable, *on_writable, *on_error;    /* marked by the hooks; NULL: none */
	enum format format;
	struct loop_garbage garbage;
	bool connecting;
	bool failed;               /* the peer closed or reset; nothing more can be sent */
	bool read_paused;          /* the script left bytes unread: no new announcement until it reads */
	bool announce_writable;    /* onWritable is due once the buffer has space */
	size_t pending;            /* bytes in `buffer` */
	unsigned char buffer[SEND_BUFFER_BYTES];
};

extern const xsHostHooks tcp_hooks;

/* What all connections together have handed to the kernel since the start. */
extern uint64_t tcp_sent_bytes;

void tcp_destructor(void *data);

/* The open record of an object. Throws SyntaxError for any other object, and for a closed one. */
struct tcp *tcp_get(xsMachine *the, xsSlot *slot);

/* Gives the object an empty record, without connection. */
struct tcp *tcp_attach(xsMachine *the, xsSlot *slot);

/* Starts serving a connection. The record keeps its object alive until tcp_close(). */
void tcp_open(xsMachine *the, struct tcp *tcp, xsSlot *slot, int fd);

/* Idempotent. What was written is still sent. */
void tcp_close(xsMachine *the, xsSlot *slot);

/* Bytes that can be read now. */
size_t tcp_count_readable(struct tcp *tcp);

/* Moves the send buffer to the kernel as far as it takes it. Returns false when the connection is dead. */
bool tcp_flush(struct tcp *tcp);

/* To be called after any change of connecting, pending, announce_writable, read_paused. */
void tcp_update_events(struct tcp *tcp);

#endif
