/*
 * Parses the command line (see options.h). Long options only; `--name value` and `--name=value` mean the
 * same.
 */
#define _GNU_SOURCE
#include "options.h"

#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "io/flash.h"

struct host_options host_options = {
	.http_port = 8080,
	.analyzer_port = 2323,
	.gateway.ring_records = GATEWAY_HOST_RING_RECORDS,
	/* a name that never resolves (RFC 2606): there is no release server yet */
	.update_url = "https://opencoupling.invalid/release/host/version.json",
	.update_key = "",
};

static const char HELP[] =
	"usage: opencoupling [OPTION]...\n"
	"Runs the OpenCoupling firmware on this computer.\n"
	"\n"
	"  --http PORT           port of the HTTP interface; 0 takes a free one (default 8080); or unix:PATH, a UNIX socket\n"
	"  --analyzer PORT       port for SavvyCAN, once it is switched on; 0 takes a free one (default 2323)\n"
	"  --lan                 listen for all networks of this computer, not for itself alone\n"
	"  --flash DIR           folder that stands for the flash memory (default ../flash, seen from the program)\n"
	"  --flash-pace c6|t2can[:ERASE_MS[:WRITE_US]]  erasing a sector and writing 64 bytes take their time (default 45:200), and\n"
	"                        hold up what they do on this board\n"
	"  --chassis ENDPOINT    the chassis CAN bus:  unix:PATH or can:INTERFACE\n"
	"  --coupling ENDPOINT   the coupling CAN bus: unix:PATH or can:INTERFACE\n"
	"  --wifi SSID[:PASSWORD]  a network in reach of the simulated Wi-Fi radio; up to 4\n"
	"  --update-url URL      where the update manifest is; http:// and a numeric address or localhost\n"
	"  --update-key HEX      take only updates that this key has signed: 64 digits, as npm run release -- --new-key prints\n"
	"  --ring N              recent CAN frames to remember, a power of two up to 16777216 (default 524288: 58 s of full buses)\n"
	"  --replay FILE.log     replay a candump log in virtual time instead\n"
	"  --record FILE.log     with --replay: write what leaves on the coupling bus\n"
	"  --pace real|max|steps with --replay: as fast as it was (default), as fast as it goes, or as standard input says, one\n"
	"                        command a line; steps without --replay: standard input and output are the buses, too (README)\n"
	"  --count-turns         under callgrind: say in its log what each turn of the event loop takes\n"
	"  --fault NAME[=ARG]    make something go wrong, see below; may be repeated\n"
	"  --heap device|host|SLOTS:BYTES  JavaScript heap as on the smallest board, a growing one, or one of this size (default\n"
	"                        device; host with --run)\n"
	"  --guard-open-network  stock while the access point has no password and may not stay open, as on a board\n"
	"  --report              print one JSON line with heap, meter and counters at exit; SIGUSR1 prints it at any time\n"
	"  --until-eof           end when standard input is closed: with the program that started this one, however that ends\n"
	"  --core FILE           library bundle, loaded as if into flash (default core.js beside the program)\n"
	"  --app FILE            application bundle (default main.js beside the program)\n"
	"  --run SCRIPT.js       run a script instead of the application, until it has nothing left to wait for\n"
	"  --help                this text\n"
	"\n"
	"Faults; AT and MS are milliseconds, N counts from 1. AT \"usr2\": whenever SIGUSR2 comes:\n";

__attribute__((format(printf, 2, 3))) static bool reject(int *exit_code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "opencoupling: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, " (--help lists the options)\n");
	va_end(arguments);
	*exit_code = EXIT_USAGE;
	return false;
}

/* Paths beside the executable, so that the program works from any folder. */
static void set_defaults(void)
{
	char folder[PATH_MAX - 16];
	ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
	if (length < 0)
		length = 0;
	folder[length] = 0;
	char *slash = strrchr(folder, '/');
	if (slash)
		*slash = 0;
	else
		strcpy(folder, ".");
	snprintf(host_options.flash_path, sizeof host_options.flash_path, "%s/../flash", folder);
	snprintf(host_options.core_path, sizeof host_options.core_path, "%s/core.js", folder);
	snprintf(host_options.app_path, sizeof host_options.app_path, "%s/main.js", folder);
}

