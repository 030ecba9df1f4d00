/*
 * The TWAI driver on a model of the controllers' registers: two of them, as on the C6, and one alone, as on
 * the T-2CAN. What every driver does is in test/hal/contract/can_behaviours.c; this is what only this one
 * does, or does without the task.
 */
#include "boards.h"

static struct gateway_frame frame;

/* Both controllers are started, and the core knows that both buses run. */
static void begin(void)
{
	c6_power_on();
	start();
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		EQUAL(twai_report(&board.twai[bus]), BUS_REPORTS_STOPPED);
		CHECK(twai_start(&board.twai[bus], &board.devices[bus], 4));
		EQUAL(twai_report(&board.twai[bus]), BUS_REPORTS_ACTIVE);
	}
}

static bool arrive(unsigned bus, uint32_t id, unsigned dlc)
{
	twai_model_receive(&board.devices[bus], id, dlc);
	return board_interrupt_alone();
}

/* The identifier that leaves on a bus, 0 = none. */
static uint32_t leave(unsigned bus)
{
	if (!twai_model_send(&board.devices[bus], &frame))
		return 0;
	board_interrupt_alone();
	return frame.id;
}

TEST(twai_set_up, "the controller is set to 500 kbit/s, sampled at 80 %, passes everything, and acknowledges")
{
	begin();
	const struct twai_dev *device = &board.devices[0];
	EQUAL(device->brp, 4);
	EQUAL(1 + device->segment_1 + device->segment_2, 20);
	EQUAL(device->segment_1, 15);
	EQUAL(device->jump, 3);
	EQUAL(device->warning_limit, 96);
	CHECK(!device->reset_mode && !device->listen_only && device->passes_all);
}

static bool was_locked;

static void see_lock(void)
{
	was_locked = board_is_locked();
}

TEST(twai_opened_locked, "a controller is set up under the gateway's lock, for the other one's interrupt hands frames to it")
{
	c6_power_on();
	board.devices[0].on_reset = see_lock;
	was_locked = false;
	CHECK(twai_start(&board.twai[0], &board.devices[0], 4));
	CHECK(was_locked);
}

TEST(twai_absent, "a controller that does not answer is not started, and nothing is sent by it")
{
	c6_power_on();
	start();
	board.devices[0].dead = true;
	CHECK(!twai_start(&board.twai[0], &board.devices[0], 4));
	EQUAL(twai_report(&board.twai[0]), BUS_REPORTS_STOPPED);
	receive(1, 1, "1");
	twai_send(&board.twai[0], now_us);
	EQUAL(twai_service(&board.twai[0], now_us), GATEWAY_NEVER);
	EQUAL(gateway_send_until(&gateway, 0), GATEWAY_NEVER);
}

TEST(twai_long, "a DLC of 9 to 15, which stands for 8 bytes, leaves as 8")
{
	begin();
	for (unsigned dlc = 9; dlc <= 15; ++dlc) {
		arrive(0, 0x280, dlc);
		EQUAL(leave(1), 0x280);
		EQUAL(frame.dlc, 8);
		BYTES(frame.data, 1, 2, 3, 4, 5, 6, 7, 8);
	}
	EQUAL(COUNT(MALFORMED), 0);
}

TEST(twai_stamp, "a frame's time is that of its interrupt: what it waits for the other bus counts towards its 50 ms")
{
	begin();
	arrive(0, 1, 8);
	arrive(0, 2, 8);
	now_us += 50 * MS + 1;
	EQUAL(leave(1), 1); /* was on its way already */
	EQUAL(leave(1), 0);
	EQUAL(COUNT(DROPPED_TOO_OLD), 1);
	EQUAL(COUNT(LATE), 1);
}

TEST(twai_overrun, "frames that did not fit in the controller are counted, and those around them pass")
{
	begin();
	for (uint32_t id = 1; id <= MODEL_FIFO_FRAMES + 2; ++id)
		twai_model_receive(&board.devices[0], id, 8);
	board_interrupt_alone();
	EQUAL(board.twai[0].counters.overruns, 1);
	EQUAL(COUNT(RECEIVED_CHASSIS), MODEL_FIFO_FRAMES);
	arrive(0, 9, 8);
	EQUAL(COUNT(RECEIVED_CHASSIS), MODEL_FIFO_FRAMES + 1);
}

