/* See testing.h. Without an argument all cases run; with one, the case of this title. */
#include "testing.h"

struct test_case *test_cases;
struct gateway gateway;
uint64_t now_us;
struct gateway_latest test_latest[LATEST + 1];
struct gateway_record test_ring[RING];

_Noreturn void test_fail(const char *file, int line, const char *what, long long actual, long long expected)
{
	fprintf(stderr, "%s:%d: %s: is %lld, expected %lld\n", file, line, what, actual, expected);
	exit(1);
}

void test_bytes(const char *file, int line, const uint8_t *actual, const uint8_t *expected, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (actual[i] != expected[i])
			test_fail(file, line, "byte differs", actual[i], expected[i]);
}

void start(void)
{
	gateway_init(&gateway, test_latest, LATEST, test_ring, RING);
	now_us = 1000 * MS;
	gateway_set_bus_state(&gateway, GATEWAY_CHASSIS, GATEWAY_ERROR_ACTIVE);
	gateway_set_bus_state(&gateway, GATEWAY_COUPLING, GATEWAY_ERROR_ACTIVE);
}

static size_t parse_hex(const char *text, uint8_t *bytes)
{
	size_t count = 0;
	for (char *end; *text; text = end) {
		bytes[count++] = (uint8_t)strtoul(text, &end, 16);
		if (end == text)
			test_fail(text, 0, "no hexadecimal number", 0, 0);
	}
	return count;
}

bool receive_frame(unsigned bus, const struct gateway_frame *frame)
{
	uint32_t waiting = gateway_waiting(&gateway, bus ^ 1);
	gateway_receive(&gateway, bus, frame, now_us);
	return gateway_waiting(&gateway, bus ^ 1) > waiting;
}

bool receive(unsigned bus, uint32_t id, const char *data)
{
	struct gateway_frame frame = {.id = id};
	frame.dlc = (uint8_t)parse_hex(data, frame.data);
	return receive_frame(bus, &frame);
}

const struct gateway_frame *send_next(unsigned bus)
{
	static struct gateway_frame frame;
	const struct gateway_frame *next = gateway_next_to_send(&gateway, bus, now_us);
	if (!next)
		return NULL;
	frame = *next;
	gateway_sent(&gateway, bus, now_us);
	return &frame;
}

unsigned send_all(unsigned bus, uint32_t id)
{
	unsigned count = 0;
	for (const struct gateway_frame *frame; (frame = send_next(bus));)
		count += frame->id == id;
	return count;
}

const char *pass(uint32_t id, const char *data)
{
	static char text[32];
	const struct gateway_frame *frame = receive(GATEWAY_CHASSIS, id, data) ? send_next(GATEWAY_COUPLING) : NULL;
	if (!frame || frame->id != id)
		return "-";
	text[0] = 0;
	for (size_t i = 0; i < frame->dlc; ++i)
		snprintf(text + strlen(text), 4, i ? " %02X" : "%02X", frame->data[i]);
	for (size_t i = frame->dlc; i < 8; ++i)
		EQUAL(frame->data[i], 0);
	BYTES(frame->reserved, 0, 0, 0);
	return text;
}

void plan_begin(struct builder *plan, uint8_t counter_set)
{
	*plan = (struct builder){.bytes = {2, counter_set, 0x2F, 0xFF, 0xFF}, .size = 12};
}

static uint8_t *append(struct builder *plan, size_t size)
{
	plan->size += size;
	return plan->bytes + plan->size - size;
}

void plan_counter(struct builder *plan, uint8_t initial, uint8_t step, uint8_t wrap_above, uint8_t wrap_to)
{
	memcpy(append(plan, 4), (uint8_t[]){initial, step, wrap_above, wrap_to}, 4);
	++plan->bytes[5];
}

void plan_data_ids(struct builder *plan, const char *sixteen_bytes)
{
	EQUAL(parse_hex(sixteen_bytes, append(plan, 16)), 16);
	++plan->bytes[6];
}

