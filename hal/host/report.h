/*
 * The report, for tests and benchmarks: one JSON line on stderr with heap, meter, the longest turn since the
 * last one (loop.h), PWM, storage and gateway counters.
 */
#ifndef OPENCOUPLING_REPORT_H
#define OPENCOUPLING_REPORT_H

#include "xs.h"

/* Collects garbage first to tell what is alive; the figures "used" and "peak" are from before that. */
void report_print(xsMachine *the);

#endif
