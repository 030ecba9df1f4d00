/*
 * Receiving, deciding whether to rewrite, queues, bus states, leases, cyclic frames, the channel, bus-off. When
 * nothing may be rewritten: pass_through_test.c.
 */
#include "testing.h"

/* Active: byte 0 of chassis frame 0x280 becomes 0x55, with minDlc 2 in group 3. */
static struct builder one_rule(void)
{
	struct builder plan;
	plan_begin(&plan, 7);
	plan_counter(&plan, 0x40, 1, 0x4F, 0x40);
	uint8_t *rule = plan_rule(&plan, 0, 0x280, "1 55, 4 0");
	rule[5] = 3;
	rule[6] = 2;
	return plan;
}

static void activate_plan(void)
{
	struct builder plan = one_rule();
	plan_commit(&plan, 0);
}

TEST(extended_same_number, "an extended frame does not match an 11-bit rule of the same number, nor the reverse")
{
	struct builder plan = one_rule();
	plan_rule(&plan, 0, 0x80000100, "1 66");
	plan_rule(&plan, 1, 0x80000100, "1 77");
	plan_commit(&plan, 0);
	SAME(pass(0x80000280, "1 2 3"), "01 02 03");
	SAME(pass(0x280, "1 2 3"), "55 40 03");
	SAME(pass(0x80000100, "1 2 3"), "66 02 03");
	SAME(pass(0x100, "1 2 3"), "01 02 03");
	CHECK(receive(GATEWAY_COUPLING, 0x80000100, "1"));
	EQUAL(send_next(GATEWAY_CHASSIS)->data[0], 0x77);
}

TEST(remote, "a remote frame is forwarded untouched, and counted where its id has a rule")
{
	struct gateway_frame frame = {.id = 0x280 | GATEWAY_REMOTE, .dlc = 4, .data = {1, 2, 3, 4}};
	activate_plan();
	CHECK(receive_frame(0, &frame));
	const struct gateway_frame *sent = send_next(GATEWAY_COUPLING);
	EQUAL(sent->id, 0x40000280);
	EQUAL(sent->dlc, 4);
	BYTES(sent->data, 0, 0, 0, 0, 0, 0, 0, 0);
	EQUAL(COUNT(REFUSED), 1);
	frame.id = 0x12345 | GATEWAY_EXTENDED | GATEWAY_REMOTE;
	CHECK(receive_frame(0, &frame));
	EQUAL(send_next(GATEWAY_COUPLING)->id, 0xC0012345);
	EQUAL(COUNT(REFUSED), 1);
	CHECK(latest_at(0) == NULL); /* not among the latest data frames */
	frame.id = 0x280 | GATEWAY_REMOTE;
	gateway_commit(&gateway, 0, 0, 100, now_us); /* group not committed */
	CHECK(receive_frame(0, &frame));
	gateway_release(&gateway);
	CHECK(receive_frame(0, &frame));
	EQUAL(COUNT(REFUSED), 1);
}

TEST(malformed, "a frame with a DLC above 8, an id out of range or an error flag is counted and goes nowhere")
{
	struct gateway_frame frame = {.id = 0x280, .dlc = 9};
	CHECK(!receive_frame(0, &frame));
	frame.id = 0x80000280;
	CHECK(!receive_frame(0, &frame));
	CHECK(!receive(0, 0x800, "1"));
	CHECK(!receive(0, 0x280 | GATEWAY_ERROR, "1"));
	CHECK(!receive(0, 0x80000280 | GATEWAY_ERROR, "1"));
	gateway_malformed(&gateway);
	EQUAL(COUNT(MALFORMED), 6);
	EQUAL(COUNT(RECEIVED_CHASSIS), 0);
	CHECK(!send_next(GATEWAY_COUPLING));
}

TEST(lease_back, "a lease ends at once when the clock steps back: how much of it is left is unknown")
{
	now_us = 10000 * MS;
	activate_plan();
	gateway_commit(&gateway, 0, 0xFF, 250, now_us);
	now_us -= GATEWAY_AGE_LIMIT_US;
	SAME(pass(0x280, "1 2"), "55 40");
	EQUAL(gateway_tick(&gateway, now_us), now_us + 300 * MS);
	now_us -= 1;
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	SAME(pass(0x280, "1 2"), "01 02");
	EQUAL(COUNT(LEASE_EXPIRIES), 1);
}

