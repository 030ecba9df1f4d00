/*
 * The gateway's portable core: frames in on one bus, out on the other, rewritten by the active plan; see
 * README.md for the rules. C11 without allocation, platform headers or a clock: the caller hands over the
 * memory, and the time as microseconds that never run backwards from call to call.
 *
 * NOT THREAD SAFE. The driver serialises all calls with one lock and takes the time inside of it. Exception:
 * gateway_load_plan() works on the staging plan and needs no lock, if only the thread that commits calls it.
 *
 * How a driver uses it: gateway_receive() for each frame that arrives; for each bus, whenever its controller
 * can take a frame, gateway_next_to_send(), hand the frame over, then gateway_sent() (or gateway_not_sent());
 * gateway_tick() at the times it asks for; gateway_set_bus_state() whenever that changes. One frame per bus
 * is outstanding at a time, order is kept.
 */
#ifndef OPENCOUPLING_GATEWAY_CORE_H
#define OPENCOUPLING_GATEWAY_CORE_H

#include "gateway_counters.h"
#include "gateway_plan.h"

#define GATEWAY_BUSES 2
#define GATEWAY_QUEUE_FRAMES 256u    /* 50 ms of a full bus with 8-byte frames (4,504 a second) are 225 */
#define GATEWAY_AGE_LIMIT_US 50000u  /* a frame that waited longer is dropped: docs/decisions.md 10 */
/*
 * A frame that a controller could not send for this long is dropped, so that those behind it keep 40 of their
 * 50 ms. 45 frames of 8 bytes can go before it.
 */
#define GATEWAY_SEND_LIMIT_US 10000u
#define GATEWAY_LATE_US 10000u       /* a frame that waited longer than a control tick is counted */
#define GATEWAY_MAX_WATCHED 32u      /* the most that can be mapped is 30: 6 of car and coupling; 3 inputs, steering, 8 conditions on two buses */
#define GATEWAY_CYCLIC_SLOTS 8u      /* chosen; one is used, for the status frame */
#define GATEWAY_MAX_LEASE_MS 1000u   /* of a plan: four times what docs/decisions.md 29 wants */
#define GATEWAY_SAMPLE_HEADER_BYTES 24u /* README "Watched frames" has these three */
#define GATEWAY_SAMPLE_ENTRY_BYTES 12u
#define GATEWAY_WATCH_BYTES 8u
#define GATEWAY_PINS 256u            /* hash table of rules and watches with 29-bit ids: at most 128 entries */
#define GATEWAY_EXTENDED_IDS 256u    /* hash table of 29-bit ids seen */
#define GATEWAY_PROBES 8u            /* slots looked at in it */
#define GATEWAY_CHANNEL_IDS 4u       /* 3 are used at most */
#define GATEWAY_CHANNEL_TESTERS 8u   /* 6 are used: TESTERS in src/can/layouts/diagnosis-ids.ts */
#define GATEWAY_CHANNEL_FRAMES 32u   /* 7 ms of a full bus (4,504 a second): the script takes them each 5 ms */
#define GATEWAY_CHANNEL_LEASE_US 1000000u /* 200 looks of a script that lives (src/diagnosis/diagnosis-service.ts) */
#define GATEWAY_LISTEN_US 3000000u   /* no other node sent what is to be generated: three times the longest period */
#define GATEWAY_LISTENING UINT32_MAX /* in place of the identifier that was heard: none yet */
#define GATEWAY_INVALID_LASTS_US 1000000u  /* frames of an identifier are invalid for this long before a sample names it */
#define GATEWAY_INVALID_FORGET_US 2500000u /* it names it until this long after the last: two periods of the slowest rewritten frame */
#define GATEWAY_NEVER UINT64_MAX

enum gateway_bus { GATEWAY_CHASSIS, GATEWAY_COUPLING };

/* Numbers as in the sample's header. Only STOPPED and BUS_OFF mean "not running". */
enum gateway_bus_state { GATEWAY_STOPPED, GATEWAY_ERROR_ACTIVE, GATEWAY_ERROR_WARNING, GATEWAY_ERROR_PASSIVE, GATEWAY_BUS_OFF };

/* Same 16 bytes as SocketCAN's struct can_frame. */
struct gateway_frame {
	uint32_t id;         /* 11 or 29 bits | GATEWAY_EXTENDED | GATEWAY_REMOTE | GATEWAY_ERROR */
	uint8_t dlc;         /* 0..8; frames that say otherwise are rejected */
	uint8_t reserved[3]; /* 0 in frames that leave */
	uint8_t data[8];     /* what is beyond the DLC is ignored, 0 in frames that leave */
};

/* Flags of ring records and latest frames. */
enum { GATEWAY_CHANGED = 1, GATEWAY_DROPPED = 2, GATEWAY_CYCLIC = 4, GATEWAY_GENERATED = 8 };

