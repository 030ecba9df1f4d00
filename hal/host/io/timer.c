/*
 * Natives of timer.ts: Moddable's Timer on the host's event loop. A queued timer keeps itself and its
 * callback alive.
 */
#include <stdlib.h>

#include "../clock.h"
#include "../host.h"
#include "../loop.h"

#define INTERVAL_LIMIT_MS 2147483647.0   /* as on a board, where intervals are 32-bit */

struct timer {
	struct loop_timer queue;
	xsSlot self;         /* remembered while queued */
	xsSlot *callback;    /* marked by the hooks */
	struct loop_garbage garbage;
};

static void timer_destructor(void *data)
{
	struct timer *timer = data;
	if (!timer)
		return;
	loop_timer_stop(&timer->queue);
	loop_free_later(&timer->garbage, timer);
}

static void timer_mark(xsMachine *the, void *data, xsMarkRoot mark_root)
{
	struct timer *timer = data;
	if (timer && timer->callback)
		(*mark_root)(the, timer->callback);
}

static const xsHostHooks timer_hooks = { timer_destructor, timer_mark, NULL };

/* Idempotent: what clear() and the end of a one-shot timer do. */
static void detach(xsMachine *the, struct timer *timer)
{
	xsForget(timer->self);
	xsSlot self = xsAccess(timer->self);
	xsmcSetHostData(self, NULL);
	xsmcSetHostDestructor(self, NULL);
	timer_destructor(timer);
}

static void fire(struct loop_timer *queue, xsMachine *machine)
{
	struct timer *timer = (struct timer *)queue;
	xsBeginHost(machine);
	xsmcVars(1);
	xsVar(0) = xsAccess(timer->self);
	xsCallFunction1(xsReference(timer->callback), xsGlobal, xsVar(0));
	/* neither cleared nor rescheduled by its callback: a one-shot timer is done */
	if (!timer->queue.queued && xsmcGetHostData(xsVar(0)) == timer)
		detach(the, timer);
	xsEndHost(machine);
}

static uint64_t interval_us(xsMachine *the, xsSlot *slot)
{
	double ms = fxToNumber(the, slot);
	if (!(ms >= 0 && ms <= INTERVAL_LIMIT_MS))
		xsRangeError("invalid interval");
	return (uint64_t)(ms * 1000);
}

/* (instance, callback, interval ms, repeat ms or undefined) */
static void timer_set(xsMachine *the)
{
	if (xsmcTypeOf(xsArg(0)) != xsReferenceType || !xsmcIsCallable(xsArg(0)))
		xsTypeError("callback is no function");
	uint64_t delay_us = interval_us(the, &xsArg(1));
	uint64_t repeat_us = xsmcTypeOf(xsArg(2)) == xsUndefinedType ? 0 : interval_us(the, &xsArg(2));
	struct timer *timer = calloc(1, sizeof *timer);
	if (!timer)
		xsRangeError("no memory");
	xsmcSetHostData(xsThis, timer);
	xsSetHostHooks(xsThis, &timer_hooks);
	timer->callback = fxToReference(the, &xsArg(0));
	timer->self = xsThis;
	xsRemember(timer->self);
	timer->queue.fire = fire;
	timer->queue.due_us = host_clock_us() + delay_us;
	timer->queue.interval_us = repeat_us;
	loop_timer_start(&timer->queue);
	xsResult = xsThis;
}

/* (interval ms or undefined, repeat ms or undefined): with neither, the timer stays but does not fire */
static void timer_schedule(xsMachine *the)
{
	struct timer *timer = xsmcGetHostDataValidate(xsThis, (void *)&timer_hooks);
	if (!timer)
		xsUnknownError("timer is cleared");
	if (xsmcTypeOf(xsArg(0)) == xsUndefinedType) {
		/* Not queued, yet not done: due after the end of the program. */
		timer->queue.due_us = UINT64_MAX / 2;
		timer->queue.interval_us = 0;
		loop_timer_start(&timer->queue);
		return;
	}
	uint64_t delay_us = interval_us(the, &xsArg(0));
	timer->queue.interval_us = xsmcTypeOf(xsArg(1)) == xsUndefinedType ? 0 : interval_us(the, &xsArg(1));
	timer->queue.due_us = host_clock_us() + delay_us;
	loop_timer_start(&timer->queue);
}

static void timer_clear(xsMachine *the)
{
	struct timer *timer = xsmcGetHostData(xsThis);
	if (!timer)
		return;
	timer = xsmcGetHostDataValidate(xsThis, (void *)&timer_hooks);
	detach(the, timer);
}

const struct host_native host_timer_natives[] = {
	{ .name = "host_timer_destructor", .destructor = timer_destructor },
	{ .name = "host_timer_set", .callback = timer_set, .length = 3 },
	{ .name = "host_timer_schedule", .callback = timer_schedule, .length = 2 },
	{ .name = "host_timer_clear", .callback = timer_clear },
	{ .name = NULL },
};
