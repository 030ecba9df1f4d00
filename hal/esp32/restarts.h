/*
 * Unwanted restarts: Moddable restarts the board when a script throws or has no memory left,
 * ESP-IDF after an abort and by its watchdogs. Each costs some tenths of a second without frames, so what
 * can't even start is left alone in the end: the gateway goes on without it.
 */
#ifndef OPENCOUPLING_RESTARTS_H
#define OPENCOUPLING_RESTARTS_H

#include <stdbool.h>

/*
 * This many in a row. More than those after which the script itself runs only what leads out of a boot loop
 * (src/runtime/start-guard.ts). Source: docs/decisions.md 34.
 */
#define RESTARTS_MAX 5u
#define RESTARTS_LIVED_US 30000000 /* a start that lives for this long ends the row: docs/decisions.md 34 */

/*
 * To be called once, before anything that might restart the board. Returns whether it had better not be
 * started at all.
 */
bool restarts_count(void);

/* This start has lived RESTARTS_LIVED_US: the row begins anew with the next restart. */
void restarts_lived(void);

/* Which of the functions below this start follows. */
enum restart { RESTART_OTHER, RESTART_WANTED, RESTART_HUNG, RESTART_WOKEN };
enum restart restarts_before(void);

/* Restarts because the script has asked for it, which ends the row. Does not return on a board. */
void restarts_now(void);

/* A light sleep is over: the chip starts anew, at once. Does not return on a board. */
void restarts_woken(void);

/*
 * From an interrupt: the gateway's task hangs. The chip starts anew at once; nothing is written or printed
 * before, for frames wait. Does not return on a board.
 */
void restarts_hung(void);

#endif
