/* Plans that generate: frames sent without one having come. */
#include "testing.h"

static struct builder plan;

/*
 * Generates 0x100 each 10 ms with a counter and a scaled byte, 0x200 each 25 ms; 0x300 of the chassis passes.
 */
static void plan_generates(uint8_t counter_set)
{
	plan_begin(&plan, counter_set);
	plan.bytes[8] = 1;
	plan_counter(&plan, 0, 1, 2, 0);
	memcpy(plan_rule(&plan, GATEWAY_COUPLING, 0x100, "4 0 0, 2 C8 0") + 5, (uint8_t[]){0, 2, 2}, 3);
	memcpy(plan_rule(&plan, GATEWAY_COUPLING, 0x200, "1 AA 0") + 5, (uint8_t[]){5, 5, 1}, 3);
	plan_rule(&plan, GATEWAY_CHASSIS, 0x300, "");
}

/* Commits and ticks, as a driver does, each millisecond. */
static void live(unsigned ms)
{
	for (unsigned i = 0; i < ms; ++i) {
		now_us += 1 * MS;
		gateway_commit(&gateway, GATEWAY_FULL_FACTOR, 0, 240, now_us);
		gateway_tick(&gateway, now_us);
	}
}

static unsigned sent_of(uint32_t id)
{
	return send_all(GATEWAY_COUPLING, id);
}

static void begin(uint8_t counter_set)
{
	plan_generates(counter_set);
	plan_commit(&plan, GATEWAY_FULL_FACTOR);
}

static void begin_and_listen(void)
{
	begin(1);
	live(GATEWAY_LISTEN_US / 1000 - 1);
	CHECK(!gateway_waiting(&gateway, GATEWAY_COUPLING));
	live(1);
}

/* What a sample says: active, and the identifier that keeps it silent. */
static uint32_t heard(uint8_t *plan_active)
{
	uint8_t sample[GATEWAY_SAMPLE_HEADER_BYTES];
	gateway_sample(&gateway, sample, now_us);
	*plan_active = sample[6];
	return gateway_u32(sample + 12);
}

TEST(generates, "a plan that generates listens for 3 s, then sends each frame at its period and phase")
{
	uint8_t plan_active;
	begin(1);
	EQUAL(gateway_tick(&gateway, now_us), now_us + 1000 * MS);
	EQUAL(heard(&plan_active), GATEWAY_LISTENING);
	EQUAL(plan_active, 0);
	live(GATEWAY_LISTEN_US / 1000 - 1);
	CHECK(!gateway_waiting(&gateway, GATEWAY_COUPLING));
	live(1);
	EQUAL(heard(&plan_active), 0);
	EQUAL(plan_active, 1);
	EQUAL(gateway_tick(&gateway, now_us), now_us + 2500);
	const struct gateway_frame *frame = send_next(GATEWAY_COUPLING);
	EQUAL(frame->id, 0x100);
	EQUAL(frame->dlc, 2);
	BYTES(frame->data, 0, 0xC8, 0);
	now_us += 2500;
	EQUAL(gateway_tick(&gateway, now_us), now_us + 7500);
	EQUAL(send_next(GATEWAY_COUPLING)->id, 0x200);
	uint64_t start_us = now_us - 2500;
	for (unsigned ms = 1; ms <= 1000; ++ms) {
		now_us = start_us + ms * 1000;
		gateway_commit(&gateway, GATEWAY_FULL_FACTOR, 0, 240, now_us);
		gateway_tick(&gateway, now_us);
		unsigned fast = ms % 10 == 0, slow = ms % 25 == 3;
		EQUAL(gateway_waiting(&gateway, GATEWAY_COUPLING), fast + slow - (ms == 3));
		send_all(GATEWAY_COUPLING, 0);
	}
	EQUAL(COUNT(CYCLIC_SENT), 2 + 100 + 39);
}

TEST(generates_counter, "counters of a plan that generates go on, and stand while its bus takes nothing")
{
	begin_and_listen();
	EQUAL(send_next(GATEWAY_COUPLING)->data[0], 0);
	live(30);
	unsigned expected = 1;
	for (const struct gateway_frame *frame; (frame = send_next(GATEWAY_COUPLING));)
		if (frame->id == 0x100)
			EQUAL(frame->data[0], expected++ % 3);
	EQUAL(expected, 4);
	while (receive(GATEWAY_CHASSIS, 0x300, "1"))
		;
	live(10);
	EQUAL(COUNT(CYCLIC_DROPPED), 1);
	send_all(GATEWAY_COUPLING, 0);
	live(10);
	EQUAL(send_next(GATEWAY_COUPLING)->data[0], 1);
}

