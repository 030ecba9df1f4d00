/*
 * Buses in virtual time: frames come from a log or from standard input, and what leaves goes to a log or to
 * standard output.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "gateway_host.h"
#include "options.h"

/* ---- logs ---- */

#define LINE_BYTES 128 /* the longest valid line has 60 */
#define MAX_SECONDS_DIGITS 12 /* a time of day has ten, and microseconds of twelve fit 64 bits */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Each parser moves *at behind what it understood and returns whether that was something. */

static bool parse_decimal(const char **at, int least_digits, int most_digits, uint64_t *value)
{
	int digits = 0;
	for (*value = 0; **at >= '0' && **at <= '9' && digits < most_digits; ++*at, ++digits)
		*value = *value * 10 + (uint64_t)(**at - '0');
	return digits >= least_digits;
}

static bool parse_text(const char **at, const char *text)
{
	size_t length = strlen(text);
	if (strncmp(*at, text, length))
		return false;
	*at += length;
	return true;
}

static bool parse_bus(const char **at, uint8_t *bus)
{
	static const char *const names[2][3] = {{"can0 ", "chassis ", "vcan0 "}, {"can1 ", "coupling ", "vcan1 "}};
	for (*bus = 0; *bus < 2; ++*bus)
		for (int i = 0; i < 3; ++i)
			if (parse_text(at, names[*bus][i]))
				return true;
	return false;
}

static bool parse_id(const char **at, uint32_t *id)
{
	int digits = 0;
	for (*id = 0; hex_digit(**at) >= 0 && digits < 9; ++*at, ++digits)
		*id = *id << 4 | (uint32_t)hex_digit(**at);
	if (digits == 8 && *id <= 0x1FFFFFFF) {
		*id |= GATEWAY_EXTENDED;
		return true;
	}
	return digits == 3 && *id <= GATEWAY_MAX_STANDARD_ID;
}

static bool parse_data(const char **at, struct gateway_frame *frame)
{
	if (parse_text(at, "R")) {
		frame->id |= GATEWAY_REMOTE;
		if (**at >= '0' && **at <= '8')
			frame->dlc = (uint8_t)(*(*at)++ - '0');
		return true;
	}
	for (; frame->dlc < 8 && hex_digit((*at)[0]) >= 0 && hex_digit((*at)[1]) >= 0; *at += 2)
		frame->data[frame->dlc++] = (uint8_t)(hex_digit((*at)[0]) << 4 | hex_digit((*at)[1]));
	return true;
}

/* Returns what is wrong with the line, or NULL. The time is absolute. */
static const char *parse_line(const char *at, struct log_entry *entry)
{
	uint64_t seconds, fraction;
	*entry = (struct log_entry){0};
	if (!parse_text(&at, "(") || !parse_decimal(&at, 1, MAX_SECONDS_DIGITS, &seconds) || !parse_text(&at, ".") ||
		!parse_decimal(&at, 6, 6, &fraction) || !parse_text(&at, ") "))
		return "time stamp must look like (1436509052.249713)";
	entry->time_us = seconds * 1000000 + fraction;
	if (!parse_bus(&at, &entry->bus))
		return "interface must be can0, chassis, vcan0, can1, coupling or vcan1";
	if (!parse_id(&at, &entry->frame.id) || !parse_text(&at, "#"))
		return "identifier must have 3 or 8 hexadecimal digits and a #";
	parse_data(&at, &entry->frame);
	at += strspn(at, " TR\r"); /* newer candumps append the direction */
	return *at ? "data must be R, R0 to R8, or up to 8 bytes in hexadecimal" : NULL;
}

static bool append(struct can_log *log, const struct log_entry *entry)
{
	/* Grows at 0, 64, 128, 256, ... */
	if ((log->count & (log->count - 1)) == 0 && (log->count >= 64 || log->count == 0)) {
		void *larger = realloc(log->entries, (log->count ? log->count * 2 : 64) * sizeof *entry);
		if (!larger)
			return false;
		log->entries = larger;
	}
	log->entries[log->count++] = *entry;
	return true;
}

