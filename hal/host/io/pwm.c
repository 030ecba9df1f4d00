/* Natives of pwm.ts. Nothing is driven: the host remembers frequency and duty of each pin. */
#include "pwm.h"

#include <stdatomic.h>

#include <inttypes.h>

#include "../clock.h"
#include "../host.h"
#include "../options.h"

#define PINS_LIMIT 8              /* distinct pins in one run; more than any board has PWM channels */
#define RESOLUTION_MIN 8          /* bits; a board indexes a table with it, unchecked */
#define RESOLUTION_MAX 14         /* of the boards: modules/can-gateway/can-gateway-xs.c, MAX_DUTY */

/* What the gateway's thread touches is atomic. */
struct pwm {
	int pin, hz, resolution;
	atomic_int duty;
	atomic_int idled; /* times the gateway idled it */
	atomic_bool in_use;
};

static struct pwm pins[PINS_LIMIT];
static atomic_size_t pin_count;
static atomic_int guarded_pin = -1, guarded_duty;

static void pwm_destructor(void *data)
{
	struct pwm *pwm = data;
	if (!pwm)
		return;
	pwm->in_use = false;
	pwm->duty = 0;
}

static struct pwm *get_pwm(xsMachine *the)
{
	struct pwm *pwm = xsmcGetHostDataValidate(xsThis, (void *)pwm_destructor);
	if (!pwm)
		xsSyntaxError("closed");
	return pwm;
}

/* Where standard output is the outside of the controller it has what leaves on this pin, too. */
static void drive(struct pwm *pwm, int duty)
{
	int before = atomic_exchange(&pwm->duty, duty);
	if (!host_options.gateway.on_stdio || before == duty)
		return;
	uint64_t us = host_clock_us();
	printf("(%010" PRIu64 ".%06u) pwm %d %d\n", us / 1000000, (unsigned)(us % 1000000), pwm->pin, duty);
}

/* The record of an unused pin. */
static struct pwm *claim(xsMachine *the, int pin)
{
	for (size_t i = 0; i < pin_count; i++) {
		if (pins[i].pin != pin)
			continue;
		if (pins[i].in_use)
			xsUnknownError("in use");
		return &pins[i];
	}
	if (pin_count == PINS_LIMIT)
		xsUnknownError("no PWM channel left");
	pins[pin_count].pin = pin;
	return &pins[atomic_fetch_add(&pin_count, 1)];
}

/* (pin, hz, resolution) */
static void pwm_constructor(xsMachine *the)
{
	int pin = xsmcToInteger(xsArg(0)), hz = xsmcToInteger(xsArg(1)), resolution = xsmcToInteger(xsArg(2));
	if (pin < 0)
		xsRangeError("invalid pin");
	if (hz < 1)
		xsRangeError("invalid hz");
	if (resolution < RESOLUTION_MIN || resolution > RESOLUTION_MAX)
		xsRangeError("invalid resolution");
	struct pwm *pwm = claim(the, pin);
	pwm->hz = hz;
	pwm->resolution = resolution;
	pwm->duty = 0;
	pwm->in_use = true;
	xsmcSetHostData(xsThis, pwm);
}

static void pwm_write(xsMachine *the)
{
	struct pwm *pwm = get_pwm(the);
	int duty = xsmcToInteger(xsArg(0));
	if (duty < 0 || duty >= 1 << pwm->resolution)
		xsRangeError("invalid value");
	drive(pwm, duty);
}

static void pwm_close(xsMachine *the)
{
	if (!xsmcGetHostData(xsThis))
		return;
	pwm_destructor(get_pwm(the));
	xsmcSetHostData(xsThis, NULL);
}

void pwm_guard(int pin, int idle_duty)
{
	guarded_duty = idle_duty;
	guarded_pin = pin;
}

void pwm_idle(void)
{
	for (size_t i = 0; i < pin_count; i++) {
		if (pins[i].pin != guarded_pin || !pins[i].in_use)
			continue;
		drive(&pins[i], guarded_duty);
		pins[i].idled++;
	}
}

void pwm_report(FILE *out)
{
	fprintf(out, "[");
	for (size_t i = 0; i < pin_count; i++)
		fprintf(out, "%s{\"pin\":%d,\"hz\":%d,\"resolution\":%d,\"duty\":%d,\"idled\":%d}", i ? "," : "", pins[i].pin,
			pins[i].hz, pins[i].resolution, pins[i].duty, pins[i].idled);
	fprintf(out, "]");
}

const struct host_native host_pwm_natives[] = {
	{ .name = "host_pwm_destructor", .destructor = pwm_destructor },
	{ .name = "host_pwm_constructor", .callback = pwm_constructor, .length = 3 },
	{ .name = "host_pwm_write", .callback = pwm_write, .length = 1 },
	{ .name = "host_pwm_close", .callback = pwm_close },
	{ .name = NULL },
};
