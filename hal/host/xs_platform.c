/*
 * The engine's platform layer: allocation, promise jobs, modules (none: everything is bundled) and the abort
 * policy. Aborting prints one line, or message and stack of an exception, and returns to main() through the
 * outermost jump; main() exits with 100 + status.
 */
#include "xsAll.h"
#include "xsScript.h"
#include "engine.h"
#include "clock.h"

#define MACHINE_CHUNKS_LIMIT (512u << 20)   /* bytes; stops runaway scripts on the growing heap before the computer swaps */
#define VIRTUAL_EPOCH_S 1767225600          /* 2026-01-01T00:00:00Z, where `Date` starts in a replay */

#if XS_MAJOR_VERSION >= 16
/* It tells the script's stack from C's: one exit for both, as XS 13 has it. */
#define XS_STACK_OVERFLOW_EXIT XS_JAVASCRIPT_STACK_OVERFLOW_EXIT
#endif

int engine_abort_status = ENGINE_RUNNING;

int host_gettimeofday(struct timeval *now, void *zone)
{
	if (!host_clock_is_virtual())
		return gettimeofday(now, zone);
	uint64_t us = host_clock_us();
	now->tv_sec = VIRTUAL_EPOCH_S + (time_t)(us / 1000000);
	now->tv_usec = (suseconds_t)(us % 1000000);
	return 0;
}

void fxCreateMachinePlatform(txMachine *the)
{
	the->promiseJobs = false;
	the->chunksAllocated = 0;
}

void fxDeleteMachinePlatform(txMachine *the)
{
	(void)the;
}

void *fxAllocateChunks(txMachine *the, txSize size)
{
	if (size < 0 || the->chunksAllocated + (size_t)size > MACHINE_CHUNKS_LIMIT)
		return NULL;
	the->chunksAllocated += (size_t)size;
	return malloc((size_t)size);
}

void fxFreeChunks(txMachine *the, void *chunks)
{
	(void)the;
	free(chunks);
}

txSlot *fxAllocateSlots(txMachine *the, txSize count)
{
	(void)the;
	return malloc((size_t)count * sizeof(txSlot));
}

void fxFreeSlots(txMachine *the, void *slots)
{
	(void)the;
	free(slots);
}

void fxQueuePromiseJobs(txMachine *the)
{
	the->promiseJobs = true;
}

txID fxFindModule(txMachine *the, txSlot *realm, txID importer, txSlot *name)
{
	(void)the, (void)realm, (void)importer, (void)name;
	return XS_NO_ID;
}

void fxLoadModule(txMachine *the, txSlot *module, txID id)
{
	(void)the, (void)module, (void)id;
}

const char *engine_version(void)
{
	static char text[16];
	snprintf(text, sizeof text, "XS %d.%d", XS_MAJOR_VERSION, XS_MINOR_VERSION);
	return text;
}

/* "memory full", "uncaught exception" ... */
static const char *engine_abort_name(int status)
{
	switch (status) {
	case XS_NOT_ENOUGH_MEMORY_EXIT: return "memory full";
	case XS_STACK_OVERFLOW_EXIT: return "stack overflow";
	case XS_FATAL_CHECK_EXIT: return "fatal check";
	case XS_DEAD_STRIP_EXIT: return "dead strip";
	case XS_UNHANDLED_EXCEPTION_EXIT: return "uncaught exception";
	case XS_NO_MORE_KEYS_EXIT: return "no more keys";
	case XS_TOO_MUCH_COMPUTATION_EXIT: return "too much computation";
	case XS_UNHANDLED_REJECTION_EXIT: return "unhandled rejection";
	default: return "stopped";
	}
}