TEST(release, "release ends the lease at once and is not an expiry")
{
	activate_plan();
	gateway_release(&gateway);
	gateway_release(&gateway);
	SAME(pass(0x280, "1 2"), "01 02");
	gateway_tick(&gateway, now_us + 2000 * MS);
	EQUAL(COUNT(LEASE_EXPIRIES), 0);
	gateway_commit(&gateway, 0, 0xFF, 250, now_us);
	SAME(pass(0x280, "1 2"), "55 40");
}

TEST(commit_swaps, "a loaded plan has no effect until it is committed, then it replaces the old one whole")
{
	struct builder plan;
	activate_plan();
	plan_begin(&plan, 7);
	plan_rule(&plan, 0, 0x281, "1 66");
	plan_load(&plan);
	SAME(pass(0x280, "1 2"), "55 40");
	SAME(pass(0x281, "1 2"), "01 02");
	gateway_commit(&gateway, 0, 0xFF, 250, now_us);
	SAME(pass(0x280, "1 2"), "01 02");
	SAME(pass(0x281, "1 2"), "66 02");
	EQUAL(COUNT(COMMITS), 2);
}

TEST(same_counter_set, "counters go on in a plan with the same counterSet, and start anew in another one")
{
	struct builder plan = one_rule();
	plan_commit(&plan, 0);
	SAME(pass(0x280, "1 2"), "55 40");
	plan_counter(&plan, 9, 1, 255, 0); /* one more counter, after the rule: put in order */
	memmove(plan.bytes + 20, plan.bytes + 16, 44);
	memcpy(plan.bytes + 16, (uint8_t[]){9, 1, 255, 0}, 4);
	memcpy(plan.bytes + 20 + 8 + 6, (uint8_t[]){4, 1, 0}, 3);
	plan_commit(&plan, 0);
	SAME(pass(0x280, "1 2 3"), "55 41 09");
	plan.bytes[1] = 8;
	plan_commit(&plan, 0);
	SAME(pass(0x280, "1 2 3"), "55 40 09");
}

TEST(counter_needs_queue, "a counter does not advance for a frame that the send queue did not accept")
{
	activate_plan();
	for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i)
		CHECK(receive(0, 0x100, "1"));
	CHECK(!receive(0, 0x280, "1 2"));
	EQUAL(COUNT(DROPPED_QUEUE_FULL), 1);
	EQUAL(COUNT(REWRITTEN), 0);
	send_all(GATEWAY_COUPLING, 0);
	SAME(pass(0x280, "1 2"), "55 40");
}

TEST(order, "order is kept through a full queue that is drained and filled again and again")
{
	unsigned next_in = 0, next_out = 0;
	char data[16];
	for (unsigned round = 0; round < 2000; ++round) {
		for (unsigned i = 0; i < round % 300 && gateway_waiting(&gateway, 1) < GATEWAY_QUEUE_FRAMES; ++i) {
			snprintf(data, sizeof data, "%x %x", next_in >> 8 & 0xFF, next_in & 0xFF);
			CHECK(receive(0, 0x100, data));
			++next_in;
		}
		for (unsigned i = 0; i < 7 * round % 311; ++i) {
			const struct gateway_frame *frame = send_next(1);
			if (!frame)
				break;
			EQUAL(frame->data[0] << 8 | frame->data[1], next_out & 0xFFFF);
			++next_out;
		}
	}
	EQUAL(next_in - next_out, gateway_waiting(&gateway, 1));
	EQUAL(COUNT(DROPPED_QUEUE_FULL), 0);
}

TEST(age, "a frame that waited 50 ms is sent, one that waited longer is dropped")
{
	receive(0, 1, "1");
	now_us += 1;
	receive(0, 2, "2");
	now_us += GATEWAY_AGE_LIMIT_US;
	EQUAL(send_next(1)->id, 2);
	CHECK(!send_next(1));
	EQUAL(COUNT(DROPPED_TOO_OLD), 1);
	EQUAL(COUNT(LATE), 1);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 1);
	CHECK(test_ring[0].flags & GATEWAY_DROPPED);
	CHECK(!(test_ring[1].flags & GATEWAY_DROPPED));
}

