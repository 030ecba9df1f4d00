/* Creates root and clone, installs the native functions, runs core.js and the application (see host.h). */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine.h"
#include "faults.h"
#include "host.h"
#include "io/board.h"
#include "io/flash.h"
#include "gateway_host.h"
#include "loop.h"
#include "options.h"

/* What a C6 gives to XS; `npm run build` puts the same numbers in manifest.json. Nothing grows. */
static xsCreation device_creation = {
	.initialChunkSize = 65536,      /* bytes */
	.incrementalChunkSize = 0,
	.initialHeapCount = 5632,       /* slots */
	.incrementalHeapCount = 0,
	.stackCount = 512,              /* slots */
	.initialKeyCount = 256,
	.incrementalKeyCount = 0,
	.nameModulo = 1993,             /* the clone takes the root's tables over, so the modulos are the same everywhere */
	.symbolModulo = 127,
	.parserBufferSize = 64 * 1024,  /* outside of the heap: a board has no parser */
	.parserTableModulo = 1993,
};

static xsCreation host_creation = {
	.initialChunkSize = 1 << 20,
	.incrementalChunkSize = 1 << 20,
	.initialHeapCount = 65536,
	.incrementalHeapCount = 65536,
	.stackCount = 16384,
	.initialKeyCount = 4096,
	.incrementalKeyCount = 4096,
	.nameModulo = 1993,
	.symbolModulo = 127,
	.parserBufferSize = 1 << 20,
	.parserTableModulo = 1993,
};

#define NATIVES_MAX 256

struct installed_native {
	const struct host_native *native;
	xsSlot function;   /* remembered by the root, which is never collected once it is shared */
};

extern const struct host_native can_gateway_natives[], frame_text_natives[], gateway_core_natives[], host_board_natives[],
	host_files_natives[], host_script_natives[], host_sleep_natives[], host_timer_natives[], host_update_natives[],
	sha256_natives[], signature_natives[], tcp_natives[], text_natives[];
static const struct host_native *const tables[] = {
	can_gateway_natives, frame_text_natives, gateway_core_natives, host_board_natives, host_files_natives,
	host_script_natives, host_sleep_natives, host_timer_natives, host_update_natives, sha256_natives, signature_natives,
	tcp_natives, text_natives};

static struct installed_native installed[NATIVES_MAX];
static size_t installed_count;
static int exit_code;

/* ---- files ---- */

/* Returns a malloc'ed copy with a final 0, or NULL with errno set. */
static char *read_whole_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	char *text = NULL;
	if (!file)
		return NULL;
	if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
		errno = EISDIR; /* it opens and has a size, but cannot be read */
	} else if (fseek(file, 0, SEEK_END) == 0 && (text = malloc((size_t)ftell(file) + 1))) {
		*size = (size_t)ftell(file);
		rewind(file);
		*size = fread(text, 1, *size, file);
		text[*size] = 0;
	}
	fclose(file);
	return text;
}

/* ---- native() and Native() ---- */

static struct installed_native *find_native(xsMachine *the, const char *name, bool is_class)
{
	for (size_t i = 0; i < installed_count; i++)
		if (!strcmp(installed[i].native->name, name) && !installed[i].native->callback == is_class)
			return &installed[i];
	xsReferenceError("%s(\"%s\"): the host has no such %s", is_class ? "Native" : "native", name, is_class ? "destructor" : "function");
	return NULL;
}

static void host_native_function(xsMachine *the)
{
	xsResult = xsAccess(find_native(the, xsmcToString(xsArg(0)), false)->function);
}

static void host_native_class(xsMachine *the)
{
	xsResult = xsAccess(find_native(the, xsmcToString(xsArg(0)), true)->function);
}

/*
 * `new (class extends Native("destructor"))`: a host object whose prototype is that of the class that was
 * called.
 */
static void construct_native(xsMachine *the)
{
	xsmcVars(1);
	xsmcGet(xsVar(0), xsTarget, xsID_prototype);
	xsResult = xsNewHostInstance(xsVar(0));
}

static void install(xsMachine *the, struct installed_native *entry, const struct host_native *native)
{
	entry->native = native;
	if (native->callback)
		entry->function = xsNewHostFunction(native->callback, native->length);
	else {
		xsVar(0) = xsNewHostObject(native->destructor);
		entry->function = xsNewHostConstructor(construct_native, 0, xsVar(0));
	}
	xsRemember(entry->function);
}

static void define_global(xsMachine *the, const char *name, xsCallback callback, int length)
{
	xsVar(0) = xsNewHostFunction(callback, length);
	xsmcDefine(xsGlobal, xsID(name), xsVar(0), xsDontEnum);
}

static void install_natives(xsMachine *the)
{
	for (size_t i = 0; i < host_id_count; i++)
		host_ids[i] = xsID(host_id_names[i]);
	for (size_t i = 0; i < HOST_COUNT(tables); i++)
		for (const struct host_native *native = tables[i]; native->name; native++) {
			if (installed_count == NATIVES_MAX)
				fxAbort(the, xsNotEnoughMemoryExit);
			install(the, &installed[installed_count++], native);
		}
	define_global(the, "native", host_native_function, 1);
	define_global(the, "Native", host_native_class, 1);
	define_global(the, "trace", host_script_trace, 1);
	if (host_options.run_path) {
		define_global(the, "print", host_script_print, 1);
		define_global(the, "readFile", host_script_read_file, 1);
		define_global(the, "exit", host_script_exit, 1);
	}
}

