/* Parses the command line (see options.h). Long options only; `--name value` and `--name=value` mean the same. */
#define _GNU_SOURCE
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "io/flash_pace.h"

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

__attribute__((format(printf, 2, 3))) static bool refuse(int *exit_code, const char *format, ...)
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

/* Applies one option that takes a value. */
static bool apply(const char *name, char *value, int *exit_code)
{
	struct host_options *o = &host_options;
	if (!strcmp(name, "http")) {
		if (!strncmp(value, "unix:", 5) && value[5]) {
			o->http_path = value + 5;
			return true;
		}
		if (!read_port(value, &o->http_port))
			return refuse(exit_code, "--http %s: not a port (0..65535)", value);
	}
	else if (!strcmp(name, "analyzer")) {
		if (!read_port(value, &o->analyzer_port))
			return refuse(exit_code, "--analyzer %s: not a port (0..65535)", value);
	}
	else if (!strcmp(name, "flash"))
		snprintf(o->flash_path, sizeof o->flash_path, "%s", value);
	else if (!strcmp(name, "flash-pace")) {
		if (!flash_pace_set(value))
			return refuse(exit_code, "--flash-pace %s: not c6 or t2can, with :ERASE_MS[:WRITE_US]", value);
	}
	else if (!strcmp(name, "chassis") || !strcmp(name, "coupling")) {
		if (!is_endpoint(value))
			return refuse(exit_code, "--%s %s: not an endpoint, unix:PATH or can:INTERFACE", name, value);
		o->gateway.endpoint[!strcmp(name, "coupling")] = value;
	}
	else if (!strcmp(name, "wifi")) {
		size_t length = strcspn(value, ":");
		if (length == 0 || length > WIFI_SSID_BYTES)
			return refuse(exit_code, "--wifi %s: not SSID or SSID:PASSWORD with an SSID of 1..32 bytes", value);
		if (o->wifi_count == WIFI_LIMIT)
			return refuse(exit_code, "--wifi: at most %d networks", WIFI_LIMIT);
		o->wifi[o->wifi_count++] = value;
	}
	else if (!strcmp(name, "update-url"))
		o->update_url = value;
	else if (!strcmp(name, "update-key")) {
		if (strlen(value) != UPDATE_KEY_DIGITS || strspn(value, "0123456789abcdef") != UPDATE_KEY_DIGITS)
			return refuse(exit_code, "--update-key %s: not 64 hexadecimal digits in small letters", value);
		o->update_key = value;
	}
	else if (!strcmp(name, "ring")) {
		char *end;
		unsigned long records = strtoul(value, &end, 10);
		if (*end || records == 0 || records > GATEWAY_HOST_MAX_RING_RECORDS || (records & (records - 1)))
			return refuse(exit_code, "--ring %s: not a power of two up to %u", value, GATEWAY_HOST_MAX_RING_RECORDS);
		o->gateway.ring_records = (uint32_t)records;
	}
	else if (!strcmp(name, "replay"))
		o->gateway.replay_path = value;
	else if (!strcmp(name, "record"))
		o->gateway.record_path = value;
	else if (!strcmp(name, "pace")) {
		if (strcmp(value, "real") && strcmp(value, "max") && strcmp(value, "steps"))
			return refuse(exit_code, "--pace %s: neither real, max nor steps", value);
		o->pace = value;
	}
	else if (!strcmp(name, "heap")) {
		int end = 0;
		bool is_size = sscanf(value, "%d:%d%n", &o->heap_slots, &o->heap_bytes, &end) == 2 && !value[end];
		if (is_size ? o->heap_slots < 1 || o->heap_bytes < 1 : strcmp(value, "device") && strcmp(value, "host"))
			return refuse(exit_code, "--heap %s: neither device nor host nor SLOTS:BYTES", value);
		o->host_heap = !strcmp(value, "host");
	}
	else if (!strcmp(name, "fault")) {
		char problem[120];
		if (!faults_add(value, problem, sizeof problem))
			return refuse(exit_code, "--fault %s: %s", value, problem);
	}
	else if (!strcmp(name, "core")) {
		snprintf(o->core_path, sizeof o->core_path, "%s", value);
		o->core_named = true;
	}
	else if (!strcmp(name, "app"))
		snprintf(o->app_path, sizeof o->app_path, "%s", value);
	else
		o->run_path = value;
	return true;
}

static bool takes_value(const char *name)
{
	static const char *const names[] = { "http", "analyzer", "flash", "flash-pace", "chassis", "coupling", "replay", "record", "pace", "heap", "fault",
		"ring", "core", "app", "run", "wifi", "update-url",
		"update-key" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static const struct { const char *name; bool *value; } flags[] = {
	{ "lan", &host_options.lan },
	{ "report", &host_options.report },
	{ "guard-open-network", &host_options.guards_open_network },
	{ "until-eof", &host_options.until_eof },
	{ "count-turns", &host_options.count_turns },
};

static bool *find_flag(const char *argument)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (!strncmp(argument, "--", 2) && !strcmp(argument + 2, flags[i].name))
			return flags[i].value;
	return NULL;
}

static bool is_flag(const char *name)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (!strcmp(name, flags[i].name))
			return true;
	return false;
}

bool options_parse(int argc, char **argv, int *exit_code)
{
	bool heap_chosen = false;
	set_defaults();
	for (int i = 1; i < argc; i++) {
		char name[32];
		char *equals = strchr(argv[i], '=');
		size_t length = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
		if (!strcmp(argv[i], "--help")) {
			fputs(HELP, stdout);
			faults_help(stdout);
			*exit_code = EXIT_OK;
			return false;
		}
		bool *flag = find_flag(argv[i]);
		if (flag) {
			*flag = true;
			continue;
		}
		if (strncmp(argv[i], "--", 2) || length - 2 >= sizeof name)
			return refuse(exit_code, "unknown argument %s", argv[i]);
		memcpy(name, argv[i] + 2, length - 2);
		name[length - 2] = 0;
		if (equals && (!strcmp(name, "help") || is_flag(name)))
			return refuse(exit_code, "--%s takes no value", name);
		if (!takes_value(name))
			return refuse(exit_code, "unknown option --%s", name);
		char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
		if (!value || !*value)
			return refuse(exit_code, "--%s needs a value", name);
		if (!apply(name, value, exit_code))
			return false;
		heap_chosen |= !strcmp(name, "heap");
	}
	if (host_options.run_path && !heap_chosen)
		host_options.host_heap = true;
	bool steps = host_options.pace && !strcmp(host_options.pace, "steps");
	if (host_options.pace && !steps && !host_options.gateway.replay_path)
		return refuse(exit_code, "--pace %s works only with --replay", host_options.pace);
	if (host_options.gateway.record_path && !host_options.gateway.replay_path)
		return refuse(exit_code, "--record works only with --replay");
	bool has_endpoint = host_options.gateway.endpoint[0] || host_options.gateway.endpoint[1];
	if ((host_options.gateway.replay_path || steps) && has_endpoint)
		return refuse(exit_code, "--%s takes the place of --chassis and --coupling", steps ? "pace steps" : "replay");
	host_options.gateway.on_stdio = steps && !host_options.gateway.replay_path;
	return true;
}