TEST(twai_endless, "an interrupt ends even if the controller says for ever that there is one more frame")
{
	begin();
	board.devices[0].endless = true;
	twai_model_receive(&board.devices[0], 1, 8);
	twai_interrupt(&board.twai[0], now_us);
	EQUAL(COUNT(RECEIVED_CHASSIS), TWAI_FIFO_FRAMES);
}

TEST(twai_not_acknowledged, "a frame that no node acknowledges is tried for 10 ms, then the next one, without the task")
{
	begin();
	arrive(0, 1, 8);
	now_us += 1 * MS;
	arrive(0, 2, 8);
	EQUAL(twai_service(&board.twai[1], now_us), now_us + 9 * MS + 1);
	now_us += 9 * MS;
	twai_model_error(&board.devices[1]);
	board_interrupt_alone();
	EQUAL(board.twai[1].counters.aborts, 0);
	++now_us;
	twai_model_error(&board.devices[1]); /* the attempts themselves call */
	board_interrupt_alone();
	EQUAL(board.twai[1].counters.aborts, 1);
	EQUAL(board.twai[1].counters.errors, 2);
	CHECK(board.devices[1].sending);
	EQUAL(leave(1), 2);
	EQUAL(COUNT(DROPPED_TOO_OLD), 1);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 1);
	EQUAL(twai_service(&board.twai[1], now_us), GATEWAY_NEVER);
}

TEST(twai_last_moment, "a frame that leaves while it is being aborted counts as sent")
{
	begin();
	arrive(0, 1, 8);
	board.devices[1].hangs = true;
	now_us += 51 * MS;
	twai_service(&board.twai[1], now_us);
	EQUAL(board.twai[1].counters.aborts, 1);
	twai_service(&board.twai[1], now_us);
	EQUAL(board.twai[1].counters.aborts, 1);
	EQUAL(leave(1), 1);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 1);
	EQUAL(COUNT(DROPPED_TOO_OLD), 0);
}

TEST(twai_hangs, "a controller that does not let go of a frame is set up anew")
{
	begin();
	arrive(0, 1, 8);
	board.devices[1].hangs = true;
	now_us += 51 * MS;
	EQUAL(twai_service(&board.twai[1], now_us), now_us + TWAI_ABORT_US);
	now_us += TWAI_ABORT_US;
	EQUAL(twai_service(&board.twai[1], now_us), GATEWAY_NEVER);
	EQUAL(board.twai[1].counters.hangs, 1);
	EQUAL(board.twai[1].counters.starts, 2);
	EQUAL(COUNT(DROPPED_TOO_OLD), 1);
	arrive(0, 2, 8);
	EQUAL(leave(1), 2);
}

TEST(twai_bus_off, "at bus-off the frame in flight is lost, nothing more is handed over, and the task is woken; so it is at the recovery")
{
	begin();
	arrive(0, 1, 8);
	arrive(0, 2, 8);
	twai_model_bus_off(&board.devices[1]);
	CHECK(board_interrupt_alone());
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_OFF);
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_OFF);
	arrive(0, 3, 8);
	CHECK(!board.devices[1].sending);
	twai_recover(&board.twai[1], false);
	CHECK(!board_interrupt_alone());
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_OFF);
	twai_model_recovered(&board.devices[1]);
	CHECK(board_interrupt_alone());
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_ACTIVE);
	arrive(0, 4, 8);
	EQUAL(leave(1), 2); /* had the task told the core of the bus-off these would be gone, as bridge_test.c shows */
}

/* Controller 1 goes off and recovers before the task runs; the task reports both. */
static void go_off_and_recover(void)
{
	twai_model_bus_off(&board.devices[1]);
	board_interrupt_alone();
	twai_recover(&board.twai[1], false);
	twai_model_recovered(&board.devices[1]);
	board_interrupt_alone();
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_OFF);
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_ACTIVE);
}