const char *can_log_add(struct can_log *log, const char *line)
{
	struct log_entry entry;
	const char *wrong = parse_line(line, &entry);
	if (wrong)
		return wrong;
	if (log->count && entry.time_us < log->entries[log->count - 1].time_us)
		return "time runs backwards";
	return append(log, &entry) ? NULL : "no memory";
}

/*
 * Reads the next entry of a log into `next`. Returns what is wrong with its line, or NULL; `number` counts
 * lines.
 */
static const char *read_entry(struct can_log_file *log, unsigned *number)
{
	char line[LINE_BYTES];
	while (fgets(line, sizeof line, log->file)) {
		size_t length = strcspn(line, "\n");
		++*number;
		if (length == sizeof line - 1)
			return "line too long";
		line[length] = 0;
		if (line[0] && strcmp(line, "\r"))
			return parse_line(line, &log->next);
	}
	log->ended = true;
	return NULL;
}

static const char *check_lines(struct can_log_file *log, unsigned *number)
{
	uint64_t last_us = 0;
	for (;;) {
		const char *wrong = read_entry(log, number);
		if (wrong || log->ended)
			return wrong;
		if (log->next.time_us < last_us)
			return "time runs backwards";
		last_us = log->next.time_us;
	}
}

void can_log_advance(struct can_log_file *log)
{
	unsigned number = 0;
	/* what was checked is right, unless the file has changed */
	if (read_entry(log, &number))
		log->ended = true;
	if (!log->ended)
		log->next.time_us -= log->first_us;
}

int can_log_open(struct can_log_file *log, const char *path, char *error, size_t error_size)
{
	unsigned number = 0;
	*log = (struct can_log_file){.file = fopen(path, "r")};
	const char *wrong = log->file ? check_lines(log, &number) : NULL;
	if (wrong)
		snprintf(error, error_size, "%s line %u: %s", path, number, wrong);
	else if (!log->file || ferror(log->file) || fseek(log->file, 0, SEEK_SET))
		snprintf(error, error_size, "%s: %s", path, strerror(errno));
	else {
		log->ended = false;
		can_log_advance(log);
		log->first_us = log->next.time_us;
		log->next.time_us = 0;
		return 0;
	}
	can_log_close(log);
	return EXIT_USAGE;
}

void can_log_close(struct can_log_file *log)
{
	if (log->file)
		fclose(log->file);
	*log = (struct can_log_file){.ended = true};
}

void can_log_free(struct can_log *log)
{
	free(log->entries);
	*log = (struct can_log){0};
}

void can_log_write(FILE *file, uint64_t time_us, unsigned bus, const struct gateway_frame *frame)
{
	bool extended = frame->id & GATEWAY_EXTENDED;
	fprintf(file, "(%010" PRIu64 ".%06u) can%u ", time_us / 1000000, (unsigned)(time_us % 1000000), bus);
	fprintf(file, "%0*X#", extended ? 8 : 3, (unsigned)(frame->id & (extended ? 0x1FFFFFFF : GATEWAY_MAX_STANDARD_ID)));
	if (frame->id & GATEWAY_REMOTE) {
		fputc('R', file);
		if (frame->dlc)
			fputc('0' + frame->dlc, file);
	} else {
		for (unsigned i = 0; i < frame->dlc; ++i)
			fprintf(file, "%02X", frame->data[i]);
	}
	fputc('\n', file);
}

/* ---- buses ---- */

static bool on_stdio;
static struct can_log waiting; /* from standard input */
static size_t waiting_at;
static struct can_log_file replay = {.ended = true};
static struct log_entry arriving; /* for the bridge to receive */
static bool arrives;
static FILE *record;

/* The frame that comes next, NULL = none. */
static const struct log_entry *next_entry(void)
{
	if (on_stdio)
		return waiting_at < waiting.count ? &waiting.entries[waiting_at] : NULL;
	return replay.ended ? NULL : &replay.next;
}

