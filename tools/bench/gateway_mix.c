/*
 * Work per forwarded frame: one second of a PQ and of an MQB bus, many times over, through the gateway core with a stub driver that sends
 * everything at once. Only the three calls that a driver makes for a frame are counted (callgrind --toggle-collect, see gateway.mjs).
 * Identifiers, rules and periods: control-and-can.md 3.7, 3.8, 3.10 and the usual cycle times of these cars; both caches are on.
 * Usage: gateway_mix pq|mqb SECONDS; prints the number of frames forwarded and rewritten.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gateway_core.h"

struct message { uint32_t id; uint8_t bus, dlc; uint16_t period_ms; };

/* 40 ids: what the powertrain bus of a PQ car carries, and the coupling's answer. */
static const struct message PQ[] = {
	{0x0C2, 0, 7, 10}, {0x280, 0, 8, 10}, {0x1A0, 0, 8, 7}, {0x5A0, 0, 8, 10}, {0x4A0, 0, 8, 7}, {0x2A0, 0, 8, 10},
	{0x288, 0, 8, 10}, {0x380, 0, 8, 10}, {0x480, 0, 8, 20}, {0x488, 0, 8, 10}, {0x588, 0, 8, 20}, {0x320, 0, 8, 20},
	{0x440, 0, 8, 10}, {0x540, 0, 8, 10}, {0x0AE, 0, 8, 10}, {0x3A0, 0, 8, 10}, {0x4A8, 0, 8, 20}, {0x1AC, 0, 8, 10},
	{0x050, 0, 4, 20}, {0x38A, 0, 4, 20}, {0x3D0, 0, 6, 20}, {0x5D0, 0, 6, 100}, {0x3E0, 0, 8, 20}, {0x1EA, 0, 6, 20},
	{0x420, 0, 8, 200}, {0x520, 0, 8, 200}, {0x570, 0, 4, 100}, {0x572, 0, 2, 100}, {0x5E0, 0, 8, 100}, {0x5E4, 0, 4, 100},
	{0x60E, 0, 8, 100}, {0x580, 0, 8, 20}, {0x5DE, 0, 8, 100}, {0x5B7, 0, 8, 100}, {0x62E, 0, 8, 200}, {0x621, 0, 5, 200},
	{0x7D0, 0, 8, 1000}, {0x5C0, 0, 8, 20}, {0x2C0, 1, 8, 10}, {0x7DA, 1, 8, 1000},
};

/* 45 ids of the MQB suspension bus. */
static const struct message MQB[] = {
	{0x0B2, 0, 8, 10}, {0x0A8, 0, 8, 10}, {0x0A7, 0, 8, 10}, {0x08A, 0, 8, 20}, {0x116, 0, 8, 20}, {0x106, 0, 8, 20},
	{0x30B, 0, 8, 40}, {0x5BE, 0, 8, 100}, {0x54B, 0, 8, 100}, {0x3DB, 0, 8, 100}, {0x3C8, 0, 8, 100}, {0x3BE, 0, 8, 100},
	{0x392, 0, 8, 100}, {0x18C, 0, 8, 100}, {0x640, 0, 8, 500}, {0x385, 0, 8, 500}, {0x585, 0, 8, 1000}, {0x641, 0, 8, 1000},
	{0x65D, 0, 8, 1000}, {0x6B2, 0, 8, 1000}, {0x6B7, 0, 8, 500}, {0x086, 0, 8, 10}, {0x0AD, 0, 8, 10}, {0x121, 0, 8, 10},
	{0x0FD, 0, 8, 20}, {0x101, 0, 8, 20}, {0x107, 0, 8, 20}, {0x09F, 0, 8, 10}, {0x104, 0, 8, 20}, {0x3C0, 0, 4, 100},
	{0x31B, 0, 8, 20}, {0x0C1, 0, 8, 20}, {0x30C, 0, 8, 20}, {0x122, 0, 8, 20}, {0x187, 0, 8, 50}, {0x1A2, 0, 8, 20},
	{0x3DC, 0, 8, 100}, {0x5F0, 0, 8, 100}, {0x366, 0, 8, 100}, {0x583, 0, 8, 100}, {0x643, 0, 8, 1000},
	{0x9A000001 & 0x9FFFFFFF, 0, 8, 200}, {0x118, 1, 8, 20}, {0x0AF, 1, 8, 20}, {0x70F, 1, 8, 1000},
};

