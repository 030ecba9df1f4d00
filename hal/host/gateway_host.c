/*
 * The host's gateway driver: the core under a mutex, moved by a thread of its own that sleeps in ppoll(), or by the event loop in virtual time.
 * The mutex is held for one batch of received frames or for one frame sent, never during a system call.
 */
#define _GNU_SOURCE
#include "gateway_host.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "gateway_bus.h"
#include "gateway_driver.h"
#include "gateway_heartbeat.h"
#include "gateway_host_link.h"
#include "gateway_host_replay.h"
#include "io/pwm.h"
#include "options.h"

/* Chosen: 64 KB, nothing to a computer, and twice what any board has, so that a log of any car has room. Half would be a board's own limit. */
#define LATEST_IDS 1024u
/*
 * How often a bus that is off is looked at. Chosen: as often as a board looks at its MCP2515. Recovery begins so much late at most, a fifth of the
 * shortest back-off; half only wakes the thread twice as often, twice makes two fifths of it.
 */
#define OFF_POLL_US 20000u
/* The thread wakes at least so often: as the boards' task, on which gateway_heartbeat.h relies (it looks each 250 ms). */
#define BEAT_US 100000u
/*
 * SocketCAN: poll() says writable although the queue is full. Chosen: a full bus sends 4.5 frames in it, so Linux's queue of 10 does not run empty;
 * with twice it would be close, and half wakes the thread for two frames.
 */
#define CONGESTED_POLL_US 1000u

static struct gateway gateway;
struct gateway_link gateway_host_links[GATEWAY_BUSES];
static pthread_mutex_t lock;
static pthread_t thread;
static bool started, threaded;
static atomic_bool stopping, stalled, asleep;
static _Atomic uint64_t blocked_until_us; /* of the host's clock */
static struct heartbeat heart;
static int wake_fd = -1, sleep_fd = -1;
static struct gateway_latest *latest;
static struct gateway_record *ring;
static uint32_t expiries_seen; /* leases whose end the PWM knows of */

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
	return host_clock_us();
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

/* ---- moving frames ---- */

void gateway_host_drain(unsigned bus)
{
	struct gateway_link *link = &gateway_host_links[bus];
	while (link_can_send(link)) {
		struct gateway_frame frame;
		uint64_t now_us = gateway_driver_lock().now_us;
		const struct gateway_frame *next = gateway_next_to_send(&gateway, bus, now_us);
		if (next)
			frame = *next;
		gateway_driver_unlock();
		if (!next)
			return;
		bool sent = gateway_host_replays() ? gateway_host_replay_send(bus, &frame) : link_send(link, &frame);
		now_us = gateway_driver_lock().now_us;
		if (sent)
			gateway_sent(&gateway, bus, now_us);
		else
			gateway_not_sent(&gateway, bus);
		gateway_driver_unlock();
		if (!sent)
			return;
	}
}

static void receive(unsigned bus)
{
	struct gateway_link *link = &gateway_host_links[bus];
	unsigned broken;
	int count = link_read(link, &broken);
	if (asleep) {
		link_consume(link, count > 0 ? count : 0);
		if (bus == GATEWAY_CHASSIS && count > 0)
			signal_fd(sleep_fd);
		return;
	}
	uint64_t now_us = gateway_driver_lock().now_us;
	if (broken)
		gateway_malformed(&gateway);
	/* A bus that is off delivers nothing. */
	for (int i = 0; i < count && !link->controller_off; ++i)
		gateway_receive(&gateway, bus, &link->input[i], now_us);
	gateway_driver_unlock();
	if (count > 0) {
		link_consume(link, count);
		gateway_host_drain(bus ^ 1);
	}
}

/* ---- bus states ---- */

static void update_bus(unsigned bus)
{
	struct gateway_link *link = &gateway_host_links[bus];
	uint64_t now_us = gateway_driver_lock().now_us;
	enum bus_recovery_action action = gateway_follow_bus(&gateway, bus, &link->recovery, link_report(link), now_us);
	gateway_driver_unlock();
	if (action == BUS_RECOVER)
		link_recover(link);
}