TEST(age_back, "a frame that came later than it is now is dropped: the clock has stepped back")
{
	now_us = 10000 * MS;
	receive(0, 1, "1");
	now_us -= GATEWAY_AGE_LIMIT_US;
	EQUAL(send_next(1)->id, 1);
	now_us += GATEWAY_AGE_LIMIT_US;
	receive(0, 2, "2");
	now_us -= GATEWAY_AGE_LIMIT_US + 1;
	CHECK(!send_next(1));
	EQUAL(COUNT(DROPPED_TOO_OLD), 1);
}

TEST(late, "a frame that waited more than 10 ms is counted as late")
{
	receive(0, 1, "1");
	receive(0, 2, "2");
	now_us += GATEWAY_LATE_US;
	send_next(1);
	EQUAL(COUNT(LATE), 0);
	++now_us;
	send_next(1);
	EQUAL(COUNT(LATE), 1);
}

TEST(outstanding, "one frame is outstanding at a time, and stays first until it was sent")
{
	receive(0, 1, "1");
	receive(0, 2, "2");
	EQUAL(gateway_next_to_send(&gateway, 1, now_us)->id, 1);
	CHECK(!gateway_next_to_send(&gateway, 1, now_us));
	now_us += 2 * GATEWAY_AGE_LIMIT_US; /* the driver has it: not dropped, nor what is behind it */
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	EQUAL(gateway_waiting(&gateway, 1), 2);
	now_us -= 2 * GATEWAY_AGE_LIMIT_US;
	gateway_not_sent(&gateway, 1);
	EQUAL(gateway_next_to_send(&gateway, 1, now_us)->id, 1);
	gateway_sent(&gateway, 1, now_us);
	gateway_sent(&gateway, 1, now_us); /* none outstanding: ignored */
	EQUAL(gateway_waiting(&gateway, 1), 1);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 1);
}

TEST(aborted, "a frame that the controller has may leave until it is 50 ms old; one that it aborted is dropped, the next one follows")
{
	gateway_aborted(&gateway, 1); /* none outstanding: ignored */
	EQUAL(gateway_send_until(&gateway, 1), GATEWAY_NEVER);
	receive(0, 1, "1");
	EQUAL(gateway_send_until(&gateway, 1), GATEWAY_NEVER);
	now_us += 10 * MS;
	receive(0, 2, "2");
	gateway_next_to_send(&gateway, 1, now_us);
	EQUAL(gateway_send_until(&gateway, 1), now_us + 40 * MS);
	gateway_aborted(&gateway, 1);
	EQUAL(COUNT(DROPPED_TOO_OLD), 1);
	EQUAL(send_next(1)->id, 2);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 1);
}

TEST(tick_drops, "frames that are not taken out are dropped by the tick, which asks for the time of each bus")
{
	for (unsigned bus = 0; bus < 2; ++bus) {
		CHECK(receive(bus, 1, "1"));
		EQUAL(gateway_tick(&gateway, now_us), now_us + GATEWAY_AGE_LIMIT_US + 1);
		now_us += GATEWAY_AGE_LIMIT_US + 1;
		EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
		EQUAL(gateway_waiting(&gateway, bus ^ 1), 0);
		EQUAL(COUNT(DROPPED_TOO_OLD), bus + 1);
	}
	receive(0, 1, "1");
	activate_plan();
	gateway_commit(&gateway, 0, 0, 50, now_us);
	EQUAL(gateway_tick(&gateway, now_us), now_us + 50 * MS); /* the lease ends before that */
}

