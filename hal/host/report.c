/* Prints the report (see report.h). */
#include "report.h"

#include <stdio.h>

#include "engine.h"
#include "gateway_host.h"
#include "io/flash.h"
#include "io/pwm.h"
#include "loop.h"

#define NAMES_SHOWN 8

/*
 * The youngest names that the machine has made, so that one can see where they come from; odd characters are
 * left out.
 */
static void print_names(xsMachine *the, uint32_t count)
{
	uint32_t first = count > NAMES_SHOWN ? count - NAMES_SHOWN : 0;
	fprintf(stderr, "\"youngestNames\":[");
	for (uint32_t i = first; i < count; i++) {
		fputs(i > first ? ",\"" : "\"", stderr);
		for (const char *c = engine_name(the, i); *c; c++)
			if (*c > ' ' && *c < 0x7f && *c != '"' && *c != '\\')
				fputc(*c, stderr);
		fputc('"', stderr);
	}
	fprintf(stderr, "],");
}

void report_print(xsMachine *the)
{
	struct engine_figures before, after;
	struct loop_turn turn = loop_longest_turn();
	engine_figures(the, &before);
	if (engine_abort_status == ENGINE_RUNNING) /* it may have been in the midst of a collection */
		fxCollectGarbage(the);
	engine_figures(the, &after);
	fflush(stdout);
	fprintf(stderr, "{\"heap\":{\"slotBytes\":%u,\"slots\":%u,\"slotsLive\":%u,\"slotsPeak\":%u,\"slotsLimit\":%u,",
		(unsigned)sizeof(xsSlot), before.slots, after.slots, before.slots_peak, before.slots_limit);
	fprintf(stderr, "\"chunks\":%u,\"chunksLive\":%u,\"chunksPeak\":%u,\"chunksLimit\":%u,", before.chunks, after.chunks,
		before.chunks_peak, before.chunks_limit);
	fprintf(stderr, "\"stackPeak\":%u,\"stackLimit\":%u,\"keys\":%u,\"keysLimit\":%u,\"collections\":%u},", before.stack_peak,
		before.stack_limit, before.keys, before.keys_limit, before.collections);
	print_names(the, after.keys);
	fprintf(stderr, "\"meter\":%u,\"longestTurnUs\":%u,\"longestTurnBytecodes\":%u,", before.meter, (unsigned)turn.us, (unsigned)turn.bytecodes);
	fprintf(stderr, "\"storage\":{\"operations\":%u,\"writes\":%u},\"pwm\":", flash_operations, flash_writes);
	pwm_report(stderr);
	fprintf(stderr, ",\"gateway\":");
	gateway_host_report(stderr);
	fprintf(stderr, "}\n");
	fflush(stderr);
}
