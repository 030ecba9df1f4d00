/*
 * Binding of the running gateway, `CanGateway`, for XS; the same file on every platform. Arguments are
 * validated before the lock is taken, and nothing throws while it is held: an exception is a longjmp that
 * would leave it locked.
 */
#include <string.h>

#include "can-gateway-xs.h"
#include "gateway_driver.h"

#define MAX_CYCLIC_MS 60000 /* a minute, far above any period and lease that make sense */
#define MAX_PIN 63 /* more than any board has */
#define MAX_DUTY 16383 /* 14 bits, the finest resolution of the boards' PWM */
#define LATEST_BYTES 52 /* README "Latest frames" */

/* Host data of CanGateway: says only "constructed"; the gateway is the driver's. */
static char attached;

/*
 * The bytes of a typed array of any element size, which the engine's own call does not take. Uses xsResult.
 */
static uint8_t *write_typed_array(xsMachine *the, int index, const char *name, xsUnsignedValue least)
{
	xsmcGet(xsResult, xsArg(index), xsID_byteOffset);
	xsUnsignedValue offset = (xsUnsignedValue)xsmcToInteger(xsResult);
	xsmcGet(xsResult, xsArg(index), xsID_byteLength);
	xsUnsignedValue length = (xsUnsignedValue)xsmcToInteger(xsResult);
	void *data;
	xsUnsignedValue size;
	xsmcGet(xsResult, xsArg(index), xsID_buffer);
	xsmcGetBufferWritable(xsResult, &data, &size);
	xsmcSetUndefined(xsResult);
	if (offset > size || length > size - offset || length < least)
		xsRangeError("%s has %u bytes, needs %u", name, (unsigned)length, (unsigned)least);
	return (uint8_t *)data + offset;
}

static void throw_rejected(xsMachine *the, const char *what, const char *wrong, int item, const char *item_name)
{
	if (item < 0)
		xsRangeError("%s: %s", what, wrong);
	xsRangeError("%s: %s %d: %s", what, item_name, item, wrong);
}

void can_gateway_load_plan(xsMachine *the, struct gateway *gateway)
{
	xsUnsignedValue size;
	int rule;
	const uint8_t *plan = read_argument(the, 0, &size);
	const char *wrong = gateway_load_plan(gateway, plan, size, &rule);
	if (wrong)
		throw_rejected(the, "plan", wrong, rule, "rule");
}

void xs_can_gateway_destructor(void *data)
{
	(void)data;
}

void xs_can_gateway_construct(xsMachine *the)
{
	if (!gateway_driver_core())
		xsUnknownError("no gateway is running");
	xsmcSetHostData(xsThis, &attached);
}

/* Throws for a `this` that is no constructed CanGateway. */
static void check_this(xsMachine *the)
{
	if (!xsmcGetHostDataValidate(xsThis, (void *)xs_can_gateway_destructor))
		xsSyntaxError("not constructed");
}

void xs_can_gateway_load_plan(xsMachine *the)
{
	check_this(the);
	can_gateway_load_plan(the, gateway_driver_core());
}

void xs_can_gateway_commit(xsMachine *the)
{
	check_this(the);
	unsigned factor = unsigned_argument(the, 0, "factor", 0, GATEWAY_FULL_FACTOR);
	unsigned groups = unsigned_argument(the, 1, "groups", 0, 255);
	unsigned lease_ms = unsigned_argument(the, 2, "leaseMs", 1, GATEWAY_MAX_LEASE_MS);
	struct gateway_locked locked = gateway_driver_lock();
	bool begins = gateway_commit(locked.gateway, factor, (uint8_t)groups, lease_ms, locked.now_us);
	gateway_driver_unlock();
	if (begins)
		gateway_driver_changed();
}

void xs_can_gateway_release(xsMachine *the)
{
	check_this(the);
	gateway_release(gateway_driver_lock().gateway);
	gateway_driver_unlock();
}

void xs_can_gateway_watch(xsMachine *the)
{
	check_this(the);
	xsUnsignedValue size;
	int item;
	const uint8_t *list = read_argument(the, 0, &size);
	const char *wrong = gateway_watch(gateway_driver_lock().gateway, list, size, &item);
	gateway_driver_unlock();
	if (wrong)
		throw_rejected(the, "watch list", wrong, item, "frame");
}

void xs_can_gateway_sample(xsMachine *the)
{
	check_this(the);
	/* Only this thread changes the watch list, so the size holds without the lock. */
	uint8_t *into = write_argument(the, 0, "sample buffer", (xsUnsignedValue)gateway_sample_size(gateway_driver_core()));
	struct gateway_locked locked = gateway_driver_lock();
	gateway_sample(locked.gateway, into, locked.now_us);
	gateway_driver_unlock();
}

