/*
 * A full bus on both sides of a gateway: connects to its two UNIX sockets as peer, sends RATE frames a second
 * each way for SECONDS, evenly spaced, and checks that every frame comes out on the other side in order. The
 * buses carry what a generation 5 controller needs to be active, and frames that it then rewrites; all others
 * carry their number and must come out unchanged. When this program does not get its turn, the bus pauses
 * with it.
 *
 * Usage: bus_load CHASSIS_PATH COUPLING_PATH RATE SECONDS. Prints one JSON line: sent, received, lost, wrong
 * (reordered, or changed without being rewritten), rewritten, and longestHeldUpMs (what this program was kept
 * from its turn: its sockets hold about 60 ms of frames).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64
#define SETTLE_NS 200000000 /* for the last frames to arrive */
#define CONNECT_TRIES 100   /* 10 ms apart */
#define HELD_UP_NS 2000000

struct record { uint32_t id; uint8_t dlc, reserved[3]; uint32_t number, bus; };

struct side {
	int fd;
	uint32_t sent, next, received, wrong;
	bool full; /* the socket takes no more at present */
	uint8_t buffer[BATCH * sizeof(struct record)];
	size_t bytes;
};

static struct side sides[2];
static unsigned long long rewritten;

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	strncpy(address.sun_path, path, sizeof address.sun_path - 1);
	for (int i = 0; i < CONNECT_TRIES; ++i) {
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
		if (!connect(fd, (struct sockaddr *)&address, sizeof address))
			return fd;
		close(fd);
		usleep(10000);
	}
	perror(path);
	exit(2);
}

/*
 * Speed 50 km/h (ESP_21), pedal 50 % (Motor_20), 2000 1/min (Motor_12, itself rewritten), and other frames
 * that are rewritten.
 */
static const struct special { uint16_t id; uint8_t data[8]; } SPECIALS[] = {
	{0x0FD, {0, 0, 0, 0, 0x88, 0x13, 0, 0}}, {0x121, {0, 0xD3, 0x07, 0, 0, 0, 0, 0}}, {0x0A8, {0, 0, 0, 0, 0, 0, 0x40, 0x1F}},
	{0x0A7, {0}}, {0x08A, {0}}, {0x116, {0}}, {0x106, {0}}, {0x30B, {0}}, {0x5BE, {0}}, {0x3BE, {0}}, {0x392, {0}},
};
#define SPECIAL_COUNT (sizeof SPECIALS / sizeof SPECIALS[0])
/* What the coupling reports (Allrad_03, 40 % engaged): without that nothing is controlled. */
static const struct special REPORT = {0x118, {0, 0, 0x64, 0x22, 0, 0, 0, 0}};
#define IDS 40

/* The frame of a number: special ones in a fixed place of each round. */
static struct record record_of(unsigned bus, uint32_t number)
{
	struct record record = {.id = 0x400 + number % IDS, .dlc = 8, .number = number, .bus = bus};
	const struct special *special = NULL;
	if (bus == 0 && number % IDS < SPECIAL_COUNT)
		special = &SPECIALS[number % IDS];
	else if (bus == 1 && number % IDS == 0)
		special = &REPORT;
	if (special) {
		record.id = special->id;
		memcpy(&record.number, special->data, 8);
	}
	return record;
}

/* What is measured is the gateway, not when this program gets its turn; without the permission it is both. */
static void raise_priority(void)
{
	struct sched_param parameters = {.sched_priority = 1};
	sched_setscheduler(0, SCHED_RR, &parameters);
}

/* A controller keeps a frame that the bus does not take; so does this. */
static void send_one(unsigned bus)
{
	struct side *side = &sides[bus];
	struct record record = record_of(bus, side->sent);
	ssize_t bytes = send(side->fd, &record, sizeof record, MSG_NOSIGNAL);
	if (bytes < 0 && errno == EAGAIN) {
		side->full = true;
		return;
	}
	if (bytes != (ssize_t)sizeof record) {
		fprintf(stderr, "the gateway does not take frames: %s\n", strerror(errno));
		exit(2);
	}
	side->full = false;
	++side->sent;
}