/* One frame that passed, for traces. Little-endian on every platform that we build for. */
struct gateway_record {
	uint64_t time_us;    /* when it was received, or a cyclic frame queued */
	uint32_t id;         /* with flag bits */
	uint8_t dlc[2];      /* as received, as sent */
	uint8_t bus;         /* received on; a cyclic frame: queued for */
	uint8_t flags;       /* DROPPED may still be set while the frame waits to be sent */
	uint8_t received[8]; /* 0 for a cyclic frame */
	uint8_t sent[8];     /* 0, and its DLC 0, for a frame dropped at once */
};

/* One direction of the latest frame of an id. count 0 = never. */
struct gateway_seen {
	uint64_t time_us;
	uint8_t data[8];
	uint32_t count;
	uint8_t dlc;
	uint8_t flags;       /* CHANGED, CYCLIC, GENERATED; of the sent one only */
};

/*
 * The latest data frame of an id, as received on `bus` and as sent on the other one. Cyclic frames are the
 * `sent` of their id.
 */
struct gateway_latest {
	uint32_t id;
	uint8_t bus;
	uint8_t reserved[11]; /* to 64 bytes: indexing is a shift */
	struct gateway_seen received, sent;
};

/* What is to be done with an id: entry of the latest frames, rule, first watch entry. */
struct gateway_entry {
	uint16_t latest;
	uint8_t rule, watch;
};
#define GATEWAY_NO_LATEST 0xFFFFu
#define GATEWAY_NONE 0xFFu

/* A frame in a send queue. */
struct gateway_waiting {
	struct gateway_frame frame;
	uint64_t time_us;
	struct gateway_seen *seen; /* to update when it is sent */
	struct gateway_waiting *next; /* the next slot of the queue's ring buffer */
	uint32_t record;     /* number in the ring, modulo 2^32 */
	uint8_t flags;       /* CHANGED, CYCLIC; GENERATED with it: it leaves only as long as the plan goes on */
};

/* The frames that wait for one bus; the slots are gateway.waiting. */
struct gateway_queue {
	struct gateway_waiting *in, *out; /* next slot to fill, first slot to leave */
	struct gateway_waiting *outstanding; /* `out` while the driver has it, else NULL */
	uint32_t count;
	uint32_t capacity;   /* GATEWAY_QUEUE_FRAMES if the bus runs, 0 if it is stopped or bus-off */
};

/* An entry of the watch list, and what has come of it. */
struct gateway_watched {
	uint64_t time_us;
	uint8_t data[8];
	uint32_t id;
	uint8_t dlc;         /* 0x80 = never received */
	uint8_t bus;
	uint8_t count;
	uint8_t min_dlc;
	bool collects;       /* the data are those of all frames since the last sample, OR-ed */
	struct gateway_watched *next; /* another entry for the same bus and id, or NULL */
};

/*
 * Frames of one identifier that left as they came because the car marks a signal in them as invalid; times 0
 * = none yet.
 */
struct gateway_invalid {
	uint64_t since_us, last_us;
	uint32_t id;
};

/* A slot that sends by itself; due at next_us, until lease_until_us. */
struct gateway_cyclic {
	struct gateway_frame frame;
	uint64_t next_us, lease_until_us;
	uint32_t period_us;
	uint16_t lease_ms;   /* of the last gateway_set_cyclic() */
	uint8_t bus;
	bool active;
};

/*
 * Frames of the coupling that are meant for a tester of ours: kept, in their order, in place of being
 * forwarded.
 */
struct gateway_channel {
	uint64_t until_us;   /* 0 = closed */
	uint32_t ids[GATEWAY_CHANNEL_IDS];
	uint32_t testers[GATEWAY_CHANNEL_TESTERS][2]; /* first and last identifier of a range */
	uint8_t id_count, tester_count;
	bool yielded;
	uint8_t first, count; /* of the frames that are kept */
	struct gateway_frame frames[GATEWAY_CHANNEL_FRAMES];
};

/* What the plan and the watch list want of a 29-bit identifier: a slot of a hash table. */
struct gateway_pin {
	uint32_t key;        /* identifier, bit 30 = bus; 0 = free */
	uint8_t rule, watch;
};

/* All fields are private to the core, except that a driver may read `counters`. */
struct gateway {
	uint8_t state[GATEWAY_BUSES];
	bool plan_active;       /* a plan is committed and its lease was not seen to run out; otherwise lease_until_us is 0 */
	bool loaded, staged; /* there is a current plan; there is one that the next commit takes */
	uint8_t watch_count;
	uint8_t interrupted; /* bit n: bus n did not run at some time since the last sample */
	uint64_t lease_until_us;
	uint64_t rewrite_until_us; /* lease_until_us, but 0 from when a bus stops until the commit after a sample has told of it */
	struct gateway_plan *plan;    /* the current one of the two */
	struct gateway_plan *staging; /* the other */
	uint64_t last_received_us[GATEWAY_BUSES]; /* GATEWAY_NEVER */
	uint32_t counters[GATEWAY_COUNTER_COUNT];
	uint32_t lease_us; /* of the last commit */

