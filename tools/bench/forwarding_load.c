/*
 * A full bus on both sides of a gateway: connects to its two UNIX sockets as peer, sends RATE frames a second
 * each way for SECONDS, evenly spaced, and checks that every frame comes out on the other side in order. The
 * buses carry what a generation 5 controller needs to be active, and frames that it then rewrites; all others
 * carry their number and must come out unchanged.
 *
 * What a shared machine adds by itself is measured in the same run: each RELAYED-th chassis frame also goes
 * through a bare relay, a process that reads and writes and does nothing else, at the same priority. When
 * this program itself does not get its turn, the bus pauses with it.
 *
 * Usage: forwarding_load CHASSIS_PATH COUPLING_PATH RATE SECONDS [KMH]; the car drives at 50 km/h if not
 * told. Prints one JSON line: sent, received, lost, wrong (reordered, or changed without being rewritten),
 * rewritten, waits (frames that a full socket took late), heldUpMs and longestHeldUpMs (what this program was
 * kept from its turn: its sockets hold about 60 ms of frames), and in us the percentiles of the latency from
 * when a frame was first offered to when it was read, both directions together, and the relay's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
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
#define RELAYED 8
#define HELD_UP_NS 2000000

struct record { uint32_t id; uint8_t dlc, reserved[3]; uint32_t number, bus; };

struct side {
	int fd;
	uint32_t sent, received, wrong, waits;
	bool full;           /* the socket takes no more at present */
	uint64_t *sent_ns;   /* by number */
	uint8_t buffer[BATCH * sizeof(struct record)];
	size_t bytes;
};

struct latencies { uint32_t *ns; size_t count; };

