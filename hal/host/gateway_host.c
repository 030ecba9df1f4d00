/*
 * The host's gateway: core and bridge under a mutex, moved by a thread that sleeps in ppoll(), or by the
 * event loop in virtual time. What a board's gateway_esp32.c is there.
 */
#define _GNU_SOURCE
#include "gateway_host.h"

#include <inttypes.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "gateway_driver.h"
#include "io/board.h"
#include "options.h"

/* 64 KB, twice what any board has, so that a log of any car fits. */
#define LATEST_IDS 1024u
/* Turns before the sockets are looked at again. */
#define TURNS_AT_ONCE 16u

static struct gateway gateway;
static struct bridge bridge;
static pthread_mutex_t lock;
static pthread_t thread;
static bool started, threaded;
static atomic_bool stopping, stalled, asleep;
static _Atomic uint64_t blocked_until_us; /* of the host's clock */
static struct heartbeat heart;
static int wake_fd = -1, sleep_fd = -1;
static struct gateway_latest *latest;
static struct gateway_record *ring;

static void signal_fd(int fd)
{
	uint64_t one = 1;
	if (write(fd, &one, sizeof one) < 0) {
		/* cannot fail but for a full counter, and then it is awake */
	}
}

static void wake(void)
{
	signal_fd(wake_fd);
}

/* ---- what the binding uses ---- */

struct gateway *gateway_driver_core(void)
{
	return started ? &gateway : NULL;
}

uint64_t gateway_driver_now(void)
{
	return host_clock_reading_us();
}

struct gateway_locked gateway_driver_lock(void)
{
	pthread_mutex_lock(&lock);
	return (struct gateway_locked){.gateway = &gateway, .now_us = host_clock_reading_us()};
}

void gateway_driver_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void gateway_driver_changed(void)
{
	if (host_clock_is_virtual())
		gateway_host_turn();
	else
		wake();
}

void gateway_driver_guard_pwm(unsigned pin, unsigned idle_duty)
{
	pwm_guard((int)pin, (int)idle_duty);
}

void bridge_idle_pwm(void)
{
	pwm_idle();
}

/* ---- turns ---- */

/* What comes while the controllers sleep is lost; a frame of the chassis bus wakes them. */
static void lose_frames(void)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		struct can_link *link = &host_links[bus].link;
		struct gateway_frame frame;
		while (link->class->receive(link, &frame, 0))
			if (bus == GATEWAY_CHASSIS)
				signal_fd(sleep_fd);
	}
}

bool gateway_host_is_stalled(void)
{
	return stalled || asleep;
}

static uint64_t turn(void)
{
	if (asleep)
		lose_frames();
	if (gateway_host_is_stalled())
		return GATEWAY_NEVER;
	if (host_clock_us() < blocked_until_us) /* as by interrupts */
		return earlier(host_clock_when_us(bridge_turn_of_frames(&bridge)), blocked_until_us);
	heartbeat_beat(&heart);
	return host_clock_when_us(bridge_turn(&bridge));
}

uint64_t gateway_host_turn(void)
{
	uint64_t next_us = turn();
	for (unsigned i = 1; next_us <= host_clock_us() && (i < TURNS_AT_ONCE || host_clock_is_virtual()); ++i)
		next_us = turn();
	return next_us;
}

/* ---- the thread ---- */

/* Negative descriptors are skipped by poll(). */
static struct pollfd watch(const struct host_link *bus)
{
	short events = POLLIN;
	if (bus->full && !bus->is_can && host_link_can_send(bus))
		events |= POLLOUT;
	return (struct pollfd){.fd = bus->fd, .events = events};
}

static void wait_until(struct pollfd *fds, nfds_t count, uint64_t next_us)
{
	struct timespec timeout;
	uint64_t now_us = host_clock_us();
	uint64_t wait_us = next_us > now_us ? next_us - now_us : 0;
	timeout.tv_sec = (time_t)(wait_us / 1000000);
	timeout.tv_nsec = (long)(wait_us % 1000000) * 1000;
	if (ppoll(fds, count, next_us == GATEWAY_NEVER ? NULL : &timeout, NULL) < 0)
		for (nfds_t i = 0; i < count; ++i)
			fds[i].revents = 0;
}

/*
 * As on the boards the gateway goes before JavaScript; where the system does not permit that it works all the
 * same, less promptly.
 */
static void raise_priority(void)
{
	struct sched_param parameters = {.sched_priority = 1};
	pthread_setschedparam(pthread_self(), SCHED_RR, &parameters);
}