/* ---- plans ---- */

static uint8_t plan[GATEWAY_MAX_PLAN_BYTES];
static size_t plan_size;

static uint8_t *add(size_t size)
{
	uint8_t *at = plan + plan_size;
	plan_size += size;
	return at;
}

static void add_counter(uint8_t initial, uint8_t step, uint8_t wrap_above, uint8_t wrap_to)
{
	memcpy(add(4), (uint8_t[]){initial, step, wrap_above, wrap_to}, 4);
	++plan[5];
}

static uint8_t *add_rule(uint32_t id, const uint8_t *operations)
{
	uint8_t *rule = add(GATEWAY_PLAN_RULE_BYTES);
	rule[0] = (uint8_t)id;
	rule[1] = (uint8_t)(id >> 8);
	memcpy(rule + 8, operations, 24);
	++plan[7];
	return rule;
}

#define K 0, 0, 0
#define S(value) 1, value, 0
#define A(value) 2, value, 0
#define C(number) 4, number, 0
#define OPERATIONS(...) ((const uint8_t[24]){__VA_ARGS__})

static void make_pq_plan(void)
{
	memcpy(add(12), (uint8_t[12]){1, 4, 0x2F, 0xFF, 0xFF}, 12);
	add_counter(0, 16, 0xF0, 0);
	add_counter(0, 16, 0xF0, 0);
	memset(add(16), 0xC2, 16);
	plan[6] = 1;
	uint8_t *rule = add_rule(0x0C2, OPERATIONS(S(0x22), S(0), S(0), S(0), S(0x80), C(0), K, K));
	memcpy(rule + 32, (uint8_t[]){1, 6, 0x3F, 1, 2, 0, 3, 7, 0x2F, 0, 0, 0}, 12);
	add_rule(0x280, OPERATIONS(K, A(0xFE), A(0x20), A(0x4E), A(0xFE), A(0xFE), A(0x16), A(0xFE)));
	add_rule(0x1A0, OPERATIONS(S(0x20), S(0x40), K, K, A(0xFE), A(0xFE), K, K));
	add_rule(0x5A0, OPERATIONS(K, K, K, K, A(0x7F), K, K, K));
	add_rule(0x4A0, OPERATIONS(A(0xB6), S(7), A(0xCC), S(7), A(0xD2), S(7), A(0xD2), S(7)));
	rule = add_rule(0x2A0, OPERATIONS(A(0xFE), S(0), S(0), S(0x64), S(0), S(0), C(1), K));
	memcpy(rule + 32, (uint8_t[]){2, 7, 0x7F, 0, 0, 0}, 6);
}

static const uint16_t WITH_CRC[10] = {0x0A8, 0x0A7, 0x08A, 0x116, 0x106, 0x5BE, 0x3BE, 0x392, 0x641, 0x65D};

