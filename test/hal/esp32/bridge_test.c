/*
 * Both drivers with the gateway core between them, as on the T-2CAN: a chassis bus that is off, a flood, the
 * PWM, two full buses. What every board does is in test/hal/contract/can_behaviours.c.
 */
#include "boards.h"

static struct gateway_frame frame;

static void receive_on_chassis(uint32_t id, unsigned dlc)
{
	twai_model_receive(&board.devices[GATEWAY_CHASSIS], id, dlc);
	board_interrupt();
}

static bool send_on_chassis(void)
{
	bool sent = twai_model_send(&board.devices[GATEWAY_CHASSIS], NULL);
	board_interrupt();
	return sent;
}

static void begin(void)
{
	t2can_power_on();
	CHECK(twai_start(&board.twai[GATEWAY_CHASSIS], &board.devices[GATEWAY_CHASSIS], 4));
	board_run_until(now_us + 200 * MS);
	EQUAL(gateway.state[GATEWAY_CHASSIS], GATEWAY_ERROR_ACTIVE);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
}

TEST(bridge_bus_off_coupling, "a coupling bus that is off is tried after 100, 200, 400 ms and so on")
{
	begin();
	model_bus_off();
	board_run_until(now_us + 25 * MS);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_BUS_OFF);
	model.dominant = true;
	uint32_t starts = board.chip.counters.starts;
	board_run_until(now_us + 3200 * MS);
	EQUAL(board.chip.counters.starts - starts, 5); /* after 0.1, 0.3, 0.7, 1.5 and 3.1 s */
	model.dominant = false;
	board_run_until(now_us + 2100 * MS);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
}

TEST(bridge_bus_off_chassis, "a chassis bus that is off recovers by itself if it can, and gets its controller set up anew after 3 s if not")
{
	begin();
	twai_model_bus_off(&board.devices[GATEWAY_CHASSIS]);
	board_interrupt();
	EQUAL(gateway.state[GATEWAY_CHASSIS], GATEWAY_BUS_OFF);
	board_run_until(now_us + 90 * MS);
	CHECK(!board.devices[GATEWAY_CHASSIS].recovering);
	board_run_until(now_us + 30 * MS);
	CHECK(board.devices[GATEWAY_CHASSIS].recovering);
	twai_model_recovered(&board.devices[GATEWAY_CHASSIS]);
	board_interrupt();
	EQUAL(gateway.state[GATEWAY_CHASSIS], GATEWAY_ERROR_ACTIVE);
	EQUAL(COUNT(RECOVERIES_CHASSIS), 1);
	board_run_until(now_us + 2100 * MS);
	twai_model_bus_off(&board.devices[GATEWAY_CHASSIS]);
	board_interrupt();
	board_run_until(now_us + 2900 * MS);
	EQUAL(board.twai[GATEWAY_CHASSIS].counters.starts, 1);
	board_run_until(now_us + 600 * MS);
	EQUAL(board.twai[GATEWAY_CHASSIS].counters.starts, 2);
	EQUAL(gateway.state[GATEWAY_CHASSIS], GATEWAY_ERROR_ACTIVE);
}

static void one_more(void)
{
	model_receive(0x2C0, "01");
	model.during = one_more;
}

TEST(bridge_flood, "a bus that never falls silent does not keep the other one from its turn")
{
	begin();
	receive_on_chassis(1, 8);
	one_more();
	EQUAL(board_turn(), 0);
	EQUAL(COUNT(RECEIVED_COUPLING), BRIDGE_BATCH_FRAMES);
	CHECK(board.devices[GATEWAY_CHASSIS].sending);
	EQUAL(model_send(&frame), true);
	EQUAL(frame.id, 1);
}

static void commit(uint32_t lease_ms)
{
	commit_rule(GATEWAY_CHASSIS, 0x280, "1 55");
	gateway_commit(&gateway, GATEWAY_FULL_FACTOR, 0xFF, lease_ms, now_us);
}

TEST(bridge_pwm, "the PWM idles once when a lease has run out, and not if the script has committed again meanwhile")
{
	begin();
	commit(100);
	board_run_until(now_us + 90 * MS);
	EQUAL(board.idled, 0);
	board_run_until(now_us + 200 * MS);
	EQUAL(board.idled, 1);
	commit(100);
	now_us += 150 * MS;
	EQUAL(gateway_plan_active(&gateway, now_us), false);
	commit(100);
	board_turn();
	EQUAL(COUNT(LEASE_EXPIRIES), 2);
	EQUAL(board.idled, 1);
}

TEST(bridge_frames, "a turn of frames alone leaves the end of a lease, the PWM and the states of buses to the next whole one")
{
	begin();
	commit(100);
	now_us += 150 * MS;
	model_receive(0x2C0, "01");
	bridge_turn_of_frames(&board.bridge);
	CHECK(send_on_chassis());
	model_bus_off();
	now_us += 25 * MS; /* the chip is looked at meanwhile */
	bridge_turn_of_frames(&board.bridge);
	EQUAL(COUNT(LEASE_EXPIRIES), 0);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
	board_turn();
	EQUAL(board.idled, 1);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_BUS_OFF);
}

/* ---- both buses full, as on the T-2CAN, whose task runs on while flash is written ---- */