static struct side sides[2];
static struct latencies forwarded, relayed;
static int relay_fd;
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
static struct special { uint16_t id; uint8_t data[8]; } SPECIALS[] = {
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

/* The bare relay: gives back what it is sent, as soon as it comes. Returns the other end. */
static int start_relay(void)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
		perror("socketpair");
		exit(2);
	}
	if (fork()) {
		close(ends[1]);
		fcntl(ends[0], F_SETFL, O_NONBLOCK);
		return ends[0];
	}
	close(ends[0]);
	raise_priority();
	uint64_t sent_ns[BATCH];
	struct pollfd fd = {.fd = ends[1], .events = POLLIN};
	for (ssize_t bytes = 1; bytes > 0;) {
		poll(&fd, 1, -1);
		bytes = recv(ends[1], sent_ns, sizeof sent_ns, 0);
		if (bytes > 0 && send(ends[1], sent_ns, (size_t)bytes, MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

static void note_latency(struct latencies *latencies, uint64_t sent_ns)
{
	latencies->ns[latencies->count++] = (uint32_t)(now_ns() - sent_ns);
}

/* A controller keeps a frame that the bus does not take; so does this. */
static void send_one(unsigned bus)
{
	struct side *side = &sides[bus];
	struct record record = record_of(bus, side->sent);
	if (!side->full)
		side->sent_ns[side->sent] = now_ns();
	ssize_t bytes = send(side->fd, &record, sizeof record, MSG_NOSIGNAL);
	if (bytes < 0 && errno == EAGAIN) {
		side->waits += !side->full;
		side->full = true;
		return;
	}
	if (bytes != (ssize_t)sizeof record) {
		fprintf(stderr, "the gateway does not take frames: %s\n", strerror(errno));
		exit(2);
	}
	side->full = false;
	if (bus == 0 && side->sent % RELAYED == 0 && send(relay_fd, &side->sent_ns[side->sent], sizeof(uint64_t), MSG_NOSIGNAL) < 0 && errno != EAGAIN) {
		perror("relay");
		exit(2);
	}
	++side->sent;
}

static void receive_relayed(void)
{
	uint64_t sent_ns[BATCH];
	ssize_t bytes = recv(relay_fd, sent_ns, sizeof sent_ns, 0);
	for (ssize_t i = 0; i < bytes / (ssize_t)sizeof *sent_ns; ++i)
		note_latency(&relayed, sent_ns[i]);
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
		struct record expected = record_of(bus ^ 1u, side->received);
		bool numbered = expected.id >= 0x400 && expected.id < 0x400 + IDS;
		bool changed = record.number != expected.number || record.bus != expected.bus;
		if (record.id != expected.id || (numbered && changed)) {
			++side->wrong;
			if (record.id >= 0x400 && record.id < 0x400 + IDS && record.number < origin->sent)
				side->received = record.number; /* go on from here: what lies between is lost */
		}
		rewritten += changed;
		note_latency(&forwarded, origin->sent_ns[side->received++]);
	}
	side->bytes -= count * sizeof(struct record);
	memmove(side->buffer, side->buffer + count * sizeof(struct record), side->bytes);
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Of sorted latencies. */
static double percentile_us(const struct latencies *latencies, double share)
{
	return latencies->count ? latencies->ns[(size_t)((double)(latencies->count - 1) * share)] / 1e3 : 0;
}

int main(int argc, char **argv)
{
	if (argc != 5 && argc != 6)
		return 2;
	unsigned speed = argc == 6 ? 100u * (unsigned)atoi(argv[5]) : 5000;
	SPECIALS[0].data[4] = (uint8_t)speed;
	SPECIALS[0].data[5] = (uint8_t)(speed >> 8);
	uint64_t rate = strtoull(argv[3], NULL, 10), total = rate * strtoull(argv[4], NULL, 10);
	for (unsigned bus = 0; bus < 2; ++bus) {
		sides[bus].fd = connect_to(argv[1 + bus]);
		sides[bus].sent_ns = calloc(total, sizeof(uint64_t));
	}
	relay_fd = start_relay();
	raise_priority();
	forwarded.ns = calloc(2 * total, sizeof *forwarded.ns);
	relayed.ns = calloc(total / RELAYED + 1, sizeof *relayed.ns);
	usleep(100000); /* both peers are known before the first frame */
	uint64_t start = now_ns(), end = start + total * 1000000000 / rate + SETTLE_NS, next = end, held_up_ns = 0, longest_ns = 0;
	for (uint64_t now = start; now < end; now = now_ns()) {
		if (now > next + HELD_UP_NS) {
			uint64_t pause_ns = now - next;
			held_up_ns += pause_ns;
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
		struct pollfd fds[3] = {{.fd = sides[0].fd, .events = POLLIN}, {.fd = sides[1].fd, .events = POLLIN}, {.fd = relay_fd, .events = POLLIN}};
		for (unsigned bus = 0; bus < 2; ++bus)
			if (sides[bus].full)
				fds[bus].events |= POLLOUT;
		now = now_ns();
		struct timespec timeout = {.tv_nsec = next > now ? (long)(next - now) : 0};
		if (timeout.tv_nsec > 900000000)
			timeout.tv_nsec = 900000000;
		if (ppoll(fds, 3, &timeout, NULL) <= 0)
			continue;
		for (unsigned bus = 0; bus < 2; ++bus)
			if (fds[bus].revents & ~POLLOUT)
				receive_from(bus);
		if (fds[2].revents)
			receive_relayed();
	}
	qsort(forwarded.ns, forwarded.count, sizeof *forwarded.ns, ascending);
	qsort(relayed.ns, relayed.count, sizeof *relayed.ns, ascending);
	printf("{\"sent\":%llu,\"received\":%zu,\"lost\":%llu,\"wrong\":%u,\"rewritten\":%llu,\"waits\":%u,\"heldUpMs\":%llu,\"longestHeldUpMs\":%llu,"
		"\"p50Us\":%.1f,\"p99Us\":%.1f,\"maxUs\":%.1f,\"relayP50Us\":%.1f,\"relayP99Us\":%.1f,\"relayMaxUs\":%.1f}\n",
		2ull * total, forwarded.count, 2ull * total - forwarded.count, sides[0].wrong + sides[1].wrong, rewritten, sides[0].waits + sides[1].waits,
		(unsigned long long)held_up_ns / 1000000, (unsigned long long)longest_ns / 1000000,
		percentile_us(&forwarded, 0.5), percentile_us(&forwarded, 0.99), percentile_us(&forwarded, 1),
		percentile_us(&relayed, 0.5), percentile_us(&relayed, 0.99), percentile_us(&relayed, 1));
	return 0;
}
