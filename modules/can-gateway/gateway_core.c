/* The gateway's beginning, and its frame path: receive, queue, send. See gateway_core.h. */
#include "gateway_internal.h"

#include <string.h>

/* ---- the beginning ---- */

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

/* ---- send queues ---- */

/* `first` is the queue's `out`. */
IN_RAM static void remove_first(struct gateway_queue *queue, const struct gateway_waiting *first)
{
	queue->out = first->next;
	--queue->count;
}

RARE static void drop_first(struct gateway *gateway, struct gateway_queue *queue, enum gateway_counter reason)
{
	const struct gateway_waiting *waiting = queue->out;
	remove_first(queue, waiting);
	++gateway->counters[waiting->flags & GATEWAY_CYCLIC ? GATEWAY_CYCLIC_DROPPED : reason];
	if ((uint32_t)gateway->ring_head - waiting->record <= gateway->ring_mask + 1)
		gateway->ring[waiting->record & gateway->ring_mask].flags |= GATEWAY_DROPPED;
}

/* Until when a frame may leave. */
RARE static uint64_t leaves_until(const struct gateway *gateway, const struct gateway_waiting *waiting)
{
	uint64_t old_us = waiting->time_us + GATEWAY_AGE_LIMIT_US;
	uint64_t until_us = waiting->flags & GATEWAY_GENERATED ? gateway_generated_until(gateway, waiting->time_us) : old_us;
	return until_us < old_us ? until_us : old_us;
}

/* True if it has waited too long, or if the clock has stepped back, so that its age is unknown. */
RARE static bool is_old(const struct gateway *gateway, const struct gateway_waiting *waiting, uint64_t now_us)
{
	return now_us > leaves_until(gateway, waiting) || waiting->time_us > now_us + GATEWAY_AGE_LIMIT_US;
}

RARE void gateway_drop_old(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us)
{
	while (gateway_has_waiting(queue) && is_old(gateway, queue->out, now_us))
		drop_first(gateway, queue, GATEWAY_DROPPED_TOO_OLD);
}

IN_RAM static const struct gateway_frame *hand_over(struct gateway_queue *queue)
{
	queue->outstanding = queue->out;
	return &queue->out->frame;
}

/* Nothing is outstanding. */
RARE static const struct gateway_frame *hand_over_unless_old(struct gateway *gateway, struct gateway_queue *queue, uint64_t now_us)
{
	gateway_drop_old(gateway, queue, now_us);
	return queue->count ? hand_over(queue) : NULL;
}

/* Puts a frame with these data at the end of a queue that is not full; its record will be the next one. */
IN_RAM static struct gateway_waiting *add(struct gateway *gateway, struct gateway_queue *queue, uint32_t id, uint8_t dlc, uint64_t data,
	struct gateway_seen *seen, uint64_t now_us)
{
	struct gateway_waiting *waiting = queue->in;
	queue->in = waiting->next;
	++queue->count;
	waiting->frame.id = id;
	waiting->frame.dlc = dlc; /* `reserved` is 0 since gateway_init() */
	gateway_put_data(waiting->frame.data, data);
	waiting->time_us = now_us;
	waiting->seen = seen;
	waiting->record = (uint32_t)gateway->ring_head;
	waiting->flags = 0;
	return waiting;
}

/* ---- what is remembered ---- */

IN_RAM static struct gateway_record *write_record(struct gateway *gateway, unsigned bus, uint32_t id, uint8_t dlc, uint64_t received, uint64_t sent,
	uint8_t flags, uint64_t now_us)
{
	struct gateway_record *record = &gateway->ring[gateway->ring_head++ & gateway->ring_mask];
	record->time_us = now_us;
	record->id = id;
	record->dlc[0] = record->dlc[1] = dlc;
	record->bus = (uint8_t)bus;
	record->flags = flags;
	gateway_put_data(record->received, received);
	gateway_put_data(record->sent, sent);
	return record;
}

IN_RAM static void update_seen(struct gateway_seen *seen, uint8_t dlc, uint64_t data, uint64_t now_us)
{
	seen->time_us = now_us;
	gateway_put_data(seen->data, data);
	seen->dlc = dlc;
	++seen->count;
}

IN_RAM static void update_watched(struct gateway_watched *watched, uint8_t dlc, uint64_t data, uint64_t now_us)
{
	for (; watched; watched = watched->next) {
		if (dlc < watched->min_dlc)
			continue;
		uint64_t before = watched->collects ? gateway_data_at(watched->data) : 0;
		watched->time_us = now_us;
		gateway_put_data(watched->data, before | data);
		watched->dlc = dlc;
		++watched->count;
	}
}