static bool read_port(const char *text, int *port)
{
	size_t digits = strspn(text, "0123456789");
	*port = atoi(text);
	return !text[digits] && digits <= 5 && *port <= 65535;
}

static bool is_endpoint(const char *text)
{
	return (!strncmp(text, "unix:", 5) && text[5]) || (!strncmp(text, "can:", 4) && text[4]);
}

/* ---- options that take a value: each stores it in host_options, or returns what is wrong ---- */

static bool set_http(const char *name, char *value, int *exit_code)
{
	if (!strncmp(value, "unix:", 5) && value[5]) {
		host_options.http_path = value + 5;
		return true;
	}
	return read_port(value, &host_options.http_port) || reject(exit_code, "--%s %s: not a port (0..65535)", name, value);
}

static bool set_analyzer(const char *name, char *value, int *exit_code)
{
	return read_port(value, &host_options.analyzer_port) || reject(exit_code, "--%s %s: not a port (0..65535)", name, value);
}

static bool set_flash_pace(const char *name, char *value, int *exit_code)
{
	return flash_pace_set(value) || reject(exit_code, "--%s %s: not c6 or t2can, with :ERASE_MS[:WRITE_US]", name, value);
}

static bool set_endpoint(const char *name, char *value, int *exit_code)
{
	if (!is_endpoint(value))
		return reject(exit_code, "--%s %s: not an endpoint, unix:PATH or can:INTERFACE", name, value);
	host_options.gateway.endpoint[!strcmp(name, "coupling")] = value;
	return true;
}

static bool add_wifi(const char *name, char *value, int *exit_code)
{
	size_t length = strcspn(value, ":");
	if (length == 0 || length > WIFI_SSID_BYTES)
		return reject(exit_code, "--%s %s: not SSID or SSID:PASSWORD with an SSID of 1..32 bytes", name, value);
	if (host_options.wifi_count == WIFI_LIMIT)
		return reject(exit_code, "--%s: at most %d networks", name, WIFI_LIMIT);
	host_options.wifi[host_options.wifi_count++] = value;
	return true;
}

static bool set_update_key(const char *name, char *value, int *exit_code)
{
	if (strlen(value) != UPDATE_KEY_DIGITS || strspn(value, "0123456789abcdef") != UPDATE_KEY_DIGITS)
		return reject(exit_code, "--%s %s: not 64 hexadecimal digits in small letters", name, value);
	host_options.update_key = value;
	return true;
}

static bool set_ring(const char *name, char *value, int *exit_code)
{
	char *end;
	unsigned long records = strtoul(value, &end, 10);
	if (*end || records == 0 || records > GATEWAY_HOST_MAX_RING_RECORDS || (records & (records - 1)))
		return reject(exit_code, "--%s %s: not a power of two up to %u", name, value, GATEWAY_HOST_MAX_RING_RECORDS);
	host_options.gateway.ring_records = (uint32_t)records;
	return true;
}

static bool set_pace(const char *name, char *value, int *exit_code)
{
	if (strcmp(value, "real") && strcmp(value, "max") && strcmp(value, "steps"))
		return reject(exit_code, "--%s %s: neither real, max nor steps", name, value);
	host_options.pace = value;
	return true;
}

static bool set_heap(const char *name, char *value, int *exit_code)
{
	struct host_options *o = &host_options;
	int end = 0;
	bool is_size = sscanf(value, "%d:%d%n", &o->heap_slots, &o->heap_bytes, &end) == 2 && !value[end];
	if (is_size ? o->heap_slots < 1 || o->heap_bytes < 1 : strcmp(value, "device") && strcmp(value, "host"))
		return reject(exit_code, "--%s %s: neither device nor host nor SLOTS:BYTES", name, value);
	o->host_heap = !strcmp(value, "host");
	o->heap_chosen = true;
	return true;
}

static bool add_fault(const char *name, char *value, int *exit_code)
{
	char problem[120];
	return faults_add(value, problem, sizeof problem) || reject(exit_code, "--%s %s: %s", name, value, problem);
}

static bool set_core(const char *name, char *value, int *exit_code)
{
	(void)name;
	(void)exit_code;
	snprintf(host_options.core_path, sizeof host_options.core_path, "%s", value);
	host_options.core_named = true;
	return true;
}

/* ---- all of them ---- */

