/* Turns under callgrind (see turns.h). */
#include "turns.h"

#include "engine.h"

#ifdef OPENCOUPLING_CALLGRIND
#include <valgrind/callgrind.h>

/* "internal": with the events of this thread so far */
#define SAY_EVENTS "status internal"

static bool counting;
static struct engine_figures before;

bool turns_count(void)
{
	if (!RUNNING_ON_VALGRIND)
		return false;
	CALLGRIND_START_INSTRUMENTATION;
	counting = true;
	return true;
}

void turn_begin(xsMachine *the)
{
	if (!counting)
		return;
	engine_figures(the, &before);
	VALGRIND_MONITOR_COMMAND(SAY_EVENTS);
}

void turn_end(xsMachine *the, const char *kind, unsigned interval_ms)
{
	if (!counting)
		return;
	struct engine_figures after;
	VALGRIND_MONITOR_COMMAND(SAY_EVENTS);
	engine_figures(the, &after);
	VALGRIND_PRINTF("turn %s%u bytecodes %u slots %d chunks %d collections %u\n", kind, interval_ms, after.meter - before.meter,
		(int)(after.slots - before.slots), (int)(after.chunks - before.chunks), (after.collections - before.collections) & 0xFFFF);
}

#else

bool turns_count(void)
{
	return false;
}

void turn_begin(xsMachine *the)
{
	(void)the;
}

void turn_end(xsMachine *the, const char *kind, unsigned interval_ms)
{
	(void)the, (void)kind, (void)interval_ms;
}

#endif
