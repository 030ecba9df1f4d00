/* The TWAI driver on a fake of ESP-IDF's node API. */
#include "twai_fake.h"

static struct twai_link twai;
static struct gateway_frame frame;
static int task;

#define SERVICE() twai.link.class->service(&twai.link, now_us)
#define RECEIVE() twai.link.class->receive(&twai.link, &frame, now_us)
#define REPORT() twai.link.class->report(&twai.link)
#define RECOVER(lasting) twai.link.class->recover(&twai.link, (lasting), now_us)

static void begin(void)
{
	fake_start();
	twai_link_init(&twai, GPIO_NUM_7, GPIO_NUM_6, (TaskHandle_t)&task);
}

static void run_until(uint64_t then_us)
{
	for (uint64_t next_us; (next_us = SERVICE()) <= then_us;) {
		CHECK(next_us > now_us);
		now_us = next_us;
	}
	now_us = then_us;
}

static void join(void)
{
	begin();
	run_until(now_us + 1 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

static bool hand_over(uint32_t id)
{
	struct gateway_frame handed = {.id = id, .dlc = 8, .data = {1, 2, 3, 4, 5, 6, 7, 8}};
	bool taken = twai.link.class->send(&twai.link, &handed, now_us);
	memset(&handed, 0xEE, sizeof handed); /* the caller's copy is gone */
	return taken;
}

TEST(twai_config, "frames are repeated until they are sent: single shot is not what it is set to")
{
	join();
	EQUAL(fake.config.fail_retry_cnt, -1);
	EQUAL(fake.config.io_cfg.tx, 7);
	EQUAL(fake.config.io_cfg.rx, 6);
}

TEST(twai_absent, "a node that cannot be created or enabled is tried again each second, and nothing leaks")
{
	begin();
	fake.fail_create = fake.fail_enable = fake.fail_register = 1;
	SERVICE();
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
	CHECK(!hand_over(1) && !RECEIVE());
	run_until(now_us + 1500 * MS);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
	EQUAL(fake.created, fake.deleted);
	run_until(now_us + 2000 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
	EQUAL(twai.counters.open_failed, 3);
	EQUAL(twai.counters.opened, 1);
}

TEST(twai_received, "frames arrive as they were, in order, and wake the task")
{
	join();
	fake_receive(0x123, 3);
	fake_receive(GATEWAY_EXTENDED | 0x1ABCDEF0, 8);
	fake_receive(GATEWAY_REMOTE | 0x7FF, 4);
	fake_receive(0x200, 15);
	EQUAL(fake.wakes, 4);
	CHECK(RECEIVE());
	EQUAL(frame.id, 0x123);
	EQUAL(frame.dlc, 3);
	BYTES(frame.data, 1, 2, 3, 0, 0, 0, 0, 0);
	BYTES(frame.reserved, 0, 0, 0);
	CHECK(RECEIVE());
	EQUAL(frame.id, GATEWAY_EXTENDED | 0x1ABCDEF0);
	CHECK(RECEIVE());
	EQUAL(frame.id, GATEWAY_REMOTE | 0x7FF);
	BYTES(frame.data, 0, 0, 0, 0, 0, 0, 0, 0);
	CHECK(RECEIVE());
	EQUAL(frame.dlc, 8);
	fake_receive_nothing();
	CHECK(!RECEIVE());
}

TEST(twai_ring, "frames that the task does not fetch in time are dropped, newest first, and counted")
{
	join();
	for (uint32_t id = 0; id < TWAI_LINK_RING_FRAMES + 3; ++id)
		fake_receive(id, 1);
	EQUAL(twai.counters.ring_full, 3);
	for (uint32_t id = 0; id < TWAI_LINK_RING_FRAMES; ++id) {
		CHECK(RECEIVE());
		EQUAL(frame.id, id);
	}
	CHECK(!RECEIVE());
	fake_receive(1, 1);
	CHECK(RECEIVE());
}

TEST(twai_one, "one frame is outstanding at a time, and stays as it was until it is sent")
{
	join();
	CHECK(hand_over(0x111));
	CHECK(!hand_over(0x222));
	EQUAL(twai.link.retry_us, GATEWAY_NEVER); /* the interrupt wakes the task */
	EQUAL(fake.in_hardware->header.id, 0x111);
	EQUAL(fake.in_hardware->buffer[0], 1);
	unsigned wakes = fake.wakes;
	EQUAL(fake_send(true), 0x111);
	EQUAL(fake.wakes, wakes + 1);
	CHECK(hand_over(0x222));
	EQUAL(fake_send(true), 0x222);
}

TEST(twai_formats, "identifier type, remote flag and DLC leave as they are")
{
	join();
	struct gateway_frame handed = {.id = GATEWAY_EXTENDED | GATEWAY_REMOTE | 0x1ABCDEF0, .dlc = 5};
	CHECK(twai.link.class->send(&twai.link, &handed, now_us));
	EQUAL(fake.in_hardware->header.ide, 1);
	EQUAL(fake.in_hardware->header.rtr, 1);
	EQUAL(fake.in_hardware->header.dlc, 5);
	EQUAL(fake.in_hardware->buffer_len, 0);
	EQUAL(fake_send(true), 0x1ABCDEF0);
	handed = (struct gateway_frame){.id = 1, .dlc = 0};
	CHECK(twai.link.class->send(&twai.link, &handed, now_us));
	CHECK(fake.in_hardware->buffer);
}

TEST(twai_refused, "a frame that the driver does not take, or gives back, is counted, and the next one goes")
{
	join();
	fake.fail_transmit = 1;
	CHECK(!hand_over(1));
	EQUAL(twai.link.retry_us, now_us + TWAI_LINK_RETRY_US);
	CHECK(hand_over(2));
	fake_send(false);
	run_until(now_us + 1 * MS);
	EQUAL(twai.counters.send_failed, 1);
	EQUAL(twai.counters.refused, 1);
	CHECK(hand_over(3));
}

TEST(twai_passive, "warning and passive follow the error counters, not the state that the driver remembers")
{
	join();
	fake.tx_errors = 96;
	run_until(now_us + 25 * MS);
	EQUAL(REPORT(), BUS_REPORTS_PASSIVE);
	fake.tx_errors = 0;
	fake.rx_errors = 128;
	fake.fail_info = 1; /* once: what was known stays */
	run_until(now_us + 45 * MS);
	EQUAL(REPORT(), BUS_REPORTS_PASSIVE);
	fake.state = TWAI_ERROR_WARNING; /* as it stays in 6.0 */
	fake.rx_errors = 95;
	run_until(now_us + 25 * MS);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

TEST(twai_errors, "errors are only counted in the interrupt")
{
	join();
	for (int i = 0; i < 5000; ++i)
		fake_error();
	EQUAL(twai.counters.errors, 5000);
	EQUAL(fake.wakes, 0);
}

TEST(twai_bus_off, "at bus-off the frame in flight, whose completion never comes, is reclaimed; recovery is that of the controller")
{
	join();
	CHECK(hand_over(1));
	fake_bus_off();
	SERVICE();
	EQUAL(REPORT(), BUS_REPORTS_OFF);
	EQUAL(twai.counters.lost_at_bus_off, 1);
	CHECK(!hand_over(2));
	RECOVER(false);
	EQUAL(fake.recoveries, 1);
	run_until(now_us + 25 * MS);
	EQUAL(REPORT(), BUS_REPORTS_OFF);
	fake_recovered();
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
	EQUAL(fake_send(true), 0); /* nothing old is sent */
	CHECK(hand_over(3));
	EQUAL(fake_send(true), 3);
	EQUAL(fake.created, 1);
}

TEST(twai_bus_off_race, "bus-off just before a frame is handed over is no reason to hand it over")
{
	join();
	fake.off_at_critical = true;
	CHECK(!hand_over(1));
	EQUAL(twai.counters.refused, 1);
	EQUAL(REPORT(), BUS_REPORTS_OFF);
}

TEST(twai_recover_back, "an attempt that comes when the controller is back already, or is refused, does no harm")
{
	join();
	RECOVER(false);
	EQUAL(fake.recoveries, 0);
	EQUAL(fake.created, 1);
	fake_bus_off();
	SERVICE();
	fake.fail_recover = 1;
	RECOVER(false); /* a new node instead */
	EQUAL(fake.created, 2);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

TEST(twai_lasting, "after 3 s of bus-off the node is deleted and created anew")
{
	join();
	fake_bus_off();
	SERVICE();
	RECOVER(false);
	RECOVER(true);
	EQUAL(fake.deleted, 1);
	EQUAL(fake.created, 2);
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

TEST(twai_stall, "a frame that is not sent within 50 ms, for lack of anybody or by the driver's fault, is never sent")
{
	join();
	CHECK(hand_over(1));
	run_until(now_us + 49 * MS);
	EQUAL(twai.counters.stalls, 0);
	run_until(now_us + 2 * MS);
	EQUAL(twai.counters.stalls, 1);
	EQUAL(fake.created, 2);
	EQUAL(fake_send(true), 0);
	EQUAL(REPORT(), BUS_REPORTS_PASSIVE);
	CHECK(!hand_over(2));
	EQUAL(twai.link.retry_us, twai.quiet_until_us);
	run_until(now_us + 100 * MS);
	CHECK(hand_over(3));
	EQUAL(fake_send(true), 3);
	SERVICE();
	EQUAL(REPORT(), BUS_REPORTS_ACTIVE);
}

TEST(twai_quiet, "with nobody on the bus it is tried ever less often, and at once when somebody is heard")
{
	join();
	unsigned tried = 0;
	for (uint64_t end_us = now_us + 10000 * MS; now_us < end_us; now_us += 1 * MS) {
		SERVICE();
		tried += hand_over(1);
	}
	CHECK(tried >= 6 && tried <= 10);
	EQUAL(twai.counters.opened, tried + (twai.outstanding ? 0 : 1));
	run_until(now_us + 60 * MS);
	CHECK(!hand_over(2));
	fake_receive(5, 1);
	CHECK(RECEIVE());
	CHECK(hand_over(3));
	EQUAL(fake_send(true), 3);
	CHECK(hand_over(4));
	run_until(now_us + 51 * MS);
	EQUAL(twai.quiet_until_us - twai.handed_us, 150 * MS); /* 50 ms waited; quiet starts small again */
}

TEST(twai_delete_fails, "a node that cannot be deleted yet is deleted later, and not created twice")
{
	join();
	CHECK(hand_over(1));
	fake.fail_delete = 1;
	run_until(now_us + 51 * MS);
	EQUAL(fake.created, 1);
	EQUAL(REPORT(), BUS_REPORTS_STOPPED);
	CHECK(!hand_over(2));
	run_until(now_us + 1000 * MS);
	EQUAL(fake.created, 2);
	EQUAL(REPORT() == BUS_REPORTS_ACTIVE || REPORT() == BUS_REPORTS_PASSIVE, 1);
}

TEST(twai_foreign, "a completion of another frame than the outstanding one is ignored")
{
	join();
	CHECK(hand_over(1));
	static const twai_frame_t other;
	fake.in_hardware = &other;
	fake_send(true);
	CHECK(!hand_over(2));
}
