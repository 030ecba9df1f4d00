/*
 * The core as a filter, for comparison with the interpreter in TypeScript. Commands on stdin, one a line:
 *   L HEX            load a plan; answers "ok" or "refused"
 *   C FACTOR GROUPS  commit
 *   P BUS ID DLC HEX pass a frame with eight data bytes; answers the bytes sent
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gateway_core.h"

static struct gateway gateway;
static struct gateway_latest latest[65];
static struct gateway_record ring[16];

static size_t parse_hex(const char *text, uint8_t *bytes)
{
	size_t count = 0;
	unsigned byte;
	for (; sscanf(text, "%2x", &byte) == 1; text += 2)
		bytes[count++] = (uint8_t)byte;
	return count;
}

static void pass(unsigned bus, struct gateway_frame *frame)
{
	gateway_receive(&gateway, bus, frame, 0);
	const struct gateway_frame *sent = gateway_next_to_send(&gateway, bus ^ 1, 0);
	if (sent) {
		for (unsigned i = 0; i < sent->dlc && !(frame->id & GATEWAY_REMOTE); ++i)
			printf("%02x", sent->data[i]);
		gateway_sent(&gateway, bus ^ 1, 0);
	}
	printf("\n");
}

int main(void)
{
	static char line[3 * GATEWAY_MAX_PLAN_BYTES], hex[3 * GATEWAY_MAX_PLAN_BYTES];
	static uint8_t bytes[2 * GATEWAY_MAX_PLAN_BYTES];
	uint32_t factor, id;
	unsigned groups, bus, dlc;
	int item;
	gateway_init(&gateway, latest, 64, ring, 16);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "L %s", hex) == 1) {
			size_t size = parse_hex(hex, bytes);
			puts(gateway_load_plan(&gateway, bytes, size, &item) ? "refused" : "ok");
		} else if (sscanf(line, "C %" SCNu32 " %u", &factor, &groups) == 2) {
			gateway_commit(&gateway, factor, (uint8_t)groups, GATEWAY_MAX_LEASE_MS, 0);
		} else if (sscanf(line, "P %u %" SCNu32 " %u %s", &bus, &id, &dlc, hex) == 4) {
			struct gateway_frame frame = {.id = id, .dlc = (uint8_t)dlc};
			parse_hex(hex, frame.data);
			pass(bus, &frame);
		}
	}
	return 0;
}
