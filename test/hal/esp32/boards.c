/* See boards.h; and what the contract of CAN drivers sees of them (test/hal/contract/can_board.h). */
#include "boards.h"

#include "can_board.h"
#include "gateway_driver.h"

#define FRAME_US 250u /* what a frame takes to leave, with some stuff bits */

struct board board;
static bool locked;
static unsigned locks;

uint64_t gateway_driver_now(void)
{
	return now_us;
}

struct gateway_locked gateway_driver_lock(void)
{
	CHECK(!locked);
	locked = true;
	++locks;
	return (struct gateway_locked){.gateway = &gateway, .now_us = now_us};
}

void gateway_driver_unlock(void)
{
	CHECK(locked);
	locked = false;
}

bool board_is_locked(void)
{
	return locked;
}

void bridge_idle_pwm(void)
{
	CHECK(locked);
	++board.idled;
}

uint64_t board_turn(void)
{
	locks = 0;
	uint64_t next_us = bridge_turn(&board.bridge);
	EQUAL(locks, 1);
	return next_us;
}

void board_run_until(uint64_t then_us)
{
	for (uint64_t next_us; (next_us = board_turn()) <= then_us;)
		now_us = next_us > now_us ? next_us : now_us + 1;
	now_us = then_us;
}

bool board_interrupt_alone(void)
{
	bool wake = false;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		for (unsigned times = 0; board.bridge.buses[bus].twai && twai_model_calls(&board.devices[bus]); ++times) {
			CHECK(times < 10);
			wake |= twai_interrupt(&board.twai[bus], now_us);
		}
	return wake;
}

void board_interrupt(void)
{
	if (board_interrupt_alone())
		board_turn();
}

static void add_twai(unsigned bus, struct twai *other)
{
	twai_model_start(&board.devices[bus]);
	twai_init(&board.twai[bus], &gateway, bus);
	board.twai[bus].other = other;
	bridge_set_twai(&board.bridge, bus, &board.twai[bus], &twai_class);
}

static void begin(void)
{
	gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
	board.bridge = (struct bridge){0};
	board.idled = 0;
}

void t2can_power_on(void)
{
	begin();
	add_twai(GATEWAY_CHASSIS, NULL);
	board.port = model_start();
	mcp2515_init(&board.chip, &board.port);
	bridge_set_link(&board.bridge, GATEWAY_COUPLING, &board.chip.link);
}

void c6_power_on(void)
{
	begin();
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		add_twai(bus, &board.twai[bus ^ 1]);
}

/* ---- for the contract ---- */

static bool failing[GATEWAY_BUSES];

static bool has_twai(unsigned bus)
{
	return board.bridge.buses[bus].twai;
}

/*
 * What the bus makes of a TWAI controller: one that is set up anew on a broken bus goes off again, one that
 * waits on a whole one recovers.
 */
static void settle(void)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		if (!has_twai(bus))
			continue;
		if (!failing[bus])
			twai_model_recovered(&board.devices[bus]);
		else if (!board.devices[bus].off)
			twai_model_bus_off(&board.devices[bus]);
	}
	board_interrupt();
}

static void run(uint64_t us)
{
	uint64_t until_us = now_us + us;
	while (now_us < until_us) {
		board_run_until(earlier(now_us + 10 * MS, until_us));
		settle();
	}
}

static void switch_on(unsigned missing)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		failing[bus] = false;
		if (has_twai(bus)) {
			board.devices[bus].dead = bus == missing;
			EQUAL(twai_start(&board.twai[bus], &board.devices[bus], 4), bus != missing);
		} else {
			model.dead = bus == missing;
		}
	}
	run(200 * MS);
}

static void begin_t2can(unsigned missing)
{
	t2can_power_on();
	switch_on(missing);
}

static void begin_c6(unsigned missing)
{
	c6_power_on();
	switch_on(missing);
}

static struct gateway *core(void)
{
	return &gateway;
}

static void work(void)
{
	board_interrupt();
	while (board_turn() == 0)
		;
}

static void arrive(unsigned bus, uint32_t id, unsigned dlc)
{
	char data[16];
	if (has_twai(bus)) {
		twai_model_receive(&board.devices[bus], id, dlc);
	} else {
		snprintf(data, sizeof data, "%.*s", dlc ? 2 * (int)dlc - 1 : 0, "1 2 3 4 5 6 7 8");
		model_receive(id, data);
	}
	work();
}

static bool leave(unsigned bus, struct gateway_frame *frame)
{
	work();
	bool left = has_twai(bus) ? twai_model_send(&board.devices[bus], frame) : model_send(frame);
	board_interrupt();
	board_run_until(now_us + FRAME_US);
	return left;
}

static void fail(unsigned bus, bool on)
{
	failing[bus] = on;
	if (!has_twai(bus)) {
		model.dominant = on;
		if (on)
			model_bus_off();
	}
	settle();
}

static void make_passive(unsigned bus, bool on)
{
	unsigned errors = on ? 130 : 0;
	if (has_twai(bus))
		board.devices[bus].rec = errors;
	else
		model_errors(0, errors);
}

#define ON_MODELS .gateway = core, .now_us = gateway_driver_now, .arrive = arrive, .leave = leave, .fail = fail, .make_passive = make_passive, .run = run

CAN_BOARD(t2can, "T-2CAN", .begin = begin_t2can, ON_MODELS)
CAN_BOARD(c6, "C6", .begin = begin_c6, ON_MODELS)
