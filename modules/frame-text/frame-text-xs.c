/*
 * Binding of frame text for XS; the same file on every platform. Arguments are validated before the lock is
 * taken, and nothing throws while it is held: an exception is a longjmp that would leave it locked.
 */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <stdlib.h>

#include "frame_text.h"
#include "gateway_driver.h"

#define MAX_WINDOW_MS 4294967295.0 /* 32 bits, as of the script's clock */
#define NO_END UINT64_MAX

static uint32_t read_ring(uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten)
{
	uint32_t count = gateway_read_ring(gateway_driver_lock().gateway, cursor, into, max, overwritten);
	gateway_driver_unlock();
	return count;
}

/* ---- arguments ---- */

static unsigned unsigned_argument(xsMachine *the, int index, const char *name, double most)
{
	xsType type = xsmcTypeOf(xsArg(index));
	if (type != xsIntegerType && type != xsNumberType)
		xsTypeError("%s is not a number", name);
	double value = xsmcToNumber(xsArg(index));
	if (!(value >= 0 && value <= most) || value != (double)(uint32_t)value)
		xsRangeError("%s is %.15g, must be an integer 0..%.0f", name, value, most);
	return (unsigned)value;
}

/* Arguments (into, start, end) of a write. The pointers hold until the engine allocates next. */
static char *room_arguments(xsMachine *the, char **end)
{
	void *data;
	xsUnsignedValue size;
	unsigned to = unsigned_argument(the, 2, "end", UINT32_MAX);
	unsigned from = unsigned_argument(the, 1, "start", to);
	xsmcGetBufferWritable(xsArg(0), &data, &size);
	if (to > size)
		xsRangeError("end is %u, the buffer has %u bytes", to, (unsigned)size);
	*end = (char *)data + to;
	return (char *)data + from;
}

/* ---- FrameLines ---- */

void xs_frame_lines_destructor(void *data)
{
	free(data);
}

/* Throws for a `this` that is no constructed FrameLines. */
static struct frame_lines *get_lines(xsMachine *the)
{
	struct frame_lines *lines = xsmcGetHostDataValidate(xsThis, (void *)xs_frame_lines_destructor);
	if (!lines)
		xsSyntaxError("not constructed");
	return lines;
}

/* (format, rows) */
void xs_frame_lines_construct(xsMachine *the)
{
	unsigned format = unsigned_argument(the, 0, "format", FRAME_FORMATS - 1);
	unsigned rows = unsigned_argument(the, 1, "rows", ROWS_ALL);
	if (!gateway_driver_core())
		xsUnknownError("no gateway is running");
	struct frame_lines *lines = calloc(1, sizeof *lines);
	if (!lines)
		xsRangeError("no memory");
	lines->format = (enum frame_format)format;
	lines->rows = rows;
	lines->end = NO_END;
	lines->cursor = gateway_ring_end(gateway_driver_lock().gateway);
	gateway_driver_unlock();
	xsmcSetHostData(xsThis, lines);
}

/* (windowMs) */
void xs_frame_lines_look_back(xsMachine *the)
{
	struct frame_lines *lines = get_lines(the);
	uint64_t window_us = 1000 * (uint64_t)unsigned_argument(the, 0, "windowMs", MAX_WINDOW_MS);
	struct gateway_locked locked = gateway_driver_lock();
	uint64_t oldest = gateway_ring_start(locked.gateway);
	lines->end = gateway_ring_end(locked.gateway);
	gateway_driver_unlock();
	xsmcSetNumber(xsResult, (double)(frame_lines_look_back(lines, read_ring, oldest, window_us, locked.now_us) / 1000));
}

/* (into, start, end) */
void xs_frame_lines_write(xsMachine *the)
{
	struct frame_lines *lines = get_lines(the);
	char *end, *start = room_arguments(the, &end);
	xsmcSetInteger(xsResult, (xsIntegerValue)(frame_lines_write(lines, read_ring, start, end) - start));
}

void xs_frame_lines_get_is_complete(xsMachine *the)
{
	struct frame_lines *lines = get_lines(the);
	xsmcSetBoolean(xsResult, lines->cursor >= lines->end);
}

void xs_frame_lines_get_cursor(xsMachine *the)
{
	xsmcSetNumber(xsResult, (double)get_lines(the)->cursor);
}

void xs_frame_lines_get_overwritten(xsMachine *the)
{
	xsmcSetNumber(xsResult, (double)get_lines(the)->overwritten);
}

/* ---- CanView ---- */

static struct can_view_rates rates;

static bool read_latest(unsigned bus, uint32_t id, struct gateway_latest *into)
{
	const struct gateway_latest *latest = gateway_latest_of(gateway_driver_lock().gateway, bus, id);
	if (latest)
		*into = *latest;
	gateway_driver_unlock();
	return latest != NULL;
}

void xs_can_view_destructor(void *data)
{
	free(data);
}

static struct can_view *get_view(xsMachine *the)
{
	struct can_view *view = xsmcGetHostDataValidate(xsThis, (void *)xs_can_view_destructor);
	if (!view)
		xsSyntaxError("not constructed");
	return view;
}

