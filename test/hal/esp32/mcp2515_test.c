/*
 * The MCP2515 driver on a register-level model of the chip. What every driver does is in
 * test/hal/contract/can_behaviours.c; this is what only this one does, and what it costs on SPI.
 */
#include "chip_models.h"

static struct mcp2515 chip;
static struct mcp2515_port port;
static struct gateway_frame frame;

#define SERVICE() chip.link.class->service(&chip.link, now_us)
#define RECEIVE() chip.link.class->receive(&chip.link, &frame, now_us)
#define SEND(f) chip.link.class->send(&chip.link, (f), now_us)
#define REPORT() chip.link.class->report(&chip.link)
#define RECOVER() chip.link.class->recover(&chip.link, false, now_us)

static void begin(void)
{
	port = model_start();
	mcp2515_init(&chip, &port);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
}

/* Calls service() whenever it asks for it, until then. */
static void run_until(uint64_t then_us)
{
	for (uint64_t next_us; (next_us = SERVICE()) <= then_us;) {
		CHECK(next_us > now_us);
		now_us = next_us;
	}
	now_us = then_us;
}

/* On the bus, calm, counting from here. */
static void join(void)
{
	begin();
	run_until(now_us + 200 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
	EQUAL(chip.counters.starts, 1);
	model_count_from_here();
}

static struct gateway_frame of(uint32_t id, unsigned dlc)
{
	return (struct gateway_frame){.id = id, .dlc = (uint8_t)dlc, .data = {1, 2, 3, 4, 5, 6, 7, 8}};
}

static bool hand_over(uint32_t id)
{
	struct gateway_frame handed = of(id, 8);
	return SEND(&handed);
}

/* Identifier of the next frame that the chip puts on the bus, 0 = none. */
static uint32_t on_bus(void)
{
	return model_send(&frame) ? frame.id : 0;
}

/* Identifier of the next frame that the driver receives, NONE = none. */
#define NONE UINT32_MAX

static uint32_t received(void)
{
	return RECEIVE() ? frame.id : NONE;
}

/* ---- start ---- */

TEST(timing, "the chip is set to 500 kbit/s of a 16 MHz crystal, sampled at 75 %, and receives every identifier")
{
	join();
	EQUAL(model.registers[0x2A], 0x40); /* as docs/control-and-can.md 4.6 */
	EQUAL(model.registers[0x29], 0xAC);
	EQUAL(model.registers[0x28], 0x03);
	EQUAL(model.registers[0x2F], 0x00);
	CHECK((model.registers[0x60] & 0x60) != 0x60 && (model.registers[0x70] & 0x60) != 0x60);
	static const uint32_t ids[] = {0, 0x7FF, 0x0C2, GATEWAY_EXTENDED, GATEWAY_EXTENDED | 0x1FFFFFFF, GATEWAY_EXTENDED | 0x17F00010};
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; ++i) {
		model_receive(ids[i], "01");
		EQUAL(received(), ids[i]);
	}
}

TEST(broken, "pieces of frames that end in an error are not taken for frames")
{
	join();
	model_receive_broken(0x123);
	CHECK(!RECEIVE());
}

