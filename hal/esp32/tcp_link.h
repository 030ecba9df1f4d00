/*
 * TCP as hal/network-ports.ts has it, without the engine: the boards have it on lwIP (tcp_link.c), the host on
 * sockets (hal/host/io/tcp_link.c). tcp_natives.c gives either to the script, and
 * test/hal/contract/tcp_behaviours.c holds both to the same behaviours.
 */
#ifndef OPENCOUPLING_TCP_LINK_H
#define OPENCOUPLING_TCP_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TCP_ADDRESS_BYTES 16 /* "255.255.255.255" */

struct tcp_link;
struct tcp_listener;

enum tcp_event { TCP_NOTHING, TCP_READABLE, TCP_WRITABLE, TCP_ENDED };

/*
 * To be defined by the user. Called from the event loop, never from inside a function below, and not after
 * tcp_link_close(), which it may call. `count`: all bytes that can be read, or written, now. TCP_ENDED comes
 * once, and last, after all that came has been read; what was written before it is sent if the peer has
 * only finished sending.
 */
void tcp_link_event(void *machine, void *owner, enum tcp_event event, size_t count);

/* The same of a listener, when connections have come. `count`: those that wait now, new ones at least. */
void tcp_listener_event(void *machine, void *owner, size_t count);

/* Begins to connect; the first TCP_WRITABLE says that it is done. NULL: no such address, or no memory. */
struct tcp_link *tcp_link_connect(void *machine, void *owner, const char *address, uint16_t port, bool nodelay);

/* Gives an accepted connection its owner, who is told what has happened so far. */
void tcp_link_adopt(struct tcp_link *link, void *owner, bool nodelay);

/* Address of the peer, numeric. False: nobody knows. */
bool tcp_link_peer(const struct tcp_link *link, char address[TCP_ADDRESS_BYTES]);

/*
 * Reads `count` bytes, at least 1, or none if fewer are there. Returns how many were there. What is left can be
 * read without being announced anew.
 */
size_t tcp_link_read(struct tcp_link *link, void *into, size_t count);

/*
 * `count`: at most what was announced, less what was written since. False: not all fits. What is written after
 * the end is lost.
 */
bool tcp_link_write(struct tcp_link *link, const void *bytes, size_t count);

/* Ends the connection after what was written has been sent, and frees the link. */
void tcp_link_close(struct tcp_link *link);

/* Port 0: any. NULL: no memory, or the port is taken; at once afterwards, tcp_listener_problem() says which. */
struct tcp_listener *tcp_listener_open(void *machine, void *owner, uint16_t port);

/* Why the last listener could not be opened, as far as that is known. */
const char *tcp_listener_problem(void);

/* 0: it has none. */
uint16_t tcp_listener_port(const struct tcp_listener *listener);

/* The connection that has waited longest, or NULL: those that were counted may have gone. */
struct tcp_link *tcp_listener_accept(struct tcp_listener *listener);

/* Closes connections that wait, and frees the listener. */
void tcp_listener_close(struct tcp_listener *listener);

/* ---- boards ---- */

typedef void (*tcp_deliver)(void *machine, void *context, uint8_t *message, uint16_t length);

/* To be defined by the user. In lwIP's task: has the script's task call `deliver`. */
void tcp_post(void *machine, tcp_deliver deliver, void *context);

#endif
