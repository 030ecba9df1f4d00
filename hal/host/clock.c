/* The host's time: monotonic real time since start, or virtual time. Readable from any thread. */
#include "clock.h"

#include <stdatomic.h>
#include <time.h>

static atomic_bool is_virtual;
static _Atomic uint64_t virtual_us;
static _Atomic int64_t jumped_us;
static uint64_t started_us;

static uint64_t monotonic_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Before main(), so that no thread can be the first to ask. */
__attribute__((constructor)) static void start(void)
{
	started_us = monotonic_us();
}

uint64_t host_clock_us(void)
{
	return is_virtual ? virtual_us : monotonic_us() - started_us;
}

void host_clock_make_virtual(void)
{
	is_virtual = true;
}

bool host_clock_is_virtual(void)
{
	return is_virtual;
}

void host_clock_advance(uint64_t us)
{
	if (us > virtual_us)
		virtual_us = us;
}

uint64_t host_clock_reading_us(void)
{
	return host_clock_us() + (uint64_t)jumped_us;
}

uint64_t host_clock_when_us(uint64_t reading_us)
{
	if (reading_us == UINT64_MAX)
		return reading_us;
	int64_t us = (int64_t)reading_us - jumped_us;
	return us < 0 ? 0 : (uint64_t)us;
}

void host_clock_jump(int64_t us)
{
	int64_t reading_us = (int64_t)host_clock_reading_us();
	jumped_us += us < -reading_us ? -reading_us : us;
}
