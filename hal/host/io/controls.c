/*
 * Natives of board-controls.ts. The boards' own code reads what standard input presses whenever the script
 * reads, and prints on standard output what it drives.
 */
#include "controls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../esp32/controls.h"
#include "../clock.h"
#include "../host.h"
#include "../options.h"

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

const struct host_native host_controls_natives[] = {
	{ .name = "xs_hal_controls_read", .callback = controls_read },
	{ .name = "xs_hal_controls_light", .callback = controls_set, .length = 1 },
	{ .name = "xs_hal_controls_follow", .callback = controls_follow, .length = 2 },
	{ .name = NULL },
};