/* ---- the report ---- */

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

/* ---- machines ---- */

void host_exit(xsMachine *the, int code)
{
	exit_code = code;
	engine_leave(the);
}

/*
 * Runs `body` under a jump of our own: fxExitToHost() returns here, and an abort in xsEndHost() does not
 * loop.
 */
static void run_guarded(xsMachine *the, void (*body)(xsMachine *the))
{
	xsJump outer;
	memset(&outer, 0, sizeof outer);
	outer.stack = the->stack;
	outer.scope = the->scope;
	outer.frame = the->frame;
	outer.code = the->code;
	the->firstJump = &outer;
	if (setjmp(outer.buffer) == 0)
		body(the);
	the->stack = outer.stack;
	the->scope = outer.scope;
	the->frame = outer.frame;
	the->code = outer.code;
	the->firstJump = NULL;
}

static void run_file(xsMachine *machine, const char *source, size_t size, const char *kept_path)
{
	xsBeginHost(machine);
	engine_run_script(the, source, size, kept_path);
	xsEndHost(machine);
}

static char *core_source, *app_source;
static size_t core_size, app_size;

static void prepare_root(xsMachine *machine)
{
	xsBeginHost(machine);
	xsmcVars(1);
	install_natives(the);
	xsEndHost(machine);
	/* Most of a start is parsing it. */
	char kept_path[sizeof host_options.core_path + sizeof ".code"];
	snprintf(kept_path, sizeof kept_path, "%s.code", host_options.core_path);
	if (core_source)
		run_file(machine, core_source, core_size, host_options.core_named ? NULL : kept_path);
	engine_freeze_library(machine);
	fxShareMachine(machine);
	engine_put_library_into_rom(machine);
}

static enum loop_pace pace_of(const char *name)
{
	if (name && !strcmp(name, "max"))
		return LOOP_PACE_MAX;
	return name && !strcmp(name, "steps") ? LOOP_PACE_STEPS : LOOP_PACE_REAL;
}

static void run_application(xsMachine *machine)
{
	struct loop_options options = {
		.until_idle = host_options.run_path != NULL,
		.until_eof = host_options.until_eof,
		.replay = host_options.gateway.replay_path || host_options.gateway.on_stdio,
		.pace = pace_of(host_options.pace),
	};
	if (host_options.count_turns && !turns_count()) {
		fprintf(stderr, "opencoupling: --count-turns needs callgrind, and <valgrind/callgrind.h> when the program is built\n");
		exit_code = EXIT_USAGE;
		return;
	}
	turn_begin(machine);
	run_file(machine, app_source, app_size, NULL);
	turn_end(machine, "start", 0);
	if (!options.replay)
		loop_watch_gateway();
	faults_start();
	exit_code = loop_run(machine, &options);
	engine_check_rejections(machine);
}

static void print_report(xsMachine *machine)
{
	report_print(machine);
}

/*
 * A machine that the engine aborted, or that called exit(), ends with that; any other with the loop's exit
 * code.
 */
static int run_machines(void)
{
	xsMachine *root = fxCreateMachine(&host_creation, "root", NULL, xsNoID);
	if (!root)
		return EXIT_FAILED;
	run_guarded(root, prepare_root);
	if (engine_abort_status == ENGINE_RUNNING) {
		if (host_options.heap_slots) {
			device_creation.initialHeapCount = host_options.heap_slots;
			device_creation.initialChunkSize = host_options.heap_bytes;
		}
		xsMachine *app = fxCloneMachine(host_options.host_heap ? &host_creation : &device_creation, root, "app", NULL);
		if (app) {
#ifdef OPENCOUPLING_STRESS
			extern int gxStress;
			gxStress = 1;
#endif
			run_guarded(app, run_application);
			if (host_options.report)
				run_guarded(app, print_report);
			fxDeleteMachine(app);
		}
	}
	fxDeleteMachine(root);
	return engine_abort_status == ENGINE_RUNNING ? exit_code : EXIT_ENGINE + engine_abort_status;
}

static char *read_or_complain(const char *path, size_t *size, const char *hint)
{
	char *source = read_whole_file(path, size);
	if (!source)
		fprintf(stderr, "opencoupling: cannot read %s: %s%s\n", path, strerror(errno), hint);
	return source;
}

int machine_run(void)
{
	const char *app_path = host_options.run_path ? host_options.run_path : host_options.app_path;
	int code = EXIT_FAILED;
	/* A script of --run does without a core.js beside the program, but not without one that was named. */
	bool needs_core = !host_options.run_path || host_options.core_named;
	core_source = needs_core ? read_or_complain(host_options.core_path, &core_size, " (npm run setup builds core.js)")
		: read_whole_file(host_options.core_path, &core_size);
	if (core_source || !needs_core)
		app_source = read_or_complain(app_path, &app_size, "");
	if (app_source)
		code = run_machines();
	engine_free_scripts();
	free(core_source);
	free(app_source);
	return code;
}
