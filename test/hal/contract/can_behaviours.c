/*
 * What every driver of two CAN buses does: frames pass as modules/can-gateway/README.md promises, whatever
 * the controllers are. One list for the boards of hal/esp32 and for the host; can.test.ts runs each behaviour
 * on each board (CAN_BOARD), from each bus (CAN_FROM).
 */
#include "can_board.h"

struct can_board *can_boards;

static const struct can_board *board;
static struct gateway_frame frame;

#define COUNTED(name) (board->gateway()->counters[GATEWAY_##name])
#define STATE(bus) (board->gateway()->state[bus])

/* A case on each board and in both directions, unless the environment names one of them. */
#define BEHAVIOUR(function, sentence) \
	static void function(unsigned from, unsigned to); \
	TEST(function##_on_boards, sentence) \
	{ \
		run_on_boards(function); \
	} \
	static void function(unsigned from, unsigned to)

/* Frames pass `from` one bus `to` the other. Each run begins with a board that has just been switched on. */
static void run_on_boards(void (*behaviour)(unsigned from, unsigned to))
{
	const char *name = getenv("CAN_BOARD"), *from = getenv("CAN_FROM");
	unsigned runs = 0;
	for (board = can_boards; board; board = board->next)
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
			if ((name && strcmp(name, board->name)) || (from && (unsigned)atoi(from) != bus))
				continue;
			start();
			behaviour(bus, bus ^ 1);
			++runs;
		}
	CHECK(runs);
}

static void block(unsigned bus, bool on)
{
	if (board->block)
		board->block(bus, on);
}

/* The identifier that leaves on a bus, 0 = none. */
static uint32_t leave(unsigned bus)
{
	return board->leave(bus, &frame) ? frame.id : 0;
}

BEHAVIOUR(can_formats, "frames leave with the identifier, its type, the remote flag, the DLC and the data that they came with")
{
	static const uint32_t ids[] = {
		1, 0x7FF, GATEWAY_EXTENDED | 1, GATEWAY_EXTENDED | 0x1FFFFFFF, GATEWAY_EXTENDED | 0x12345678, 0x555 | GATEWAY_REMOTE,
		0x1ABCDEF0 | GATEWAY_EXTENDED | GATEWAY_REMOTE};
	board->begin(ALL_THERE);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i)
		for (unsigned dlc = 0; dlc <= 8; ++dlc) {
			board->arrive(from, ids[i], dlc);
			EQUAL(leave(to), ids[i]);
			EQUAL(frame.dlc, dlc);
			for (unsigned at = 0; at < dlc && !(ids[i] & GATEWAY_REMOTE); ++at)
				EQUAL(frame.data[at], at + 1);
			EQUAL(leave(to), 0);
		}
	EQUAL(COUNTED(FORWARDED_TO_CHASSIS + to), 7 * 9);
	EQUAL(COUNTED(MALFORMED), 0);
}

BEHAVIOUR(can_rewrites, "frames are rewritten by the active plan, and leave as they came once its lease has run out")
{
	struct builder plan;
	int item;
	board->begin(ALL_THERE);
	plan_begin(&plan, 1);
	plan_rule(&plan, from, 0x280, "1 55");
	CHECK(gateway_load_plan(board->gateway(), plan.bytes, plan.size, &item) == NULL);
	gateway_commit(board->gateway(), GATEWAY_FULL_FACTOR, 0xFF, GATEWAY_MAX_LEASE_MS, board->now_us());
	board->arrive(from, 0x280, 2);
	EQUAL(leave(to), 0x280);
	BYTES(frame.data, 0x55, 2);
	board->arrive(to, 0x280, 2);
	EQUAL(leave(from), 0x280);
	BYTES(frame.data, 1, 2);
	board->run(GATEWAY_MAX_LEASE_MS * MS);
	EQUAL(COUNTED(LEASE_EXPIRIES), 1);
	board->arrive(from, 0x280, 2);
	EQUAL(leave(to), 0x280);
	BYTES(frame.data, 1, 2);
}

BEHAVIOUR(can_order, "frames leave in the order in which they came, whatever their identifiers, and so do those of the other direction")
{
	static const uint32_t ids[] = {0x100, 0x7FF, 0x001, GATEWAY_EXTENDED | 0x5000000, 0x300};
	board->begin(ALL_THERE);
	for (unsigned i = 0; i < 60; ++i) {
		board->arrive(from, ids[i % 5], i % 9);
		board->arrive(to, ids[(i + 2) % 5], i % 7);
	}
	for (unsigned i = 0; i < 60; ++i) {
		EQUAL(leave(to), ids[i % 5]);
		EQUAL(frame.dlc, i % 9);
		EQUAL(leave(from), ids[(i + 2) % 5]);
		EQUAL(frame.dlc, i % 7);
	}
	EQUAL(leave(to), 0);
	EQUAL(leave(from), 0);
}

