/*
 * A plan that generates: sends frames without one having come, to a coupling that has no car's bus.
 * README "Plans that generate". Two senders of one identifier are a hazard: it listens first, and falls
 * silent with the first frame of another node.
 */
#include "gateway_internal.h"

#include <string.h>

IN_RAM void gateway_update_attention(struct gateway *gateway)
{
	gateway->attention = gateway->channel.until_us || gateway->plan->generates;
}

IN_RAM bool gateway_generates(const struct gateway *gateway, uint64_t now_us)
{
	return gateway->plan->generates && now_us < gateway->rewrite_until_us && now_us >= gateway->silent_until_us;
}

IN_RAM bool gateway_withholds(struct gateway *gateway, unsigned bus, uint32_t id, unsigned rule, uint64_t now_us)
{
	if (rule == GATEWAY_NONE)
		return bus == GATEWAY_CHASSIS && gateway_generates(gateway, now_us);
	if (gateway->plan->rules[rule].period_us) {
		gateway->heard = id | (uint32_t)bus << 30;
		gateway->silent_until_us = now_us + GATEWAY_LISTEN_US;
	}
	return false;
}

IN_RAM uint64_t gateway_generated_until(const struct gateway *gateway, uint64_t generated_us)
{
	bool goes_on = gateway->plan->generates && gateway->silent_until_us <= generated_us && gateway->rewrite_until_us;
	return goes_on ? gateway->rewrite_until_us - 1 : 0;
}

void gateway_listen(struct gateway *gateway, uint64_t now_us)
{
	if (gateway->hears || !gateway->rewrite_until_us)
		return;
	gateway->hears = true;
	gateway->heard = GATEWAY_LISTENING;
	gateway->silent_until_us = now_us + GATEWAY_LISTEN_US;
}

static void send_generated(struct gateway *gateway, struct gateway_rule *rule, uint64_t now_us)
{
	if (!gateway_has_space(&gateway->queues[rule->bus])) {
		++gateway->counters[GATEWAY_CYCLIC_DROPPED];
		return;
	}
	_Alignas(8) uint8_t data[8];
	const struct gateway_seen *last = &gateway->latest[gateway_find(gateway, rule->bus ^ 1u, rule->id).latest].sent;
	gateway_put_data(data, gateway_generated(gateway->plan, rule, last));
	gateway_queue(gateway, rule->bus, rule->id, data, rule->dlc_out, now_us)->flags |= GATEWAY_GENERATED;
}

/* Sends what is due of a plan that generates. Returns when to call again. */
static uint64_t generate(struct gateway *gateway, uint64_t now_us)
{
	struct gateway_plan *plan = gateway->plan;
	if (!gateway_generates(gateway, now_us)) {
		gateway->generating = false;
		return plan->generates && now_us < gateway->rewrite_until_us ? gateway->silent_until_us : GATEWAY_NEVER;
	}
	uint64_t next_us = GATEWAY_NEVER;
	for (struct gateway_rule *rule = plan->rules; rule < plan->rules + plan->rule_count; ++rule) {
		if (!rule->period_us)
			continue;
		if (!gateway->generating)
			rule->next_us = now_us + rule->phase_us;
		if (now_us >= rule->next_us) {
			send_generated(gateway, rule, now_us);
			/* As with cyclic frames: periods missed are not made up for. */
			rule->next_us += ((now_us - rule->next_us) / rule->period_us + 1) * rule->period_us;
		}
		if (rule->next_us < next_us)
			next_us = rule->next_us;
	}
	gateway->generating = true;
	return next_us;
}

/* ---- cyclic frames, and what else happens without a frame arriving ---- */

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
	uint64_t generate_us = generate(gateway, now_us);
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
