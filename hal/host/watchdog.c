/*
 * Looks at the gateway's heartbeat (see watchdog.h). A timer of the event loop stands for the timer's
 * interrupt of a board.
 */
#include "watchdog.h"

#include "clock.h"
#include "gateway_heartbeat.h"
#include "gateway_host.h"
#include "host.h"
#include "loop.h"
#include "options.h"

static void look(struct loop_timer *timer, xsMachine *the)
{
	(void)timer, (void)the;
	if (gateway_host_hangs())
		loop_stop(EXIT_HUNG);
}

static struct loop_timer looks = { .interval_us = HEARTBEAT_LOOK_US, .fire = look, .background = true };

void watchdog_start(void)
{
	if (looks.queued)
		return;
	looks.due_us = host_clock_us() + HEARTBEAT_LOOK_US;
	loop_timer_start(&looks);
}