static void receive_from(unsigned bus)
{
	struct side *side = &sides[bus];
	const struct side *origin = &sides[bus ^ 1];
	ssize_t bytes = recv(side->fd, side->buffer + side->bytes, sizeof side->buffer - side->bytes, 0);
	if (bytes <= 0)
		return;
	side->bytes += (size_t)bytes;
	size_t count = side->bytes / sizeof(struct record);
	for (size_t i = 0; i < count; ++i) {
		struct record record;
		memcpy(&record, side->buffer + i * sizeof record, sizeof record);
		if (record.id == 0x6B0)
			continue; /* the controller's own status */
		struct record expected = record_of(bus ^ 1u, side->next);
		bool numbered = expected.id >= 0x400 && expected.id < 0x400 + IDS;
		bool changed = record.number != expected.number || record.bus != expected.bus;
		if (record.id != expected.id || (numbered && changed)) {
			++side->wrong;
			if (record.id >= 0x400 && record.id < 0x400 + IDS && record.number < origin->sent)
				side->next = record.number; /* go on from here: what lies between is lost */
		}
		rewritten += changed;
		++side->next;
		++side->received;
	}
	side->bytes -= count * sizeof(struct record);
	memmove(side->buffer, side->buffer + count * sizeof(struct record), side->bytes);
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	uint64_t rate = strtoull(argv[3], NULL, 10), total = rate * strtoull(argv[4], NULL, 10);
	for (unsigned bus = 0; bus < 2; ++bus)
		sides[bus].fd = connect_to(argv[1 + bus]);
	raise_priority();
	usleep(100000); /* both peers are known before the first frame */
	uint64_t start = now_ns(), end = start + total * 1000000000 / rate + SETTLE_NS, next = end, longest_ns = 0;
	for (uint64_t now = start; now < end; now = now_ns()) {
		if (now > next + HELD_UP_NS) {
			uint64_t pause_ns = now - next;
			longest_ns = pause_ns > longest_ns ? pause_ns : longest_ns;
			start += pause_ns;
			end += pause_ns;
		}
		next = end;
		for (unsigned bus = 0; bus < 2; ++bus) {
			/* The two buses are out of step by half a frame. */
			uint64_t due = start + (2 * sides[bus].sent + bus) * 500000000ull / rate;
			if (sides[bus].sent == total)
				continue;
			if (due <= now)
				send_one(bus);
			if (sides[bus].full)
				continue; /* poll() tells when it goes on */
			if (due <= now)
				next = now;
			else if (due < next)
				next = due;
		}
		struct pollfd fds[2] = {{.fd = sides[0].fd, .events = POLLIN}, {.fd = sides[1].fd, .events = POLLIN}};
		for (unsigned bus = 0; bus < 2; ++bus)
			if (sides[bus].full)
				fds[bus].events |= POLLOUT;
		now = now_ns();
		struct timespec timeout = {.tv_nsec = next > now ? (long)(next - now) : 0};
		if (timeout.tv_nsec > 900000000)
			timeout.tv_nsec = 900000000;
		if (ppoll(fds, 2, &timeout, NULL) <= 0)
			continue;
		for (unsigned bus = 0; bus < 2; ++bus)
			if (fds[bus].revents & ~POLLOUT)
				receive_from(bus);
	}
	unsigned received = sides[0].received + sides[1].received;
	printf("{\"sent\":%llu,\"received\":%u,\"lost\":%llu,\"wrong\":%u,\"rewritten\":%llu,\"longestHeldUpMs\":%llu}\n", 2ull * total, received,
		2ull * total - received, sides[0].wrong + sides[1].wrong, rewritten, (unsigned long long)longest_ns / 1000000);
	return 0;
}
