/*
 * What test/hal/contract/tcp_behaviours.c runs on: an event loop, and peers in the network. The boards' TCP
 * stands on a model of lwIP (test/hal/esp32/lwip_model.c), the host's on this computer's own sockets
 * (test/hal/host/tcp_host_peer.c).
 */
#ifndef TCP_PEER_H
#define TCP_PEER_H

#include "tcp_link.h"
#include "testing.h"

#define NET_ADDRESS "127.0.0.1" /* of all peers */

/* What owns a link, or a listener, in place of the script's socket. */
struct end {
	struct tcp_link *link;
	unsigned told[TCP_ENDED + 1]; /* how often each event has come */
	size_t readable, writable;    /* as last announced: bytes, or connections that wait */
	void (*act)(struct end *end); /* called after each event, unless NULL */
	bool closed;
};

extern bool net_runs;    /* while net_run() does */
extern char net_machine; /* in place of the script's machine */

/* A network without connections, which still has its peers' address. */
void net_start(void);
/* What is under way happens, events included. */
void net_run(void);
/* A port to listen on. */
uint16_t net_port(void);
/* Port of a peer that accepts the next connection to it, and is that peer from then on. */
uint16_t net_server(unsigned peer);
/* A port that nobody listens on. */
uint16_t net_closed_port(void);

/* Peers have numbers below 10, and do what their names say. */
void peer_connect(unsigned peer, const struct tcp_listener *listener);
void peer_send(unsigned peer, const char *bytes, size_t count);
void peer_finish(unsigned peer); /* sends no more, but reads on */
void peer_reset(unsigned peer);
/* Reads what has come, at most `most` bytes. Returns how many. */
size_t peer_read(unsigned peer, char *into, size_t most);
/* Whether the connection was closed at our end, and all was read that came before. */
bool peer_sees_end(unsigned peer);

/* It may take a while until something has happened. */
#define UNTIL(condition) \
	do { \
		for (unsigned tries_ = 0; !(condition); ++tries_) { \
			if (tries_ == 500) \
				test_fail(__FILE__, __LINE__, #condition, 0, 1); \
			net_run(); \
		} \
	} while (0)

#endif