static void make_mqb_plan(void)
{
	memcpy(add(12), (uint8_t[12]){1, 5, 0x2F, 0xFF, 0xFF}, 12);
	for (unsigned i = 0; i < 10; ++i)
		add_counter(0x10, 1, 0x1F, 0x10);
	add_counter(0x20, 1, 0x1A, 1);
	add_counter(0, 1, 0x0E, 0);
	for (unsigned table = 0; table < 10; ++table) {
		uint8_t *ids = add(16);
		for (unsigned i = 0; i < 16; ++i)
			ids[i] = (uint8_t)(table * 37 + i * 11);
	}
	plan[6] = 10;
	add_rule(0x0B2, OPERATIONS(5, 11, 0, 5, 10, 0, 5, 11, 0, 5, 10, 0, 5, 11, 0xCA, 5, 10, 0, 5, 11, 0xCA, 5, 10, 0));
	for (uint8_t i = 0; i < 10; ++i) {
		uint8_t *rule = add_rule(WITH_CRC[i], OPERATIONS(S(0), C(i), S(0xFA), S(0xFA), S(0), S(0xFA), A(0xFA), A(0xFA)));
		if (WITH_CRC[i] == 0x0A8 || WITH_CRC[i] == 0x116)
			memcpy(rule + 8 + 21, (uint8_t[]){5, i, 0}, 3);
		memcpy(rule + 32, (uint8_t[]){1, 0, 0xFE, (uint8_t)(i + 1), 1, 0}, 6);
	}
	static const uint16_t FIXED[10] = {0x30B, 0x54B, 0x3DB, 0x3C8, 0x18C, 0x640, 0x385, 0x585, 0x6B2, 0x6B7};
	for (unsigned i = 0; i < 10; ++i)
		add_rule(FIXED[i], OPERATIONS(S(0x10), S(0x20), S(2), S(0), S(0x0C), S(0), S(0), S(0x24)));
}

/* ---- the run ---- */

#define RING 4096
static struct gateway gateway;
static struct gateway_latest latest[257];
static struct gateway_record ring[RING];
static struct gateway_frame frames[4096];
static uint8_t buses[4096];
static uint64_t times_us[4096];
static unsigned frame_count;

static void make_second(const struct message *messages, size_t count)
{
	for (unsigned ms = 0; ms < 1000; ++ms)
		for (size_t i = 0; i < count; ++i) {
			if ((ms + i) % messages[i].period_ms)
				continue;
			struct gateway_frame *frame = &frames[frame_count];
			frame->id = messages[i].id;
			frame->dlc = messages[i].dlc;
			for (unsigned byte = 0; byte < 8; ++byte)
				frame->data[byte] = (uint8_t)rand();
			times_us[frame_count] = frame_count * 1000000ull / 4504;
			buses[frame_count++] = messages[i].bus;
		}
}

/* What a driver does for one frame. */
static inline uint32_t forward(const struct gateway_frame *frame, unsigned bus, uint64_t now_us)
{
	uint32_t check = 0;
	if (gateway_receive(&gateway, bus, frame, now_us)) {
		const struct gateway_frame *out = gateway_next_to_send(&gateway, bus ^ 1, now_us);
		check = out->data[0];
		gateway_sent(&gateway, bus ^ 1, now_us);
	}
	return check;
}

static uint32_t forward_second(uint64_t from_us)
{
	uint32_t check = 0;
	for (unsigned i = 0; i < frame_count; ++i)
		check += forward(&frames[i], buses[i], from_us + times_us[i]);
	return check;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	int item;
	bool pq = strcmp(argv[1], "pq") == 0;
	if (pq) {
		make_second(PQ, sizeof PQ / sizeof PQ[0]);
		make_pq_plan();
	} else {
		make_second(MQB, sizeof MQB / sizeof MQB[0]);
		make_mqb_plan();
	}
	gateway_init(&gateway, latest, 256, ring, RING);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
	const char *wrong = gateway_load_plan(&gateway, plan, plan_size, &item);
	if (wrong) {
		fprintf(stderr, "plan: %s (%d)\n", wrong, item);
		return 1;
	}
	/* 16 frames of the signals are watched, as the application does. */
	uint8_t watch[16 * 8] = {0};
	for (unsigned i = 0; i < 16; ++i) {
		watch[8 * i] = (uint8_t)frames[i].id;
		watch[8 * i + 1] = (uint8_t)(frames[i].id >> 8);
	}
	gateway_watch(&gateway, watch, sizeof watch, &item);
	uint32_t check = 0;
	for (int second = 0; second < atoi(argv[2]); ++second) {
		gateway_commit(&gateway, 12800, 0xFF, 1000, second * 1000000ull);
		check += forward_second(second * 1000000ull);
	}
	printf("%u %u %u\n", gateway.counters[GATEWAY_FORWARDED_TO_CHASSIS] + gateway.counters[GATEWAY_FORWARDED_TO_COUPLING],
		gateway.counters[GATEWAY_REWRITTEN], check);
	return 0;
}