/* (generation, rows, decodedLimit, rawLimit) */
void xs_can_view_construct(xsMachine *the)
{
	unsigned generation = unsigned_argument(the, 0, "generation", UINT8_MAX);
	unsigned rows = unsigned_argument(the, 1, "rows", ROWS_ALL);
	unsigned decoded_limit = unsigned_argument(the, 2, "decodedLimit", UINT32_MAX);
	unsigned raw_limit = unsigned_argument(the, 3, "rawLimit", UINT32_MAX);
	if (!gateway_driver_core())
		xsUnknownError("no gateway is running");
	struct can_view *view = malloc(sizeof *view);
	if (!view)
		xsRangeError("no memory");
	struct gateway_locked locked = gateway_driver_lock();
	uint64_t first = gateway_ring_start(locked.gateway), end = gateway_ring_end(locked.gateway);
	gateway_driver_unlock();
	can_view_begin(view, &rates, read_latest, read_ring, generation, rows, decoded_limit, raw_limit, first, end, locked.now_us);
	xsmcSetHostData(xsThis, view);
}

/* (into, start, end) */
void xs_can_view_write(xsMachine *the)
{
	struct can_view *view = get_view(the);
	char *end, *start = room_arguments(the, &end);
	xsmcSetInteger(xsResult, (xsIntegerValue)(can_view_write(view, start, end) - start));
}

void xs_can_view_get_is_complete(xsMachine *the)
{
	xsmcSetBoolean(xsResult, can_view_is_complete(get_view(the)));
}

/* ---- DbcFile ---- */

void xs_dbc_file_destructor(void *data)
{
	free(data);
}

static struct dbc_file *get_dbc_file(xsMachine *the)
{
	struct dbc_file *file = xsmcGetHostDataValidate(xsThis, (void *)xs_dbc_file_destructor);
	if (!file)
		xsSyntaxError("not constructed");
	return file;
}

/* (network, reportBytes) */
void xs_dbc_file_construct(xsMachine *the)
{
	unsigned network = unsigned_argument(the, 0, "network", NETWORKS - 1);
	unsigned report_bytes = unsigned_argument(the, 1, "reportBytes", 8);
	struct dbc_file *file = calloc(1, sizeof *file);
	if (!file)
		xsRangeError("no memory");
	file->network = (enum network)network;
	file->report_bytes = report_bytes;
	xsmcSetHostData(xsThis, file);
}

/* (into, start, end) */
void xs_dbc_file_write(xsMachine *the)
{
	struct dbc_file *file = get_dbc_file(the);
	char *end, *start = room_arguments(the, &end);
	xsmcSetInteger(xsResult, (xsIntegerValue)(dbc_file_write(file, start, end) - start));
}

void xs_dbc_file_get_is_complete(xsMachine *the)
{
	xsmcSetBoolean(xsResult, dbc_file_is_complete(get_dbc_file(the)));
}

/* ---- Catalogue ---- */

/* A packed text up to the next '|'; undefined if it is NULL. */
static void set_result(xsMachine *the, const char *packed)
{
	char text[CATALOGUE_TEXT_BYTES];
	if (!packed)
		return;
	catalogue_text(packed, text);
	xsmcSetString(xsResult, text);
}

/* The frame of the arguments (network, frameId); NULL: the catalogue lacks it. */
static const char *frame_argument(xsMachine *the)
{
	unsigned network = unsigned_argument(the, 0, "network", NETWORKS - 1);
	unsigned id = unsigned_argument(the, 1, "frameId", UINT32_MAX);
	return catalogue_find(&catalogues[network], id);
}

/* (network, frameId) */
void xs_catalogue_frame(xsMachine *the)
{
	set_result(the, frame_argument(the));
}

/* (network, frameId, name) */
void xs_catalogue_signal(xsMachine *the)
{
	const char *frame = frame_argument(the);
	set_result(the, frame ? catalogue_named(frame, xsmcToString(xsArg(2))) : NULL);
}

/* (network, frameId) */
void xs_catalogue_selector(xsMachine *the)
{
	const char *frame = frame_argument(the);
	set_result(the, frame ? catalogue_selecting(frame) : NULL);
}

/* (number) */
void xs_catalogue_unit(xsMachine *the)
{
	const char *unit = catalogue_units[unsigned_argument(the, 0, "number", catalogue_unit_count - 1)];
	fxStringX(the, &xsResult, (xsStringValue)unit); /* it lies in flash: the string needs no copy */
}

#if !ESP32 /* there the linker finds the functions by name */
#define FUNCTION(function, parameters) { .name = #function, .callback = function, .length = parameters }

const struct host_native frame_text_natives[] = {
	{ .name = "xs_can_view_destructor", .destructor = xs_can_view_destructor },
	FUNCTION(xs_can_view_construct, 4),
	FUNCTION(xs_can_view_write, 3),
	FUNCTION(xs_can_view_get_is_complete, 0),
	FUNCTION(xs_catalogue_frame, 2),
	FUNCTION(xs_catalogue_signal, 3),
	FUNCTION(xs_catalogue_selector, 2),
	FUNCTION(xs_catalogue_unit, 1),
	{ .name = "xs_dbc_file_destructor", .destructor = xs_dbc_file_destructor },
	FUNCTION(xs_dbc_file_construct, 2),
	FUNCTION(xs_dbc_file_write, 3),
	FUNCTION(xs_dbc_file_get_is_complete, 0),
	{ .name = "xs_frame_lines_destructor", .destructor = xs_frame_lines_destructor },
	FUNCTION(xs_frame_lines_construct, 2),
	FUNCTION(xs_frame_lines_look_back, 1),
	FUNCTION(xs_frame_lines_write, 3),
	FUNCTION(xs_frame_lines_get_is_complete, 0),
	FUNCTION(xs_frame_lines_get_cursor, 0),
	FUNCTION(xs_frame_lines_get_overwritten, 0),
	{ .name = NULL },
};
#endif
