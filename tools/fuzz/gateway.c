/*
 * The gateway core: the input is a list of what happens to it (frames of all kinds, plans, leases, bus
 * states, time), a judge beside it knows what may leave. Without an active plan every frame leaves as it
 * came; always in the order of coming, none twice, none that never came.
 */
#include "fuzz.h"
#include "gateway_core.h"

#define LATEST 8u
#define RING 16u
#define SENT_MAX 512u

const char *const fuzz_seeds[] = {
	"FfFfFfSs", "Fab cdefghijklmnSfab cdefghijklmnsTzzFxSx", "BaBbFcSdBeBfFgSh", "PxCaFbSc", "WaFbMcFdMe", "YaTbScTd", "OaFbKcOd", "R0R1R2",
	NULL,
};

static struct gateway gateway;
static struct gateway_latest latest[LATEST + 1];
static struct gateway_record ring[RING];
/* Data frames that came, by the bus they leave on, from `out` on those that may still leave. */
static struct gateway_frame came[GATEWAY_BUSES][SENT_MAX];
static size_t in[GATEWAY_BUSES], out[GATEWAY_BUSES];

struct reader {
	const uint8_t *at, *end;
};

static uint8_t byte(struct reader *reader)
{
	return reader->at < reader->end ? *reader->at++ : 0;
}

static uint32_t id_of(struct reader *reader)
{
	static const uint32_t ids[] = { 0, 1, 0x280, 0x2C0, 0x7FF, 0x1A0, GATEWAY_EXTENDED | 1, GATEWAY_EXTENDED | 0x1FFFFFFF };
	return ids[byte(reader) % 8];
}

/*
 * The next frame that leaves must be one of those that came, none before it may come later; unmodified if
 * nothing may be rewritten.
 */
static void judge(unsigned bus, const struct gateway_frame *frame, int may_differ)
{
	MUST(frame->dlc <= 8);
	for (size_t i = out[bus]; i < in[bus]; i++) {
		const struct gateway_frame *one = &came[bus][i];
		if (one->id != frame->id || one->dlc != frame->dlc)
			continue;
		if (!may_differ && memcmp(one->data, frame->data, one->dlc) != 0)
			continue;
		out[bus] = i + 1;
		return;
	}
	fuzz_fail(__FILE__, __LINE__, "a frame leaves that came");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader reader = { data, data + size };
	uint64_t now_us = 1000;
	int planned = 0, cyclic = 0, item;
	memset(in, 0, sizeof in);
	memset(out, 0, sizeof out);
	gateway_init(&gateway, latest, LATEST, ring, RING);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; bus++)
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
	while (reader.at < reader.end) {
		uint8_t kind = byte(&reader);
		unsigned bus = kind >> 5 & 1;
		switch (kind & 0xDF) {
		case 'F':
		case 'R': {
			struct gateway_frame frame = { .id = id_of(&reader) | ((kind & 0xDF) == 'R' ? GATEWAY_REMOTE : 0) };
			frame.dlc = byte(&reader) % 9;
			for (unsigned i = 0; i < frame.dlc && !(frame.id & GATEWAY_REMOTE); i++)
				frame.data[i] = byte(&reader);
			uint32_t waited = gateway_waiting(&gateway, bus ^ 1);
			gateway_receive(&gateway, bus, &frame, now_us);
			uint32_t waits = gateway_waiting(&gateway, bus ^ 1);
			MUST(waits <= GATEWAY_QUEUE_FRAMES);
			if (waits > waited && in[bus ^ 1] < SENT_MAX)
				came[bus ^ 1][in[bus ^ 1]++] = frame;
			break;
		}
		case 'S': {
			const struct gateway_frame *next = gateway_next_to_send(&gateway, bus, now_us);
			if (!next)
				break;
			if (!cyclic && in[bus] < SENT_MAX)
				judge(bus, next, planned && bus == GATEWAY_COUPLING);
			if (byte(&reader) & 1)
				gateway_aborted(&gateway, bus);
			else
				gateway_sent(&gateway, bus, now_us);
			break;
		}
		case 'T':
			now_us += (uint64_t)byte(&reader) * 1009;
			gateway_tick(&gateway, now_us);
			break;
		case 'B':
			gateway_set_bus_state(&gateway, bus, (enum gateway_bus_state)(byte(&reader) % 5));
			break;
		case 'P':
		case 'W': {
			size_t length = byte(&reader);
			if (length > (size_t)(reader.end - reader.at))
				length = (size_t)(reader.end - reader.at);
			uint8_t *list = fuzz_copy(reader.at, length);
			reader.at += length;
			if ((kind & 0xDF) == 'P' && gateway_load_plan(&gateway, list, length, &item) == NULL) {
				planned = 1;
				cyclic |= list[8]; /* generates */
			}
			if ((kind & 0xDF) == 'W')
				(void)gateway_watch(&gateway, list, length, &item);
			free(list);
			break;
		}
		case 'C':
			gateway_commit(&gateway, byte(&reader) * 100u, byte(&reader), 1 + byte(&reader), now_us);
			break;
		case 'L':
			gateway_release(&gateway);
			MUST(!gateway_plan_active(&gateway, now_us));
			break;
		case 'Y': {
			uint8_t payload[8] = { byte(&reader) };
			cyclic = 1;
			gateway_set_cyclic(&gateway, byte(&reader) % GATEWAY_CYCLIC_SLOTS, bus, id_of(&reader), 1 + byte(&reader), 1 + byte(&reader),
				payload, byte(&reader) % 9, now_us);
			break;
		}
		case 'O': {
			uint32_t ids[GATEWAY_CHANNEL_IDS] = { id_of(&reader), id_of(&reader) };
			uint32_t tester = id_of(&reader);
			uint32_t testers[][2] = { { tester, tester + byte(&reader) } };
			gateway_channel_open(&gateway, ids, 1 + byte(&reader) % 2, testers, byte(&reader) % 2, now_us);
			break;
		}
		case 'K': {
			struct gateway_frame kept;
			if (gateway_channel_take(&gateway, &kept, now_us))
				MUST(kept.dlc <= 8);
			break;
		}
		default: {
			size_t bytes = gateway_sample_size(&gateway);
			uint8_t *into = malloc(bytes);
			gateway_sample(&gateway, into, now_us);
			free(into);
			uint64_t cursor = byte(&reader), overwritten;
			struct gateway_record records[4];
			uint32_t count = gateway_read_ring(&gateway, &cursor, records, 4, &overwritten);
			MUST(count <= 4 && cursor <= gateway_ring_end(&gateway));
		}
		}
	}
	return 0;
}
