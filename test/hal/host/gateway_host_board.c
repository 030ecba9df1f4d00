/*
 * The host's gateway in virtual time, as the contract of CAN drivers sees it (test/hal/contract/can_board.h).
 */
#define _GNU_SOURCE
#include "can_board.h"

#include "clock.h"
#include "gateway_driver.h"
#include "gateway_host.h"
#include "io/board.h"

#define FRAME_US 250u /* what a frame takes to leave */

static struct can_log left;      /* what has left, from standard output */
static char *output;             /* its text */
static size_t output_size, read_size;
static bool taken[1000];         /* entries of `left` that leave() has told of */

/* There is no PWM in this program. */
void pwm_guard(int pin, int idle_duty)
{
	(void)pin;
	(void)idle_duty;
}

void pwm_idle(void)
{
}

static void run(uint64_t us)
{
	gateway_host_replay_until(host_clock_us() + us);
}

static void begin(unsigned missing)
{
	char error[256];
	struct gateway_host_options options = {.ring_records = 1024, .on_stdio = true};
	host_clock_make_virtual();
	stdout = open_memstream(&output, &output_size);
	EQUAL(gateway_host_start(&options, error, sizeof error), 0);
	if (missing != ALL_THERE)
		gateway_host_connect(missing, false);
	run(200 * MS);
}

static void arrive(unsigned bus, uint32_t id, unsigned dlc)
{
	char *line;
	size_t size;
	FILE *file = open_memstream(&line, &size);
	struct gateway_frame frame = {.id = id, .dlc = (uint8_t)dlc, .data = {1, 2, 3, 4, 5, 6, 7, 8}};
	can_log_write(file, host_clock_us(), bus, &frame);
	fclose(file);
	line[size - 1] = 0; /* the line end */
	CHECK(gateway_host_frame(line) == NULL);
	free(line);
	gateway_host_replay_step();
}

static void read_output(void)
{
	fflush(stdout);
	while (read_size < output_size) {
		char *end = strchr(output + read_size, '\n');
		*end = 0;
		CHECK(can_log_add(&left, output + read_size) == NULL);
		read_size = (size_t)(end + 1 - output);
	}
}

static bool leave(unsigned bus, struct gateway_frame *frame)
{
	run(FRAME_US);
	read_output();
	CHECK(left.count <= sizeof taken);
	for (size_t i = 0; i < left.count; ++i)
		if (left.entries[i].bus == bus && !taken[i]) {
			taken[i] = true;
			*frame = left.entries[i].frame;
			return true;
		}
	return false;
}

static void set_fault(const char *kind, unsigned bus, bool on)
{
	char name[32];
	snprintf(name, sizeof name, "%s-%s", kind, bus == GATEWAY_CHASSIS ? "chassis" : "coupling");
	CHECK(gateway_host_fault(name, on));
}

static void block(unsigned bus, bool on)
{
	set_fault("tx-full", bus, on);
}

static void fail(unsigned bus, bool on)
{
	set_fault("bus-off", bus, on);
}

/* No switch does that: an error frame of a SocketCAN interface does. */
static void make_passive(unsigned bus, bool on)
{
	host_links[bus].passive = on;
}

CAN_BOARD(host, "host", .begin = begin, .gateway = gateway_driver_core, .now_us = host_clock_us, .arrive = arrive, .leave = leave,
	.block = block, .fail = fail, .make_passive = make_passive, .run = run)
