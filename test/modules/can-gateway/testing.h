/*
 * The frame of the core's C tests: cases with a sentence for a name, checks that end a case, and builders for
 * plans and frames. core.test.ts finds the cases by their TEST lines and runs each in a process of its own.
 */
#ifndef TESTING_H
#define TESTING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus_recovery.h"

struct test_case {
	const char *title;
	void (*run)(void);
	struct test_case *next;
};
extern struct test_case *test_cases;

#define TEST(function, sentence) \
	static void function(void); \
	static struct test_case function##_case = {sentence, function, NULL}; \
	__attribute__((constructor)) static void function##_register(void) \
	{ \
		function##_case.next = test_cases; \
		test_cases = &function##_case; \
	} \
	static void function(void)

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			test_fail(__FILE__, __LINE__, #condition, 0, 0); \
	} while (0)
#define EQUAL(actual, expected) \
	do { \
		long long actual_ = (long long)(actual), expected_ = (long long)(expected); \
		if (actual_ != expected_) \
			test_fail(__FILE__, __LINE__, #actual, actual_, expected_); \
	} while (0)
#define SAME(actual, expected) CHECK(strcmp((actual), (expected)) == 0)
/* Compares bytes with a list of them. */
#define BYTES(actual, ...) \
	do { \
		const uint8_t expected_[] = {__VA_ARGS__}; \
		test_bytes(__FILE__, __LINE__, (actual), expected_, sizeof expected_); \
	} while (0)

_Noreturn void test_fail(const char *file, int line, const char *what, long long actual, long long expected);
void test_bytes(const char *file, int line, const uint8_t *actual, const uint8_t *expected, size_t count);

/* ---- a gateway under test: both buses run, time stands at 1 s ---- */

#define LATEST 16u
#define RING 8u
#define MS 1000u

extern struct gateway gateway;
extern uint64_t now_us;
extern struct gateway_latest test_latest[LATEST + 1];
extern struct gateway_record test_ring[RING];

void start(void);

/* Receives. Returns whether the frame waits to be sent now. */
bool receive_frame(unsigned bus, const struct gateway_frame *frame);

/* The same; data as "01 02 03", its number of bytes is the DLC. */
bool receive(unsigned bus, uint32_t id, const char *data);

/* Takes out and sends the next frame; NULL = none. Valid until the next call. */
const struct gateway_frame *send_next(unsigned bus);

/* Sends all that wait. Returns how many of them have this identifier. */
unsigned send_all(unsigned bus, uint32_t id);

/*
 * The entry with this number among the latest frames, in the order in which their ids were first seen; NULL
 * at the end.
 */
const struct gateway_latest *latest_at(uint32_t index);

/* Watches frames, eight bytes each as text. */
void watch(const char *list);

/* A list that is rejected for this reason; `item` is named. */
void watch_is_rejected(const char *list, int item, const char *reason);

/* Receives on the chassis and returns the data sent on the coupling as text, "-" for none. */
const char *pass(uint32_t id, const char *data);

/* ---- plans ---- */

struct builder {
	uint8_t bytes[GATEWAY_MAX_PLAN_BYTES + 64];
	size_t size;
};

/* Starts with a header: CRC-8/AUTOSAR, nothing in it. */
void plan_begin(struct builder *plan, uint8_t counter_set);
void plan_counter(struct builder *plan, uint8_t initial, uint8_t step, uint8_t wrap_above, uint8_t wrap_to);
void plan_data_ids(struct builder *plan, const char *sixteen_bytes);
/*
 * Operations as text, "op a b" for each byte separated by commas; missing ones are KEEP. Returns the rule to
 * change.
 */
uint8_t *plan_rule(struct builder *plan, unsigned bus, uint32_t id, const char *operations);
void rule_step(uint8_t *rule, unsigned number, uint8_t kind, uint8_t target, uint8_t mask, uint8_t data_id, uint8_t position);
/* After all rules: frames of this rule whose masked word at this byte lies in this range are invalid. */
void plan_mark(struct builder *plan, unsigned rule, unsigned at, unsigned mask, unsigned first, unsigned last);
/* After all marks: `low` + `span` at full factor in these bits, changed by at most `step` a frame. */
void plan_field(struct builder *plan, unsigned rule, unsigned start, unsigned length, unsigned step, unsigned low, unsigned span);
/* With this byte the plan is rejected for this reason, and `rule` is named. The plan stays as it was. */
void plan_is_rejected(const struct builder *plan, size_t at, uint8_t value, int rule, const char *reason);
/* Has the gateway accept it. */
void plan_load(const struct builder *plan);
/* Loads and commits at this factor with all groups and the longest lease. */
void plan_commit(const struct builder *plan, uint32_t factor);
/* The same of a plan with one rule, at factor 0. */
void commit_rule(unsigned bus, uint32_t id, const char *operations);

#define COUNT(name) gateway.counters[GATEWAY_##name]

#endif