TEST(stopped, "frames for a bus that does not run are dropped and counted, and nothing is rewritten")
{
	static const uint8_t down[] = {GATEWAY_STOPPED, GATEWAY_BUS_OFF};
	static const uint8_t up[] = {GATEWAY_ERROR_ACTIVE, GATEWAY_ERROR_WARNING, GATEWAY_ERROR_PASSIVE};
	activate_plan();
	for (size_t i = 0; i < sizeof down; ++i) {
		CHECK(receive(0, 0x300, "1"));
		CHECK(gateway_next_to_send(&gateway, 1, now_us));
		gateway_set_bus_state(&gateway, 1, down[i]); /* loses its queue, the outstanding frame included */
		gateway_sent(&gateway, 1, now_us);
		EQUAL(COUNT(DROPPED_NOT_RUNNING), 2 * i + 1);
		CHECK(!receive(0, 0x280, "1 2"));
		EQUAL(COUNT(DROPPED_NOT_RUNNING), 2 * i + 2);
		CHECK(receive(1, 0x100, "1")); /* the other direction goes on */
		CHECK(send_next(0));
		gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
		gateway_set_bus_state(&gateway, 0, down[i]); /* received on a bus that is going down: unmodified */
		SAME(pass(0x280, "1 2"), "01 02");
		gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	}
	EQUAL(COUNT(REWRITTEN), 0);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 2);
	uint8_t told[GATEWAY_SAMPLE_HEADER_BYTES];
	gateway_sample(&gateway, told, now_us);
	activate_plan();
	for (size_t i = 0; i < sizeof up; ++i) {
		gateway_set_bus_state(&gateway, 1, up[i]);
		CHECK(!strncmp(pass(0x280, "1 2"), "55", 2));
	}
}

/* ---- cyclic frames ---- */

static void set_cyclic(unsigned slot, uint32_t period_ms, uint32_t lease_ms, uint8_t value)
{
	gateway_set_cyclic(&gateway, slot, 1, 0x6B0, period_ms, lease_ms, &value, 1, now_us);
}

TEST(cyclic, "a cyclic frame is sent at once and then each period, until its lease ends")
{
	set_cyclic(0, 100, 250, 1); /* sends at 0, 100, 200 ms */
	for (int i = 0; i < 3; ++i) {
		gateway_tick(&gateway, now_us);
		EQUAL(send_next(1)->id, 0x6B0);
		CHECK(!send_next(1));
		uint64_t next_us = gateway_tick(&gateway, now_us);
		CHECK(!send_next(1));
		EQUAL(next_us, now_us + 100 * MS);
		now_us = next_us;
	}
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	CHECK(!send_next(1));
	EQUAL(COUNT(CYCLIC_SENT), 3);
	EQUAL(COUNT(FORWARDED_TO_COUPLING), 0);
}

TEST(cyclic_phase, "a new payload keeps the phase; another period, id or bus, or a lease that ran out starts anew")
{
	set_cyclic(3, 100, 1000, 1);
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(1)->data[0], 1);
	now_us += 60 * MS;
	set_cyclic(3, 100, 100, 2);
	EQUAL(gateway_tick(&gateway, now_us), now_us + 40 * MS);
	CHECK(!send_next(1));
	now_us += 40 * MS;
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(1)->data[0], 2);
	EQUAL(gateway_tick(&gateway, now_us), now_us + 100 * MS);
	set_cyclic(3, 90, 100, 3);
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(1)->data[0], 3);
	gateway_set_cyclic(&gateway, 3, 1, 0x6B1, 90, 100, (const uint8_t *)"", 0, now_us);
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(1)->id, 0x6B1);
	gateway_set_cyclic(&gateway, 3, 0, 0x6B1, 90, 100, (const uint8_t *)"", 0, now_us);
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(0)->id, 0x6B1);
	now_us += 100 * MS; /* at the end of the lease, before a tick noticed */
	gateway_set_cyclic(&gateway, 3, 0, 0x6B1, 90, 100, (const uint8_t *)"", 0, now_us);
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(0)->id, 0x6B1);
}

TEST(cyclic_back, "a cyclic frame ends at once when the clock steps back, and one that is set again is due at once")
{
	now_us = 10000 * MS;
	set_cyclic(0, 200, 250, 1);
	gateway_tick(&gateway, now_us);
	CHECK(send_next(1));
	now_us -= GATEWAY_AGE_LIMIT_US;
	EQUAL(gateway_tick(&gateway, now_us), now_us + 250 * MS);
	CHECK(!send_next(1));
	now_us -= 1;
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	for (uint8_t value = 2; value < 4; ++value) { /* what the tick has ended, and what it has not noticed yet */
		set_cyclic(0, 200, 250, value);
		gateway_tick(&gateway, now_us);
		EQUAL(send_next(1)->data[0], value);
		now_us -= 5000 * MS;
	}
}

