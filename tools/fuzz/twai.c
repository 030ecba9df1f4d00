/*
 * Two TWAI controllers on the model of their registers (test/hal/esp32), with the gateway between them, as on
 * the C6: each two bytes are something that happens on a bus, in a controller or in time. What leaves is what
 * came on the other bus, in order, none of it twice.
 */
#include "fuzz.h"

#include "bus_recovery.h"
#include "gateway_driver.h"
#include "chip_models.h"

#define CAME_MAX 2048u
#define LATEST_MAX 8u
#define RING_COUNT 16u

const char *const fuzz_seeds[] = {
	"r1s1r2s2" "R1S1", "r1r2r3r4r5r6" "s0s0s0t\x09s0", "r1b0r1v0t\x80k0t\x80v0r1s0", "r1h1t\x40t\x40" "k0k0h0s0", "e0E0e0r1z1k0z0s0", "r1t\x40k0s0c0C0", NULL,
};

uint64_t now_us;

void test_fail(const char *file, int line, const char *what, long long actual, long long expected)
{
	fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, actual, expected);
	abort();
}

static struct gateway core;
static struct gateway_latest latest[LATEST_MAX + 1];
static struct gateway_record ring[RING_COUNT];
static struct twai twai[GATEWAY_BUSES];
static struct twai_dev devices[GATEWAY_BUSES];
static struct bus_recovery recovery[GATEWAY_BUSES];
/* Identifiers that came, by the bus they are to leave on; before `out` they left or were dropped. */
static uint32_t came[GATEWAY_BUSES][CAME_MAX];
static size_t in[GATEWAY_BUSES], out[GATEWAY_BUSES];
/* A controller said that the frame that was read is still there: what leaves then is not judged any more. */
static bool repeated;

struct gateway_locked gateway_driver_lock(void)
{
	return (struct gateway_locked){.gateway = &core, .now_us = now_us};
}

void gateway_driver_unlock(void)
{
}

/* As long as a controller calls; one whose buffer never empties goes on calling. */
static void interrupts(void)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		for (unsigned times = 0; twai_model_calls(&devices[bus]) && !devices[bus].endless; ++times) {
			MUST(times < 10);
			twai_interrupt(&twai[bus], now_us);
		}
}

static void arrive(unsigned bus, unsigned argument)
{
	struct twai_dev *device = &devices[bus];
	if (device->reset_mode || device->listen_only || !device->passes_all || in[bus ^ 1] == CAME_MAX)
		return;
	/* each has an identifier of its own, of either kind */
	uint32_t number = (uint32_t)in[bus ^ 1] + 1;
	uint32_t id = (argument & 0x10 ? GATEWAY_EXTENDED | number << 7 : number & 0x7FF) | (argument & 0x20 ? GATEWAY_REMOTE : 0);
	if (device->fifo_count < MODEL_FIFO_FRAMES)
		came[bus ^ 1][in[bus ^ 1]++] = id;
	twai_model_receive(device, id, argument & 15);
}

static void leave(unsigned bus)
{
	struct gateway_frame frame;
	if (!twai_model_send(&devices[bus], &frame))
		return;
	MUST(frame.dlc <= 8);
	if (repeated)
		return;
	while (out[bus] < in[bus] && came[bus][out[bus]] != frame.id)
		out[bus]++;
	MUST(out[bus]++ < in[bus]);
	for (unsigned at = 0; at < 8; ++at)
		MUST(frame.data[at] == (at < frame.dlc && !(frame.id & GATEWAY_REMOTE) ? at + 1 : 0));
}

/* The task: service, report, recovery, tick. */
static void task(void)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		MUST(twai_service(&twai[bus], now_us) > now_us);
		enum bus_recovery_action action = gateway_follow_bus(&core, bus, &recovery[bus], twai_report(&twai[bus]), now_us);
		if (action == BUS_RECOVER)
			twai_recover(&twai[bus], false);
		MUST(gateway_waiting(&core, bus) <= GATEWAY_QUEUE_FRAMES);
	}
	gateway_tick(&core, now_us);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		twai_send(&twai[bus], now_us);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	now_us = 1000000;
	repeated = false;
	memset(in, 0, sizeof in);
	memset(out, 0, sizeof out);
	gateway_init(&core, latest, LATEST_MAX, ring, RING_COUNT);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		twai_model_start(&devices[bus]);
		bus_recovery_init(&recovery[bus]);
		twai_init(&twai[bus], &core, bus);
		twai[bus].other = &twai[bus ^ 1];
		MUST(twai_start(&twai[bus], &devices[bus], 4));
	}
	task();
	for (size_t i = 0; i + 1 < size; i += 2) {
		unsigned argument = data[i + 1];
		unsigned bus = data[i] & 0x20 ? 0 : 1; /* small letters: chassis */
		switch (data[i] | 0x20) {
		case 'r': arrive(bus, argument); break;
		case 's': leave(bus); break;
		case 'e': twai_model_error(&devices[bus]); break;
		case 'b':
			if (devices[bus].sending) /* a node that only receives does not go bus-off */
				twai_model_bus_off(&devices[bus]);
			break;
		case 'v': twai_model_recovered(&devices[bus]); break;
		case 'h': devices[bus].hangs = argument & 1; break;
		case 'z':
			devices[bus].endless = argument & 1;
			repeated = true;
			break;
		case 'd': devices[bus].dead = argument & 1; break;
		case 'w': devices[bus].tec = argument; break;
		case 'c':
			if (recovery[bus].state == BUS_OFF) /* as it is called */
				twai_recover(&twai[bus], argument & 1);
			break;
		case 'm': twai_silence(&twai[bus]); break;
		case 'k': task(); break;
		default: now_us += 1u + argument * argument; break;
		}
		interrupts();
	}
	return 0;
}