TEST(generates_unwrapped, "ADVANCE takes a counter one step further without its wrap, and shows nothing")
{
	plan_generates(1);
	memcpy(plan_rule(&plan, GATEWAY_COUPLING, 0x400, "7 0 0") + 5, (uint8_t[]){0, 2, 8}, 3);
	plan_commit(&plan, 0);
	live(GATEWAY_LISTEN_US / 1000 + 40);
	unsigned expected[] = {0, 2, 1, 3, 1};
	for (unsigned i = 0; i < 5; ++i) {
		const struct gateway_frame *frame = send_next(GATEWAY_COUPLING);
		if (frame->id == 0x200)
			frame = send_next(GATEWAY_COUPLING);
		EQUAL(frame->data[0], expected[i]);
		do {
			frame = send_next(GATEWAY_COUPLING);
		} while (frame && frame->id == 0x200);
		EQUAL(frame->id, 0x400);
		EQUAL(frame->data[0], 0);
	}
}

TEST(generates_twice, "a counter that a generated frame shows twice advances once")
{
	plan_begin(&plan, 1);
	plan.bytes[8] = 1;
	plan_counter(&plan, 0, 1, 255, 0);
	memcpy(plan_rule(&plan, GATEWAY_COUPLING, 0x100, "4 0 0, 5 0 10") + 5, (uint8_t[]){0, 2, 2}, 3);
	plan_commit(&plan, 0);
	live(GATEWAY_LISTEN_US / 1000 + 20);
	for (uint8_t expected = 0; expected < 2; ++expected) {
		const struct gateway_frame *frame = send_next(GATEWAY_COUPLING);
		BYTES(frame->data, expected, expected + 0x10);
	}
}

TEST(generates_lease, "generation ends at once with the lease, and all frames pass again; renewed, it goes on without listening")
{
	begin_and_listen();
	CHECK(!receive(GATEWAY_CHASSIS, 0x123, "1"));
	EQUAL(COUNT(WITHHELD), 1);
	send_all(GATEWAY_COUPLING, 0);
	now_us += 240 * MS;
	CHECK(receive(GATEWAY_CHASSIS, 0x123, "2"));
	EQUAL(sent_of(0x123), 1);
	EQUAL(gateway_tick(&gateway, now_us), GATEWAY_NEVER);
	EQUAL(COUNT(LEASE_EXPIRIES), 1);
	CHECK(!send_next(GATEWAY_COUPLING));
	CHECK(receive(GATEWAY_CHASSIS, 0x123, "2"));
	EQUAL(sent_of(0x123), 1);
	CHECK(gateway_commit(&gateway, 0, 0, 240, now_us));
	gateway_tick(&gateway, now_us);
	EQUAL(send_next(GATEWAY_COUPLING)->id, 0x100);
	CHECK(!gateway_commit(&gateway, 0, 0, 240, now_us));
}

TEST(generates_withholds, "a plan that generates lets only its list of the chassis reach the coupling; the rest is still watched, and the chassis gets all")
{
	uint8_t sample[GATEWAY_SAMPLE_HEADER_BYTES + GATEWAY_SAMPLE_ENTRY_BYTES];
	watch("1 3 0 0 0 1 0 0");
	begin_and_listen();
	send_all(GATEWAY_COUPLING, 0);
	CHECK(receive(GATEWAY_CHASSIS, 0x300, "1 2"));
	BYTES(send_next(GATEWAY_COUPLING)->data, 1, 2, 0);
	CHECK(!receive(GATEWAY_CHASSIS, 0x301, "9"));
	gateway_sample(&gateway, sample, now_us);
	EQUAL(sample[GATEWAY_SAMPLE_HEADER_BYTES + 4], 9);
	CHECK(!receive(GATEWAY_CHASSIS, 0x80000300, "1"));
	struct gateway_frame remote = {.id = 0x301 | GATEWAY_REMOTE, .dlc = 2};
	CHECK(!receive_frame(GATEWAY_CHASSIS, &remote));
	EQUAL(COUNT(WITHHELD), 3);
	CHECK(receive(GATEWAY_COUPLING, 0x301, "1"));
	EQUAL(COUNT(RECEIVED_CHASSIS), 4);
	EQUAL(COUNT(REWRITTEN), 0);
}

