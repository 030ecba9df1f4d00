/*
 * The two machines: the root, which stands for what a board has in ROM and flash (built-ins, native
 * functions, core.js), and its clone with the heap under test, in which the application runs.
 */
#ifndef OPENCOUPLING_MACHINE_H
#define OPENCOUPLING_MACHINE_H

#include "xs.h"

/* Creates both, runs the application until it ends, deletes both. Returns the program's exit code. */
int machine_run(void);

/*
 * The report, for tests and benchmarks: one JSON line on stderr with heap, meter, the longest turn since the
 * last one (loop.h), PWM, storage and gateway counters. Collects garbage first to tell what is alive; the
 * figures "used" and "peak" are from before that.
 */
void report_print(xsMachine *the);

#endif
