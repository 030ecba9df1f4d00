/*
 * TCP on lwIP. A connection belongs to lwIP's task: what the script asks runs there, one thing after the
 * other, so that a peer may vanish at any moment. Moddable's socket frees a connection twice if it vanishes
 * while it is accepted or closed (its issue 1655, pull request 1679), which restarts the board.
 */
#ifndef OPENCOUPLING_TCP_LINK_H
#define OPENCOUPLING_TCP_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lwip/tcp.h"

struct tcp_listener;

struct tcp_link {
	struct tcp_pcb *pcb;   /* NULL: the connection is gone */
	struct pbuf *unread;
	ip_addr_t peer;
	bool received, sent;   /* since the script was told */
	bool ended;            /* by the peer, or broken; nothing more comes */
	bool told;             /* tcp_link_changed() was called, tcp_link_look() not yet */
	bool closed;           /* by the script: what still refers to it frees it */
	bool in_callback;      /* of the script */
	bool nodelay;
	struct tcp_listener *listener; /* in whose queue it waits: it has a pcb, for one whose peer goes is freed */
	struct tcp_link *next;
	void *machine, *owner; /* the script's */
};

struct tcp_listener {
	struct tcp_pcb *pcb;
	struct tcp_link *first;
	bool told, closed;
	void *machine, *owner;
};

/* Changes of a connection since the last look. */
struct tcp_news {
	size_t readable, writable; /* bytes; 0: nothing new */
	bool ended;                /* and all was read */
};

/* To be defined by the user. In lwIP's task: hands over to the script's, which calls tcp_link_look(). */
void tcp_link_changed(struct tcp_link *link);
void tcp_listener_changed(struct tcp_listener *listener);

/* Returns NULL if there is no memory. */
struct tcp_link *tcp_link_connect(void *machine, void *owner, const ip_addr_t *address, uint16_t port, bool nodelay);

/* Gives an accepted connection its owner, who is told what has happened so far. */
void tcp_link_adopt(struct tcp_link *link, void *owner, bool nodelay);

/* Ends `told`. */
struct tcp_news tcp_link_look(struct tcp_link *link);

/* Returns how many bytes were read, at most `most`. */
size_t tcp_link_read(struct tcp_link *link, void *into, size_t most);

/* Returns false if not all fits. */
bool tcp_link_write(struct tcp_link *link, const void *bytes, size_t count);

/* Closes the connection after it has sent all that was written. */
void tcp_link_close(struct tcp_link *link);

/* Frees a closed connection if nothing refers to it. */
void tcp_link_free_unused(struct tcp_link *link);

/* Port 0: any. Returns NULL if there is no memory, or the port is taken. */
struct tcp_listener *tcp_listener_open(void *machine, void *owner, uint16_t port);

/* How many connections wait. Ends `told`. */
size_t tcp_listener_look(struct tcp_listener *listener);

/* The first one that waits, or NULL: those that were counted may have gone. */
struct tcp_link *tcp_listener_accept(struct tcp_listener *listener);

/* Connections that wait are closed. */
void tcp_listener_close(struct tcp_listener *listener);

/* As tcp_link_free_unused(). Returns whether it did. */
bool tcp_listener_free_unused(struct tcp_listener *listener);

#endif
