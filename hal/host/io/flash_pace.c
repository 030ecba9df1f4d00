/* See flash_pace.h; where the figures come from: hal/esp32/README.md "While flash is written". */
#include "flash_pace.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../clock.h"
#include "../gateway_host.h"
#include "../loop.h"

#define SECTOR_BYTES 4096u    /* erased in one operation, which takes erase_ms */
#define METADATA_SECTORS 2u
#define WRITE_BYTES 64u       /* programmed in one operation, which takes write_us */
/* Pause before the next operation, in which whatever is due runs: about one frame of a full bus (222 us). */
#define BETWEEN_US 200u

static unsigned erase_ms, write_us;
static bool tasks_go_on;

bool flash_pace_set(const char *text)
{
	size_t length = strcspn(text, ":");
	int end = 0;
	tasks_go_on = length == 5 && !strncmp(text, "t2can", 5);
	if (!tasks_go_on && !(length == 2 && !strncmp(text, "c6", 2)))
		return false;
	erase_ms = 45;
	write_us = 200;
	if (!text[length])
		return true;
	bool two = sscanf(text + length, ":%4u:%5u%n", &erase_ms, &write_us, &end) == 2;
	if (!two)
		end = sscanf(text + length, ":%4u%n", &erase_ms, &end) == 1 ? end : 0;
	return end && !text[length + (size_t)end];
}

static void wait_us(uint64_t us)
{
	if (host_clock_is_virtual()) {
		if (gateway_host_knows_frames())
			gateway_host_replay_until(host_clock_us() + us);
		else
			loop_stall_until(host_clock_us() + us);
		return;
	}
	struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
	while (nanosleep(&time, &time) < 0)
		;
}

void flash_pace_block(uint64_t us)
{
	gateway_host_block(host_clock_us() + us);
	wait_us(us);
}

/* One operation. */
static void take(uint64_t us)
{
	if (us == 0)
		return;
	if (tasks_go_on)
		wait_us(us);
	else
		flash_pace_block(us);
	wait_us(BETWEEN_US);
}

static size_t sectors_of(size_t bytes)
{
	return (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

static void erase(size_t sectors)
{
	for (size_t i = 0; i < sectors; ++i)
		take(erase_ms * 1000u);
}

static void program(size_t bytes)
{
	take((bytes + WRITE_BYTES - 1) / WRITE_BYTES * write_us);
}

void flash_pace_commit(size_t bytes)
{
	erase(sectors_of(bytes) + METADATA_SECTORS);
	program(bytes + METADATA_SECTORS * WRITE_BYTES);
}

void flash_pace_append(size_t slot_bytes, size_t bytes)
{
	erase(sectors_of(slot_bytes + bytes) - sectors_of(slot_bytes));
	program(bytes);
}
