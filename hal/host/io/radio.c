/* Natives of radio.ts: the networks that the simulated radio finds (--wifi). */
#include <string.h>

#include "../faults.h"
#include "../host.h"
#include "../options.h"

static bool is_network(const char *network, const char *ssid, size_t length)
{
	return !strncmp(network, ssid, length) && (network[length] == ':' || network[length] == 0);
}

/* (ssid): its password, "" for an open network, undefined if there is no such network in reach */
static void radio_find(xsMachine *the)
{
	const char *ssid = xsmcToString(xsArg(0));
	size_t length = strlen(ssid);
	for (size_t i = 0; i < host_options.wifi_count && !fault_wifi_lost; i++) {
		const char *network = host_options.wifi[i];
		if (!is_network(network, ssid, length))
			continue;
		xsmcSetString(xsResult, (char *)(network[length] ? network + length + 1 : ""));
		return;
	}
}

/* (index): a network in reach as it was given, SSID or SSID:PASSWORD; undefined behind the last */
static void radio_network(xsMachine *the)
{
	size_t index = (size_t)xsmcToInteger(xsArg(0));
	if (index < host_options.wifi_count && !fault_wifi_lost)
		xsmcSetString(xsResult, (char *)host_options.wifi[index]);
}

const struct host_native host_radio_natives[] = {
	{ .name = "host_radio_find", .callback = radio_find, .length = 1 },
	{ .name = "host_radio_network", .callback = radio_network, .length = 1 },
	{ .name = NULL },
};
