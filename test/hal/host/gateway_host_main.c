/*
 * The gateway's host driver without the JavaScript engine, for tests. Usage: gateway_host_main CHASSIS
 * COUPLING PLAN ("-" = none). A plan is committed at 100 % with all groups every 100 ms. Prints "ready".
 * Commands on stdin, one a line: "report" prints the counters; "sample" the bus states; "fault NAME 0|1";
 * "cyclic" starts a frame 0x6B0 on the coupling bus every 20 ms; "quit" and the end of stdin end it.
 */
#include <poll.h>
#include <string.h>

#include "gateway_driver.h"
#include "gateway_host.h"
#include "io/board.h"

#define COMMIT_US 100000

/* There is no PWM in this program. */
void pwm_guard(int pin, int idle_duty)
{
	(void)pin;
	(void)idle_duty;
}

void pwm_idle(void)
{
}

static const char *argument(const char *text)
{
	return strcmp(text, "-") ? text : NULL;
}

static int load_plan(const char *path)
{
	uint8_t bytes[GATEWAY_MAX_PLAN_BYTES];
	int item;
	FILE *file = fopen(path, "rb");
	if (!file)
		return 1;
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	const char *wrong = gateway_load_plan(gateway_driver_core(), bytes, size, &item);
	if (wrong)
		fprintf(stderr, "plan: %s\n", wrong);
	return wrong != NULL;
}

static void commit(void)
{
	struct gateway_locked locked = gateway_driver_lock();
	gateway_commit(locked.gateway, GATEWAY_FULL_FACTOR, 0xFF, GATEWAY_MAX_LEASE_MS, locked.now_us);
	gateway_driver_unlock();
}

static void start_cyclic(void)
{
	struct gateway_locked locked = gateway_driver_lock();
	gateway_set_cyclic(locked.gateway, 0, GATEWAY_COUPLING, 0x6B0, 20, 60000, (const uint8_t *)"\1\2", 2, locked.now_us);
	gateway_driver_unlock();
	gateway_driver_changed();
}

static void report(void)
{
	gateway_host_report(stdout);
	printf("\n");
	fflush(stdout);
}

static void sample(void)
{
	uint8_t header[GATEWAY_SAMPLE_HEADER_BYTES];
	struct gateway_locked locked = gateway_driver_lock();
	gateway_sample(locked.gateway, header, locked.now_us);
	gateway_driver_unlock();
	printf("{\"chassis\":%u,\"coupling\":%u}\n", header[4], header[5]);
	fflush(stdout);
}

static bool obey(char *line)
{
	char name[32];
	int on;
	if (!strcmp(line, "quit\n"))
		return false;
	if (!strcmp(line, "report\n"))
		report();
	else if (!strcmp(line, "sample\n"))
		sample();
	else if (!strcmp(line, "cyclic\n"))
		start_cyclic();
	else if (sscanf(line, "fault %31s %d", name, &on) == 2 && !gateway_host_fault(name, on))
		printf("no such fault\n");
	return true;
}

int main(int argc, char **argv)
{
	char error[256] = "", line[128];
	if (argc != 4)
		return 2;
	struct gateway_host_options options = {{argument(argv[1]), argument(argv[2])}, NULL, NULL, GATEWAY_HOST_RING_RECORDS, false};
	int code = gateway_host_start(&options, error, sizeof error);
	if (code || (argument(argv[3]) && load_plan(argv[3]))) {
		fprintf(stderr, "%s\n", error);
		gateway_host_stop();
		return code ? code : 1;
	}
	printf("ready\n");
	fflush(stdout);
	setvbuf(stdin, NULL, _IONBF, 0); /* poll() must see what fgets() has not */
	for (bool going = true; going;) {
		struct pollfd input = {.fd = 0, .events = POLLIN};
		commit();
		if (poll(&input, 1, COMMIT_US / 1000) > 0)
			going = fgets(line, sizeof line, stdin) && obey(line);
	}
	gateway_host_stop();
	return 0;
}