TEST(cyclic_clear, "a cleared slot sends no more, and the slots are independent")
{
	for (unsigned slot = 0; slot < GATEWAY_CYCLIC_SLOTS; ++slot)
		set_cyclic(slot, 20 + slot, 1000, (uint8_t)slot);
	gateway_clear_cyclic(&gateway, 2);
	gateway_clear_cyclic(&gateway, 2);
	EQUAL(gateway_tick(&gateway, now_us), now_us + 20 * MS);
	EQUAL(gateway_waiting(&gateway, 1), GATEWAY_CYCLIC_SLOTS - 1);
}

TEST(cyclic_dropped, "cyclic frames that cannot be sent are counted, whatever the reason")
{
	set_cyclic(0, 10, 60000, 1);
	gateway_set_bus_state(&gateway, 1, GATEWAY_STOPPED);
	gateway_tick(&gateway, now_us);
	EQUAL(COUNT(CYCLIC_DROPPED), 1);
	gateway_set_bus_state(&gateway, 1, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, 0, GATEWAY_STOPPED); /* of no concern to this bus */
	now_us += 10 * MS;
	gateway_tick(&gateway, now_us);
	EQUAL(gateway_waiting(&gateway, 1), 1);
	now_us += 51 * MS;
	gateway_tick(&gateway, now_us); /* one too old, one more queued */
	EQUAL(COUNT(CYCLIC_DROPPED), 2);
	EQUAL(COUNT(DROPPED_TOO_OLD), 0);
	while (receive(0, 1, "1"))
		;
	now_us += 10 * MS;
	gateway_tick(&gateway, now_us);
	EQUAL(COUNT(CYCLIC_DROPPED), 3);
}

TEST(plan_while_waiting, "plans that are loaded and committed while frames wait change none of them")
{
	for (unsigned bus = 0; bus < 2; ++bus)
		for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i)
			CHECK(receive(bus, 0x100 + i, "1 2 3 4 5 6 7 8"));
	for (unsigned i = 0; i < 3; ++i)
		commit_rule(0, 0x280 + i, "1 55");
	for (unsigned bus = 0; bus < 2; ++bus)
		for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i) {
			const struct gateway_frame *frame = send_next(bus);
			EQUAL(frame->id, 0x100 + i);
			BYTES(frame->data, 1, 2, 3, 4, 5, 6, 7, 8);
		}
}

TEST(one_bus_runs, "while only one bus has ever run nothing is rewritten, whichever it is")
{
	for (unsigned running = 0; running < 2; ++running) {
		gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
		gateway_set_bus_state(&gateway, running, GATEWAY_ERROR_ACTIVE);
		commit_rule(running ^ 1, 0x280, "1 55"); /* what is received by a controller that has not said yet that it runs */
		CHECK(receive(running ^ 1, 0x280, "1"));
		EQUAL(send_next(running)->data[0], 1);
		EQUAL(COUNT(REWRITTEN), 0);
	}
}

TEST(time_zero, "at time 0 a released plan or a stopped bus ends rewriting, and the tick only looks at the two queues")
{
	now_us = 0;
	commit_rule(0, 0x280, "1 55");
	SAME(pass(0x280, "1"), "55");
	gateway_release(&gateway);
	SAME(pass(0x280, "1"), "01");
	commit_rule(0, 0x280, "1 55");
	gateway_set_bus_state(&gateway, 0, GATEWAY_BUS_OFF);
	gateway_set_bus_state(&gateway, 0, GATEWAY_ERROR_ACTIVE);
	SAME(pass(0x280, "1"), "01");
	gateway_release(&gateway);
	for (unsigned i = 0; i < GATEWAY_QUEUE_FRAMES; ++i)
		CHECK(receive(1, 0x300, "1 2 3 4 5 6 7 8"));
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_AGE_LIMIT_US + 1);
	EQUAL(gateway_waiting(&gateway, 0), GATEWAY_QUEUE_FRAMES);
}