BEHAVIOUR(can_full, "frames that find the queue full are dropped and counted, and those before them leave in their order")
{
	enum { COME = 300, CONTROLLER_HOLDS = 3 };
	unsigned left = 0;
	board->begin(ALL_THERE);
	block(to, true);
	for (uint32_t id = 1; id <= COME; ++id)
		board->arrive(from, id, 8);
	block(to, false);
	while (leave(to))
		EQUAL(frame.id, ++left);
	CHECK(left > 100);
	EQUAL(left + COUNTED(DROPPED_QUEUE_FULL) + COUNTED(DROPPED_TOO_OLD), COME);
	CHECK(COUNTED(DROPPED_QUEUE_FULL) <= COME - GATEWAY_QUEUE_FRAMES);
	CHECK(COUNTED(DROPPED_QUEUE_FULL) >= COME - GATEWAY_QUEUE_FRAMES - CONTROLLER_HOLDS);
}

BEHAVIOUR(can_age, "frames that no controller takes for 50 ms never leave, the other direction goes on, and the next frame leaves")
{
	board->begin(ALL_THERE);
	block(to, true);
	for (uint32_t id = 1; id <= 10; ++id)
		board->arrive(from, id, 8);
	board->run(GATEWAY_AGE_LIMIT_US + 10 * MS);
	EQUAL(gateway_waiting(board->gateway(), to), 0);
	board->arrive(to, 0x2C0, 8);
	EQUAL(leave(from), 0x2C0);
	block(to, false);
	EQUAL(leave(to), 0);
	board->arrive(from, 0x77, 8);
	EQUAL(leave(to), 0x77);
}

BEHAVIOUR(can_passive, "an error-passive controller is told of, and frames pass all the same")
{
	board->begin(ALL_THERE);
	board->make_passive(to, true);
	board->run(150 * MS);
	EQUAL(STATE(to), GATEWAY_ERROR_PASSIVE);
	EQUAL(STATE(from), GATEWAY_ERROR_ACTIVE);
	board->arrive(from, 0x280, 8);
	EQUAL(leave(to), 0x280);
	board->make_passive(to, false);
	board->run(150 * MS);
	EQUAL(STATE(to), GATEWAY_ERROR_ACTIVE);
	EQUAL(COUNTED(BUS_OFF_CHASSIS) + COUNTED(BUS_OFF_COUPLING), 0);
}

BEHAVIOUR(can_bus_off, "a bus that is off loses frames that wait or come for it, and frames pass once it has recovered")
{
	board->begin(ALL_THERE);
	block(to, true);
	for (uint32_t id = 1; id <= 10; ++id)
		board->arrive(from, id, 8);
	board->fail(to, true);
	board->run(30 * MS);
	EQUAL(STATE(to), GATEWAY_BUS_OFF);
	EQUAL(STATE(from), GATEWAY_ERROR_ACTIVE);
	EQUAL(gateway_waiting(board->gateway(), to), 0);
	uint32_t dropped = COUNTED(DROPPED_NOT_RUNNING);
	CHECK(dropped >= 7); /* the controller held the others */
	board->arrive(from, 0x280, 8);
	EQUAL(COUNTED(DROPPED_NOT_RUNNING), dropped + 1);
	board->run(1000 * MS);
	EQUAL(STATE(to), GATEWAY_BUS_OFF);
	EQUAL(COUNTED(BUS_OFF_CHASSIS + to), 1);
	EQUAL(COUNTED(RECOVERIES_CHASSIS + to), 0);
	board->fail(to, false);
	block(to, false);
	board->run(2000 * MS); /* the longest back-off */
	EQUAL(STATE(to), GATEWAY_ERROR_ACTIVE);
	EQUAL(COUNTED(RECOVERIES_CHASSIS + to), 1);
	EQUAL(leave(to), 0);
	board->arrive(from, 0x281, 8);
	EQUAL(leave(to), 0x281);
}

BEHAVIOUR(can_missing, "a bus without a controller, or without a client, is stopped, and the other one is served all the same")
{
	board->begin(to);
	EQUAL(STATE(to), GATEWAY_STOPPED);
	EQUAL(STATE(from), GATEWAY_ERROR_ACTIVE);
	board->arrive(from, 0x280, 8);
	EQUAL(COUNTED(RECEIVED_CHASSIS + from), 1);
	EQUAL(COUNTED(DROPPED_NOT_RUNNING), 1);
	CHECK(gateway_send(board->gateway(), from, 0x6B0, (const uint8_t[8]){0}, 8, board->now_us()));
	board->run(1 * MS);
	EQUAL(leave(from), 0x6B0);
}

BEHAVIOUR(can_cyclic, "a cyclic frame leaves in each of its periods, without a frame having come")
{
	static const uint8_t payload[8];
	unsigned left = 0;
	board->begin(ALL_THERE);
	gateway_set_cyclic(board->gateway(), 0, to, 0x6B0, 10, 1000, payload, 8, board->now_us());
	for (unsigned ms = 0; ms < 95; ++ms) {
		board->run(1 * MS);
		left += leave(to) == 0x6B0;
		EQUAL(leave(from), 0);
	}
	CHECK(left >= 10);
	EQUAL(COUNTED(CYCLIC_SENT), left);
}
