/* Parses and schedules the --fault switches. Those of the gateway are handed on to gateway_host_fault(). */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "gateway_driver.h"
#include "gateway_host.h"
#include "io/flash.h"
#include "loop.h"

#define FAULTS_LIMIT 16   /* chosen; each test sets a few */
#define AT_SIGNAL "usr2"
#define DIGITS_LIMIT 9   /* whatever takes a number of nine digits holds it */
#define HUGE_BUFFER_BYTES 0x40000000   /* more than any machine of ours may have */

uint32_t fault_write_fails, fault_write_torn, fault_power_cut, fault_listener_fails;
bool fault_update_image_corrupted, fault_wifi_lost, fault_boot_key;

enum argument { NOTHING, AT, AT_MS, MAYBE_AT_MS, COUNT, MAYBE_BYTES };

struct fault_kind {
	const char *name;
	enum argument argument;
	void (*happen)(struct loop_timer *timer, xsMachine *the);   /* for those that happen at a time */
	const char *help;
};

struct fault {
	const struct fault_kind *kind;
	uint64_t at_us;
	uint64_t duration_us;   /* 0: for good */
	bool at_signal;         /* instead of at_us */
	bool on;
	struct loop_timer timer;
};

static struct fault faults[FAULTS_LIMIT];
static size_t fault_count;
static bool started;

static struct fault *fault_of(struct loop_timer *timer)
{
	return (struct fault *)((char *)timer - offsetof(struct fault, timer));
}

static void stall(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	loop_stall_until(host_clock_us() + fault_of(timer)->duration_us);
}

static void block_flash(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	flash_pace_block(fault_of(timer)->duration_us);
}

static void jump_clock(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	host_clock_jump((int64_t)fault_of(timer)->duration_us);
	gateway_driver_changed();
}

static void jump_clock_back(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	host_clock_jump(-(int64_t)fault_of(timer)->duration_us);
	gateway_driver_changed();
}

static void crash(struct loop_timer *timer, xsMachine *machine)
{
	(void)timer;
	xsBeginHost(machine);
	xsUnknownError("crashed by --fault script-crashed");
	xsEndHost(machine);
}

static void exhaust_heap(struct loop_timer *timer, xsMachine *machine)
{
	(void)timer;
	xsBeginHost(machine);
	xsArrayBuffer(NULL, HUGE_BUFFER_BYTES);
	xsEndHost(machine);
}

static void toggle(struct loop_timer *timer, xsMachine *the)
{
	struct fault *fault = fault_of(timer);
	(void)the;
	fault->on = !fault->on;
	if (!strcmp(fault->kind->name, "wifi-lost"))
		fault_wifi_lost = fault->on;
	else if (!strcmp(fault->kind->name, "boot-key"))
		fault_boot_key = fault->on;
	else
		gateway_host_fault(fault->kind->name, fault->on);
	/* nothing else stops the gateway in virtual time, where looking all the time would be counted */
	if (!strcmp(fault->kind->name, "gateway-stalled"))
		loop_watch_gateway();
	if (fault->on && fault->duration_us) {
		timer->due_us = host_clock_us() + fault->duration_us;
		loop_timer_start(timer);
	}
}

static const struct fault_kind kinds[] = {
	{ "bus-off-chassis", MAYBE_AT_MS, toggle, "the chassis bus is off, from AT for MS (no argument: always)" },
	{ "bus-off-coupling", MAYBE_AT_MS, toggle, "the same for the coupling bus" },
	{ "tx-full-chassis", MAYBE_AT_MS, toggle, "the transmit queue of the chassis bus is full" },
	{ "tx-full-coupling", MAYBE_AT_MS, toggle, "the same for the coupling bus" },
	{ "script-stalled", AT_MS, stall, "no JavaScript runs for MS" },
	{ "script-crashed", AT, crash, "JavaScript throws an exception that is not caught" },
	{ "heap-exhausted", AT, exhaust_heap, "the JavaScript heap is full" },
	{ "clock-jump", AT_MS, jump_clock, "the clock jumps forward by MS; what is due by it waits as long as ever" },
	{ "clock-jump-back", AT_MS, jump_clock_back, "it jumps back by MS, at the most to 0" },
	{ "tick-throws", AT, toggle, "the next control tick throws: the gateway has a bigger sample than fits in the script's buffer" },
	{ "gateway-stalled", MAYBE_AT_MS, toggle, "no frame is moved, from AT for MS (no argument: for good); after 1 s the program starts anew" },
	{ "flash-blocks", AT_MS, block_flash, "the flash is written for MS: on a C6 nothing but frames goes on" },
	{ "flash-write-fails", COUNT, NULL, "the N-th write writes nothing and fails" },
	{ "flash-write-torn", COUNT, NULL, "the N-th write writes half and fails" },
	{ "flash-full", MAYBE_BYTES, NULL, "the flash holds BYTES (no argument: what it holds at start)" },
	{ "power-cut", COUNT, NULL, "the program ends after the N-th storage operation, exit code 9" },
	{ "listener-fails", COUNT, NULL, "the server can't open its port, N times" },
	{ "wifi-lost", MAYBE_AT_MS, toggle, "no Wi-Fi network is in reach, from AT for MS (no argument: always)" },
	{ "boot-key", MAYBE_AT_MS, toggle, "the BOOT key is held, from AT for MS (no argument: always)" },
	{ "update-image-corrupted", NOTHING, NULL, "a bit of the firmware update is stored wrongly" },
};
static const char *const argument_texts[] = { "", "=AT", "=AT:MS", "[=AT[:MS]]", "=N", "[=BYTES]" };