/* ---- the channel to the coupling's control unit, and frames of our own ---- */

static const uint32_t ids[] = {0x779, 0x9C42000F};
static const uint32_t testers[][2] = {{0x700, 0x71F}, {0x98DA0000, 0x98DBFFFF}};

static void open_channel(void)
{
	gateway_channel_open(&gateway, ids, 2, testers, 2, now_us);
}

TEST(channel_keeps, "a channel keeps frames of its identifiers from the chassis, and only those of the coupling")
{
	struct gateway_frame kept;
	open_channel();
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "1 2 3"));
	CHECK(!receive(GATEWAY_COUPLING, 0x9C42000F, "4"));
	CHECK(receive(GATEWAY_COUPLING, 0x778, "5"));
	CHECK(receive(GATEWAY_CHASSIS, 0x779, "6"));
	struct gateway_frame remote = {.id = 0x779 | GATEWAY_REMOTE, .dlc = 0};
	CHECK(receive_frame(GATEWAY_COUPLING, &remote));
	CHECK(gateway_channel_take(&gateway, &kept, now_us));
	EQUAL(kept.id, 0x779);
	EQUAL(kept.dlc, 3);
	BYTES(kept.data, 1, 2, 3);
	CHECK(gateway_channel_take(&gateway, &kept, now_us));
	EQUAL(kept.id, 0x9C42000F);
	CHECK(!gateway_channel_take(&gateway, &kept, now_us));
	EQUAL(COUNT(KEPT_BACK), 2);
	EQUAL(COUNT(RECEIVED_COUPLING), 4);
	EQUAL(latest_at(0)->received.count, 1);
	EQUAL(latest_at(0)->sent.count, 0);
}

TEST(channel_lease, "a channel that is not read for a second keeps nothing back any more")
{
	struct gateway_frame kept;
	open_channel();
	now_us += 999 * MS;
	CHECK(!gateway_channel_take(&gateway, &kept, now_us)); /* renews */
	now_us += 999 * MS;
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
	now_us += 1 * MS;
	CHECK(receive(GATEWAY_COUPLING, 0x779, "2"));
}

TEST(channel_close, "a closed channel forgets what it kept, and taking does not open it again")
{
	struct gateway_frame kept;
	open_channel();
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
	gateway_channel_close(&gateway);
	CHECK(!gateway_channel_take(&gateway, &kept, now_us));
	CHECK(receive(GATEWAY_COUPLING, 0x779, "2"));
}

TEST(channel_gives_way, "a tester's frame on either bus closes the channel before its answer, and it is opened only after it was closed")
{
	static const struct {
		unsigned bus;
		uint32_t id;
	} frames[] = {{GATEWAY_CHASSIS, 0x700}, {GATEWAY_COUPLING, 0x71F}, {GATEWAY_CHASSIS, 0x98DB33F1}};
	struct gateway_frame kept;
	for (unsigned i = 0; i < 3; ++i) {
		open_channel();
		CHECK(receive(GATEWAY_CHASSIS, 0x6FF, "1"));
		CHECK(receive(GATEWAY_CHASSIS, 0x720, "1"));
		CHECK(receive(GATEWAY_CHASSIS, 0x779, "1"));
		CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
		CHECK(!gateway_channel_yielded(&gateway));
		CHECK(receive(frames[i].bus, frames[i].id, "2 3E 0"));
		CHECK(gateway_channel_yielded(&gateway));
		CHECK(receive(GATEWAY_COUPLING, 0x779, "2 7E 0"));
		CHECK(!gateway_channel_take(&gateway, &kept, now_us));
		open_channel();
		CHECK(receive(GATEWAY_COUPLING, 0x779, "2 7E 0"));
		gateway_channel_close(&gateway);
		CHECK(!gateway_channel_yielded(&gateway));
	}
	CHECK(receive(GATEWAY_CHASSIS, 0x700, "1"));
	CHECK(!gateway_channel_yielded(&gateway));
}

