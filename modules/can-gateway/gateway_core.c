/* The gateway's frame path: receive, rewrite, queue, send. See gateway_core.h. */
#include "gateway_core.h"

#include "gateway_rewrite.h"

#define QUEUE_MASK (GATEWAY_QUEUE_FRAMES - 1)

/* Byte masks by DLC; as bytes so that the machine's byte order does not matter. */
static const uint8_t DLC_MASK[9][8] = {
	{0}, {255}, {255, 255}, {255, 255, 255}, {255, 255, 255, 255}, {255, 255, 255, 255, 255}, {255, 255, 255, 255, 255, 255},
	{255, 255, 255, 255, 255, 255, 255}, {255, 255, 255, 255, 255, 255, 255, 255},
};

static inline uint64_t dlc_mask(unsigned dlc)
{
	uint64_t mask;
	memcpy(&mask, DLC_MASK[dlc], 8);
	return mask;
}

/* ---- finding what belongs to an id ---- */

struct gateway_entry gateway_find(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	if (id <= GATEWAY_MAX_STANDARD_ID)
		return gateway->standard[bus][id];
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

/* A place among the latest frames for an id seen for the first time; the common last one when there is none. */
static uint16_t take_latest(struct gateway *gateway, unsigned bus, uint32_t id)
{
	uint16_t *reference = NULL;
	if (id <= GATEWAY_MAX_STANDARD_ID) {
		reference = &gateway->standard[bus][id].latest;
	} else {
		uint32_t first = gateway_hash(gateway_pin_key(bus, id));
		for (uint32_t probe = 0; probe < GATEWAY_PROBES && !reference; ++probe) {
			uint16_t *place = &gateway->extended[(first + probe) % GATEWAY_EXTENDED_IDS];
			if (*place == GATEWAY_NO_LATEST)
				reference = place;
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

/* For remote frames and 29-bit ids. A remote frame has the rule of its id, so that it can be counted, and no place. */
static struct gateway_entry find_special(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	struct gateway_entry entry = gateway_find(gateway, bus, id & ~GATEWAY_REMOTE);
	if (id & GATEWAY_REMOTE) {
		entry.latest = (uint16_t)gateway->latest_count;
		entry.watch = GATEWAY_NONE;
	}
	return entry;
}

/* ---- send queues ---- */

static void drop_head(struct gateway *gateway, struct gateway_queue *queue, enum gateway_counter reason)
{
	struct gateway_waiting *waiting = &queue->frames[queue->head++ & QUEUE_MASK];
	++gateway->counters[waiting->flags & GATEWAY_CYCLIC ? GATEWAY_CYCLIC_DROPPED : reason];
	if ((uint32_t)gateway->ring_head - waiting->record <= gateway->ring_mask + 1)
		gateway->ring[waiting->record & gateway->ring_mask].flags |= GATEWAY_DROPPED;
}

/*
 * The first frame that is not too old, NULL if there is none; those before it are dropped (frames wait in the order in which they came, so
 * the old ones are in front). NULL also while the driver has the first one.
 */
static inline struct gateway_waiting *first_waiting(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us)
{
	if (queue->outstanding)
		return NULL;
	for (; queue->head != queue->tail; drop_head(gateway, queue, GATEWAY_DROPPED_TOO_OLD)) {
		struct gateway_waiting *waiting = &queue->frames[queue->head & QUEUE_MASK];
		if (now_us - waiting->time_us <= GATEWAY_AGE_LIMIT_US)
			return waiting;
	}
	return NULL;
}

/* A free place, or NULL. The caller fills it and then moves the tail. */
static inline struct gateway_waiting *queue_place(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us)
{
	if (queue->tail - queue->head == GATEWAY_QUEUE_FRAMES) {
		first_waiting(gateway, queue, now_us);
		if (queue->tail - queue->head == GATEWAY_QUEUE_FRAMES)
			return NULL;
	}
	return &queue->frames[queue->tail & QUEUE_MASK];
}

static inline void fill_waiting(struct gateway_waiting *waiting, const struct gateway *gateway, uint32_t id, uint8_t dlc,
	uint64_t data, uint64_t now_us, uint16_t latest, uint8_t flags)
{
	waiting->frame.id = id;
	waiting->frame.dlc = dlc;
	memcpy(waiting->frame.data, &data, 8); /* frame.reserved is 0 since gateway_init() */
	waiting->time_us = now_us;
	waiting->record = (uint32_t)gateway->ring_head;
	waiting->latest = latest;
	waiting->flags = flags;
}

static inline void write_record(struct gateway *gateway, uint32_t id, uint8_t dlc, uint8_t sent_dlc, unsigned bus, uint8_t flags,
	uint64_t now_us, uint64_t received, uint64_t sent)
{
	struct gateway_record *record = &gateway->ring[gateway->ring_head++ & gateway->ring_mask];
	record->time_us = now_us;
	record->id = id;
	record->dlc = dlc;
	record->bus = (uint8_t)bus;
	record->flags = flags;
	record->sent_dlc = sent_dlc;
	memcpy(record->received, &received, 8);
	memcpy(record->sent, &sent, 8);
}

/* ---- the frame path ---- */

static inline void update_watched(struct gateway *gateway, uint8_t watch, uint8_t dlc, uint64_t data, uint64_t now_us)
{
	for (; watch != GATEWAY_NONE; watch = gateway->watched[watch].next) {
		struct gateway_watched *watched = &gateway->watched[watch];
		if (dlc < watched->min_dlc)
			continue;
		watched->time_us = now_us;
		memcpy(watched->data, &data, 8);
		watched->dlc = dlc;
		++watched->count;
	}
}

static inline void update_seen(struct gateway_seen *seen, uint8_t dlc, uint64_t data, uint8_t flags, uint64_t now_us)
{
	seen->time_us = now_us;
	memcpy(seen->data, &data, 8);
	seen->dlc = dlc;
	seen->flags = flags;
	++seen->count;
}

bool gateway_receive(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	uint32_t id = frame->id;
	uint8_t dlc = frame->dlc;
	struct gateway_entry entry;
	if (dlc <= 8 && id <= GATEWAY_MAX_STANDARD_ID) {
		entry = gateway->standard[bus][id];
	} else if (dlc <= 8 && gateway_valid_id(id & ~GATEWAY_REMOTE)) {
		entry = find_special(gateway, bus, id);
	} else {
		++gateway->counters[GATEWAY_MALFORMED];
		return false;
	}
	if (entry.latest == GATEWAY_NO_LATEST)
		entry.latest = take_latest(gateway, bus, id);

	uint64_t mask = dlc_mask(id & GATEWAY_REMOTE ? 0 : dlc);
	uint64_t received;
	memcpy(&received, frame->data, 8);
	received &= mask;
	++gateway->counters[GATEWAY_RECEIVED_CHASSIS + bus];
	gateway->last_received_us[bus] = now_us;
	update_seen(&gateway->latest[entry.latest].received, dlc, received, 0, now_us);
	update_watched(gateway, entry.watch, dlc, received, now_us);

	uint64_t sent = received;
	uint8_t sent_dlc = dlc;
	const struct gateway_plan *plan = &gateway->plans[gateway->active];
	const struct gateway_rule *rule = NULL;
	if (entry.rule != GATEWAY_NONE && gateway->running && now_us < gateway->lease_until_us && plan->rules[entry.rule].applies) {
		rule = &plan->rules[entry.rule];
		if (id & GATEWAY_REMOTE || dlc < rule->min_dlc) {
			++gateway->counters[GATEWAY_REFUSED];
			rule = NULL;
		} else {
			if (rule->dlc_out)
				sent_dlc = rule->dlc_out;
			sent = gateway_rewrite(plan, rule, gateway->counter_values, received, sent_dlc) & dlc_mask(sent_dlc);
		}
	}

	uint8_t flags = sent != received || sent_dlc != dlc ? GATEWAY_CHANGED : 0;
	struct gateway_queue *queue = &gateway->queues[bus ^ 1];
	struct gateway_waiting *waiting = NULL;
	if (!queue->runs)
		++gateway->counters[GATEWAY_DROPPED_NOT_RUNNING];
	else if (!(waiting = queue_place(gateway, queue, now_us)))
		++gateway->counters[GATEWAY_DROPPED_QUEUE_FULL];
	if (!waiting) {
		write_record(gateway, id, dlc, sent_dlc, bus, flags | GATEWAY_DROPPED, now_us, received, sent);
		return false;
	}
	fill_waiting(waiting, gateway, id, sent_dlc, sent, now_us, entry.latest, flags);
	++queue->tail;
	write_record(gateway, id, dlc, sent_dlc, bus, flags, now_us, received, sent);
	if (rule) {
		++gateway->counters[GATEWAY_REWRITTEN];
		gateway_advance(plan, rule, gateway->counter_values);
	}
	return true;
}

void gateway_malformed(struct gateway *gateway)
{
	++gateway->counters[GATEWAY_MALFORMED];
}

const struct gateway_frame *gateway_next_to_send(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	struct gateway_waiting *waiting = first_waiting(gateway, queue, now_us);
	if (!waiting)
		return NULL;
	queue->outstanding = true;
	return &waiting->frame;
}

void gateway_sent(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	if (!queue->outstanding)
		return;
	queue->outstanding = false;
	const struct gateway_waiting *waiting = &queue->frames[queue->head++ & QUEUE_MASK];
	uint64_t data;
	memcpy(&data, waiting->frame.data, 8);
	update_seen(&gateway->latest[waiting->latest].sent, waiting->frame.dlc, data, waiting->flags, now_us);
	++gateway->counters[waiting->flags & GATEWAY_CYCLIC ? GATEWAY_CYCLIC_SENT : GATEWAY_FORWARDED_TO_CHASSIS + bus];
	if (now_us - waiting->time_us > GATEWAY_LATE_US)
		++gateway->counters[GATEWAY_LATE];
}

void gateway_not_sent(struct gateway *gateway, unsigned bus)
{
	gateway->queues[bus].outstanding = false;
}

uint32_t gateway_waiting(const struct gateway *gateway, unsigned bus)
{
	return gateway->queues[bus].tail - gateway->queues[bus].head;
}

void gateway_set_bus_state(struct gateway *gateway, unsigned bus, enum gateway_bus_state state)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	gateway->state[bus] = (uint8_t)state;
	queue->runs = state != GATEWAY_STOPPED && state != GATEWAY_BUS_OFF;
	gateway->running = gateway->queues[0].runs && gateway->queues[1].runs;
	if (!queue->runs) {
		queue->outstanding = false;
		while (queue->head != queue->tail)
			drop_head(gateway, queue, GATEWAY_DROPPED_NOT_RUNNING);
	}
}

/* ---- what happens without a frame arriving ---- */

static void send_cyclic(struct gateway *gateway, const struct gateway_cyclic *cyclic, uint64_t now_us)
{
	unsigned bus = cyclic->bus;
	struct gateway_queue *queue = &gateway->queues[bus];
	struct gateway_waiting *waiting = queue->runs ? queue_place(gateway, queue, now_us) : NULL;
	if (!waiting) {
		++gateway->counters[GATEWAY_CYCLIC_DROPPED];
		return;
	}
	/* As if it had come from the other bus: that is where the `sent` of this id is kept. */
	struct gateway_entry entry = gateway_find(gateway, bus ^ 1, cyclic->frame.id);
	if (entry.latest == GATEWAY_NO_LATEST)
		entry.latest = take_latest(gateway, bus ^ 1, cyclic->frame.id);
	uint64_t data;
	memcpy(&data, cyclic->frame.data, 8);
	fill_waiting(waiting, gateway, cyclic->frame.id, cyclic->frame.dlc, data, now_us, entry.latest, GATEWAY_CYCLIC);
	++queue->tail;
	write_record(gateway, cyclic->frame.id, cyclic->frame.dlc, cyclic->frame.dlc, bus, GATEWAY_CYCLIC, now_us, 0, data);
}

uint64_t gateway_tick(struct gateway *gateway, uint64_t now_us)
{
	uint64_t next_us = gateway_in_force(gateway, now_us) ? gateway->lease_until_us : GATEWAY_NEVER;
	for (struct gateway_cyclic *cyclic = gateway->cyclic; cyclic < gateway->cyclic + GATEWAY_CYCLIC_SLOTS; ++cyclic) {
		cyclic->active = cyclic->active && now_us < cyclic->lease_until_us;
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
		struct gateway_queue *queue = &gateway->queues[bus];
		const struct gateway_waiting *waiting = first_waiting(gateway, queue, now_us);
		if (waiting && waiting->time_us + GATEWAY_AGE_LIMIT_US < next_us)
			next_us = waiting->time_us + GATEWAY_AGE_LIMIT_US + 1;
	}
	return next_us;
}