IN_LINE void note_received(struct gateway *gateway, unsigned bus, struct gateway_latest *latest, unsigned watch, uint8_t dlc,
	uint64_t data, uint64_t now_us)
{
	++gateway->counters[GATEWAY_RECEIVED_CHASSIS + bus];
	gateway->last_received_us[bus] = now_us;
	update_seen(&latest->received, dlc, data, now_us);
	if (watch != GATEWAY_NONE)
		update_watched(&gateway->watched[watch], dlc, data, now_us);
}

/* ---- the frame path ---- */

/* Counts and records a frame that can't be sent on the other bus. */
RARE static void drop_received(struct gateway *gateway, unsigned bus, uint32_t id, uint8_t dlc, uint64_t data, uint64_t now_us)
{
	++gateway->counters[gateway->queues[bus ^ 1].capacity ? GATEWAY_DROPPED_QUEUE_FULL : GATEWAY_DROPPED_NOT_RUNNING];
	write_record(gateway, bus, id, dlc, data, 0, GATEWAY_DROPPED, now_us)->dlc[1] = 0;
}

/*
 * Puts a valid frame in the send queue of the other bus if it is not full; `data` are its data, 0 beyond the
 * DLC.
 */
IN_LINE void forward(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame,
	uint64_t data, struct gateway_entry entry, uint64_t now_us)
{
	uint8_t dlc = frame->dlc;
	struct gateway_queue *queue = &gateway->queues[bus ^ 1];
	struct gateway_latest *latest = &gateway->latest[entry.latest];
	note_received(gateway, bus, latest, entry.watch, dlc, data, now_us);
	if (!gateway_has_space(queue)) {
		drop_received(gateway, bus, frame->id, dlc, data, now_us);
		return;
	}
	struct gateway_waiting *waiting = add(gateway, queue, frame->id, dlc, data, &latest->sent, now_us);
	struct gateway_record *record = write_record(gateway, bus, frame->id, dlc, data, data, 0, now_us);
	if (entry.rule != GATEWAY_NONE && now_us < gateway->rewrite_until_us)
		gateway_rewrite(gateway, &gateway->plan->rules[entry.rule], waiting, record);
}

/* The first bytes of a frame's data, the others 0. */
IN_RAM static uint64_t data_of(const struct gateway_frame *frame, unsigned count)
{
	return gateway_first_bytes(gateway_data_at(frame->data), count);
}

/* The entry of a valid frame of any type. */
RARE static struct gateway_entry entry_of(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame)
{
	uint32_t id = frame->id & ~GATEWAY_REMOTE;
	return frame->id & GATEWAY_REMOTE ? gateway_find_remote(gateway, bus, id) : gateway_find(gateway, bus, id);
}

RARE static uint64_t data_of_any(const struct gateway_frame *frame)
{
	return data_of(frame, frame->id & GATEWAY_REMOTE ? 0 : frame->dlc);
}

/* Counts and records a frame that is not forwarded. */
RARE static void note_kept(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	uint64_t data = data_of_any(frame);
	struct gateway_entry entry = entry_of(gateway, bus, frame);
	note_received(gateway, bus, &gateway->latest[entry.latest], entry.watch, frame->dlc, data, now_us);
	write_record(gateway, bus, frame->id, frame->dlc, data, 0, GATEWAY_DROPPED, now_us)->dlc[1] = 0;
}

/* Shows a frame to the channel and to a plan that generates. Returns whether it is not to be forwarded. */
RARE static bool attend(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	uint32_t id = frame->id & ~GATEWAY_REMOTE;
	bool keeps = gateway->channel.until_us && gateway_channel_keep(gateway, bus, frame, now_us);
	if (!keeps && gateway->plan->generates && gateway_withholds(gateway, bus, id, gateway_find_known(gateway, bus, id).rule, now_us)) {
		++gateway->counters[GATEWAY_WITHHELD];
		keeps = true;
	}
	if (keeps)
		note_kept(gateway, bus, frame, now_us);
	return keeps;
}

/* Remote and 29-bit frames, and those with an id seen for the first time. */
RARE static void receive_uncommon(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	forward(gateway, bus, frame, data_of_any(frame), entry_of(gateway, bus, frame), now_us);
}

