/* The gateway's frame path: receive, queue, send. See gateway_core.h. */
#include "gateway_core.h"

#include <string.h>

/* The first bytes of a frame's data, the others 0. Most frames have all eight. */
static inline uint64_t data_of(const struct gateway_frame *frame, unsigned count)
{
	uint64_t data;
	memcpy(&data, frame->data, 8);
	return count == 8 ? data : gateway_clear_beyond(count, data);
}

/* ---- finding what belongs to an id ---- */

struct gateway_entry gateway_find(const struct gateway *gateway, unsigned bus, uint32_t id)
{
	if (id <= GATEWAY_MAX_STANDARD_ID)
		return gateway->standard[id][bus];
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
		reference = &gateway->standard[id][bus].latest;
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

/* ---- send queues ---- */

static void drop_head(struct gateway *gateway, struct gateway_queue *queue, enum gateway_counter reason)
{
	struct gateway_waiting *waiting = queue->out;
	queue->out = waiting->next;
	--queue->count;
	++gateway->counters[waiting->kind.flags & GATEWAY_CYCLIC ? GATEWAY_CYCLIC_DROPPED : reason];
	if ((uint32_t)gateway->ring_head - waiting->record <= gateway->ring_mask + 1)
		gateway->ring[waiting->record & gateway->ring_mask].flags |= GATEWAY_DROPPED;
}

/* Whether a frame waits that the driver does not have. */
static inline bool has_waiting(const struct gateway_queue *queue)
{
	return queue->count && !queue->outstanding;
}

static inline bool is_old(const struct gateway_waiting *waiting, uint64_t now_us)
{
	return now_us - waiting->time_us > GATEWAY_AGE_LIMIT_US;
}

/* Drops what is too old, and returns the first frame waiting then. Frames wait in the order in which they came: old ones are in front. */
__attribute__((noinline)) static struct gateway_waiting *drop_old(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us)
{
	while (has_waiting(queue)) {
		if (!is_old(queue->out, now_us))
			return queue->out;
		drop_head(gateway, queue, GATEWAY_DROPPED_TOO_OLD);
	}
	return NULL;
}

static inline bool has_room(const struct gateway_queue *queue)
{
	return queue->count < queue->room;
}

/* Drops what is too old to have a place at the tail. Returns whether there is one now. */
static bool make_room(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us)
{
	drop_old(gateway, queue, now_us);
	return has_room(queue);
}

/* The next place in the queue, if it has room. */
static inline struct gateway_waiting *take_place(struct gateway_queue *queue)
{
	struct gateway_waiting *waiting = queue->in;
	queue->in = waiting->next;
	++queue->count;
	return waiting;
}

static inline struct gateway_record *write_record(struct gateway *gateway, uint32_t id, unsigned dlc, unsigned bus, unsigned flags,
	uint64_t now_us, uint64_t received, uint64_t sent)
{
	struct gateway_record *record = &gateway->ring[gateway->ring_head++ & gateway->ring_mask];
	record->time_us = now_us;
	record->id = id;
	record->dlc[0] = record->dlc[1] = (uint8_t)dlc;
	record->bus = (uint8_t)bus;
	record->flags = (uint8_t)flags;
	memcpy(record->received, &received, 8);
	memcpy(record->sent, &sent, 8);
	return record;
}

/* ---- the frame path ---- */

static inline void update_watched(struct gateway_watched *watched, uint8_t dlc, uint64_t data, uint64_t now_us)
{
	do {
		if (dlc < watched->min_dlc)
			continue;
		uint64_t before = 0;
		if (watched->collects)
			memcpy(&before, watched->data, 8);
		before |= data;
		watched->time_us = now_us;
		memcpy(watched->data, &before, 8);
		watched->dlc = dlc;
		++watched->count;
	} while ((watched = watched->next));
}

static inline void update_seen(struct gateway_seen *seen, uint8_t dlc, uint64_t data, uint64_t now_us)
{
	seen->time_us = now_us;
	memcpy(seen->data, &data, 8);
	seen->dlc = dlc;
	++seen->count;
}

/* Remembers a frame as received. */
static inline void note_received(struct gateway *gateway, unsigned bus, struct gateway_latest *latest, unsigned watch, uint8_t dlc,
	uint64_t received, uint64_t now_us)
{
	++gateway->counters[GATEWAY_RECEIVED_CHASSIS + bus];
	gateway->last_received_us[bus] = now_us;
	update_seen(&latest->received, dlc, received, now_us);
	if (watch != GATEWAY_NONE)
		update_watched(&gateway->watched[watch], dlc, received, now_us);
}

/* `forward` with a send queue that is full, or of a bus that does not run. */
static bool forward_without_room(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame,
	uint64_t now_us, struct gateway_entry entry, uint64_t received);

/*
 * Puts a valid frame in the send queue of the other bus; `received` are its data, 0 beyond the DLC. All that it calls, it calls last:
 * this spares saving and restoring registers, a tenth of the whole work per frame.
 */
static inline __attribute__((always_inline)) bool forward(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame,
	uint64_t now_us, struct gateway_entry entry, uint64_t received)
{
	struct gateway_queue *queue = gateway->forward[bus];
	if (!has_room(queue))
		return forward_without_room(gateway, bus, frame, now_us, entry, received);
	uint32_t id = frame->id;
	uint8_t dlc = frame->dlc;
	struct gateway_latest *latest = &gateway->latest[entry.latest];
	note_received(gateway, bus, latest, entry.watch, dlc, received, now_us);
	struct gateway_waiting *waiting = take_place(queue);
	waiting->frame.id = id;
	waiting->frame.dlc = dlc; /* frame.reserved is 0 since gateway_init() */
	memcpy(waiting->frame.data, &received, 8);
	waiting->time_us = now_us;
	waiting->seen = &latest->sent;
	waiting->record = (uint32_t)gateway->ring_head;
	waiting->kind = queue->forwarded;
	struct gateway_record *record = write_record(gateway, id, dlc, bus, 0, now_us, received, received);
	if (entry.rule == GATEWAY_NONE || now_us >= gateway->rewrite_until_us)
		return true;
	return gateway_apply_rule(gateway, &gateway->plan->rules[entry.rule], waiting, record);
}

/* `forward` for those who need it rarely. */
static bool forward_out_of_line(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us,
	struct gateway_entry entry, uint64_t received)
{
	return forward(gateway, bus, frame, now_us, entry, received);
}

static bool forward_without_room(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us,
	struct gateway_entry entry, uint64_t received)
{
	if (make_room(gateway, gateway->forward[bus], now_us))
		return forward_out_of_line(gateway, bus, frame, now_us, entry, received);
	note_received(gateway, bus, &gateway->latest[entry.latest], entry.watch, frame->dlc, received, now_us);
	++gateway->counters[gateway->forward[bus]->room ? GATEWAY_DROPPED_QUEUE_FULL : GATEWAY_DROPPED_NOT_RUNNING];
	write_record(gateway, frame->id, frame->dlc, bus, GATEWAY_DROPPED, now_us, received, 0)->dlc[1] = 0;
	return false;
}

/* Frames that are not of the common kind: invalid, 29-bit, remote, or with an id seen for the first time. */
__attribute__((noinline)) static bool receive_special(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	uint32_t id = frame->id;
	bool remote = id & GATEWAY_REMOTE;
	if (frame->dlc > 8 || !gateway_valid_id(id & ~GATEWAY_REMOTE)) {
		++gateway->counters[GATEWAY_MALFORMED];
		return false;
	}
	struct gateway_entry entry = gateway_find(gateway, bus, id & ~GATEWAY_REMOTE);
	if (remote) {
		/* Has no place among the latest data frames; that its id has a rule is only counted. */
		if (entry.rule != GATEWAY_NONE && now_us < gateway->rewrite_until_us && gateway->plan->rules[entry.rule].applies)
			++gateway->counters[GATEWAY_REFUSED];
		entry = (struct gateway_entry){(uint16_t)gateway->latest_count, GATEWAY_NONE, GATEWAY_NONE};
	} else if (entry.latest == GATEWAY_NO_LATEST) {
		entry.latest = take_latest(gateway, bus, id);
	}
	return forward_out_of_line(gateway, bus, frame, now_us, entry, data_of(frame, remote ? 0 : frame->dlc));
}

bool gateway_receive(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	if (frame->dlc > 8 || frame->id > GATEWAY_MAX_STANDARD_ID)
		return receive_special(gateway, bus, frame, now_us);
	struct gateway_entry entry = gateway->standard[frame->id][bus];
	if (entry.latest == GATEWAY_NO_LATEST)
		return receive_special(gateway, bus, frame, now_us);
	return forward(gateway, bus, frame, now_us, entry, data_of(frame, frame->dlc));
}

void gateway_malformed(struct gateway *gateway)
{
	++gateway->counters[GATEWAY_MALFORMED];
}

__attribute__((noinline)) static const struct gateway_frame *next_after_old(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	drop_old(gateway, &gateway->queues[bus], now_us);
	return gateway_next_to_send(gateway, bus, now_us);
}

const struct gateway_frame *gateway_next_to_send(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	struct gateway_queue *queue = gateway->forward[bus ^ 1];
	if (!has_waiting(queue))
		return NULL;
	struct gateway_waiting *waiting = queue->out;
	if (is_old(waiting, now_us))
		return next_after_old(gateway, bus, now_us);
	queue->outstanding = waiting;
	return &waiting->frame;
}

void gateway_sent(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	struct gateway_queue *queue = gateway->forward[bus ^ 1];
	const struct gateway_waiting *waiting = queue->outstanding;
	if (!waiting)
		return;
	queue->outstanding = NULL;
	queue->out = waiting->next;
	--queue->count;
	struct gateway_seen *seen = waiting->seen;
	uint64_t data;
	memcpy(&data, waiting->frame.data, 8);
	seen->flags = waiting->kind.flags;
	update_seen(seen, waiting->frame.dlc, data, now_us);
	++gateway->counters[waiting->kind.counter];
	if (now_us - waiting->time_us > GATEWAY_LATE_US)
		++gateway->counters[GATEWAY_LATE];
}

void gateway_not_sent(struct gateway *gateway, unsigned bus)
{
	gateway->queues[bus].outstanding = NULL;
}

uint32_t gateway_waiting(const struct gateway *gateway, unsigned bus)
{
	return gateway->queues[bus].count;
}

void gateway_set_bus_state(struct gateway *gateway, unsigned bus, enum gateway_bus_state state)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	gateway->state[bus] = (uint8_t)state;
	queue->room = state != GATEWAY_STOPPED && state != GATEWAY_BUS_OFF ? GATEWAY_QUEUE_FRAMES : 0;
	if (!queue->room)
		gateway->interrupted |= (uint8_t)(1u << bus);
	gateway_update_rewriting(gateway);
	if (!queue->room) {
		queue->outstanding = NULL;
		while (queue->count)
			drop_head(gateway, queue, GATEWAY_DROPPED_NOT_RUNNING);
	}
}

