/*
 * A model of lwIP's TCP, on which tcp_link.c stands, with peers (test/hal/contract/tcp_peer.h). Anything may
 * happen in lwIP's task before a request of the script reaches it; what is freed twice, or used after it,
 * AddressSanitizer finds.
 */
#ifndef LWIP_MODEL_H
#define LWIP_MODEL_H

#include "lwip/tcp.h"
#include "tcp_peer.h"

#define SEND_BUFFER_BYTES 5744

struct lwip_model {
	void (*before_request)(unsigned peer); /* happens to peer 0 in lwIP's task, once */
	struct tcp_pcb *listening;
	unsigned allowed_allocations, pcbs, posted, aborted;
	bool rejects_connect, write_fails, close_fails;
};
extern struct lwip_model lwip;

/* A peer's connection; NULL: it has none, or it is freed. */
struct tcp_pcb *lwip_pcb(unsigned peer);

#endif
