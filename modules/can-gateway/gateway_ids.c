/*
 * What belongs to an identifier: its rule, its watches, its entry of the latest frames. See gateway_core.h.
 */
#include "gateway_internal.h"

#include <string.h>

/* ---- what a frame finds by its id ---- */

RARE static struct gateway_entry find_extended(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	struct gateway_entry entry = {GATEWAY_NO_LATEST, GATEWAY_NONE, GATEWAY_NONE};
	uint32_t key = gateway_pin_key(bus, id);
	for (uint32_t i = gateway_hash(key); gateway->pins[i].key; i = (i + 1) % GATEWAY_PINS)
		if (gateway->pins[i].key == key) {
			entry.rule = gateway->pins[i].rule;
			entry.watch = gateway->pins[i].watch;
			break;
		}
	for (uint32_t probe = 0; probe < GATEWAY_PROBES; ++probe) {
		uint16_t latest = gateway->extended[(gateway_hash(key) + probe) % GATEWAY_EXTENDED_IDS];
		if (latest == GATEWAY_NO_LATEST)
			break;
		if (gateway_pin_key(gateway->latest[latest].bus, gateway->latest[latest].id) == key) {
			entry.latest = latest;
			break;
		}
	}
	return entry;
}

/*
 * An entry of the latest frames for an identifier that is seen for the first time. When the table is full
 * it is the last entry, which all further identifiers share.
 */
RARE static uint16_t take_latest(struct gateway *gateway, unsigned bus, uint32_t id)
{
	uint16_t *reference = NULL;
	if (id <= GATEWAY_MAX_STANDARD_ID) {
		reference = &gateway->standard[id][bus].latest;
	} else {
		uint32_t first = gateway_hash(gateway_pin_key(bus, id));
		for (uint32_t probe = 0; probe < GATEWAY_PROBES && !reference; ++probe) {
			uint16_t *slot = &gateway->extended[(first + probe) % GATEWAY_EXTENDED_IDS];
			if (*slot == GATEWAY_NO_LATEST)
				reference = slot;
		}
	}
	if (!reference || gateway->latest_used == gateway->latest_count) {
		++gateway->counters[GATEWAY_ID_TABLE_FULL];
		return (uint16_t)gateway->latest_count;
	}
	uint16_t latest = (uint16_t)gateway->latest_used++;
	*reference = latest;
	gateway->latest[latest] = (struct gateway_latest){.id = id, .bus = (uint8_t)bus};
	return latest;
}

IN_RAM struct gateway_entry gateway_find_known(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	return id <= GATEWAY_MAX_STANDARD_ID ? gateway->standard[id][bus] : find_extended(gateway, bus, id);
}

IN_RAM struct gateway_entry gateway_find(struct gateway *gateway, unsigned bus, uint32_t id)
{
	struct gateway_entry entry = gateway_find_known(gateway, bus, id);
	if (entry.latest == GATEWAY_NO_LATEST)
		entry.latest = take_latest(gateway, bus, id);
	return entry;
}

IN_RAM struct gateway_entry gateway_find_remote(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	return (struct gateway_entry){(uint16_t)gateway->latest_count, gateway_find_known(gateway, bus, id).rule, GATEWAY_NONE};
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

/*
 * A rule is found by the frames of its bus, one that generates by those of both: no other node may send them.
 */
static void pin_rule(struct gateway *gateway, const struct gateway_rule *of, uint8_t number)
{
	uint8_t *rule, *watch;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		if (bus == of->bus || of->period_us) {
			pin(gateway, bus, of->id, &rule, &watch);
			*rule = number;
		}
}

void gateway_unpin_all(struct gateway *gateway)
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

void gateway_pin_all(struct gateway *gateway)
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
