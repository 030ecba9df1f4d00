/* The event loop in virtual time: frames of a log, timers and sockets (see loop.h). */
#ifndef OPENCOUPLING_HOST_REPLAY_H
#define OPENCOUPLING_HOST_REPLAY_H

#include "loop.h"

/*
 * Runs until a little after the last frame, or until the loop is over.
 *
 * LOOP_PACE_STEPS: time goes on only as standard input says, one command at a time, each answered by a line
 * of JSON when it is done: `run MS` (0: only what can be done now), `collect` (garbage). So the same requests
 * get the same turns, however slow program and client are. Ends with standard input.
 */
void replay_run(xsMachine *the, enum loop_pace pace);

/* Asleep until then, of the host's clock: only time goes on, as the log or standard input says. */
enum loop_wake replay_sleep(uint64_t wake_us);

#endif
