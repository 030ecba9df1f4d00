/*
 * The board of the host: natives of config.ts, of hal/io/machine.ts, of hal/io/board.ts what is not in partitions.c
 * and main.c, of pwm.ts, radio.ts and hal/io/board-controls.ts.
 */
#include "board.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "../../esp32/controls.h"
#include "../clock.h"
#include "../faults.h"
#include "../host.h"
#include "../options.h"
#include "flash.h"

static void config_http_port(xsMachine *the)
{
	xsmcSetInteger(xsResult, host_options.http_port);
}

static void config_analyzer_port(xsMachine *the)
{
	xsmcSetInteger(xsResult, host_options.analyzer_port);
}

static void config_update_url(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)host_options.update_url);
}

static void config_update_key(xsMachine *the)
{
	xsmcSetString(xsResult, (char *)host_options.update_key);
}

static void config_guards_open_network(xsMachine *the)
{
	xsmcSetBoolean(xsResult, host_options.guards_open_network);
}

static void clock_ticks(xsMachine *the)
{
	xsmcSetInteger(xsResult, (xsIntegerValue)((host_clock_reading_us() / 1000) & 0x7FFFFFFF));
}

static void clock_microseconds(xsMachine *the)
{
	xsmcSetNumber(xsResult, (double)host_clock_reading_us());
}

static void boot_key(xsMachine *the)
{
	xsmcSetBoolean(xsResult, fault_boot_key);
}

static void reset_reason(xsMachine *the)
{
	const char *reason = host_options.restarted ? host_options.restarted : partitions_crashed() ? "crash" : "power on";
	xsmcSetString(xsResult, (char *)reason);
}

/* ---- PWM: nothing is driven, frequency and duty of each pin are remembered ---- */

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

/* ---- the networks that the simulated radio finds (--wifi) ---- */

static bool is_network(const char *network, const char *ssid, size_t length)
{
	return !strncmp(network, ssid, length) && (network[length] == ':' || network[length] == 0);
}

/* (ssid): its password, "" for an open network, undefined if there is no such network in reach */
static void radio_find(xsMachine *the)
{
	const char *ssid = xsmcToString(xsArg(0));
	size_t length = strlen(ssid);
	for (size_t i = 0; i < host_options.wifi_count && !fault_wifi_lost; i++) {
		const char *network = host_options.wifi[i];
		if (!is_network(network, ssid, length))
			continue;
		xsmcSetString(xsResult, (char *)(network[length] ? network + length + 1 : ""));
		return;
	}
}

/* (index): a network in reach as it was given, SSID or SSID:PASSWORD; undefined behind the last */
static void radio_network(xsMachine *the)
{
	size_t index = (size_t)xsmcToInteger(xsArg(0));
	if (index < host_options.wifi_count && !fault_wifi_lost)
		xsmcSetString(xsResult, (char *)host_options.wifi[index]);
}

/* ---- controls ---- */

/*
 * The boards' own code reads what standard input presses whenever the script reads. What it drives is printed on
 * standard output.
 */

static struct controls controls;
static uint8_t inputs;
static bool dead; /* the inputs are not read */
static uint8_t told_outputs;
static uint32_t told_light;

static const struct {
	const char *line;
	uint8_t bits;
	bool on;
} lines[] = {
	{ "button mode down", CONTROLS_MODE_BUTTON, true },
	{ "button mode up", CONTROLS_MODE_BUTTON, false },
	{ "button external down", CONTROLS_EXTERNAL_BUTTON, true },
	{ "button external up", CONTROLS_EXTERNAL_BUTTON, false },
	{ "input brake on", CONTROLS_BRAKE, true },
	{ "input brake off", CONTROLS_BRAKE, false },
	{ "input handbrake on", CONTROLS_HANDBRAKE, true },
	{ "input handbrake off", CONTROLS_HANDBRAKE, false },
};