void faults_help(FILE *out)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		char usage[48];
		snprintf(usage, sizeof usage, "%s%s", kinds[i].name, argument_texts[kinds[i].argument]);
		fprintf(out, "  %-30s %s\n", usage, kinds[i].help);
	}
}

/* Reads "A" or "A:B", each of at most DIGITS_LIMIT digits. Returns how many numbers there were, or -1. */
static int read_numbers(const char *text, uint64_t numbers[2])
{
	int count = 0;
	char *end;
	while (count < 2) {
		size_t digits = strspn(text, "0123456789");
		if (digits < 1 || digits > DIGITS_LIMIT)
			return -1;
		numbers[count++] = strtoull(text, &end, 10);
		if (!*end)
			return count;
		if (*end != ':')
			return -1;
		text = end + 1;
	}
	return -1;
}

static bool has_right_arguments(enum argument argument, int count)
{
	switch (argument) {
	case NOTHING: return count == 0;
	case AT: case COUNT: return count == 1;
	case AT_MS: return count == 2;
	case MAYBE_BYTES: return count == 0 || count == 1;
	default: return count >= 0;
	}
}

/* Whether AT is "usr2"; puts what follows behind a 0, as numbers are read. */
static bool is_at_signal(const char **argument, char *numbers, size_t size)
{
	size_t length = strlen(AT_SIGNAL);
	if (strncmp(*argument, AT_SIGNAL, length) || !strchr(":", (*argument)[length]))
		return false;
	snprintf(numbers, size, "0%s", *argument + length);
	*argument = numbers;
	return true;
}

static void set_value(const char *name, int count, uint64_t number)
{
	if (!strcmp(name, "flash-write-fails"))
		fault_write_fails = flash_writes + (uint32_t)number;
	else if (!strcmp(name, "flash-write-torn"))
		fault_write_torn = flash_writes + (uint32_t)number;
	else if (!strcmp(name, "power-cut"))
		fault_power_cut = flash_operations + (uint32_t)number;
	else if (!strcmp(name, "listener-fails"))
		fault_listener_fails = (uint32_t)number;
	else if (!strcmp(name, "flash-full"))
		flash_limit(count ? (int64_t)number : FLASH_FULL_NOW);
	else
		fault_update_image_corrupted = true;
}

/* A slot for another fault: after the start, also that of one that has happened and is over. */
static struct fault *free_slot(void)
{
	for (size_t i = 0; started && i < fault_count; i++)
		if (!faults[i].at_signal && !faults[i].timer.queued && !faults[i].on)
			return &faults[i];
	return fault_count < FAULTS_LIMIT ? &faults[fault_count++] : NULL;
}

static void start(struct fault *fault, uint64_t due_us)
{
	fault->timer.due_us = due_us;
	fault->timer.fire = fault->kind->happen;
	fault->timer.background = true;
	loop_timer_start(&fault->timer);
}

bool faults_add(const char *text, char *problem, size_t size)
{
	size_t length = strcspn(text, "=");
	uint64_t numbers[2] = { 0, 0 };
	const char *argument = text[length] ? text + length + 1 : "";
	char numbers_text[32];
	bool at_signal = is_at_signal(&argument, numbers_text, sizeof numbers_text);
	int count = text[length] ? read_numbers(argument, numbers) : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const struct fault_kind *kind = &kinds[i];
		if (strlen(kind->name) != length || strncmp(kind->name, text, length))
			continue;
		if (!has_right_arguments(kind->argument, count) || (kind->argument == COUNT && numbers[0] == 0) || (at_signal && !kind->happen)) {
			int used = snprintf(problem, size, "use it as %s%s", kind->name, argument_texts[kind->argument]);
			if (kind->argument != NOTHING)
				snprintf(problem + used, size - (size_t)used, "; a number has at most %d digits", DIGITS_LIMIT);
			return false;
		}
		if (!kind->happen) {
			set_value(kind->name, count, numbers[0]);
			return true;
		}
		struct fault *fault = free_slot();
		if (!fault) {
			snprintf(problem, size, "too many faults");
			return false;
		}
		*fault = (struct fault){
			.kind = kind, .at_us = numbers[0] * 1000, .duration_us = numbers[1] * 1000, .at_signal = at_signal,
		};
		if (started)
			start(fault, host_clock_us() + fault->at_us);
		return true;
	}
	snprintf(problem, size, "no such fault");
	return false;
}

void faults_start(void)
{
	started = true;
	for (size_t i = 0; i < fault_count; i++)
		if (!faults[i].at_signal)
			start(&faults[i], faults[i].at_us);
}

void faults_on_signal(void)
{
	for (size_t i = 0; i < fault_count; i++)
		if (faults[i].at_signal && !faults[i].timer.queued)
			start(&faults[i], host_clock_us());
}
