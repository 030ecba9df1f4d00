/* Between the host's gateway driver and its virtual time; what others call is in gateway_host.h. */
#ifndef GATEWAY_HOST_REPLAY_H
#define GATEWAY_HOST_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gateway_core.h"
#include "gateway_host.h"
#include "gateway_host_link.h"

/* ---- gateway_host.c ---- */

extern struct gateway_link gateway_host_links[GATEWAY_BUSES];

/* Sends what waits on a bus, as far as the bus takes it. */
void gateway_host_drain(unsigned bus);

/* Bus states, cyclic frames, leases, then whatever waits. Returns when to be called again at the latest, as host_clock_us(). */
uint64_t gateway_host_turn(void);

/* The fault gateway-stalled is on. */
bool gateway_host_is_stalled(void);

/* ---- gateway_host_replay.c ---- */

/* Returns 0, or an exit code with its words in error. */
int gateway_host_replay_start(const struct gateway_host_options *options, char *error, size_t error_size);
void gateway_host_replay_stop(void);

/* Time is virtual. */
bool gateway_host_replays(void);

/* Takes a frame that leaves, as a bus would. Always true. */
bool gateway_host_replay_send(unsigned bus, const struct gateway_frame *frame);

#endif
