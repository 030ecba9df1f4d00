/* What TypeScript asks of the gateway: plans, watch list. See gateway_core.h. */
#include "gateway_internal.h"

#include <string.h>

/* ---- plans ---- */

const char *gateway_load_plan(struct gateway *gateway, const uint8_t *bytes, size_t size, int *item)
{
	const char *wrong = gateway_plan_check(bytes, size, item);
	if (wrong) {
		++gateway->counters[GATEWAY_PLANS_REFUSED];
		return wrong;
	}
	gateway_plan_load(gateway->staging, bytes);
	gateway->staged = true;
	++gateway->counters[GATEWAY_PLANS_LOADED];
	return NULL;
}

static void take_staged(struct gateway *gateway)
{
	const struct gateway_plan *old = gateway->plan;
	gateway_unpin_all(gateway);
	struct gateway_plan *plan = gateway->staging;
	gateway->staging = gateway->plan;
	gateway->plan = plan;
	gateway->staged = false;
	/* Before the first plan there are no counters that could go on. */
	for (unsigned i = 0; i < plan->counter_count && i < old->counter_count && plan->counter_set == old->counter_set; ++i)
		plan->counters[i][0] = old->counters[i][0];
	if (plan->generates && old->generates && plan->counter_set == old->counter_set && plan->rule_count == old->rule_count) {
		for (unsigned i = 0; i < plan->rule_count; ++i)
			plan->rules[i].next_us = old->rules[i].next_us;
	} else {
		gateway->hears = gateway->generating = false;
	}
	gateway->loaded = true;
	gateway_pin_all(gateway);
	gateway_update_attention(gateway);
}

bool gateway_commit(struct gateway *gateway, uint32_t factor, uint8_t groups, uint32_t lease_ms, uint64_t now_us)
{
	gateway_plan_active(gateway, now_us); /* counts a lease that ran out unnoticed */
	if (gateway->staged)
		take_staged(gateway);
	if (!gateway->loaded)
		return false;
	gateway_plan_scale(gateway->plan, factor);
	gateway_plan_select(gateway->plan, groups);
	gateway->plan_active = true;
	gateway->lease_us = lease_ms * 1000u;
	gateway->lease_until_us = now_us + gateway->lease_us;
	gateway_update_rewriting(gateway);
	++gateway->counters[GATEWAY_COMMITS];
	if (!gateway->plan->generates)
		return false;
	gateway_listen(gateway, now_us);
	return !gateway->generating;
}

void gateway_release(struct gateway *gateway)
{
	gateway->plan_active = false;
	gateway->lease_until_us = 0;
	gateway_update_rewriting(gateway);
}

void gateway_update_rewriting(struct gateway *gateway)
{
	bool both_run = gateway->queues[0].capacity && gateway->queues[1].capacity;
	gateway->rewrite_until_us = both_run && !gateway->interrupted ? gateway->lease_until_us : 0;
}

bool gateway_plan_active(struct gateway *gateway, uint64_t now_us)
{
	/*
	 * unsigned: it has ended, or ends later than it can, as the clock has stepped back; a reading may be a
	 * moment older than the commit
	 */
	if (gateway->plan_active && gateway->lease_until_us - now_us - 1 >= gateway->lease_us + GATEWAY_AGE_LIMIT_US) {
		gateway_release(gateway);
		++gateway->counters[GATEWAY_LEASE_EXPIRIES];
	}
	return gateway->plan_active;
}

/* ---- watch list ---- */

static const char *check_watch(const uint8_t *list, size_t size, int *item)
{
	*item = -1;
	if (size % GATEWAY_WATCH_BYTES != 0)
		return "size is no multiple of 8";
	if (size > GATEWAY_MAX_WATCHED * GATEWAY_WATCH_BYTES)
		return "more than 32 frames";
	for (const uint8_t *entry = list; entry < list + size; entry += GATEWAY_WATCH_BYTES) {
		++*item;
		if (!gateway_valid_id(gateway_u32(entry)))
			return "identifier out of range";
		if (entry[4] > 1)
			return "bus above 1";
		if (entry[5] > 8)
			return "minDlc above 8";
		if (entry[6] > 1)
			return "flags out of range";
		if (entry[7] != 0)
			return "reserved byte not 0";
	}
	return NULL;
}

/* What was collected since the last sample was not seen yet: under another list it is still to be told. */
static void keep_collected(struct gateway_watched *watched, const struct gateway_watched *before, unsigned count)
{
	for (; count > 0; --count, ++before) {
		bool is_same = before->collects && before->id == watched->id && before->bus == watched->bus && before->min_dlc == watched->min_dlc;
		if (!is_same || !gateway_data_at(before->data))
			continue;
		watched->time_us = before->time_us;
		watched->dlc = before->dlc;
		watched->count = before->count;
		memcpy(watched->data, before->data, sizeof watched->data);
	}
}

const char *gateway_watch(struct gateway *gateway, const uint8_t *list, size_t size, int *item)
{
	const char *wrong = check_watch(list, size, item);
	if (wrong)
		return wrong;
	gateway_unpin_all(gateway);
	struct gateway_watched before[GATEWAY_MAX_WATCHED];
	unsigned count_before = gateway->watch_count;
	memcpy(before, gateway->watched, sizeof before);
	gateway->watch_count = (uint8_t)(size / GATEWAY_WATCH_BYTES);
	for (unsigned i = 0; i < gateway->watch_count; ++i, list += GATEWAY_WATCH_BYTES) {
		gateway->watched[i] = (struct gateway_watched){
			.id = gateway_u32(list), .bus = list[4], .min_dlc = list[5], .collects = list[6], .dlc = 0x80};
		if (gateway->watched[i].collects)
			keep_collected(&gateway->watched[i], before, count_before);
	}
	gateway_pin_all(gateway);
	return NULL;
}
