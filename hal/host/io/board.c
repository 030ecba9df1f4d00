/* Natives of config.ts, of hal/io/time.ts, and of hal/io/board.ts what is not in partitions.c and sleep.c. */
#include "../clock.h"
#include "../faults.h"
#include "../host.h"
#include "../options.h"
#include "partitions.h"

static void config_http_port(xsMachine *the)
{
	xsmcSetInteger(xsResult, host_options.http_port);
}

static void config_analyzer_port(xsMachine *the)
{
	xsmcSetInteger(xsResult, host_options.analyzer_port);
}

static void config_update_url(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)host_options.update_url);
}

static void config_update_key(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)host_options.update_key);
}

static void config_guards_open_network(xsMachine *the)
{
	xsmcSetBoolean(xsResult, host_options.guards_open_network);
}

static void clock_ticks(xsMachine *the)
{
	xsmcSetInteger(xsResult, (xsIntegerValue)((host_clock_reading_us() / 1000) & 0x7FFFFFFF));
}

static void clock_microseconds(xsMachine *the)
{
	xsmcSetNumber(xsResult, (double)host_clock_reading_us());
}

static void boot_key(xsMachine *the)
{
	xsmcSetBoolean(xsResult, fault_boot_key);
}

static void reset_reason(xsMachine *the)
{
	const char *reason = host_options.restarted ? host_options.restarted : partitions_crashed() ? "crash" : "power on";
	xsmcSetString(xsResult, (char *)reason);
}

const struct host_native host_board_natives[] = {
	{ .name = "host_config_http_port", .callback = config_http_port },
	{ .name = "host_config_analyzer_port", .callback = config_analyzer_port },
	{ .name = "host_config_update_url", .callback = config_update_url },
	{ .name = "host_config_update_key", .callback = config_update_key },
	{ .name = "host_config_guards_open_network", .callback = config_guards_open_network },
	{ .name = "xs_hal_ticks", .callback = clock_ticks },
	{ .name = "xs_hal_microseconds", .callback = clock_microseconds },
	{ .name = "xs_hal_boot_key", .callback = boot_key },
	{ .name = "xs_hal_reset_reason", .callback = reset_reason },
	{ .name = NULL },
};