TEST(twai_short_bus_off, "a bus-off that the task slept through is told all the same, and the bus goes on")
{
	begin();
	arrive(0, 1, 8);
	go_off_and_recover();
	arrive(0, 2, 8);
	EQUAL(leave(1), 2);
}

TEST(twai_silent, "a controller that does not answer when it is set up anew is given no frame, and counts as bus-off until it answers")
{
	begin();
	go_off_and_recover();
	board.devices[1].dead = true;
	twai_recover(&board.twai[1], true);
	EQUAL(board.twai[1].counters.starts, 1);
	arrive(0, 1, 8);
	CHECK(!board.devices[1].sending);
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_OFF);
	board.devices[1].dead = false;
	twai_recover(&board.twai[1], true);
	EQUAL(twai_report(&board.twai[1]), BUS_REPORTS_ACTIVE);
	arrive(0, 2, 8);
	CHECK(board.devices[1].sending);
}

TEST(twai_alone, "where the other bus is served by the task it is woken for each frame that waits for it")
{
	begin();
	board.twai[0].other = NULL;
	CHECK(arrive(0, 1, 8));
	CHECK(!board.devices[1].sending);
	EQUAL(send_next(1)->id, 1);
	receive(1, 2, "2");
	twai_send(&board.twai[0], now_us);
	CHECK(twai_model_send(&board.devices[0], NULL));
	CHECK(!board_interrupt_alone());
	EQUAL(COUNT(FORWARDED_TO_CHASSIS), 1);
}

TEST(twai_silenced, "a controller that was silenced calls again once the task has served it")
{
	begin();
	twai_silence(&board.twai[0]);
	twai_model_receive(&board.devices[0], 1, 8);
	CHECK(!twai_model_calls(&board.devices[0]));
	twai_service(&board.twai[0], now_us);
	EQUAL(leave(1), 1);
	CHECK(!arrive(0, 2, 8));
	EQUAL(leave(1), 2);
}

TEST(twai_accesses, "a frame costs 7 accesses to registers, its 26 bytes in the buffers not counted")
{
	begin();
	board.devices[0].accesses = board.devices[1].accesses = 0;
	arrive(0, 0x280, 8);
	leave(1);
	EQUAL(board.devices[0].accesses + board.devices[1].accesses, 7);
}

/* ---- both buses full, while the flash is erased ---- */

#define FULL_US 222u   /* between two frames of a bus: 4,504 a second */
#define LEAVES_US 200u /* what a frame takes to leave: with less than the other bus brings, an age says something of the driver */
#define TICK_US 10000u
#define HELD_US 100u   /* the longest that the lock keeps interrupts away, in each control tick */

/* Frames tell by their identifiers when they came. */
static uint64_t age_of(uint64_t us)
{
	return us - (uint64_t)(frame.id & ~GATEWAY_EXTENDED);
}

TEST(twai_full, "both buses full and the task asleep for 2 s: no frame is lost, and the oldest leaves after less than 1 ms")
{
	uint64_t began_us[GATEWAY_BUSES] = {0}, oldest_us = 0;
	uint32_t came = 0, left = 0;
	begin();
	uint64_t start_us = now_us;
	for (uint64_t us = 1; us <= 2000000; ++us) {
		now_us = start_us + us;
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
			if (us % FULL_US == bus * FULL_US / 2) {
				twai_model_receive(&board.devices[bus], GATEWAY_EXTENDED | (uint32_t)us, 8);
				++came;
			}
			if (!board.devices[bus].sending) {
				began_us[bus] = us;
			} else if (us - began_us[bus] >= LEAVES_US) {
				CHECK(twai_model_send(&board.devices[bus], &frame));
				oldest_us = age_of(us) > oldest_us ? age_of(us) : oldest_us;
				++left;
			}
		}
		if (us % TICK_US >= HELD_US)
			board_interrupt_alone();
	}
	EQUAL(COUNT(RECEIVED_CHASSIS) + COUNT(RECEIVED_COUPLING), came);
	CHECK(came > 18000 && came - left <= 4);
	CHECK(oldest_us < 1000);
	EQUAL(board.twai[0].counters.overruns + board.twai[1].counters.overruns, 0);
}
