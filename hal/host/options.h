/* The command line of the host. */
#ifndef OPENCOUPLING_OPTIONS_H
#define OPENCOUPLING_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "gateway_host.h"

/* Exit codes of the program; the engine's abort adds its status to EXIT_ENGINE. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,      /* a file of the program's own cannot be read, or no memory at start */
	EXIT_USAGE = 2,
	EXIT_PORT = 3,
	EXIT_FLASH = 4,
	EXIT_ENDPOINT = 5,
	EXIT_POWER_CUT = 9,
	EXIT_RESTART = 10,    /* the script asked for it: the program starts itself again */
	EXIT_HUNG = 11,       /* nothing moves the gateway: the same */
	EXIT_ASLEEP = 12,     /* the script has put the chip to sleep: the same, once it is woken */
	EXIT_ENGINE = 100,
};

#define WIFI_LIMIT 4            /* chosen; --help says it, too */
#define UPDATE_KEY_DIGITS 64    /* two for each byte of an Ed25519 key */
#define WIFI_SSID_BYTES 32      /* IEEE 802.11 */

/*
 * As given, or as it is by default. A text that was not given is NULL or "". Read only after options_parse().
 */
struct host_options {
	int http_port;
	int analyzer_port;
	const char *http_path;          /* of a UNIX socket instead of a port, or NULL */
	bool lan;                       /* listens for other computers too */
	char flash_path[PATH_MAX];
	char core_path[PATH_MAX];
	bool core_named;                /* by --core */
	char app_path[PATH_MAX];
	const char *run_path;           /* --run, or NULL */
	bool heap_chosen;               /* by --heap */
	bool host_heap;                 /* growing instead of device-like */
	int heap_slots, heap_bytes;     /* 0: as on the smallest board */
	const char *restarted;          /* by itself, and why; or NULL. See EXIT_RESTART, EXIT_HUNG */
	bool report;
	bool until_eof;                 /* ends when standard input is closed */
	bool guards_open_network;       /* as on a board */
	bool count_turns;               /* see loop.h */
	const char *pace;               /* "real", "max", "steps" or NULL */
	const char *update_url;
	const char *update_key;         /* hexadecimal; "" = none */
	const char *wifi[WIFI_LIMIT];   /* "SSID" or "SSID:PASSWORD" */
	size_t wifi_count;
	struct gateway_host_options gateway;
};

extern struct host_options host_options;

/*
 * Fills host_options and hands the faults on to faults.c. Returns true, or false when the program has to end
 * with *exit_code: after --help, or after one line on stderr that says what is wrong.
 */
bool options_parse(int argc, char **argv, int *exit_code);

#endif
