/*
 * Binding of a private core without buses, `GatewayCore`, for XS: tests and benches look at frames through
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "can-gateway-xs.h"

/* Small: nothing reads them through this binding. */
#define CORE_LATEST 16u
#define CORE_RING 16u

struct core {
	struct gateway gateway;
	struct gateway_latest latest[CORE_LATEST + 1];
	struct gateway_record ring[CORE_RING];
};

void xs_can_gateway_core_destructor(void *data)
{
	free(data);
}

static struct gateway *get_core(xsMachine *the)
{
	struct core *core = xsmcGetHostDataValidate(xsThis, (void *)xs_can_gateway_core_destructor);
	if (!core)
		xsSyntaxError("not constructed");
	return &core->gateway;
}

void xs_can_gateway_core_construct(xsMachine *the)
{
	struct core *core = malloc(sizeof *core);
	if (!core)
		xsRangeError("no memory");
	gateway_init(&core->gateway, core->latest, CORE_LATEST, core->ring, CORE_RING);
	gateway_set_bus_state(&core->gateway, GATEWAY_CHASSIS, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&core->gateway, GATEWAY_COUPLING, GATEWAY_ERROR_ACTIVE);
	xsmcSetHostData(xsThis, core);
}

void xs_can_gateway_core_load_plan(xsMachine *the)
{
	can_gateway_load_plan(the, get_core(the));
}

void xs_can_gateway_core_commit(xsMachine *the)
{
	struct gateway *gateway = get_core(the);
	unsigned factor = unsigned_argument(the, 0, "factor", 0, GATEWAY_FULL_FACTOR);
	unsigned groups = unsigned_argument(the, 1, "groups", 0, 255);
	unsigned lease_ms = unsigned_argument(the, 2, "leaseMs", 1, GATEWAY_MAX_LEASE_MS);
	uint64_t now_us = (uint64_t)integer_argument(the, 3, "nowMs", 0, UINT32_MAX) * 1000;
	gateway_commit(gateway, factor, (uint8_t)groups, lease_ms, now_us);
}

void xs_can_gateway_core_release(xsMachine *the)
{
	gateway_release(get_core(the));
}

void xs_can_gateway_core_pass(xsMachine *the)
{
	struct gateway *gateway = get_core(the);
	unsigned bus = unsigned_argument(the, 0, "bus", 0, 1);
	struct gateway_frame frame = {
		.id = unsigned_argument(the, 1, "id", 0, UINT32_MAX),
		.dlc = (uint8_t)unsigned_argument(the, 2, "dlc", 0, 8),
	};
	uint64_t now_us = (uint64_t)integer_argument(the, 4, "nowMs", 0, UINT32_MAX) * 1000;
	uint8_t *data = write_argument(the, 3, "data", 8);
	memcpy(frame.data, data, 8);
	int dlc = -1;
	gateway_receive(gateway, bus, &frame, now_us);
	const struct gateway_frame *sent = gateway_next_to_send(gateway, bus ^ 1, now_us);
	if (sent) {
		dlc = sent->dlc;
		memcpy(data, sent->data, 8);
		gateway_sent(gateway, bus ^ 1, now_us);
	}
	xsmcSetInteger(xsResult, dlc);
}

/* (into, nowMs) */
void xs_can_gateway_core_next(xsMachine *the)
{
	struct gateway *gateway = get_core(the);
	uint64_t now_us = (uint64_t)integer_argument(the, 1, "nowMs", 0, UINT32_MAX) * 1000;
	uint8_t *into = write_argument(the, 0, "into", CAN_GATEWAY_FRAME_BYTES);
	int dlc = -1;
	gateway_tick(gateway, now_us);
	const struct gateway_frame *sent = gateway_next_to_send(gateway, GATEWAY_COUPLING, now_us);
	if (sent) {
		dlc = sent->dlc;
		put_frame(into, sent);
		gateway_sent(gateway, GATEWAY_COUPLING, now_us);
	}
	xsmcSetInteger(xsResult, dlc);
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native gateway_core_natives[] = {
	DESTRUCTOR(xs_can_gateway_core_destructor),
	FUNCTION(xs_can_gateway_core_construct, 0),
	FUNCTION(xs_can_gateway_core_load_plan, 1),
	FUNCTION(xs_can_gateway_core_commit, 4),
	FUNCTION(xs_can_gateway_core_release, 0),
	FUNCTION(xs_can_gateway_core_pass, 5),
	FUNCTION(xs_can_gateway_core_next, 2),
	{ .name = NULL },
};
#endif
