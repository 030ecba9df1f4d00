/*
 * Runs the gateway core on a file of gateway-traffic.ts as a driver and the control loop do: every frame is
 * received and sent at once, every 10 ms there is a sample, and a commit with another factor. gateway.mjs
 * counts the instructions of single functions of it. Usage: gateway_mix FILE; prints the number of frames
 * forwarded, frames rewritten and ticks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gateway_core.h"

#define TICK_US 10000u
#define LEASE_MS 240
#define RING 4096
#define LATEST 256

struct passing { uint64_t time_us; uint32_t bus, reserved; struct gateway_frame frame; };
struct header { uint32_t plan_bytes, watch_bytes, frames; };

static struct gateway gateway;
static struct gateway_latest latest[LATEST + 1];
static struct gateway_record ring[RING];

static void *read_part(FILE *file, size_t bytes)
{
	void *part = malloc(bytes);
	if (!part || fread(part, 1, bytes, file) != bytes) {
		fprintf(stderr, "the traffic file is too short\n");
		exit(1);
	}
	return part;
}

static void require(const char *wrong)
{
	if (!wrong)
		return;
	fprintf(stderr, "%s\n", wrong);
	exit(1);
}

static void forward(const struct passing *passing)
{
	unsigned to = passing->bus ^ 1;
	gateway_receive(&gateway, passing->bus, &passing->frame, passing->time_us);
	if (gateway_next_to_send(&gateway, to, passing->time_us))
		gateway_sent(&gateway, to, passing->time_us);
}

static void tick(uint64_t now_us)
{
	uint8_t sample[GATEWAY_SAMPLE_HEADER_BYTES + GATEWAY_MAX_WATCHED * GATEWAY_SAMPLE_ENTRY_BYTES];
	gateway_sample(&gateway, sample, now_us);
	gateway_commit(&gateway, (uint32_t)(now_us / TICK_US * 256 % (GATEWAY_FULL_FACTOR + 1)), 0xFF, LEASE_MS, now_us);
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	require(file ? NULL : "usage: gateway_mix FILE");
	struct header *header = read_part(file, sizeof *header);
	uint8_t *plan = read_part(file, header->plan_bytes);
	uint8_t *watch = read_part(file, header->watch_bytes);
	struct passing *frames = read_part(file, header->frames * sizeof *frames);
	int item;
	gateway_init(&gateway, latest, LATEST, ring, RING);
	gateway_set_bus_state(&gateway, GATEWAY_CHASSIS, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, GATEWAY_COUPLING, GATEWAY_ERROR_ACTIVE);
	require(gateway_load_plan(&gateway, plan, header->plan_bytes, &item));
	require(gateway_watch(&gateway, watch, header->watch_bytes, &item));
	uint64_t tick_us = 0;
	for (const struct passing *passing = frames; passing < frames + header->frames; ++passing) {
		for (; tick_us <= passing->time_us; tick_us += TICK_US)
			tick(tick_us);
		forward(passing);
	}
	printf("%u %u %u\n", gateway.counters[GATEWAY_FORWARDED_TO_CHASSIS] + gateway.counters[GATEWAY_FORWARDED_TO_COUPLING],
		gateway.counters[GATEWAY_REWRITTEN], gateway.counters[GATEWAY_COMMITS]);
	return 0;
}