TEST(absent, "a chip that does not answer is tried again ten times a second, and used once it does")
{
	begin();
	model.dead = true;
	run_until(now_us + 1000 * MS);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
	CHECK(!RECEIVE() && !hand_over(1));
	EQUAL(chip.counters.self_test_failed, 11);
	model.dead = false;
	run_until(now_us + 200 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

TEST(stuck, "a line stuck low fails the self-test, and forwards nothing")
{
	begin();
	model.stuck_low = true;
	run_until(now_us + 300 * MS);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
	CHECK(chip.counters.self_test_failed >= 3);
}

TEST(silence, "until the bus is silent for a moment the driver reports it as stopped, not as off")
{
	begin();
	model.dominant = true;
	run_until(now_us + 500 * MS);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
	model.dominant = false;
	model.registers[0x2E] = 0;
	run_until(now_us + 20 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

/* ---- receiving ---- */

TEST(received_long, "a DLC above 8, which stands for 8 bytes, arrives as 8, and nothing else is in the frame")
{
	static const uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	join();
	model_receive_raw(0x200, 15, data);
	EQUAL(received(), 0x200);
	EQUAL(frame.dlc, 8);
	BYTES(frame.data, 1, 2, 3, 4, 5, 6, 7, 8);
	BYTES(frame.reserved, 0, 0, 0);
	model_receive(GATEWAY_REMOTE | 0x100, "01 02");
	CHECK(RECEIVE());
	EQUAL(frame.dlc, 2);
	BYTES(frame.data, 0, 0, 0, 0, 0, 0, 0, 0);
	CHECK(!RECEIVE());
}

TEST(receive_cost, "a frame received costs one transaction of 14 bytes, and nothing while none comes")
{
	join();
	for (int i = 0; i < 1000; ++i) {
		model_receive(0x100, "01 02 03 04 05 06 07 08");
		CHECK(RECEIVE());
		CHECK(!RECEIVE());
	}
	EQUAL(model.transactions, 1000);
	EQUAL(model.bytes, 14000);
}

TEST(both_full, "of two waiting frames the older one comes first; the second costs a look at the status")
{
	join();
	model_receive(1, "01");
	model_receive(2, "01");
	EQUAL(received(), 1);
	EQUAL(received(), 2);
	CHECK(!RECEIVE());
	EQUAL(model.transactions, 3);
	EQUAL(model.bytes, 14 + 2 + 14);
}

static void third(void)
{
	/* Buffer 0 is still full: this one does not fit in it. */
	model_receive(2, "01");
}

TEST(while_reading, "a frame that comes while the one before it is read is neither lost nor overtaken")
{
	join();
	model_receive(1, "01");
	model.during = third;
	EQUAL(received(), 1);
	model_receive(3, "01"); /* to buffer 0, which is free again: younger than what is in buffer 1 */
	EQUAL(received(), 2);
	model_receive(4, "01"); /* to buffer 1 */
	EQUAL(received(), 3);
	EQUAL(received(), 4);
	CHECK(!RECEIVE());
	EQUAL(chip.counters.overruns, 0);
}

TEST(any_order, "frames are received in order for every interleaving of one to three frames between two reads")
{
	for (unsigned pattern = 0; pattern < 1 << 12; ++pattern) {
		if (pattern == 0)
			join();
		uint32_t in = 0, out = 0;
		for (unsigned step = 0; step < 6; ++step) {
			for (unsigned n = pattern >> 2 * step & 3; n; --n)
				if ((model.registers[0x2C] & 3) != 3) /* without overrun */
					model_receive(0x100 + in++ % 0x100, "01");
			if (RECEIVE())
				EQUAL(frame.id, 0x100 + out++ % 0x100);
		}
		while (RECEIVE())
			EQUAL(frame.id, 0x100 + out++ % 0x100);
		EQUAL(out, in);
	}
}

TEST(overrun, "lost frames are noticed, counted and the flag cleared, so that the next ones are noticed too")
{
	join();
	for (unsigned times = 1; times <= 2; ++times) {
		for (uint32_t id = 1; id <= 3; ++id)
			model_receive(id, "01");
		run_until(now_us + 25 * MS);
		EQUAL(chip.counters.overruns, times);
		EQUAL(model.registers[0x2D] & 0xC0, 0);
		while (RECEIVE())
			;
		EQUAL(frame.id, 2);
	}
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

static bool never_low(void *context)
{
	(void)context;
	return false;
}

static bool always_low(void *context)
{
	(void)context;
	return true;
}

TEST(polled, "while the INT line does not follow the chip the status is asked for, often enough for the shortest frames")
{
	begin();
	port.interrupt = never_low;
	run_until(now_us + 200 * MS);
	CHECK(chip.polled);
	CHECK(SERVICE() <= now_us + 94);
	for (uint32_t id = 1; id <= 100; id += 2) {
		model_receive(id, "01");
		model_receive(id + 1, "01");
		EQUAL(received(), id);
		EQUAL(received(), id + 1);
		CHECK(!RECEIVE());
	}
	for (uint32_t id = 1; id <= 4; ++id) {
		model_receive(id, "01"); /* each finds buffer 0 free */
		EQUAL(received(), id);
	}
}

TEST(int_line, "an INT line that does not follow the chip, high or low, is found at start and not relied on")
{
	static bool (*const lines[])(void *) = {never_low, always_low};
	for (int i = 0; i < 2; ++i) {
		port = model_start();
		port.interrupt = lines[i];
		mcp2515_init(&chip, &port);
		run_until(now_us + 200 * MS);
		CHECK(chip.polled);
		CHECK(!RECEIVE());
		model_receive(5, "01");
		EQUAL(received(), 5);
		CHECK(!RECEIVE());
	}
}

TEST(garbled, "a frame that no chip can have sent is dropped, and the chip set up again if it lost its mode")
{
	join();
	model_receive(1, "01");
	model.dead = true;
	port.interrupt = always_low;
	CHECK(!RECEIVE());
	EQUAL(chip.counters.garbled, 1);
	EQUAL(chip.counters.mode_lost, 1);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
}

TEST(noise, "a frame with bits that do not exist is dropped, and the next one taken")
{
	static const uint8_t places[2][2] = {{2, 0x04}, {5, 0x80}};
	join();
	for (unsigned i = 0; i < 2; ++i) {
		model.noise_code = 0x90;
		model.noise_at = places[i][0];
		model.noise = places[i][1];
		model_receive(1, "01");
		model_receive(2, "01");
		CHECK(!RECEIVE());
		EQUAL(chip.counters.garbled, i + 1);
		CHECK(SERVICE() <= now_us + MCP2515_POLL_US); /* INT is still low: no edge will follow */
		model.noise = 0;
		EQUAL(received(), 2);
		CHECK(SERVICE() > now_us + MCP2515_POLL_US);
	}
	EQUAL(chip.counters.starts, 1);
}

TEST(read_back, "registers that read back otherwise than written fail the self-test")
{
	begin();
	model.noise_code = 0x03;
	model.noise_at = 3;
	model.noise = 0x10;
	SERVICE();
	EQUAL(chip.counters.self_test_failed, 1);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
}

TEST(zeros, "a frame of zeros is received if all else that the chip answers is right")
{
	join();
	model_receive(0, "");
	EQUAL(received(), 0);
	EQUAL(frame.dlc, 0);
	EQUAL(chip.counters.garbled, 0);
}

/* ---- sending ---- */

TEST(order, "frames leave in the order in which they were handed over, whatever the identifiers and however the bus is")
{
	static const uint32_t ids[] = {0x100, 0x700, 0x001};
	unsigned pattern = 1, taken = 0, sent = 0;
	join();
	for (unsigned step = 0; step < 5000; ++step) {
		pattern = pattern * 1103515245u + 12345u;
		struct gateway_frame handed = of(ids[taken % 3], 8);
		handed.data[0] = (uint8_t)taken;
		if (pattern >> 16 & 1 && SEND(&handed))
			++taken;
		if (pattern >> 17 & 1 && model_send(&frame)) {
			EQUAL(frame.data[0], (uint8_t)sent);
			EQUAL(frame.id, ids[sent % 3]);
			++sent;
		}
		now_us += 100;
	}
	CHECK(sent > 1000);
	EQUAL(chip.counters.timed_out, 0);
}

/* Sends three frames for each `gap_us` apart, the bus being free. */
static void send_at_rate(unsigned count, uint64_t gap_us)
{
	for (unsigned i = 0; i < count; ++i) {
		CHECK(hand_over(0x100));
		CHECK(on_bus());
		now_us += gap_us;
	}
}

TEST(send_cost, "a frame sent costs one transaction of 14 bytes and a request of one byte; each fourth begins with a look at the status")
{
	join();
	send_at_rate(3, 500);
	EQUAL(model.transactions, 6);
	EQUAL(model.bytes, 3 * (14 + 1));
	model_count_from_here();
	send_at_rate(3000, 500);
	EQUAL(model.by_instruction[0xA0], 1000);
	EQUAL(model.transactions, 3000 * 2 + 1000);
	EQUAL(model.bytes, 3000 * 15 + 1000 * 2);
}

TEST(no_busy_looks, "while all three buffers are used nothing is asked before the first of them can be free")
{
	join();
	for (uint32_t id = 1; id <= 3; ++id)
		CHECK(hand_over(id));
	model_count_from_here();
	uint64_t free_us = now_us + (47 + 64) * 2;
	while (now_us < free_us) {
		CHECK(!hand_over(4));
		EQUAL(chip.link.retry_us, free_us);
		now_us += 6;
	}
	EQUAL(model.transactions, 0);
	CHECK(!hand_over(4));
	EQUAL(chip.link.retry_us, now_us + MCP2515_RETRY_US);
	EQUAL(model.transactions, 1);
	EQUAL(on_bus(), 1);
	now_us += MCP2515_RETRY_US;
	CHECK(hand_over(4));
	CHECK(!hand_over(5));
	for (uint32_t id = 2; id <= 4; ++id)
		EQUAL(on_bus(), id);
}

TEST(stream, "a buffer is loaded again while the others wait: only each twelfth frame of a stream finds the chip with nothing to send")
{
	unsigned drained = 0;
	uint32_t next = 1;
	join();
	for (uint32_t id = 1; id <= 120; ++id) {
		while (hand_over(next))
			++next;
		drained += id + 1 == next; /* this one is the last that it has */
		EQUAL(on_bus(), id);
		now_us += 222;
	}
	EQUAL(drained, 10);
	EQUAL(model.by_instruction[0x02], 117); /* the first three find the priority that they need */
}

TEST(stream_restart, "after a restart of the chip in the midst of a stream frames leave in order again")
{
	join();
	for (uint32_t id = 1; id <= 8; ++id) {
		CHECK(hand_over(id));
		EQUAL(on_bus(), id);
		now_us += id == 3 ? 2000 : 222;
	}
	CHECK(hand_over(9));
	CHECK(hand_over(10));
	model_reset_itself();
	run_until(now_us + 200 * MS);
	EQUAL(chip.counters.mode_lost, 1);
	for (uint32_t id = 11; id <= 13; ++id)
		CHECK(hand_over(id));
	for (uint32_t id = 11; id <= 13; ++id)
		EQUAL(on_bus(), id);
}

TEST(timed_out, "frames that the bus does not take within 10 ms are dropped and never sent; then it goes on")
{
	join();
	for (uint32_t id = 1; id <= 3; ++id)
		CHECK(hand_over(id));
	EQUAL(on_bus(), 1);
	run_until(now_us + 20 * MS);
	EQUAL(chip.counters.timed_out, 2);
	EQUAL(on_bus(), 0);
	EQUAL(model.registers[0x2F], 0);
	CHECK(hand_over(4));
	EQUAL(on_bus(), 4);
	EQUAL(chip.counters.starts, 1);
}

TEST(stuck_while_sending, "a line stuck low for a moment says that all was sent: what waits leaves as it was, and then it goes on")
{
	join();
	CHECK(hand_over(1));
	model.stuck_low = true;
	run_until(now_us + 11 * MS);
	model.stuck_low = false;
	CHECK(hand_over(2));
	EQUAL(on_bus(), 1);
	EQUAL(on_bus(), 0);
	CHECK(hand_over(3));
	EQUAL(on_bus(), 3);
}

TEST(in_time, "frames that were sent within 10 ms are not counted as dropped")
{
	join();
	CHECK(hand_over(1));
	EQUAL(on_bus(), 1);
	now_us += 9 * MS;
	CHECK(hand_over(2));
	run_until(now_us + 5 * MS);
	EQUAL(chip.counters.timed_out, 0);
	EQUAL(on_bus(), 2);
	run_until(now_us + 50 * MS);
	EQUAL(chip.counters.timed_out, 0);
	EQUAL(chip.pending, 0);
}

/* ---- errors ---- */

TEST(alert, "after errors the flags are looked at each millisecond, so that no bus-off (at least 2.8 ms) is missed")
{
	join();
	model_errors(90, 0);
	run_until(now_us + 20 * MS);
	for (int i = 0; i < 50; ++i) {
		CHECK(SERVICE() <= now_us + 1 * MS);
		now_us += 1 * MS;
	}
	run_until(now_us + 200 * MS);
	CHECK(SERVICE() > now_us + 1 * MS);
}

TEST(bus_off, "at bus-off the chip leaves the bus, drops the frames to be sent, and returns only when told")
{
	join();
	CHECK(hand_over(1) && hand_over(2));
	model_bus_off();
	now_us += 10 * MS;
	SERVICE();
	EQUAL(REPORT(), BUS_REPORTS_OFF);
	EQUAL(chip.counters.lost_at_bus_off, 2);
	EQUAL(chip.counters.timed_out, 0);
	EQUAL(model.registers[0x2E] & 0xE0, 0x80);
	CHECK(!RECEIVE() && !hand_over(3));
	run_until(now_us + 5000 * MS);
	EQUAL(REPORT(), BUS_REPORTS_OFF);
	RECOVER();
	run_until(now_us + 5 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
	EQUAL(on_bus(), 0);
	CHECK(hand_over(4));
	EQUAL(on_bus(), 4);
}

TEST(mode_other, "a chip found in another mode than it was told to be in is set up again")
{
	join();
	model.registers[0x2E] = 0x60; /* listens only, although CANCTRL says otherwise */
	run_until(now_us + 25 * MS);
	EQUAL(chip.counters.mode_lost, 1);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

TEST(mode_lost, "a chip that reset itself is noticed within 20 ms and set up again")
{
	join();
	model_reset_itself();
	run_until(now_us + 25 * MS);
	EQUAL(chip.counters.mode_lost, 1);
	EQUAL(chip.counters.starts, 2);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
	model_receive(7, "01");
	CHECK(RECEIVE());
	EQUAL(model.registers[0x29], 0xAC);
}

TEST(wedged, "a chip that does not let go of frames is reset")
{
	join();
	CHECK(hand_over(1));
	now_us += 15 * MS;
	SERVICE();
	CHECK(chip.aborting);
	CHECK(!hand_over(2));
	model.registers[0x50] |= 0x08; /* still pending */
	run_until(now_us + 10 * MS);
	EQUAL(chip.counters.starts, 2);
	EQUAL(chip.counters.timed_out, 1);
	EQUAL(chip.counters.lost_at_bus_off, 0);
}

TEST(idle_cost, "an idle bus costs one look at the error flags, 6 bytes, each 20 ms")
{
	join();
	run_until(now_us + 1000 * MS);
	EQUAL(model.transactions, 50);
	EQUAL(model.bytes, 300);
}

TEST(sleep, "a chip that is put to sleep wakes with its set-up, after the sleep of the whole controller")
{
	join();
	mcp2515_sleep(&chip);
	EQUAL(model.registers[0x2F] & 0xE0, 0x20);
	EQUAL(model.registers[0x2B] & 0x40, 0); /* its bus does not wake it */
	join();
	EQUAL(model.registers[0x2E] & 0xE0, 0x00);
}