	struct gateway_latest *latest; /* latest_count + 1: the last entry is for those without one */
	uint32_t latest_count, latest_used;
	struct gateway_record *ring;
	uint32_t ring_mask;
	uint64_t ring_head;  /* records ever written */

	struct gateway_entry standard[GATEWAY_MAX_STANDARD_ID + 1][GATEWAY_BUSES];
	struct gateway_pin pins[GATEWAY_PINS];
	uint16_t extended[GATEWAY_EXTENDED_IDS];
	struct gateway_entry found; /* what the last 29-bit or remote frame had */
	struct gateway_watched watched[GATEWAY_MAX_WATCHED];
	struct gateway_cyclic cyclic[GATEWAY_CYCLIC_SLOTS];
	struct gateway_channel channel;
	struct gateway_queue queues[GATEWAY_BUSES];
	struct gateway_waiting waiting[GATEWAY_BUSES][GATEWAY_QUEUE_FRAMES];
	struct gateway_plan plans[2];
	bool attention;      /* a channel is open or the plan generates: a frame is looked at before it is forwarded */
	bool hears;          /* both buses have run since a plan that generates began to listen */
	bool generating;     /* frames of the plan are being sent */
	uint32_t heard;      /* what silenced it last, bit 30 = on the coupling bus; GATEWAY_LISTENING = nothing since it began to listen */
	uint64_t silent_until_us;
	struct gateway_invalid invalid;
};

/* ---- the beginning (gateway_core.c) ---- */

/*
 * Both buses start stopped, no plan. latest: latest_count + 1 entries, latest_count 1..65534. ring:
 * ring_count records, a power of two. Both stay in use.
 */
void gateway_init(struct gateway *gateway, struct gateway_latest *latest, uint32_t latest_count,
	struct gateway_record *ring, uint32_t ring_count);

/* ---- frames (gateway_core.c) ---- */

/* A frame arrived on a bus: puts it in the other bus's send queue, if that is not full. */
void gateway_receive(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us);

/* Counts something on the wire that was no frame, as MALFORMED; nothing else changes. */
void gateway_malformed(struct gateway *gateway);

/*
 * The next frame to send on a bus, or NULL: none, or the last one is still outstanding. Drops what became too
 * old. The frame stays valid, and first in the queue, until gateway_sent(), gateway_not_sent() or the bus
 * stops running.
 */
const struct gateway_frame *gateway_next_to_send(struct gateway *gateway, unsigned bus, uint64_t now_us);

/* The outstanding frame left. Ignored when there is none any more (the bus stopped running meanwhile). */
void gateway_sent(struct gateway *gateway, unsigned bus, uint64_t now_us);

/* The controller did not take the outstanding frame: it stays the next to send. */
void gateway_not_sent(struct gateway *gateway, unsigned bus);

/*
 * The controller has aborted the frame that it was sending: the frame is dropped as too old. Does nothing if
 * no frame is being sent.
 */
void gateway_aborted(struct gateway *gateway, unsigned bus);

/* When the outstanding frame becomes too old to leave; GATEWAY_NEVER without one. */
uint64_t gateway_send_until(const struct gateway *gateway, unsigned bus);

/* Frames waiting to be sent on a bus, the outstanding one included: 0..GATEWAY_QUEUE_FRAMES. */
uint32_t gateway_waiting(const struct gateway *gateway, unsigned bus);

/*
 * State of a bus, from its controller. A bus that stops running loses its send queue, and nothing is
 * rewritten until a new commit.
 */
void gateway_set_bus_state(struct gateway *gateway, unsigned bus, enum gateway_bus_state state);

/*
 * Sends cyclic frames that are due, ends leases, drops what is too old.
 * Returns when to call again at the latest, GATEWAY_NEVER = not before something changes.
 */
uint64_t gateway_tick(struct gateway *gateway, uint64_t now_us);

/*
 * Queues a frame of our own. Returns false if the queue is full, or the bus does not run. Id
 * (gateway_valid_id) and dlc must be valid; bytes: 8 of them, at a multiple of 4.
 */
bool gateway_send(struct gateway *gateway, unsigned bus, uint32_t id, const uint8_t *data, uint8_t dlc, uint64_t now_us);

/* ---- control (gateway_control.c) ---- */