uint64_t gateway_host_turn(void)
{
	if (host_clock_us() < blocked_until_us)
		return blocked_until_us;
	if (stalled || asleep)
		return GATEWAY_NEVER;
	heartbeat_beat(&heart);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		update_bus(bus);
	uint64_t now_us = gateway_driver_lock().now_us;
	uint64_t next_us = gateway_tick(&gateway, now_us);
	if (gateway.counters[GATEWAY_LEASE_EXPIRIES] != expiries_seen) {
		expiries_seen = gateway.counters[GATEWAY_LEASE_EXPIRIES];
		pwm_idle();
	}
	gateway_driver_unlock();
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		if (!gateway_host_links[bus].congested || gateway_host_links[bus].is_can)
			gateway_host_drain(bus);
		if (gateway_host_links[bus].recovery.state == BUS_OFF && now_us + OFF_POLL_US < next_us)
			next_us = now_us + OFF_POLL_US;
		if (gateway_host_links[bus].congested && gateway_host_links[bus].is_can && now_us + CONGESTED_POLL_US < next_us)
			next_us = now_us + CONGESTED_POLL_US;
	}
	return host_clock_when_us(next_us);
}

/* ---- the thread ---- */

/* Negative descriptors are skipped by poll(). */
static struct pollfd watch_link(const struct gateway_link *link)
{
	short events = POLLIN;
	if (link->congested && !link->is_can && link_can_send(link))
		events |= POLLOUT;
	return (struct pollfd){.fd = link->fd, .events = events};
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

/* As on the boards the gateway goes before JavaScript; where the system does not permit that it works all the same, less promptly. */
static void raise_priority(void)
{
	struct sched_param parameters = {.sched_priority = 1};
	pthread_setschedparam(pthread_self(), SCHED_RR, &parameters);
}

static void *run(void *unused)
{
	raise_priority();
	while (!stopping) {
		uint64_t next_us = gateway_host_turn(), beat_us = host_clock_us() + BEAT_US;
		struct pollfd fds[5] = {
			{.fd = wake_fd, .events = POLLIN},
			watch_link(&gateway_host_links[0]), watch_link(&gateway_host_links[1]),
			{.fd = gateway_host_links[0].listener, .events = POLLIN}, {.fd = gateway_host_links[1].listener, .events = POLLIN},
		};
		wait_until(fds, stalled ? 1 : 5, next_us < beat_us ? next_us : beat_us);
		uint64_t count;
		if ((fds[0].revents && read(wake_fd, &count, sizeof count) < 0) || stalled)
			continue;
		for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
			if (fds[1 + bus].revents & POLLOUT) {
				gateway_host_links[bus].congested = false;
				gateway_host_drain(bus);
			}
			if (fds[1 + bus].revents & ~POLLOUT)
				receive(bus);
			if (fds[3 + bus].revents) /* after the peer before it, so that one may follow the other at once */
				link_accept(&gateway_host_links[bus]);
		}
	}
	return unused;
}

void gateway_driver_changed(void)
{
	if (gateway_host_replays())
		gateway_host_turn();
	else
		wake();
}

/* ---- start, stop, faults, report ---- */

static int start_thread(const struct gateway_host_options *options, char *error, size_t error_size)
{
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		int code = link_open(&gateway_host_links[bus], options->endpoint[bus], error, error_size);
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

/* Whoever holds the lock inherits the priority of the gateway's thread if that waits for it. */
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
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus)
		gateway_host_links[bus].listener = gateway_host_links[bus].fd = -1;
	latest = calloc(LATEST_IDS + 1, sizeof *latest);
	ring = calloc(options->ring_records, sizeof *ring);
	if (!latest || !ring) {
		snprintf(error, error_size, "no memory for the gateway");
		return EXIT_FAILED;
	}
	gateway_init(&gateway, latest, LATEST_IDS, ring, options->ring_records);
	started = true;
	bool replays = options->replay_path || options->on_stdio;
	int code = replays ? gateway_host_replay_start(options, error, error_size) : start_thread(options, error, error_size);
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
		link_close(&gateway_host_links[bus]);
	if (wake_fd >= 0)
		close(wake_fd);
	wake_fd = -1;
	gateway_host_replay_stop();
	free(latest);
	free(ring);
}

/* Makes the script's next sample throw: the gateway watches more frames than the script has room for. */
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

bool gateway_host_is_stalled(void)
{
	return stalled || asleep;
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
		struct gateway_link *link = &gateway_host_links[faults[i].bus];
		if (faults[i].bus_off)
			link->fault_bus_off = on;
		else
			link->fault_tx_full = on;
		if (started)
			gateway_driver_changed();
		return true;
	}
	return false;
}

void gateway_host_report(FILE *out)
{
	char text[GATEWAY_COUNTERS_JSON_BYTES];
	uint32_t counters[GATEWAY_COUNTER_COUNT];
	gateway_driver_lock();
	memcpy(counters, gateway.counters, sizeof counters);
	gateway_driver_unlock();
	gateway_counters_json(counters, text);
	fputs(text, out);
}

void gateway_driver_guard_pwm(unsigned pin, unsigned idle_duty)
{
	pwm_guard((int)pin, (int)idle_duty);
}