#define LEAVES_US 222u     /* what a frame of 8 bytes takes to leave */
#define TRANSACTION_US 25u /* one on SPI, of 14 bytes at 8 MHz */
#define TURN_US 30u        /* what else a turn of the task takes */
#define TICK_US 10000u
#define HELD_US 100u       /* the longest that a control tick keeps interrupts away */
#define HELD_LONG_US 400u  /* as long as the two buffers of the MCP2515 last */

static struct full {
	uint64_t start_us, apart_us, came_us[0x800] /* by identifier */, began_us[GATEWAY_BUSES], oldest_us;
	uint32_t came, left;
	bool woken, was_low;
	uint64_t held_us; /* the longest that interrupts are kept away, each TICK_US */
	bool garbles;     /* the chip's answer is garbled if another frame waits behind it: INT stays low then */
	void (*transfer)(void *context, const uint8_t *tx, uint8_t *rx, size_t length);
} full;

static bool mcp2515_is_sending(void)
{
	return (model.registers[0x30] | model.registers[0x40] | model.registers[0x50]) & 0x08;
}

static void bring_frames(uint64_t us)
{
	bool on_chassis = us % full.apart_us == 0;
	if (on_chassis && full.garbles)
		return; /* which would wake the task, too */
	if (!on_chassis && us % full.apart_us != full.apart_us / 2)
		return;
	uint32_t id = ++full.came & 0x7FF;
	full.came_us[id] = us;
	if (on_chassis)
		twai_model_receive(&board.devices[GATEWAY_CHASSIS], id, 8);
	else
		model_receive(id, "01 02 03 04 05 06 07 08");
}

static void let_frames_leave(uint64_t us)
{
	const bool sending[GATEWAY_BUSES] = {board.devices[GATEWAY_CHASSIS].sending, mcp2515_is_sending()};
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		if (!sending[bus]) {
			full.began_us[bus] = us;
		} else if (us - full.began_us[bus] >= LEAVES_US) {
			CHECK(bus == GATEWAY_CHASSIS ? twai_model_send(&board.devices[GATEWAY_CHASSIS], &frame) : model_send(&frame));
			uint64_t age_us = us - full.came_us[frame.id];
			full.oldest_us = age_us > full.oldest_us ? age_us : full.oldest_us;
			full.began_us[bus] = us;
			++full.left;
		}
}

static bool is_held(void)
{
	return (now_us - full.start_us) % TICK_US < full.held_us;
}

/* A microsecond on both buses, with the interrupt. */
static void go_on(void)
{
	uint64_t us = ++now_us - full.start_us;
	bring_frames(us);
	let_frames_leave(us);
	/* the edge of INT wakes the task, not its level */
	bool is_low = board.port.interrupt(board.port.context);
	full.woken |= is_low && !full.was_low;
	full.was_low = is_low;
	while (!is_held() && twai_model_calls(&board.devices[GATEWAY_CHASSIS]))
		full.woken |= twai_interrupt(&board.twai[GATEWAY_CHASSIS], now_us);
}

/* The buses don't stand still while the task speaks to the chip, nor does a control tick wait for that. */
static void transfer_in_time(void *context, const uint8_t *tx, uint8_t *rx, size_t length)
{
	for (unsigned us = 0; us < TRANSACTION_US || is_held(); ++us)
		go_on();
	full.transfer(context, tx, rx, length);
	if (full.garbles && (tx[0] == 0x90 || tx[0] == 0x94) && board.port.interrupt(board.port.context))
		rx[2] |= 0x04;
}

/* Frames come for 2 s on each bus. Returns how many have not left. */
static uint32_t run_full(uint64_t apart_us, uint64_t held_us, bool garbles)
{
	full = (struct full){.start_us = now_us, .apart_us = apart_us, .held_us = held_us, .garbles = garbles,
		.transfer = board.port.transfer};
	board.port.transfer = transfer_in_time;
	for (uint64_t next_us = 0; now_us < full.start_us + 2000000;) {
		go_on();
		if (is_held() || !(full.woken || now_us >= next_us))
			continue;
		full.woken = false;
		next_us = board_turn();
		for (unsigned us = 0; us < TURN_US; ++us)
			go_on();
	}
	EQUAL(COUNT(RECEIVED_CHASSIS) + COUNT(RECEIVED_COUPLING) + board.chip.counters.garbled, full.came);
	CHECK(full.came > 8000);
	return full.came - full.left;
}

/*
 * In a car both directions share a bus, which holds 4,504 frames of 8 bytes a second in all: this is nearly
 * twice what can be.
 */
TEST(bridge_full, "each bus brings 4,347 frames a second for 2 s: no frame is lost, and the oldest leaves after less than 1 ms")
{
	begin();
	CHECK(run_full(230, HELD_US, false) <= 8); /* on their way */
	CHECK(full.oldest_us < 1000);
	EQUAL(board.twai[GATEWAY_CHASSIS].counters.overruns + board.chip.counters.overruns + board.chip.counters.timed_out, 0);
}

TEST(bridge_garbled, "answers of the MCP2515 that are garbled while another frame waits cost these frames, and no other")
{
	begin();
	uint32_t missing = run_full(230, HELD_LONG_US, true);
	CHECK(board.chip.counters.garbled > 100);
	CHECK(missing <= board.chip.counters.garbled + 8);
	EQUAL(board.chip.counters.overruns, 0);
	EQUAL(board.chip.counters.starts, 1);
}
