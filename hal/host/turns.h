/*
 * What each turn costs: from the callback of a timer or socket to the return to the event loop, promise jobs
 * included. Counted by callgrind, which says in its log (--log-file) before and after a turn what this thread
 * has run so far, as `callgrind_control -e` would ("events-1: 123"). In between the turn writes "turn KIND
 * bytecodes N slots N chunks N collections N", what it took of each; slots and chunk bytes may have been
 * given back by a collection.
 */
#ifndef OPENCOUPLING_HOST_TURNS_H
#define OPENCOUPLING_HOST_TURNS_H

#include <stdbool.h>

#include "xs.h"

/*
 * Begins to count, which makes the program slower. False: it does not run under callgrind, or was built
 * without <valgrind/callgrind.h>.
 */
bool turns_count(void);

/* Around each turn; they do not nest. `kind` is one word, `interval_ms` of a repeating timer, else 0. */
void turn_begin(xsMachine *the);
void turn_end(xsMachine *the, const char *kind, unsigned interval_ms);

#endif
