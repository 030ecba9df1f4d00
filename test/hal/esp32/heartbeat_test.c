/* The heartbeat of the gateway's task. */
#include "gateway_heartbeat.h"
#include "testing.h"

static struct heartbeat heart;

static bool hangs(bool blocked)
{
	return heartbeat_look(&heart, blocked);
}

TEST(heartbeat_lives, "a task that beats once between two looks lives")
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

TEST(heartbeat_blocked, "while flash is written no task can beat: the longest erase is no hang")
{
	for (unsigned i = 0; i < 20; ++i)
		CHECK(!hangs(true));
	for (unsigned i = 1; i < HEARTBEAT_LOOKS; ++i)
		CHECK(!hangs(false));
	CHECK(!hangs(true));
	CHECK(!hangs(false));
}