TEST(channel_full, "a frame that does not fit in the channel is forwarded, and space that was freed is used")
{
	struct gateway_frame kept;
	open_channel();
	for (unsigned i = 0; i < GATEWAY_CHANNEL_FRAMES; ++i)
		CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
	CHECK(receive(GATEWAY_COUPLING, 0x779, "2"));
	CHECK(send_next(GATEWAY_CHASSIS));
	CHECK(gateway_channel_take(&gateway, &kept, now_us));
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "3"));
	for (unsigned i = 0; i < GATEWAY_CHANNEL_FRAMES; ++i)
		CHECK(gateway_channel_take(&gateway, &kept, now_us));
	BYTES(kept.data, 3);
}

TEST(own_frame, "a frame of our own is queued like any other, and not when its bus does not run")
{
	static const _Alignas(8) uint8_t data[8] = {3, 0x22, 0xF1, 0x9E, 9, 9, 9, 9};
	CHECK(gateway_send(&gateway, GATEWAY_COUPLING, 0x70F, data, 4, now_us));
	const struct gateway_frame *sent = send_next(GATEWAY_COUPLING);
	EQUAL(sent->id, 0x70F);
	EQUAL(sent->dlc, 4);
	BYTES(sent->data, 3, 0x22, 0xF1, 0x9E, 0, 0, 0, 0);
	EQUAL(COUNT(CYCLIC_SENT), 1);
	CHECK(gateway_send(&gateway, GATEWAY_CHASSIS, 0x70F, data, 8, now_us));
	BYTES(send_next(GATEWAY_CHASSIS)->data, 3, 0x22, 0xF1, 0x9E, 9, 9, 9, 9);
	gateway_set_bus_state(&gateway, GATEWAY_COUPLING, GATEWAY_BUS_OFF);
	CHECK(!gateway_send(&gateway, GATEWAY_COUPLING, 0x70F, data, 4, now_us));
}

TEST(received_age, "it is known when a frame of a range of identifiers was last received on a bus, ours not counted")
{
	static const _Alignas(8) uint8_t data[8];
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), GATEWAY_NEVER);
	gateway_send(&gateway, GATEWAY_COUPLING, 0x70F, data, 8, now_us);
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), GATEWAY_NEVER);
	CHECK(receive(GATEWAY_CHASSIS, 0x71F, "1"));
	now_us += 3 * MS;
	CHECK(receive(GATEWAY_CHASSIS, 0x700, "1"));
	CHECK(receive(GATEWAY_CHASSIS, 0x720, "1"));
	now_us += 2 * MS;
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), 2 * MS);
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x71F, 0x71F, now_us), 5 * MS);
	EQUAL(gateway_received_age(&gateway, GATEWAY_COUPLING, 0x700, 0x71F, now_us), GATEWAY_NEVER);
	CHECK(receive(GATEWAY_CHASSIS, 0x98DB33F1, "1"));
	now_us += 1 * MS;
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x98DA0000, 0x98DBFFFF, now_us), 1 * MS);
	CHECK(receive(GATEWAY_CHASSIS, 0x71F, "1"));
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), 0);
}

TEST(channel_shorter, "a channel of fewer identifiers and testers forgets those of the one before, and the tick sends nothing of it")
{
	static const uint32_t more[] = {0x300, 0x301, 0x302};
	gateway_channel_open(&gateway, more, 3, testers, 2, now_us);
	gateway_tick(&gateway, now_us);
	for (unsigned bus = 0; bus < 2; ++bus)
		EQUAL(gateway_waiting(&gateway, bus), 0);
	gateway_channel_close(&gateway);
	gateway_channel_open(&gateway, more, 1, testers, 1, now_us);
	CHECK(receive(GATEWAY_COUPLING, 0x301, "1"));
	CHECK(receive(GATEWAY_CHASSIS, 0x98DA0001, "1"));
	CHECK(!gateway_channel_yielded(&gateway));
	CHECK(!receive(GATEWAY_COUPLING, 0x300, "1"));
}

/* ---- recovery from bus-off, and what the core is told of it ---- */