TEST(generates_conflict, "an own frame heard on either bus, data or remote, silences generation for 3 s, and the sample names it")
{
	static const struct {
		unsigned bus;
		uint32_t id, heard;
	} frames[] = {
		{GATEWAY_CHASSIS, 0x100, 0x100}, {GATEWAY_COUPLING, 0x200, 0x40000200}, {GATEWAY_CHASSIS, 0x200 | GATEWAY_REMOTE, 0x200},
	};
	uint8_t plan_active;
	begin_and_listen();
	for (unsigned i = 0; i < 3; ++i) {
		send_all(GATEWAY_COUPLING, 0);
		struct gateway_frame frame = {.id = frames[i].id, .dlc = 1, .data = {7}};
		CHECK(receive_frame(frames[i].bus, &frame));
		send_next(GATEWAY_COUPLING);
		EQUAL(heard(&plan_active), frames[i].heard);
		EQUAL(plan_active, 0);
		live(GATEWAY_LISTEN_US / 1000 - 1);
		CHECK(!send_next(GATEWAY_COUPLING));
		CHECK(receive(GATEWAY_CHASSIS, 0x301, "1"));
		EQUAL(sent_of(0x301), 1);
		live(1);
		EQUAL(send_next(GATEWAY_COUPLING)->id, 0x100);
		EQUAL(heard(&plan_active), 0);
	}
}

TEST(generates_heard_before, "an own frame heard while the plan listens begins the 3 s anew")
{
	begin(1);
	live(2000);
	CHECK(receive(GATEWAY_CHASSIS, 0x100, "1"));
	send_next(GATEWAY_COUPLING);
	live(2999);
	CHECK(!send_next(GATEWAY_COUPLING));
	live(1);
	CHECK(send_next(GATEWAY_COUPLING));
}

TEST(generates_deaf, "after a stop of either bus the plan listens for 3 s anew")
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		uint8_t plan_active;
		begin(1);
		live(GATEWAY_LISTEN_US / 1000);
		CHECK(send_next(GATEWAY_COUPLING));
		gateway_set_bus_state(&gateway, bus, GATEWAY_BUS_OFF);
		live(20);
		CHECK(!send_next(GATEWAY_COUPLING));
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
		live(20);
		CHECK(!send_next(GATEWAY_COUPLING));
		heard(&plan_active);
		heard(&plan_active);
		live(1);
		EQUAL(heard(&plan_active), GATEWAY_LISTENING);
		live(GATEWAY_LISTEN_US / 1000 - 1);
		CHECK(!send_next(GATEWAY_COUPLING));
		live(1);
		CHECK(send_next(GATEWAY_COUPLING));
		send_all(GATEWAY_COUPLING, 0);
	}
}

TEST(generates_plans, "a new plan of the same counter set keeps the phase, one of another set listens first, one that rewrites ends generation")
{
	begin_and_listen();
	sent_of(0);
	live(4);
	begin(1);
	live(5);
	EQUAL(sent_of(0x100), 0);
	live(1);
	EQUAL(sent_of(0x100), 1);
	begin(2);
	live(100);
	EQUAL(sent_of(0x100), 0);
	live(GATEWAY_LISTEN_US / 1000);
	CHECK(sent_of(0x100) > 0);
	plan_generates(2);
	plan_rule(&plan, GATEWAY_CHASSIS, 0x310, "");
	plan_commit(&plan, 0);
	live(100);
	EQUAL(sent_of(0x100), 0);
	plan_begin(&plan, 2);
	plan_rule(&plan, GATEWAY_CHASSIS, 0x100, "1 55 0");
	plan_commit(&plan, 0);
	gateway_tick(&gateway, now_us);
	CHECK(!gateway_waiting(&gateway, GATEWAY_COUPLING));
	SAME(pass(0x100, "1"), "55");
	SAME(pass(0x301, "1"), "01");
}

TEST(generates_refused, "a plan that generates is rejected for phase, period and length; one identifier may come twice")
{
	static const struct {
		unsigned at;
		uint8_t value;
		int rule;
		const char *wrong;
	} changes[] = {
		{16 + 44 + 5, 10, 1, "phase above 9"}, {16 + 44 + 6, 201, 1, "period above 200"}, {16 + 44 + 7, 0, 1, "dlcOut is 0"},
		{16 + 44 + 7, 9, 1, "dlcOut above 8"}, {16 + 7, 0, 0, "dlcOut is 0"} /* without phase */, {8, 2, -1, "unknown kind"},
		{11, 1, -1, "reserved byte not 0"},
	};
	plan_generates(1);
	for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i)
		plan_is_rejected(&plan, changes[i].at, changes[i].value, changes[i].rule, changes[i].wrong);
	plan_rule(&plan, GATEWAY_COUPLING, 0x200, "1 BB 0")[7] = 1;
	plan.bytes[16 + 3 * 44 + 6] = 5;
	plan_load(&plan);
}

