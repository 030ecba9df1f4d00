/*
 * Software restarts: wanted ones, and those by which Moddable ends a script that threw or has no memory left. Each costs some tenths of a
 * second without frames, so a script that can't even start is left alone in the end: the gateway goes on without it.
 */
#ifndef OPENCOUPLING_RESTARTS_H
#define OPENCOUPLING_RESTARTS_H

#include <stdbool.h>

/*
 * So many unwanted restarts in a row, each within RESTARTS_LIVED_US of the start. More than those after which the script itself runs only what leads out of
 * a boot loop (src/runtime/start-guard.ts).
 */
#define RESTARTS_MAX 5u
#define RESTARTS_LIVED_US 30000000

/* To be called once, in a task, before JavaScript starts. */
void restarts_watch(void);

/* Whether this start follows restarts_now(). */
bool restarts_was_wanted(void);

/* Does not return on a board. */
void restarts_now(void);

#endif