static void advance(void)
{
	if (on_stdio)
		++waiting_at;
	else
		can_log_advance(&replay);
}

/* ---- as a link ---- */

/* A frame that a gateway which stood still comes to late has been overwritten in its controller. */
static bool receive(struct can_link *link, struct gateway_frame *into, uint64_t now_us)
{
	const struct host_link *bus = (const struct host_link *)link;
	(void)now_us;
	if (!arrives || bus != &host_links[arriving.bus])
		return false;
	bool received = bus->connected && !bus->off && host_clock_us() - arriving.time_us <= GATEWAY_AGE_LIMIT_US;
	*into = arriving.frame;
	arrives = false;
	return received;
}

static bool send(struct can_link *link, const struct gateway_frame *frame, uint64_t now_us)
{
	const struct host_link *bus = (const struct host_link *)link;
	(void)now_us;
	link->retry_us = GATEWAY_NEVER;
	if (!host_link_can_send(bus))
		return false;
	unsigned number = (unsigned)(bus - host_links);
	if (record && number == GATEWAY_COUPLING)
		can_log_write(record, replay.first_us + host_clock_us(), number, frame);
	if (on_stdio)
		can_log_write(stdout, host_clock_us(), number, frame);
	return true;
}

static const struct can_link_class log_class = {host_link_service, receive, send, host_link_report, host_link_recover};

/* ---- start and end ---- */

int gateway_host_replay_start(const struct gateway_host_options *options, char *error, size_t error_size)
{
	on_stdio = options->on_stdio;
	int code = on_stdio ? 0 : can_log_open(&replay, options->replay_path, error, error_size);
	if (code)
		return code;
	if (options->record_path) {
		record = fopen(options->record_path, "w");
		if (!record) {
			snprintf(error, error_size, "%s: %s", options->record_path, strerror(errno));
			return EXIT_USAGE;
		}
	}
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		host_links[bus].link.class = &log_class;
		host_links[bus].connected = true;
	}
	gateway_host_turn();
	return 0;
}

void gateway_host_replay_stop(void)
{
	if (record)
		fclose(record);
	record = NULL;
	can_log_close(&replay);
	can_log_free(&waiting);
}

/* ---- time goes on ---- */

bool gateway_host_replay_is_over(void)
{
	return !next_entry();
}

uint64_t gateway_host_replay_next_us(void)
{
	uint64_t next_us = gateway_host_turn();
	const struct log_entry *next = next_entry();
	return next && !gateway_host_is_stalled() && next->time_us < next_us ? next->time_us : next_us;
}

void gateway_host_replay_step(void)
{
	gateway_host_turn();
	for (const struct log_entry *next; !gateway_host_is_stalled() && (next = next_entry()) && next->time_us <= host_clock_us();) {
		arriving = *next;
		arrives = true;
		advance();
		gateway_host_turn();
	}
}

uint64_t gateway_host_wake_us(void)
{
	const struct log_entry *next = next_entry();
	for (; next && next->bus != GATEWAY_CHASSIS; next = next_entry())
		advance();
	return next ? next->time_us : UINT64_MAX;
}

bool gateway_host_knows_frames(void)
{
	return !on_stdio;
}

void gateway_host_replay_until(uint64_t until_us)
{
	while (host_clock_us() < until_us) {
		uint64_t next_us = gateway_host_replay_next_us();
		host_clock_advance(next_us < until_us ? next_us : until_us);
		gateway_host_replay_step();
	}
}

const char *gateway_host_frame(const char *line)
{
	if (!on_stdio)
		return "the frames are those of --replay";
	if (gateway_host_replay_is_over())
		waiting.count = waiting_at = 0;
	const char *wrong = can_log_add(&waiting, line);
	if (!wrong && waiting.entries[waiting.count - 1].time_us < host_clock_us()) {
		--waiting.count;
		wrong = "time runs backwards";
	}
	return wrong;
}

void gateway_host_connect(unsigned bus, bool connected)
{
	host_links[bus].connected = connected;
	gateway_host_turn();
}
