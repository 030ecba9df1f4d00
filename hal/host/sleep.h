/*
 * Deep sleep of the host: the engine is gone, the gateway's links stay and what comes on them is lost, until
 * a frame of the chassis bus or the timer ends it. Then the program starts itself again, as a board does.
 */
#ifndef OPENCOUPLING_SLEEP_H
#define OPENCOUPLING_SLEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"

/* Before anything else: reads what the sleep before this start has left. */
void sleep_boot(void);
/* Whether this start follows a sleep. */
bool sleep_woken(void);
/*
 * After the engine has left with EXIT_ASLEEP. Returns that when it was woken, or the program's exit code when
 * it is to end.
 */
int sleep_run(void);
/* Before the program starts itself again: tells that one why. */
void sleep_leave(bool woken);

#endif