TEST(recovery, "recovery from bus-off is tried after 100 ms, 200 ms and so on up to 2 s")
{
	static const unsigned expected_ms[] = {100, 200, 400, 800, 1600, 2000, 2000, 2000};
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us), BUS_NOTHING);
	EQUAL(recovery.state, BUS_RUNNING);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_PASSIVE, now_us), BUS_NOTHING);
	EQUAL(recovery.state, BUS_WARNING);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us), BUS_WENT_OFF);
	EQUAL(recovery.state, BUS_OFF);
	for (size_t i = 0; i < sizeof expected_ms / sizeof expected_ms[0]; ++i) {
		now_us += expected_ms[i] * MS - 1;
		EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us), BUS_NOTHING);
		++now_us;
		EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us), BUS_RECOVER);
	}
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us), BUS_CAME_BACK);
	EQUAL(recovery.state, BUS_RUNNING);
}

TEST(recovery_table, "every report in every state leads to the state and the action that it should")
{
	static const enum bus_recovery_report said[] = {BUS_REPORTS_STOPPED, BUS_REPORTS_ACTIVE, BUS_REPORTS_PASSIVE, BUS_REPORTS_OFF};
	static const struct {
		enum bus_recovery_report before; /* leads to the state that is left */
		unsigned waited_ms;
		enum bus_recovery_state state[4];   /* for each of the reports above */
		enum bus_recovery_action action[4];
	} rows[] = {
		{BUS_REPORTS_STOPPED, 500, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, 0, 0, BUS_WENT_OFF}},
		{BUS_REPORTS_ACTIVE, 500, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, 0, 0, BUS_WENT_OFF}},
		{BUS_REPORTS_PASSIVE, 500, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, 0, 0, BUS_WENT_OFF}},
		{BUS_REPORTS_OFF, 99, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, BUS_CAME_BACK, BUS_CAME_BACK, BUS_NOTHING}},
		{BUS_REPORTS_OFF, 100, {BUS_STOPPED, BUS_RUNNING, BUS_WARNING, BUS_OFF}, {0, BUS_CAME_BACK, BUS_CAME_BACK, BUS_RECOVER}},
	};
	for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row)
		for (unsigned i = 0; i < 4; ++i) {
			struct bus_recovery recovery;
			bus_recovery_init(&recovery);
			bus_recovery_step(&recovery, rows[row].before, now_us);
			EQUAL(bus_recovery_step(&recovery, said[i], now_us + rows[row].waited_ms * MS), rows[row].action[i]);
			EQUAL(recovery.state, rows[row].state[i]);
		}
}

TEST(follow_bus, "the core follows what a controller says: state, bus-offs and recoveries of each bus")
{
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_STOPPED, now_us), BUS_NOTHING);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_STOPPED);
	gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_ACTIVE, now_us);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_ACTIVE, now_us), BUS_NOTHING);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
	gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_PASSIVE, now_us);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_PASSIVE);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_OFF, now_us), BUS_WENT_OFF);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_BUS_OFF);
	EQUAL(COUNT(BUS_OFF_COUPLING), 1);
	EQUAL(COUNT(RECOVERIES_COUPLING), 0);
	EQUAL(gateway_follow_bus(&gateway, GATEWAY_COUPLING, &recovery, BUS_REPORTS_ACTIVE, now_us), BUS_CAME_BACK);
	EQUAL(gateway.state[GATEWAY_COUPLING], GATEWAY_ERROR_ACTIVE);
	EQUAL(COUNT(RECOVERIES_COUPLING), 1);
	EQUAL(COUNT(BUS_OFF_CHASSIS), 0);
	EQUAL(gateway.state[GATEWAY_CHASSIS], GATEWAY_ERROR_ACTIVE);
}

TEST(recovery_since, "a bus that runs again has held for 2 s when it has run for 2 s, however long it was off")
{
	struct bus_recovery recovery;
	bus_recovery_init(&recovery);
	bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_OFF, now_us += 100 * MS), BUS_RECOVER);
	EQUAL(bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 150 * MS), BUS_CAME_BACK);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 1900 * MS);
	EQUAL(recovery.back_off_us, 200 * MS);
	bus_recovery_step(&recovery, BUS_REPORTS_ACTIVE, now_us += 100 * MS);
	EQUAL(recovery.back_off_us, 100 * MS);
}
