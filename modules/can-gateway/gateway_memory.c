/*
 * What the gateway remembers: watched frames, latest frames, ring of recent frames. See gateway_core.h;
 * bytes: README.md.
 */
#include "gateway_internal.h"

#include <string.h>

#define AGE_UNKNOWN 65535u

static void put_u16(uint8_t *into, uint32_t value)
{
	into[0] = (uint8_t)value;
	into[1] = (uint8_t)(value >> 8);
}

static uint32_t age_ms(uint64_t time_us, uint64_t now_us)
{
	uint64_t age = (now_us - time_us) / 1000;
	return age < AGE_UNKNOWN ? (uint32_t)age : AGE_UNKNOWN;
}

size_t gateway_sample_size(const struct gateway *gateway)
{
	return GATEWAY_SAMPLE_HEADER_BYTES + gateway->watch_count * (size_t)GATEWAY_SAMPLE_ENTRY_BYTES;
}

/* The identifier whose frames have been invalid for a while, and still are; 0 = none. */
static uint32_t lasting_invalid(const struct gateway_invalid *invalid, uint64_t now_us)
{
	bool lasts = invalid->last_us - invalid->since_us >= GATEWAY_INVALID_LASTS_US && now_us - invalid->last_us <= GATEWAY_INVALID_FORGET_US;
	return lasts ? invalid->id : 0;
}

void gateway_sample(struct gateway *gateway, uint8_t *into, uint64_t now_us)
{
	uint32_t now_ms = (uint32_t)(now_us / 1000);
	put_u16(into, now_ms);
	put_u16(into + 2, now_ms >> 16);
	into[4] = gateway->state[GATEWAY_CHASSIS];
	into[5] = gateway->state[GATEWAY_COUPLING];
	bool leased = gateway_plan_active(gateway, now_us), silent = gateway->plan->generates && !gateway_generates(gateway, now_us);
	into[6] = leased && !silent;
	into[7] = gateway->interrupted;
	gateway->interrupted = 0;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		if (!gateway->queues[bus].capacity)
			gateway->interrupted |= (uint8_t)(1u << bus);
		uint64_t last_us = gateway->last_received_us[bus];
		put_u16(into + 8 + 2 * bus, last_us == GATEWAY_NEVER ? AGE_UNKNOWN : age_ms(last_us, now_us));
	}
	put_u16(into + 12, leased && silent ? gateway->heard : 0);
	put_u16(into + 14, leased && silent ? gateway->heard >> 16 : 0);
	uint32_t invalid_id = lasting_invalid(&gateway->invalid, now_us);
	put_u16(into + 16, invalid_id);
	put_u16(into + 18, invalid_id >> 16);
	put_u16(into + 20, 0);
	put_u16(into + 22, 0);
	uint8_t *entry = into + GATEWAY_SAMPLE_HEADER_BYTES;
	for (unsigned i = 0; i < gateway->watch_count; ++i, entry += GATEWAY_SAMPLE_ENTRY_BYTES) {
		struct gateway_watched *watched = &gateway->watched[i];
		put_u16(entry, watched->dlc > 8 ? AGE_UNKNOWN : age_ms(watched->time_us, now_us));
		entry[2] = watched->count;
		entry[3] = watched->dlc;
		memcpy(entry + 4, watched->data, 8);
		if (watched->collects)
			memset(watched->data, 0, 8);
	}
}

const struct gateway_latest *gateway_latest_of(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	uint16_t latest = gateway_find_known(gateway, bus, id).latest;
	return latest == GATEWAY_NO_LATEST ? NULL : &gateway->latest[latest];
}

uint64_t gateway_ring_end(const struct gateway *gateway)
{
	return gateway->ring_head;
}

uint64_t gateway_ring_start(const struct gateway *gateway)
{
	uint64_t ring_count = (uint64_t)gateway->ring_mask + 1;
	return gateway->ring_head < ring_count ? 0 : gateway->ring_head - ring_count;
}

uint64_t gateway_received_age(const struct gateway *gateway, unsigned bus, uint32_t first, uint32_t last, uint64_t now_us)
{
	uint64_t age_us = GATEWAY_NEVER;
	for (uint32_t i = 0; i < gateway->latest_used; ++i) {
		const struct gateway_latest *latest = &gateway->latest[i];
		if (latest->bus != bus || latest->id < first || latest->id > last || !latest->received.count)
			continue;
		if (now_us - latest->received.time_us < age_us)
			age_us = now_us - latest->received.time_us;
	}
	return age_us;
}

uint32_t gateway_read_ring(struct gateway *gateway, uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten)
{
	uint64_t end = gateway->ring_head;
	uint64_t oldest = gateway_ring_start(gateway);
	*overwritten = 0;
	if (*cursor > end) /* no cursor of this gateway */
		*cursor = end;
	if (*cursor < oldest) {
		*overwritten = oldest - *cursor;
		gateway->counters[GATEWAY_RING_OVERWRITTEN] += (uint32_t)*overwritten;
		*cursor = oldest;
	}
	uint32_t count = 0;
	for (; count < max && *cursor < end; ++count, ++*cursor)
		into[count] = gateway->ring[*cursor & gateway->ring_mask];
	return count;
}
