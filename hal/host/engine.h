/*
 * The parts of the host that need the engine's internals (xsAll.h), as seen by the parts that do not:
 * running scripts from "flash", heap figures, and what became of a machine that aborted.
 */
#ifndef OPENCOUPLING_ENGINE_H
#define OPENCOUPLING_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "xs.h"

/* Why the engine stopped for good. `status` is one of xs.h's ...Exit numbers, or ENGINE_RUNNING. */
#define ENGINE_RUNNING (-1)
extern int engine_abort_status;

/* The engine's name and version, "XS 13.3". */
const char *engine_version(void);

/*
 * Parses `source` (strict mode), maps its byte code so that it is used in place as from flash (functions and
 * string literals take no chunks, names no copies) and runs it as a script. Exceptions propagate to the
 * caller's jump. `kept_path`: a file that keeps the byte code for the next start, or NULL.
 */
void engine_run_script(xsMachine *the, const char *source, size_t size, const char *kept_path);

/* Frees the byte code of all scripts; after the last machine is gone. */
void engine_free_scripts(void);

/*
 * Makes read-only what is read-only in a board's ROM: functions and classes with their static fields,
 * prototypes (the built-in ones too), Map, Set, ArrayBuffer, typed arrays and the like. Just before the
 * machine is shared.
 */
void engine_freeze_library(xsMachine *the);

/*
 * Says of all strings, big integers and names of the shared machine that they lie in ROM. Without it the
 * clone's garbage collector takes those that the application holds for its own, and moves its reference where
 * they would have gone. Just after the machine was shared.
 */
void engine_put_library_into_rom(xsMachine *the);

/* Runs promise jobs until none is left, then ends the job (finalizers, rejections). */
void engine_run_jobs(xsMachine *the);

/* Aborts with "unhandled rejection" if one is pending. */
void engine_check_rejections(xsMachine *the);

/* Leaves everything that runs in the machine and returns to the outermost jump, machine.c's. */
void engine_leave(xsMachine *the) XS_FUNCTION_NORETURN;

/* What one machine uses, now and at most since it was made. Reading it collects no garbage. */
struct engine_figures {
	uint32_t slots, slots_peak, slots_limit;      /* slots of sizeof(txSlot); used = live plus garbage since the last collection */
	uint32_t chunks, chunks_peak, chunks_limit;   /* bytes */
	uint32_t stack_peak, stack_limit;             /* slots */
	uint32_t keys, keys_limit;                    /* property names of the machine's own */
	uint32_t collections;                         /* modulo 65536 */
	uint32_t meter;                               /* byte codes, roughly; exactly reproducible; modulo 2^32 */
};
void engine_figures(xsMachine *the, struct engine_figures *figures);

/* A property name of the machine's own, 0 .. keys - 1, the oldest first; "" for a symbol. */
const char *engine_name(xsMachine *the, uint32_t index);

/* Whether this much is free, garbage not counted; a heap that grows always has it. */
bool engine_has_heap(xsMachine *the, uint32_t slots, uint32_t chunk_bytes);

/* Bytecodes run so far, modulo 2^32. */
uint32_t engine_meter(xsMachine *the);

#endif
