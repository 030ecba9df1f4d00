/* What TypeScript asks of the gateway: plans, watch list. See gateway_core.h. */
#include "gateway_internal.h"

#include <string.h>

void gateway_init(struct gateway *gateway, struct gateway_latest *latest, uint32_t latest_count,
	struct gateway_record *ring, uint32_t ring_count)
{
	memset(gateway, 0, sizeof *gateway);
	memset(latest, 0, (latest_count + 1) * sizeof *latest);
	gateway->plan = &gateway->plans[0];
	gateway->staging = &gateway->plans[1];
	gateway->latest = latest;
	gateway->latest_count = latest_count;
	gateway->ring = ring;
	gateway->ring_mask = ring_count - 1;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		struct gateway_waiting *waiting = gateway->waiting[bus];
		gateway->queues[bus].in = gateway->queues[bus].out = waiting;
		for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i)
			waiting[i].next = &waiting[(i + 1) % GATEWAY_QUEUE_FRAMES];
		gateway->last_received_us[bus] = GATEWAY_NEVER;
		for (unsigned id = 0; id <= GATEWAY_MAX_STANDARD_ID; ++id)
			gateway->standard[id][bus] = (struct gateway_entry){GATEWAY_NO_LATEST, GATEWAY_NONE, GATEWAY_NONE};
	}
	for (unsigned i = 0; i < GATEWAY_EXTENDED_IDS; ++i)
		gateway->extended[i] = GATEWAY_NO_LATEST;
}

/* ---- ids that rules and watches name ---- */

/* Where the rule and the watch of an id are kept; made if there is none yet. */
static void pin(struct gateway *gateway, unsigned bus, uint32_t id, uint8_t **rule, uint8_t **watch)
{
	if (id <= GATEWAY_MAX_STANDARD_ID) {
		*rule = &gateway->standard[id][bus].rule;
		*watch = &gateway->standard[id][bus].watch;
		return;
	}
	uint32_t key = gateway_pin_key(bus, id);
	uint32_t i = gateway_hash(key);
	while (gateway->pins[i].key && gateway->pins[i].key != key)
		i = (i + 1) % GATEWAY_PINS;
	if (!gateway->pins[i].key)
		gateway->pins[i] = (struct gateway_pin){key, GATEWAY_NONE, GATEWAY_NONE};
	*rule = &gateway->pins[i].rule;
	*watch = &gateway->pins[i].watch;
}

/* A rule is found by the frames of its bus, one that generates by those of both: nobody else may send them. */
static void pin_rule(struct gateway *gateway, const struct gateway_rule *of, uint8_t number)
{
	uint8_t *rule, *watch;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		if (bus == of->bus || of->period_us) {
			pin(gateway, bus, of->id, &rule, &watch);
			*rule = number;
		}
}

static void unpin_all(struct gateway *gateway)
{
	const struct gateway_plan *plan = gateway->plan;
	uint8_t *rule, *watch;
	for (unsigned i = 0; i < plan->rule_count; ++i)
		pin_rule(gateway, &plan->rules[i], GATEWAY_NONE);
	for (unsigned i = 0; i < gateway->watch_count; ++i) {
		pin(gateway, gateway->watched[i].bus, gateway->watched[i].id, &rule, &watch);
		*watch = GATEWAY_NONE;
	}
	memset(gateway->pins, 0, sizeof gateway->pins);
}

static void pin_all(struct gateway *gateway)
{
	const struct gateway_plan *plan = gateway->plan;
	uint8_t *rule, *watch;
	for (unsigned i = 0; i < plan->rule_count; ++i)
		pin_rule(gateway, &plan->rules[i], (uint8_t)i);
	for (unsigned i = 0; i < gateway->watch_count; ++i) {
		struct gateway_watched *watched = &gateway->watched[i];
		pin(gateway, watched->bus, watched->id, &rule, &watch);
		watched->next = *watch == GATEWAY_NONE ? NULL : &gateway->watched[*watch];
		*watch = (uint8_t)i;
	}
}

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
	unpin_all(gateway);
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
	pin_all(gateway);
	gateway_update_attention(gateway);
}

bool gateway_commit(struct gateway *gateway, uint32_t factor, uint8_t groups, uint32_t lease_ms, uint64_t now_us)
{
	gateway_in_force(gateway, now_us); /* counts a lease that ran out unnoticed */
	if (gateway->staged)
		take_staged(gateway);
	if (!gateway->loaded)
		return false;
	gateway_plan_scale(gateway->plan, factor);
	gateway_plan_select(gateway->plan, groups);
	gateway->in_force = true;
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
	gateway->in_force = false;
	gateway->lease_until_us = 0;
	gateway_update_rewriting(gateway);
}

void gateway_update_rewriting(struct gateway *gateway)
{
	bool both_run = gateway->queues[0].room && gateway->queues[1].room;
	gateway->rewrite_until_us = both_run && !gateway->interrupted ? gateway->lease_until_us : 0;
}

bool gateway_in_force(struct gateway *gateway, uint64_t now_us)
{
	/* unsigned: it has ended, or ends later than it can, as the clock has stepped back; a reading may be a moment older than the commit */
	if (gateway->in_force && gateway->lease_until_us - now_us - 1 >= gateway->lease_us + GATEWAY_AGE_LIMIT_US) {
		gateway_release(gateway);
		++gateway->counters[GATEWAY_LEASE_EXPIRIES];
	}
	return gateway->in_force;
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

const char *gateway_watch(struct gateway *gateway, const uint8_t *list, size_t size, int *item)
{
	const char *wrong = check_watch(list, size, item);
	if (wrong)
		return wrong;
	unpin_all(gateway);
	gateway->watch_count = (uint8_t)(size / GATEWAY_WATCH_BYTES);
	for (unsigned i = 0; i < gateway->watch_count; ++i, list += GATEWAY_WATCH_BYTES)
		gateway->watched[i] = (struct gateway_watched){
			.id = gateway_u32(list), .bus = list[4], .min_dlc = list[5], .collects = list[6], .dlc = 0x80};
	pin_all(gateway);
	return NULL;
}