void xs_can_gateway_set_cyclic(xsMachine *the)
{
	check_this(the);
	unsigned slot = unsigned_argument(the, 0, "slot", 0, GATEWAY_CYCLIC_SLOTS - 1);
	unsigned bus = unsigned_argument(the, 1, "bus", 0, 1);
	uint32_t id = unsigned_argument(the, 2, "id", 0, UINT32_MAX);
	unsigned period_ms = unsigned_argument(the, 3, "periodMs", 1, MAX_CYCLIC_MS);
	unsigned lease_ms = unsigned_argument(the, 4, "leaseMs", 1, MAX_CYCLIC_MS);
	xsUnsignedValue size;
	const uint8_t *payload = read_argument(the, 5, &size);
	if (!gateway_valid_id(id))
		xsRangeError("id is 0x%X, must be 0..0x7FF, or 29 bits with bit 31 set", (unsigned)id);
	if (size > 8)
		xsRangeError("payload has %u bytes, at most 8 are allowed", (unsigned)size);
	struct gateway_locked locked = gateway_driver_lock();
	gateway_set_cyclic(locked.gateway, slot, bus, id, period_ms, lease_ms, payload, (uint8_t)size, locked.now_us);
	gateway_driver_unlock();
	gateway_driver_changed();
}

void xs_can_gateway_clear_cyclic(xsMachine *the)
{
	check_this(the);
	unsigned slot = unsigned_argument(the, 0, "slot", 0, GATEWAY_CYCLIC_SLOTS - 1);
	gateway_clear_cyclic(gateway_driver_lock().gateway, slot);
	gateway_driver_unlock();
}

/* Reads identifiers of an argument, in groups of `group`. Returns how many there are. */
static unsigned ids_argument(xsMachine *the, int index, const char *name, unsigned group, uint32_t *into, unsigned max)
{
	xsUnsignedValue size;
	const uint8_t *bytes = read_argument(the, index, &size);
	unsigned count = (unsigned)(size / sizeof *into);
	if (size % (group * sizeof *into) != 0 || count > max)
		xsRangeError("%s have %u bytes, must be a multiple of %u up to %u", name, (unsigned)size, (unsigned)(group * sizeof *into),
			(unsigned)(max * sizeof *into));
	for (unsigned i = 0; i < count; ++i) {
		into[i] = gateway_u32(bytes + i * sizeof *into);
		if (!gateway_valid_id(into[i]))
			xsRangeError("%s: identifier %u out of range", name, i);
	}
	return count;
}

/* (ids, testers) */
void xs_can_gateway_open_diagnosis(xsMachine *the)
{
	check_this(the);
	uint32_t ids[GATEWAY_CHANNEL_IDS], testers[GATEWAY_CHANNEL_TESTERS][2];
	unsigned count = ids_argument(the, 0, "ids", 1, ids, GATEWAY_CHANNEL_IDS);
	unsigned tester_count = ids_argument(the, 1, "testers", 2, testers[0], 2 * GATEWAY_CHANNEL_TESTERS) / 2;
	struct gateway_locked locked = gateway_driver_lock();
	gateway_channel_open(locked.gateway, ids, count, testers, tester_count, locked.now_us);
	gateway_driver_unlock();
}

void xs_can_gateway_close_diagnosis(xsMachine *the)
{
	check_this(the);
	gateway_channel_close(gateway_driver_lock().gateway);
	gateway_driver_unlock();
}

/* (bus, id, data) */
void xs_can_gateway_send(xsMachine *the)
{
	check_this(the);
	unsigned bus = unsigned_argument(the, 0, "bus", 0, GATEWAY_BUSES - 1);
	uint32_t id = (uint32_t)integer_argument(the, 1, "id", 0, UINT32_MAX);
	if (!gateway_valid_id(id))
		xsRangeError("id out of range");
	xsUnsignedValue size;
	const uint8_t *bytes = read_argument(the, 2, &size);
	if (size > 8)
		xsRangeError("data has %u bytes, at most 8 are allowed", (unsigned)size);
	_Alignas(8) uint8_t data[8] = {0};
	memcpy(data, bytes, size);
	struct gateway_locked locked = gateway_driver_lock();
	bool queued = gateway_send(locked.gateway, bus, id, data, (uint8_t)size, locked.now_us);
	gateway_driver_unlock();
	gateway_driver_changed();
	xsmcSetBoolean(xsResult, queued);
}

