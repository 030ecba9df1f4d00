/*
 * Buses in virtual time: frames come from a log or from standard input, and what leaves goes to a log or to
 * standard output.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "can_log.h"
#include "clock.h"
#include "gateway_host.h"
#include "host_link.h"
#include "options.h"

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