uint8_t *plan_rule(struct builder *plan, unsigned bus, uint32_t id, const char *operations)
{
	uint8_t *rule = append(plan, GATEWAY_PLAN_RULE_BYTES);
	for (int i = 0; i < 4; ++i)
		rule[i] = (uint8_t)(id >> 8 * i);
	rule[4] = (uint8_t)bus;
	for (uint8_t *operation = rule + 8; *operations; operation += 3) {
		int read = 0;
		unsigned op, a = 0, b = 0;
		sscanf(operations, "%u %x %x%n", &op, &a, &b, &read);
		memcpy(operation, (uint8_t[]){(uint8_t)op, (uint8_t)a, (uint8_t)b}, 3);
		operations += strcspn(operations, ",");
		operations += strspn(operations, ", ");
	}
	++plan->bytes[7];
	return rule;
}

void rule_step(uint8_t *rule, unsigned number, uint8_t kind, uint8_t target, uint8_t mask, uint8_t data_id, uint8_t position)
{
	memcpy(rule + 32 + 6 * number, (uint8_t[]){kind, target, mask, data_id, position}, 5);
}

void plan_mark(struct builder *plan, unsigned rule, unsigned at, unsigned mask, unsigned first, unsigned last)
{
	memcpy(append(plan, 8), (uint8_t[]){(uint8_t)rule, (uint8_t)at, (uint8_t)mask, (uint8_t)(mask >> 8), (uint8_t)first, (uint8_t)(first >> 8),
		 (uint8_t)last, (uint8_t)(last >> 8)}, 8);
	++plan->bytes[9];
}

void plan_field(struct builder *plan, unsigned rule, unsigned start, unsigned length, unsigned step, unsigned low, unsigned span)
{
	memcpy(append(plan, 8), (uint8_t[]){(uint8_t)rule, (uint8_t)start, (uint8_t)length, (uint8_t)step, (uint8_t)low, (uint8_t)(low >> 8),
		 (uint8_t)span, (uint8_t)(span >> 8)}, 8);
	++plan->bytes[10];
}

void plan_load(const struct builder *plan)
{
	int item;
	CHECK(gateway_load_plan(&gateway, plan->bytes, plan->size, &item) == NULL);
}

void plan_commit(const struct builder *plan, uint32_t factor)
{
	plan_load(plan);
	gateway_commit(&gateway, factor, 0xFF, GATEWAY_MAX_LEASE_MS, now_us);
}

void commit_rule(unsigned bus, uint32_t id, const char *operations)
{
	struct builder plan;
	plan_begin(&plan, 1);
	plan_rule(&plan, bus, id, operations);
	plan_commit(&plan, 0);
}

const struct gateway_latest *latest_at(uint32_t index)
{
	return index < gateway.latest_used ? &gateway.latest[index] : NULL;
}

int main(int argc, char **argv)
{
	int run = 0;
	for (struct test_case *test = test_cases; test; test = test->next)
		if (argc < 2 || !strcmp(argv[1], test->title)) {
			start();
			test->run();
			++run;
		}
	if (!run)
		fprintf(stderr, "no case of this title\n");
	return run ? 0 : 2;
}

void plan_is_rejected(const struct builder *plan, size_t at, uint8_t value, int rule, const char *reason)
{
	struct builder changed = *plan;
	int item = 99;
	changed.bytes[at] = value;
	const char *wrong = gateway_load_plan(&gateway, changed.bytes, changed.size, &item);
	if (!wrong || strcmp(wrong, reason))
		test_fail(reason, (int)at, wrong ? wrong : "accepted", 0, 0);
	EQUAL(item, rule);
}

static const char *try_to_watch(const char *list, int *item)
{
	uint8_t bytes[33 * 8];
	return gateway_watch(&gateway, bytes, parse_hex(list, bytes), item);
}

void watch(const char *list)
{
	int item;
	CHECK(try_to_watch(list, &item) == NULL);
}

void watch_is_rejected(const char *list, int item, const char *reason)
{
	int named = 99;
	const char *wrong = try_to_watch(list, &named);
	if (!wrong || strcmp(wrong, reason))
		test_fail(list, 0, wrong ? wrong : "accepted", 0, 0);
	EQUAL(named, item);
}