/* (into) */
void xs_can_gateway_receive_diagnosis(xsMachine *the)
{
	check_this(the);
	uint8_t *into = write_argument(the, 0, "into", CAN_GATEWAY_FRAME_BYTES);
	struct gateway_frame frame;
	struct gateway_locked locked = gateway_driver_lock();
	bool found = gateway_channel_take(locked.gateway, &frame, locked.now_us);
	bool yielded = gateway_channel_yielded(locked.gateway);
	gateway_driver_unlock();
	if (found)
		put_frame(into, &frame);
	xsmcSetInteger(xsResult, found ? frame.dlc : yielded ? -2 : -1);
}

void xs_can_gateway_guard_pwm(xsMachine *the)
{
	check_this(the);
	unsigned pin = unsigned_argument(the, 0, "pin", 0, MAX_PIN);
	unsigned idle_duty = unsigned_argument(the, 1, "idleDuty", 0, MAX_DUTY);
	gateway_driver_guard_pwm(pin, idle_duty);
}

void xs_can_gateway_counters(xsMachine *the)
{
	check_this(the);
	uint8_t *into = write_typed_array(the, 0, "counters", GATEWAY_COUNTER_COUNT * sizeof(uint32_t));
	struct gateway_locked locked = gateway_driver_lock();
	memcpy(into, locked.gateway->counters, sizeof locked.gateway->counters);
	gateway_driver_unlock();
}

static void put_seen(uint8_t *into, const struct gateway_seen *seen, uint64_t now_us)
{
	uint64_t age_ms = (now_us - seen->time_us) / 1000;
	put_u32(into, seen->count == 0 || age_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)age_ms);
	put_u32(into + 4, seen->count);
	put_u32(into + 8, seen->dlc | (uint32_t)seen->flags << 8);
	memcpy(into + 12, seen->data, 8);
}

/* (bus, id, into) */
void xs_can_gateway_read_latest(xsMachine *the)
{
	check_this(the);
	unsigned bus = unsigned_argument(the, 0, "bus", 0, 1);
	unsigned id = unsigned_argument(the, 1, "id", 0, UINT32_MAX);
	uint8_t *into = write_argument(the, 2, "latest buffer", LATEST_BYTES);
	struct gateway_locked locked = gateway_driver_lock();
	const struct gateway_latest *latest = gateway_latest_of(locked.gateway, bus, id);
	if (latest) {
		put_u32(into, latest->id);
		put_u32(into + 4, latest->bus);
		put_seen(into + 8, &latest->received, locked.now_us);
		put_seen(into + 28, &latest->sent, locked.now_us);
		put_u32(into + 48, (uint32_t)(locked.now_us / 1000));
	}
	gateway_driver_unlock();
	xsmcSetBoolean(xsResult, latest != NULL);
}

/* (bus, first, last) */
void xs_can_gateway_received_age_ms(xsMachine *the)
{
	check_this(the);
	unsigned bus = unsigned_argument(the, 0, "bus", 0, 1);
	uint32_t last = (uint32_t)integer_argument(the, 2, "last", 0, UINT32_MAX);
	uint32_t first = (uint32_t)integer_argument(the, 1, "first", 0, last);
	struct gateway_locked locked = gateway_driver_lock();
	uint64_t age_us = gateway_received_age(locked.gateway, bus, first, last, locked.now_us);
	gateway_driver_unlock();
	xsmcSetNumber(xsResult, age_us == GATEWAY_NEVER ? UINT32_MAX : (double)(age_us / 1000));
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native can_gateway_natives[] = {
	DESTRUCTOR(xs_can_gateway_destructor),
	FUNCTION(xs_can_gateway_construct, 0),
	FUNCTION(xs_can_gateway_load_plan, 1),
	FUNCTION(xs_can_gateway_commit, 3),
	FUNCTION(xs_can_gateway_release, 0),
	FUNCTION(xs_can_gateway_watch, 1),
	FUNCTION(xs_can_gateway_sample, 1),
	FUNCTION(xs_can_gateway_set_cyclic, 6),
	FUNCTION(xs_can_gateway_clear_cyclic, 1),
	FUNCTION(xs_can_gateway_guard_pwm, 2),
	FUNCTION(xs_can_gateway_counters, 1),
	FUNCTION(xs_can_gateway_read_latest, 3),
	FUNCTION(xs_can_gateway_received_age_ms, 3),
	FUNCTION(xs_can_gateway_open_diagnosis, 2),
	FUNCTION(xs_can_gateway_close_diagnosis, 0),
	FUNCTION(xs_can_gateway_send, 3),
	FUNCTION(xs_can_gateway_receive_diagnosis, 1),
	{ .name = NULL },
};
#endif
