/* Natives of config.ts: what the command line says that a board's manifest would say. */
#include "../faults.h"
#include "../host.h"
#include "../options.h"

static void config_http_port(xsMachine *the)
{
	xsmcSetInteger(xsResult, host_options.http_port);
}

static void config_update_image_corrupted(xsMachine *the)
{
	xsmcSetBoolean(xsResult, fault_update_image_corrupted);
}

const struct host_native host_config_natives[] = {
	{ .name = "host_config_http_port", .callback = config_http_port },
	{ .name = "host_config_update_image_corrupted", .callback = config_update_image_corrupted },
};
const size_t host_config_natives_count = HOST_COUNT(host_config_natives);