/* Stages a plan (see above about locking). Returns NULL, or what is wrong with it, as gateway_plan_check(). */
const char *gateway_load_plan(struct gateway *gateway, const uint8_t *bytes, size_t size, int *item);

/*
 * Activates the staged, else the current plan until now + lease. factor 0..25600, lease 1..1000 ms. No plan:
 * does nothing. If a bus did not run at some time since the last sample nothing is rewritten: who commits has
 * not heard of that yet. Returns true if gateway_tick() wants to be called: a plan that generates begins.
 */
bool gateway_commit(struct gateway *gateway, uint32_t factor, uint8_t groups, uint32_t lease_ms, uint64_t now_us);

/*
 * Ends the lease without counting it as expired: frames that arrive from now on leave as they came.
 * Idempotent.
 */
void gateway_release(struct gateway *gateway);

/* Whether a plan is active; notices that its lease ran out. */
bool gateway_plan_active(struct gateway *gateway, uint64_t now_us);

/*
 * Sets the watch list, README "Watched frames". Returns NULL, or what is wrong; *item is the number of the
 * entry, -1 for the size.
 */
const char *gateway_watch(struct gateway *gateway, const uint8_t *list, size_t size, int *item);

/*
 * Sets a cyclic frame; slot, bus, id (gateway_valid_id), period 1..60000 ms, lease 1..60000 ms and dlc must
 * be valid. It is first due at once; with bus, id and period unchanged and the lease still running it keeps
 * its phase. Call gateway_tick() afterwards.
 */
void gateway_set_cyclic(struct gateway *gateway, unsigned slot, unsigned bus, uint32_t id, uint32_t period_ms, uint32_t lease_ms,
	const uint8_t *payload, uint8_t dlc, uint64_t now_us);

/*
 * Ends a cyclic frame: it is not queued again; one that waits to be sent still leaves. Idempotent; the slot
 * must be valid.
 */
void gateway_clear_cyclic(struct gateway *gateway, unsigned slot);

/* ---- channel to the coupling's control unit (gateway_channel.c) ---- */

/*
 * Keeps data frames of the coupling bus with one of these ids (at most GATEWAY_CHANNEL_IDS, gateway_valid_id)
 * from the chassis, for gateway_channel_take(). What was kept before stays. A lease of a second begins, which
 * each take renews: a script that has stopped keeps nothing back. A frame that does not fit is forwarded.
 * With the first data frame of a tester (at most GATEWAY_CHANNEL_TESTERS ranges, first and last id), from
 * either bus, the channel closes: its answer is forwarded, and no opening helps until the channel was closed.
 */
void gateway_channel_open(struct gateway *gateway, const uint32_t *ids, unsigned count, const uint32_t (*testers)[2], unsigned tester_count,
	uint64_t now_us);

/* Whether a tester closed it since it was opened. */
bool gateway_channel_yielded(const struct gateway *gateway);

/* From now on all frames are forwarded; what was kept is forgotten. Idempotent. */
void gateway_channel_close(struct gateway *gateway);

/* Takes the oldest frame that was kept. Returns false: no frame was kept. */
bool gateway_channel_take(struct gateway *gateway, struct gateway_frame *into, uint64_t now_us);

/* ---- memory (gateway_memory.c) ---- */

/* Bytes that gateway_sample() fills with the present watch list. */
size_t gateway_sample_size(const struct gateway *gateway);

/* Fills them as README "Watched frames" says; what it tells of interruptions and collects begins anew. */
void gateway_sample(struct gateway *gateway, uint8_t *into, uint64_t now_us);

/*
 * Latest frames: the entry of an identifier that is received on a bus, or NULL: it was never seen, or has no
 * entry.
 */
const struct gateway_latest *gateway_latest_of(const struct gateway *gateway, unsigned bus, uint32_t id);

/* Microseconds since a data frame with an id of first..last was received on a bus, GATEWAY_NEVER if never. */
uint64_t gateway_received_age(const struct gateway *gateway, unsigned bus, uint32_t first, uint32_t last, uint64_t now_us);

/*
 * Copies up to `max` records from number *cursor on, oldest first, and moves the cursor behind them; returns
 * how many. Records that were overwritten before they could be read are skipped, counted, and their number
 * given in *overwritten. A cursor of 0 starts with the oldest record that there is (all missed ones count as
 * overwritten); gateway_ring_end() is "from now on".
 */
uint32_t gateway_read_ring(struct gateway *gateway, uint64_t *cursor, struct gateway_record *into, uint32_t max, uint64_t *overwritten);

/* Number of the next record: a cursor from which only what comes from now on is read. */
uint64_t gateway_ring_end(const struct gateway *gateway);

/* Number of the oldest record that there is; gateway_ring_end() if the ring is empty. */
uint64_t gateway_ring_start(const struct gateway *gateway);

#endif