/* Prints the thrown value: an error's stack, which starts with its message, else the value as a string. */
static void print_exception(txMachine *the)
{
	/* fxBeginHost: the interpreter must not run on in the byte code of the function that threw. */
	fxBeginHost(the);
	{
		mxTry(the) {
			mxPush(mxException);
			if (mxIsReference(the->stack)) {
				mxDub();
				mxGetID(mxID(_stack));
				if (!mxIsStringPrimitive(the->stack))
					mxPop();
			}
			fprintf(stderr, ": %s", fxToString(the, the->stack));
		}
		mxCatch(the) {
			fprintf(stderr, ": (a value that cannot be printed)");
		}
	}
	fxEndHost(the);
}

void fxAbort(txMachine *the, int status)
{
#if XS_MAJOR_VERSION >= 16
	if (status == XS_NATIVE_STACK_OVERFLOW_EXIT)
		status = XS_STACK_OVERFLOW_EXIT;
#endif
	/*
	 * A second abort happens when printing the exception fills the heap: the first one is the one to report.
	 */
	if (engine_abort_status == ENGINE_RUNNING) {
		engine_abort_status = status;
		fflush(stdout);
		fprintf(stderr, "opencoupling: %s", engine_abort_name(status));
		if (status == XS_UNHANDLED_EXCEPTION_EXIT || status == XS_UNHANDLED_REJECTION_EXIT)
			print_exception(the);
		fprintf(stderr, "\n");
	}
	fxExitToHost(the);
}

void engine_leave(xsMachine *the)
{
	fxExitToHost(the);
	abort();   /* not reached: fxExitToHost() jumps, but does not say so */
}

void engine_run_jobs(xsMachine *the)
{
	do {
		while (the->promiseJobs) {
			the->promiseJobs = false;
			fxRunPromiseJobs(the);
		}
		fxEndJob(the);
	} while (the->promiseJobs);
}

void engine_check_rejections(xsMachine *the)
{
	fxCheckUnhandledRejections(the, 1);
}

/* `used` may be above `limit`: the engine counts twice by how much a chunk grew in place, until it collects. */
static bool is_free(txSize limit, txSize used, uint32_t wanted)
{
	return used <= limit && (uint32_t)(limit - used) >= wanted;
}

bool engine_has_heap(xsMachine *the, uint32_t slots, uint32_t chunk_bytes)
{
	bool has_slots = the->minimumHeapCount > 0 || is_free(the->maximumHeapCount, the->currentHeapCount, slots);
	bool has_chunks = the->minimumChunksSize > 0 || is_free(the->maximumChunksSize, the->currentChunksSize, chunk_bytes);
	return has_slots && has_chunks;
}

const char *engine_name(xsMachine *the, uint32_t index)
{
	const txSlot *key = the->keyArray[index];
	return key && (key->kind == XS_KEY_KIND || key->kind == XS_KEY_X_KIND) ? key->value.key.string : "";
}

uint32_t engine_meter(xsMachine *the)
{
#ifdef XS_CODE_METERING
	return (uint32_t)(the->meterIndex / XS_CODE_METERING); /* XS 17 counts in parts of a byte code, and what they allocate */
#else
	return the->meterIndex;
#endif
}

void engine_figures(xsMachine *the, struct engine_figures *figures)
{
	figures->slots = (uint32_t)the->currentHeapCount;
	figures->slots_peak = (uint32_t)the->peakHeapCount;
	figures->slots_limit = (uint32_t)the->maximumHeapCount;
	figures->chunks = (uint32_t)the->currentChunksSize;
	figures->chunks_peak = (uint32_t)the->peakChunksSize;
	figures->chunks_limit = (uint32_t)the->maximumChunksSize;
	figures->stack_peak = (uint32_t)(the->stackTop - the->stackPeak);
	figures->stack_limit = (uint32_t)(the->stackTop - the->stackBottom);
	figures->keys = (uint32_t)(the->keyIndex - the->keyOffset);
	figures->keys_limit = (uint32_t)(the->keyCount - the->keyOffset);
	figures->collections = the->garbageCollectionCount;
	figures->meter = engine_meter(the);
}
