/* Natives of config.ts: what the command line says that a board's manifest would say. */
#include "../host.h"
#include "../options.h"

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

const struct host_native host_config_natives[] = {
	{ .name = "host_config_http_port", .callback = config_http_port },
	{ .name = "host_config_analyzer_port", .callback = config_analyzer_port },
	{ .name = "host_config_update_url", .callback = config_update_url },
	{ .name = "host_config_update_key", .callback = config_update_key },
	{ .name = "host_config_guards_open_network", .callback = config_guards_open_network },
};
const size_t host_config_natives_count = HOST_COUNT(host_config_natives);