static void *run(void *unused)
{
	struct pollfd fds[5] = {0};
	raise_priority();
	while (!stopping) {
		uint64_t next_us = gateway_host_turn(), count;
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
			if (fds[3 + bus].revents) { /* after the turn that saw the peer before it leave */
				host_link_accept(&host_links[bus]);
				next_us = 0;
			}
		fds[0] = (struct pollfd){.fd = wake_fd, .events = POLLIN};
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
			fds[1 + bus] = watch(&host_links[bus]);
			fds[3 + bus] = (struct pollfd){.fd = host_links[bus].listener, .events = POLLIN};
		}
		wait_until(fds, stalled ? 1 : 5, next_us);
		if (fds[0].revents && read(wake_fd, &count, sizeof count) < 0)
			continue;
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
			if (fds[1 + bus].revents & POLLOUT)
				host_links[bus].full = false;
			if (fds[1 + bus].revents & ~POLLOUT)
				host_links[bus].readable = true;
		}
	}
	return unused;
}

/* ---- start, stop, faults, report ---- */

static int start_thread(const struct gateway_host_options *options, char *error, size_t error_size)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		int code = host_link_open(&host_links[bus], options->endpoint[bus], error, error_size);
		if (code)
			return code;
	}
	wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	threaded = wake_fd >= 0 && !pthread_create(&thread, NULL, run, NULL);
	if (threaded)
		return 0;
	snprintf(error, error_size, "the gateway's thread does not start: %s", strerror(errno));
	return EXIT_FAILED;
}

/* The holder of the lock inherits the priority of the gateway's thread if that waits for it. */
static void init_lock(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

int gateway_host_start(const struct gateway_host_options *options, char *error, size_t error_size)
{
	init_lock();
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		host_link_open(&host_links[bus], NULL, error, error_size);
		bridge_set_link(&bridge, bus, &host_links[bus].link);
	}
	latest = calloc(LATEST_IDS + 1, sizeof *latest);
	ring = calloc(options->ring_records, sizeof *ring);
	if (!latest || !ring) {
		snprintf(error, error_size, "no memory for the gateway");
		return EXIT_FAILED;
	}
	gateway_init(&gateway, latest, LATEST_IDS, ring, options->ring_records);
	started = true;
	int code = host_clock_is_virtual() ? gateway_host_replay_start(options, error, error_size) : start_thread(options, error, error_size);
	if (code)
		gateway_host_stop();
	return code;
}

void gateway_host_stop(void)
{
	if (!started)
		return;
	started = false;
	stopping = true;
	if (threaded) {
		wake();
		pthread_join(thread, NULL);
	}
	threaded = false;
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		host_link_close(&host_links[bus]);
	if (wake_fd >= 0)
		close(wake_fd);
	wake_fd = -1;
	gateway_host_replay_stop();
	free(latest);
	free(ring);
}

/* Makes the script's next sample throw: the gateway watches more frames than fit in the script's buffer. */
static void watch_others(void)
{
	static const uint8_t list[GATEWAY_MAX_WATCHED * GATEWAY_WATCH_BYTES];
	int item;
	gateway_watch(gateway_driver_lock().gateway, list, sizeof list, &item);
	gateway_driver_unlock();
}

void gateway_host_block(uint64_t until_us)
{
	blocked_until_us = until_us;
}

void gateway_host_sleep(void)
{
	sleep_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	asleep = true;
	gateway_driver_changed();
}

int gateway_host_sleep_fd(void)
{
	return sleep_fd;
}

bool gateway_host_hangs(void)
{
	return heartbeat_look(&heart, host_clock_us(), host_clock_us() < blocked_until_us);
}

bool gateway_host_fault(const char *name, bool on)
{
	if (!strcmp(name, "tick-throws")) {
		watch_others();
		return true;
	}
	if (!strcmp(name, "gateway-stalled")) {
		stalled = on;
		gateway_driver_changed();
		return true;
	}
	static const struct { const char *name; uint8_t bus; bool bus_off; } faults[] = {
		{"bus-off-chassis", GATEWAY_CHASSIS, true}, {"bus-off-coupling", GATEWAY_COUPLING, true},
		{"tx-full-chassis", GATEWAY_CHASSIS, false}, {"tx-full-coupling", GATEWAY_COUPLING, false},
	};
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
		if (strcmp(name, faults[i].name))
			continue;
		struct host_link *bus = &host_links[faults[i].bus];
		if (faults[i].bus_off)
			bus->fault_bus_off = on;
		else
			bus->fault_tx_full = on;
		if (started)
			gateway_driver_changed();
		return true;
	}
	return false;
}

void gateway_host_report(FILE *out)
{
	static const char *const names[] = {
#define X(name, json) #json,
		GATEWAY_COUNTER_LIST(X)
#undef X
	};
	uint32_t counters[GATEWAY_COUNTER_COUNT];
	gateway_driver_lock();
	memcpy(counters, gateway.counters, sizeof counters);
	gateway_driver_unlock();
	for (size_t i = 0; i < GATEWAY_COUNTER_COUNT; ++i)
		fprintf(out, "%s\"%s\":%" PRIu32, i ? "," : "{", names[i], counters[i]);
	fputs("}", out);
}
