/* The heartbeat of the gateway's task. */
#include "gateway_driver.h"
#include "testing.h"

static struct heartbeat heart;
static uint64_t look_us;

/* A look in time. */
static bool hangs(bool blocked)
{
	return heartbeat_look(&heart, look_us += HEARTBEAT_LOOK_US, blocked);
}

/* ---- interrupts of ESP-IDF's timer (components/esp_timer/src/esp_timer.c, timer_process_alarm) ---- */

/*
 * The looks' timer, and the one that wakes the task, which beats each 100 ms: both are served by one
 * interrupt.
 */
struct timers {
	uint64_t now_us, due_us, task_us;
	bool skips; /* .skip_unhandled_events */
	bool hung;
};

#define BEAT_US 100000u

/*
 * The interrupt comes at last: all looks that are due, one after the other, and the task only after it.
 * Returns how many looks.
 */
static unsigned serve(struct timers *timers)
{
	unsigned looks = 0;
	for (; timers->due_us <= timers->now_us; ++looks) {
		uint64_t skipped = (timers->now_us - timers->due_us) / HEARTBEAT_LOOK_US;
		timers->due_us = timers->skips && skipped > 1 ? timers->now_us + HEARTBEAT_LOOK_US : timers->due_us + HEARTBEAT_LOOK_US;
		timers->hung |= heartbeat_look(&heart, timers->now_us, false);
	}
	if (timers->task_us <= timers->now_us) {
		heartbeat_beat(&heart);
		timers->task_us = timers->now_us + BEAT_US;
	}
	return looks;
}

/* Interrupts in time for this long. */
static void serve_until(struct timers *timers, uint64_t until_us)
{
	for (; timers->now_us < until_us; timers->now_us += 10000)
		serve(timers);
}

static struct timers begin(bool skips)
{
	heart = (struct heartbeat){0};
	struct timers timers = {.now_us = 1000000, .due_us = 1000000 + HEARTBEAT_LOOK_US, .task_us = 1000000, .skips = skips};
	serve_until(&timers, 1510000);
	return timers;
}

TEST(heartbeat_late, "a timer's interrupt up to 10 s late, again and again, does not count as a hang, however many looks come together")
{
	for (unsigned skips = 0; skips < 2; ++skips)
		for (uint64_t late_us = 10000; late_us < 10000000; late_us += 30000) {
			struct timers timers = begin(skips);
			unsigned most = 0;
			for (unsigned times = 0; times < 5; ++times) {
				timers.now_us += late_us;
				unsigned looks = serve(&timers);
				most = looks > most ? looks : most;
				serve_until(&timers, timers.now_us + 60000);
			}
			CHECK(!timers.hung);
			CHECK(skips ? most <= 2 : most >= late_us / HEARTBEAT_LOOK_US);
		}
}

TEST(heartbeat_lost, "a lost interrupt, which holds up the looks and the task for two seconds, does not count as a hang")
{
	for (unsigned skips = 0; skips < 2; ++skips) {
		struct timers timers = begin(skips);
		for (unsigned times = 0; times < 20; ++times) {
			timers.now_us += 2000000; /* the next of ESP-IDF's own timers */
			serve(&timers);
		}
		CHECK(!timers.hung);
	}
}

TEST(heartbeat_hangs_late, "a task that hangs is found out within five late looks, too: the first one may still see a beat")
{
	struct timers timers = begin(true);
	timers.task_us = UINT64_MAX;
	for (unsigned looks = 0; looks <= HEARTBEAT_LOOKS; ++looks) {
		CHECK(!timers.hung);
		timers.now_us += 2000000;
		serve(&timers);
	}
	CHECK(timers.hung);
}

TEST(heartbeat_lives, "a task that beats once between two looks does not count as hung")
{
	for (unsigned i = 0; i < 20; ++i) {
		heartbeat_beat(&heart);
		CHECK(!hangs(false));
	}
}

TEST(heartbeat_hangs, "a task that has not beaten for four looks, one second, hangs; a beat before that begins it anew")
{
	heartbeat_beat(&heart);
	hangs(false);
	for (unsigned round = 0; round < 2; ++round) {
		for (unsigned i = 1; i < HEARTBEAT_LOOKS; ++i)
			CHECK(!hangs(false));
		heartbeat_beat(&heart);
		CHECK(!hangs(false));
	}
	for (unsigned i = 1; i < HEARTBEAT_LOOKS; ++i)
		CHECK(!hangs(false));
	CHECK(hangs(false));
}

TEST(heartbeat_blocked, "the longest erase of flash, during which no task can beat, does not count as a hang")
{
	for (unsigned i = 0; i < 20; ++i)
		CHECK(!hangs(true));
	for (unsigned i = 1; i < HEARTBEAT_LOOKS; ++i)
		CHECK(!hangs(false));
	CHECK(!hangs(true));
	CHECK(!hangs(false));
}