bool controls_do(const char *line)
{
	for (size_t i = 0; i < HOST_COUNT(lines); i++)
		if (!strcmp(line, lines[i].line)) {
			inputs = lines[i].on ? inputs | lines[i].bits : inputs & ~lines[i].bits;
			return true;
		}
	if (strcmp(line, "inputs lost") && strcmp(line, "inputs back"))
		return false;
	dead = line[7] == 'l';
	return true;
}

bool controls_read_lines(int fd)
{
	/* The longest line is "button external down". */
	static char line[32];
	static size_t length;
	char input[256];
	ssize_t count = read(fd, input, sizeof input);
	if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
		return false;
	for (ssize_t i = 0; i < count; i++)
		if (input[i] != '\n') {
			if (length < sizeof line)
				line[length++] = input[i];
		} else {
			line[length < sizeof line ? length : 0] = 0;
			length = 0;
			if (!controls_do(line))
				fprintf(stderr, "%s: no such command\n", line[0] ? line : "standard input");
		}
	return true;
}

static uint32_t now_ms(void)
{
	return (uint32_t)(host_clock_us() / 1000);
}

static void tell(const char *what, const char *format, unsigned value)
{
	uint64_t us = host_clock_us();
	if (!host_options.gateway.on_stdio)
		return;
	printf("(%010" PRIu64 ".%06u) %s ", us / 1000000, (unsigned)(us % 1000000), what);
	printf(format, value);
	printf("\n");
}

static void tell_light(void)
{
	uint32_t light = controls_light(&controls, now_ms());
	if (light != told_light)
		tell("led", "%06x", light);
	told_light = light;
}

static void controls_read(xsMachine *the)
{
	if (!dead) {
		uint8_t outputs = controls_poll(&controls, inputs, now_ms());
		if ((outputs ^ told_outputs) & CONTROLS_BRAKE)
			tell("output brake", "%u", outputs / CONTROLS_BRAKE & 1);
		if ((outputs ^ told_outputs) & CONTROLS_HANDBRAKE)
			tell("output handbrake", "%u", outputs / CONTROLS_HANDBRAKE & 1);
		told_outputs = outputs;
		tell_light();
	}
	xsmcSetInteger(xsResult, controls_inputs(&controls, now_ms()));
}

/* (rgb) */
static void controls_set(xsMachine *the)
{
	controls_set_light(&controls, (uint32_t)xsmcToInteger(xsArg(0)), now_ms());
	tell_light();
}

/* (followed, inverted) */
static void controls_follow(xsMachine *the)
{
	controls.inverted = (uint8_t)xsmcToInteger(xsArg(1));
	controls.followed = (uint8_t)xsmcToInteger(xsArg(0));
}

const struct host_native host_board_natives[] = {
	{ .name = "host_config_http_port", .callback = config_http_port },
	{ .name = "host_config_analyzer_port", .callback = config_analyzer_port },
	{ .name = "host_config_update_url", .callback = config_update_url },
	{ .name = "host_config_update_key", .callback = config_update_key },
	{ .name = "host_config_guards_open_network", .callback = config_guards_open_network },
	{ .name = "xs_hal_ticks", .callback = clock_ticks },
	{ .name = "xs_hal_microseconds", .callback = clock_microseconds },
	{ .name = "xs_hal_boot_key", .callback = boot_key },
	{ .name = "xs_hal_reset_reason", .callback = reset_reason },
	{ .name = "host_pwm_destructor", .destructor = pwm_destructor },
	{ .name = "host_pwm_constructor", .callback = pwm_constructor, .length = 3 },
	{ .name = "host_pwm_write", .callback = pwm_write, .length = 1 },
	{ .name = "host_pwm_close", .callback = pwm_close },
	{ .name = "host_radio_find", .callback = radio_find, .length = 1 },
	{ .name = "host_radio_network", .callback = radio_network, .length = 1 },
	{ .name = "xs_hal_controls_read", .callback = controls_read },
	{ .name = "xs_hal_controls_light", .callback = controls_set, .length = 1 },
	{ .name = "xs_hal_controls_follow", .callback = controls_follow, .length = 2 },
	{ .name = NULL },
};