IN_RAM void gateway_receive(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	if (frame->dlc > 8 || !gateway_valid_id(frame->id & ~GATEWAY_REMOTE)) {
		gateway_malformed(gateway);
		return;
	}
	if (gateway->attention && attend(gateway, bus, frame, now_us))
		return;
	if (frame->id <= GATEWAY_MAX_STANDARD_ID && gateway->standard[frame->id][bus].latest != GATEWAY_NO_LATEST)
		forward(gateway, bus, frame, data_of(frame, frame->dlc), gateway->standard[frame->id][bus], now_us);
	else
		receive_uncommon(gateway, bus, frame, now_us);
}

IN_RAM void gateway_malformed(struct gateway *gateway)
{
	++gateway->counters[GATEWAY_MALFORMED];
}

IN_RAM const struct gateway_frame *gateway_next_to_send(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	if (!gateway_has_waiting(queue))
		return NULL;
	if (now_us - queue->out->time_us > GATEWAY_AGE_LIMIT_US || queue->out->flags & GATEWAY_GENERATED)
		return hand_over_unless_old(gateway, queue, now_us);
	return hand_over(queue);
}

IN_RAM void gateway_sent(struct gateway *gateway, unsigned bus, uint64_t now_us)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	const struct gateway_waiting *waiting = queue->outstanding;
	if (!waiting)
		return;
	queue->outstanding = NULL;
	remove_first(queue, waiting);
	waiting->seen->flags = waiting->flags;
	update_seen(waiting->seen, waiting->frame.dlc, gateway_data_at(waiting->frame.data), now_us);
	++gateway->counters[waiting->flags & GATEWAY_CYCLIC ? GATEWAY_CYCLIC_SENT : GATEWAY_FORWARDED_TO_CHASSIS + bus];
	if (now_us - waiting->time_us > GATEWAY_LATE_US)
		++gateway->counters[GATEWAY_LATE];
}

IN_RAM void gateway_not_sent(struct gateway *gateway, unsigned bus)
{
	gateway->queues[bus].outstanding = NULL;
}

IN_RAM void gateway_aborted(struct gateway *gateway, unsigned bus)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	if (!queue->outstanding)
		return;
	queue->outstanding = NULL;
	drop_first(gateway, queue, GATEWAY_DROPPED_TOO_OLD);
}

IN_RAM uint64_t gateway_send_until(const struct gateway *gateway, unsigned bus)
{
	const struct gateway_waiting *waiting = gateway->queues[bus].outstanding;
	return waiting ? leaves_until(gateway, waiting) : GATEWAY_NEVER;
}

IN_RAM uint32_t gateway_waiting(const struct gateway *gateway, unsigned bus)
{
	return gateway->queues[bus].count;
}

void gateway_set_bus_state(struct gateway *gateway, unsigned bus, enum gateway_bus_state state)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	gateway->state[bus] = (uint8_t)state;
	queue->capacity = state != GATEWAY_STOPPED && state != GATEWAY_BUS_OFF ? GATEWAY_QUEUE_FRAMES : 0;
	if (!queue->capacity)
		gateway->interrupted |= (uint8_t)(1u << bus);
	gateway_update_rewriting(gateway);
	if (queue->capacity)
		return;
	gateway->hears = false;
	queue->outstanding = NULL;
	while (queue->count)
		drop_first(gateway, queue, GATEWAY_DROPPED_NOT_RUNNING);
}

/* ---- frames of our own ---- */

struct gateway_waiting *gateway_queue(struct gateway *gateway, unsigned bus, uint32_t id, const uint8_t *bytes, uint8_t dlc, uint64_t now_us)
{
	struct gateway_queue *queue = &gateway->queues[bus];
	if (!gateway_has_space(queue))
		return NULL;
	/* As if it had come from the other bus: that is where the `sent` of this id is kept. */
	struct gateway_entry entry = gateway_find(gateway, bus ^ 1u, id);
	uint64_t data = gateway_first_bytes(gateway_data_at(bytes), dlc);
	struct gateway_waiting *waiting = add(gateway, queue, id, dlc, data, &gateway->latest[entry.latest].sent, now_us);
	waiting->flags = GATEWAY_CYCLIC;
	write_record(gateway, bus, id, dlc, 0, data, GATEWAY_CYCLIC, now_us);
	return waiting;
}

bool gateway_send(struct gateway *gateway, unsigned bus, uint32_t id, const uint8_t *bytes, uint8_t dlc, uint64_t now_us)
{
	return gateway_queue(gateway, bus, id, bytes, dlc, now_us);
}
