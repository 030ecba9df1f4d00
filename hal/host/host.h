/*
 * What the C files of the host share: the table of native functions and the services of the event loop.
 * Files with bindings include this, then use xsmc.h; identifiers come as xsID_name from "mc.xs.h", which the
 * Makefile generates from every xsID_name it finds in the C sources. Everything runs on the JavaScript thread
 * unless said otherwise.
 */
#ifndef OPENCOUPLING_HOST_H
#define OPENCOUPLING_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "xsmc.h"
#include "mc.xs.h"

/*
 * One name for native("name") or Native("name"). Exactly one of `callback` and `destructor` is set. Each file
 * with natives has a table of them, which ends with a row without a name; machine.c lists the tables.
 */
struct host_native {
	const char *name;
	xsCallback callback;              /* native("name"): the function */
	int length;                       /* its number of parameters */
	void (*destructor)(void *data);   /* Native("name"): destructor of the host object; may get NULL; must not call the engine */
};

/* Globals instead of natives, because they exist in --run scripts only (trace everywhere). */
void host_script_trace(xsMachine *the);
void host_script_print(xsMachine *the);
void host_script_read_file(xsMachine *the);
void host_script_exit(xsMachine *the);

/* Ends the program with this exit code, now: leaves whatever JavaScript is running. */
void host_exit(xsMachine *the, int code) __attribute__((noreturn));

#define HOST_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- machine.c ---- */

/*
 * The two machines: the root, which stands for what a board has in ROM and flash (built-ins, native
 * functions, core.js), and its clone with the heap under test, in which the application runs.
 */

/* Creates both, runs the application until it ends, deletes both. Returns the program's exit code. */
int machine_run(void);

/*
 * The report, for tests and benchmarks: one JSON line on stderr with heap, meter, the longest turn since the
 * last one (loop.h), PWM, storage and gateway counters. Collects garbage first to tell what is alive; the
 * figures "used" and "peak" are from before that.
 */
void report_print(xsMachine *the);

/* What all connections together have handed to the kernel since the start (io/tcp_link.c). */
extern uint64_t tcp_sent_bytes;

#endif
