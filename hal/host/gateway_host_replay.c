/* The host's gateway in virtual time: the event loop moves it, frames come from a log or from standard input. */
#include "gateway_host_replay.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "gateway_driver.h"
#include "gateway_host_log.h"
#include "options.h"

static bool replaying, on_stdio;
static struct can_log replay;
static size_t replay_at;
static FILE *record;

int gateway_host_replay_start(const struct gateway_host_options *options, char *error, size_t error_size)
{
	replaying = true;
	on_stdio = options->on_stdio;
	int code = on_stdio ? 0 : can_log_read(&replay, options->replay_path, error, error_size);
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
		link_open(&gateway_host_links[bus], NULL, error, error_size);
		gateway_host_links[bus].connected = true;
	}
	gateway_host_turn();
	return 0;
}

void gateway_host_replay_stop(void)
{
	if (record)
		fclose(record);
	record = NULL;
	can_log_free(&replay);
}

bool gateway_host_replays(void)
{
	return replaying;
}

bool gateway_host_replay_send(unsigned bus, const struct gateway_frame *frame)
{
	if (record && bus == GATEWAY_COUPLING)
		can_log_write(record, replay.first_us + host_clock_us(), bus, frame);
	if (on_stdio)
		can_log_write(stdout, host_clock_us(), bus, frame);
	return true;
}

bool gateway_host_replay_is_over(void)
{
	return replay_at >= replay.count;
}

uint64_t gateway_host_replay_next_us(void)
{
	uint64_t next_us = gateway_host_turn();
	if (!gateway_host_is_stalled() && !gateway_host_replay_is_over() && replay.entries[replay_at].time_us < next_us)
		next_us = replay.entries[replay_at].time_us;
	return next_us;
}

/* A frame counts from when it arrived, as on the boards, whose controllers stamp it: not from when a gateway that stalled comes to it. */
static void receive_entry(const struct log_entry *entry)
{
	uint64_t waited_us = host_clock_us() - entry->time_us;
	const struct gateway_link *link = &gateway_host_links[entry->bus];
	struct gateway_locked locked = gateway_driver_lock();
	if (link->connected && !link->controller_off)
		gateway_receive(locked.gateway, entry->bus, &entry->frame, locked.now_us > waited_us ? locked.now_us - waited_us : 0);
	gateway_driver_unlock();
	gateway_host_drain(entry->bus ^ 1);
}

void gateway_host_replay_step(void)
{
	gateway_host_turn();
	for (; !gateway_host_is_stalled() && !gateway_host_replay_is_over() && replay.entries[replay_at].time_us <= host_clock_us(); ++replay_at)
		receive_entry(&replay.entries[replay_at]);
}

uint64_t gateway_host_wake_us(void)
{
	while (replay_at < replay.count && replay.entries[replay_at].bus != GATEWAY_CHASSIS)
		++replay_at;
	return replay_at < replay.count ? replay.entries[replay_at].time_us : UINT64_MAX;
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
		replay.count = replay_at = 0;
	const char *wrong = can_log_add(&replay, line);
	if (!wrong && replay.entries[replay.count - 1].time_us < host_clock_us()) {
		--replay.count;
		wrong = "time runs backwards";
	}
	return wrong;
}

void gateway_host_connect(unsigned bus, bool connected)
{
	gateway_host_links[bus].connected = connected;
	gateway_host_turn();
}