TEST(generates_slowest, "the latest phase and the longest period are accepted: first frame after 5 ms, then one a second")
{
	plan_generates(1);
	memcpy(plan_rule(&plan, GATEWAY_COUPLING, 0x400, "1 12 0") + 5, (uint8_t[]){GATEWAY_MAX_PHASE, GATEWAY_MAX_PERIOD, 1}, 3);
	plan_commit(&plan, 0);
	live(GATEWAY_LISTEN_US / 1000 + 4);
	EQUAL(sent_of(0x400), 0);
	for (unsigned ms = 1; ms <= 1001; ++ms) {
		live(1);
		EQUAL(sent_of(0x400), ms == 1 || ms == 1001);
	}
}

TEST(generates_checksum, "generated frames carry checksums of the sent bytes, and words that are added to 0")
{
	plan_generates(1);
	uint8_t *rule = plan_rule(&plan, GATEWAY_COUPLING, 0x400, "1 12 0, 1 34 0, 6 40 0, 0 0 0");
	memcpy(rule + 5, (uint8_t[]){0, 2, 5}, 3);
	rule_step(rule, 0, GATEWAY_XOR, 4, 0x0F, 0, 0);
	rule_step(rule, 1, GATEWAY_SUM, 5, 0x0F, 0, 0);
	plan_commit(&plan, GATEWAY_FULL_FACTOR);
	live(GATEWAY_LISTEN_US / 1000);
	const struct gateway_frame *frame = send_next(GATEWAY_COUPLING);
	while (frame && frame->id != 0x400)
		frame = send_next(GATEWAY_COUPLING);
	EQUAL(frame->dlc, 5);
	BYTES(frame->data, 0x12, 0x34, 0x40, 0, 0x12 ^ 0x34 ^ 0x40, 0, 0, 0);
}

static void hear_another(void)
{
	receive(GATEWAY_CHASSIS, 0x100, "7");
}

static void end_lease(void)
{
	now_us = gateway.lease_until_us;
}

static void stop_chassis(void)
{
	gateway_set_bus_state(&gateway, GATEWAY_CHASSIS, GATEWAY_BUS_OFF);
}

static void release(void)
{
	gateway_release(&gateway);
}

static void switch_off(void)
{
	plan_begin(&plan, 1);
	plan_rule(&plan, GATEWAY_CHASSIS, 0x280, "1 55 0");
	plan_commit(&plan, 0);
}

/* What ends it, and the identifier that is to leave then, of those that wait. */
static const struct {
	void (*happens)(void);
	uint32_t leaves;
} ends[] = {
	{hear_another, 0x100}, {end_lease, 0}, {stop_chassis, 0}, {release, 0}, {switch_off, 0},
};

TEST(generates_backlog, "generated frames that wait are dropped when generation ends, for whatever reason; forwarded ones stay")
{
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; ++i) {
		start();
		begin_and_listen();
		live(30);
		CHECK(receive(GATEWAY_CHASSIS, 0x300, "5"));
		live(10);
		uint32_t generated = gateway_waiting(&gateway, GATEWAY_COUPLING) - 1;
		CHECK(generated >= 6);
		gateway.lease_until_us = gateway.rewrite_until_us = now_us + 1; /* it ends before they are too old */
		ends[i].happens();
		EQUAL(send_next(GATEWAY_COUPLING)->id, 0x300);
		const struct gateway_frame *frame = send_next(GATEWAY_COUPLING);
		EQUAL(frame ? frame->id : 0, ends[i].leaves);
		CHECK(!frame || frame->dlc == 1);
		CHECK(!send_next(GATEWAY_COUPLING));
		EQUAL(COUNT(CYCLIC_DROPPED), generated);
	}
}

TEST(generates_with_controller, "a generated frame that a controller has may leave until generation is silent, and no longer than the lease")
{
	begin_and_listen();
	CHECK(gateway_next_to_send(&gateway, GATEWAY_COUPLING, now_us));
	EQUAL(gateway_send_until(&gateway, GATEWAY_COUPLING), now_us + GATEWAY_AGE_LIMIT_US);
	gateway_commit(&gateway, 0, 0, 20, now_us);
	EQUAL(gateway_send_until(&gateway, GATEWAY_COUPLING), now_us + 20 * MS - 1);
	hear_another();
	EQUAL(gateway_send_until(&gateway, GATEWAY_COUPLING), 0);
	gateway_aborted(&gateway, GATEWAY_COUPLING);
	EQUAL(send_next(GATEWAY_COUPLING)->dlc, 1);
	uint8_t data[8] = {1};
	gateway_send(&gateway, GATEWAY_COUPLING, 0x123, data, 1, now_us);
	EQUAL(send_next(GATEWAY_COUPLING)->id, 0x123); /* frames of ours that no plan generates are left alone */
}