/* One of the last four is set. */
static const struct option {
	const char *name;
	bool (*read)(const char *name, char *value, int *exit_code);
	const char **text;
	char *path; /* PATH_MAX bytes */
	bool *flag; /* takes no value */
} OPTIONS[] = {
	{ "http", .read = set_http },
	{ "analyzer", .read = set_analyzer },
	{ "lan", .flag = &host_options.lan },
	{ "flash", .path = host_options.flash_path },
	{ "flash-pace", .read = set_flash_pace },
	{ "chassis", .read = set_endpoint },
	{ "coupling", .read = set_endpoint },
	{ "wifi", .read = add_wifi },
	{ "update-url", .text = &host_options.update_url },
	{ "update-key", .read = set_update_key },
	{ "ring", .read = set_ring },
	{ "replay", .text = &host_options.gateway.replay_path },
	{ "record", .text = &host_options.gateway.record_path },
	{ "pace", .read = set_pace },
	{ "count-turns", .flag = &host_options.count_turns },
	{ "fault", .read = add_fault },
	{ "heap", .read = set_heap },
	{ "guard-open-network", .flag = &host_options.guards_open_network },
	{ "report", .flag = &host_options.report },
	{ "until-eof", .flag = &host_options.until_eof },
	{ "core", .read = set_core },
	{ "app", .path = host_options.app_path },
	{ "run", .text = &host_options.run_path },
};

/* @param length of the name, which does not end there */
static const struct option *find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
		if (strlen(OPTIONS[i].name) == length && !strncmp(name, OPTIONS[i].name, length))
			return &OPTIONS[i];
	return NULL;
}

static bool apply(const struct option *option, char *value, int *exit_code)
{
	if (option->read)
		return option->read(option->name, value, exit_code);
	if (option->text)
		*option->text = value;
	else
		snprintf(option->path, PATH_MAX, "%s", value);
	return true;
}

static bool print_help(int *exit_code)
{
	fputs(HELP, stdout);
	faults_help(stdout);
	printf("\nThe JavaScript engine is %s.\n", engine_version());
	*exit_code = EXIT_OK;
	return false;
}

/* Reads the argument at *at, and the next one if that is its value: then *at moves on. */
static bool read_argument(int argc, char **argv, int *at, int *exit_code)
{
	char *argument = argv[*at];
	if (strncmp(argument, "--", 2))
		return reject(exit_code, "unknown argument %s", argument);
	const char *name = argument + 2, *equals = strchr(name, '=');
	int length = equals ? (int)(equals - name) : (int)strlen(name);
	bool help = !strncmp(name, "help", (size_t)length) && length == 4;
	const struct option *option = find(name, (size_t)length);
	if (!option && !help)
		return reject(exit_code, "unknown option --%.*s", length, name);
	if (equals && (help || option->flag))
		return reject(exit_code, "--%.*s takes no value", length, name);
	if (help)
		return print_help(exit_code);
	if (option->flag)
		return *option->flag = true;
	char *value = equals ? argument + 2 + length + 1 : *at + 1 < argc ? argv[++*at] : NULL;
	if (!value || !*value)
		return reject(exit_code, "--%s needs a value", option->name);
	return apply(option, value, exit_code);
}

/* Options that exclude each other. */
static bool check_together(int *exit_code)
{
	const struct gateway_host_options *gateway = &host_options.gateway;
	bool steps = host_options.pace && !strcmp(host_options.pace, "steps");
	if (host_options.pace && !steps && !gateway->replay_path)
		return reject(exit_code, "--pace %s works only with --replay", host_options.pace);
	if (gateway->record_path && !gateway->replay_path)
		return reject(exit_code, "--record works only with --replay");
	if ((gateway->replay_path || steps) && (gateway->endpoint[0] || gateway->endpoint[1]))
		return reject(exit_code, "--%s takes the place of --chassis and --coupling", steps ? "pace steps" : "replay");
	return true;
}

bool options_parse(int argc, char **argv, int *exit_code)
{
	set_defaults();
	for (int i = 1; i < argc; i++)
		if (!read_argument(argc, argv, &i, exit_code))
			return false;
	if (!check_together(exit_code))
		return false;
	if (host_options.run_path && !host_options.heap_chosen)
		host_options.host_heap = true;
	host_options.gateway.on_stdio = host_options.pace && !strcmp(host_options.pace, "steps") && !host_options.gateway.replay_path;
	return true;
}
