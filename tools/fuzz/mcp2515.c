/*
 * The MCP2515 driver on the model of the chip (test/hal/esp32): each two bytes are something that happens on
 * the bus, in the chip, on its SPI or in time. Frames leave the driver as they were on the bus and in order,
 * as long as nothing disturbs SPI; nothing that can't be one ever does.
 */
#include "fuzz.h"

#include "chip_models.h"

#define WAITING 4096u

const char *const fuzz_seeds[] = {
	"t\xff" "t\xff" "r1r2cc" "r3s1s2o0t1o0" "cc", "t\xff" "t\xff" "e\x80" "t\x20" "b0t\x30" "v0t\xff" "r1cc", "t\xff" "t\xff" "d1t\xff" "d0t\xff" "r1c0",
	"t\xff" "t\xff" "n\x91" "r1c0r2c0" "n0" "x0t\xff" "x1p0t\xff" "r1cc", NULL,
};

uint64_t now_us;

void test_fail(const char *file, int line, const char *what, long long actual, long long expected)
{
	fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, actual, expected);
	abort();
}

static struct mcp2515 chip;
static struct mcp2515_port port;
static uint32_t sent_ids[WAITING];
static unsigned sent, taken;
static bool disturbed;

/* Returns false if there was none. */
static bool take(void)
{
	struct gateway_frame frame = {.dlc = 255};
	if (!chip.link.class->receive(&chip.link, &frame, now_us))
		return false;
	MUST(frame.dlc <= 8);
	MUST(frame.id & GATEWAY_EXTENDED ? !(frame.id & 0x20000000) : !(frame.id & ~(GATEWAY_REMOTE | 0x7FFu)));
	if (disturbed)
		return true;
	/* what did not fit in the chip is missing, the others come in their order */
	while (taken < sent && sent_ids[taken] != frame.id)
		taken++;
	MUST(taken++ < sent);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	now_us = 1000000;
	sent = taken = 0;
	disturbed = false;
	port = model_start();
	mcp2515_init(&chip, &port);
	for (size_t i = 0; i + 1 < size; i += 2) {
		unsigned argument = data[i + 1];
		uint8_t bytes[8] = {(uint8_t)argument, 1, 2, 3, 4, 5, 6, 7};
		struct gateway_frame frame = {.id = argument, .dlc = argument % 9};
		switch (data[i]) {
		case 'r':
			if (sent == WAITING)
				break;
			sent_ids[sent] = argument & 0x80 ? GATEWAY_EXTENDED | sent : sent & 0x7FF;
			model_receive_raw(sent_ids[sent++], argument & 15, bytes);
			break;
		case 'q': model_receive_broken(argument); break;
		case 'c': /* all that there is, as the task does: without INT the order rests on it (hal/esp32/README.md) */
			for (unsigned count = 0; count < 8 && take(); count++)
				;
			break;
		case 's': chip.link.class->send(&chip.link, &frame, now_us); break;
		case 'o': model_send(&frame); break;
		case 'e': model_errors(argument, data[i] ^ argument); break;
		case 'b': model_bus_off(); break;
		case 'v': chip.link.class->recover(&chip.link, argument & 1, now_us); break;
		case 'd': model.dead = argument & 1; disturbed = true; break;
		case 'l': model.stuck_low = argument & 1; disturbed = true; break;
		case 'x': model.dominant = !(argument & 1); break;
		case 'p':
			model_reset_itself();
			disturbed = true;
			break;
		case 'n':
			model.noise_code = data[i + 1] & 0x80 ? 0x90 : 0xB0;
			model.noise_at = argument & 15;
			model.noise = argument ? (uint8_t)(1u << (argument >> 4 & 7)) : 0;
			disturbed = true;
			break;
		default:
			now_us += 1u + argument * argument;
			break;
		}
		uint64_t next_us = chip.link.class->service(&chip.link, now_us);
		MUST(next_us > now_us);
		MUST(chip.link.class->report(&chip.link) <= BUS_REPORTS_OFF);
	}
	return 0;
}
