/* Cyclic frames, and what else happens without a frame arriving. See gateway_core.h. */
#include "gateway_internal.h"

#include <string.h>

/*
 * As gateway_plan_active(): unsigned, the lease has not ended, and ends no later than it can, which it would if
 * the clock had stepped back.
 */
static bool is_leased(const struct gateway_cyclic *cyclic, uint64_t now_us)
{
	return cyclic->active && cyclic->lease_until_us - now_us - 1 < cyclic->lease_ms * 1000u + GATEWAY_AGE_LIMIT_US;
}

void gateway_set_cyclic(struct gateway *gateway, unsigned slot, unsigned bus, uint32_t id, uint32_t period_ms, uint32_t lease_ms,
	const uint8_t *payload, uint8_t dlc, uint64_t now_us)
{
	struct gateway_cyclic *cyclic = &gateway->cyclic[slot];
	bool goes_on = is_leased(cyclic, now_us) && cyclic->bus == bus && cyclic->frame.id == id && cyclic->period_us == period_ms * 1000u;
	if (!goes_on)
		cyclic->next_us = now_us;
	cyclic->active = true;
	cyclic->bus = (uint8_t)bus;
	cyclic->period_us = period_ms * 1000u;
	cyclic->lease_ms = (uint16_t)lease_ms;
	cyclic->lease_until_us = now_us + cyclic->lease_ms * 1000u;
	cyclic->frame = (struct gateway_frame){.id = id, .dlc = dlc};
	memcpy(cyclic->frame.data, payload, dlc);
}

void gateway_clear_cyclic(struct gateway *gateway, unsigned slot)
{
	gateway->cyclic[slot].active = false;
}

static void send_cyclic(struct gateway *gateway, const struct gateway_cyclic *cyclic, uint64_t now_us)
{
	const struct gateway_frame *frame = &cyclic->frame;
	if (!gateway_send(gateway, cyclic->bus, frame->id, frame->data, frame->dlc, now_us))
		++gateway->counters[GATEWAY_CYCLIC_DROPPED];
}

uint64_t gateway_tick(struct gateway *gateway, uint64_t now_us)
{
	uint64_t next_us = gateway_plan_active(gateway, now_us) ? gateway->lease_until_us : GATEWAY_NEVER;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		gateway_drop_old(gateway, &gateway->queues[bus], now_us);
	uint64_t generate_us = gateway_generate(gateway, now_us);
	if (generate_us < next_us)
		next_us = generate_us;
	for (struct gateway_cyclic *cyclic = gateway->cyclic; cyclic < gateway->cyclic + GATEWAY_CYCLIC_SLOTS; ++cyclic) {
		cyclic->active = is_leased(cyclic, now_us);
		if (!cyclic->active)
			continue;
		if (now_us >= cyclic->next_us) {
			send_cyclic(gateway, cyclic, now_us);
			/* The next multiple of the period that lies ahead: periods missed are not made up for. */
			cyclic->next_us += ((now_us - cyclic->next_us) / cyclic->period_us + 1) * cyclic->period_us;
		}
		if (cyclic->next_us < next_us)
			next_us = cyclic->next_us;
	}
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		const struct gateway_queue *queue = &gateway->queues[bus];
		if (gateway_has_waiting(queue) && queue->out->time_us + GATEWAY_AGE_LIMIT_US < next_us)
			next_us = queue->out->time_us + GATEWAY_AGE_LIMIT_US + 1;
	}
	return next_us;
}