/* ---- what happens without a frame arriving ---- */

static void send_cyclic(struct gateway *gateway, const struct gateway_cyclic *cyclic, uint64_t now_us)
{
	unsigned bus = cyclic->bus;
	struct gateway_queue *queue = &gateway->queues[bus];
	if (!has_room(queue) && !make_room(gateway, queue, now_us)) {
		++gateway->counters[GATEWAY_CYCLIC_DROPPED];
		return;
	}
	struct gateway_waiting *waiting = take_place(queue);
	/* As if it had come from the other bus: that is where the `sent` of this id is kept. */
	struct gateway_entry entry = gateway_find(gateway, bus ^ 1, cyclic->frame.id);
	if (entry.latest == GATEWAY_NO_LATEST)
		entry.latest = take_latest(gateway, bus ^ 1, cyclic->frame.id);
	waiting->frame = cyclic->frame;
	waiting->time_us = now_us;
	waiting->seen = &gateway->latest[entry.latest].sent;
	waiting->record = (uint32_t)gateway->ring_head;
	waiting->kind = (struct gateway_kind){GATEWAY_CYCLIC, GATEWAY_CYCLIC_SENT};
	uint64_t data;
	memcpy(&data, cyclic->frame.data, 8);
	write_record(gateway, cyclic->frame.id, cyclic->frame.dlc, bus, GATEWAY_CYCLIC, now_us, 0, data);
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
		const struct gateway_waiting *waiting = drop_old(gateway, queue, now_us);
		if (waiting && waiting->time_us + GATEWAY_AGE_LIMIT_US < next_us)
			next_us = waiting->time_us + GATEWAY_AGE_LIMIT_US + 1;
	}
	return next_us;
}
