/*
 * TCP (hal/esp32/tcp_link.h) on non-blocking sockets. Received bytes stay in the kernel until read; sent bytes
 * pass through a buffer as small as a board's, so that a slow reader is felt.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../esp32/tcp_link.h"
#include "../clock.h"
#include "../faults.h"
#include "../host.h"
#include "../loop.h"
#include "../options.h"

#define SEND_BUFFER_BYTES 5744 /* TCP_SND_BUF of the boards' lwIP: 4 segments of 1436 bytes */
/* Size of the kernel's send buffer behind ours; Linux doubles it. */
#define KERNEL_BUFFER_BYTES 8192
/*
 * How long a closed connection tries to send its last bytes, a board's buffer at most (SEND_BUFFER_BYTES). It
 * keeps no program alive.
 */
#define LINGER_US 5000000

struct tcp_link {
	struct loop_watch watch;
	struct loop_timer linger;
	struct loop_garbage garbage;
	void *owner;            /* the script's; NULL: it waits to be adopted */
	bool connecting;
	bool ended;             /* the peer closed or reset, and the script was told; nothing more can be sent */
	bool read_paused;       /* the script left bytes unread: no new announcement until it reads */
	bool announce_writable; /* TCP_WRITABLE is due once the buffer has space */
	size_t pending;         /* bytes in `buffer` */
	unsigned char buffer[SEND_BUFFER_BYTES];
};

uint64_t tcp_sent_bytes;

/* ---- events ---- */

/* Moves the buffer to the kernel as far as it takes it. On a dead connection the bytes are lost. */
static void flush(struct tcp_link *link)
{
	while (link->pending) {
		ssize_t sent = send(link->watch.fd, link->buffer, link->pending, MSG_NOSIGNAL);
		if (sent < 0) {
			if (errno != EAGAIN && errno != EINTR)
				link->pending = 0; /* the event loop will see that it is dead */
			return;
		}
		tcp_sent_bytes += (uint64_t)sent;
		link->pending -= (size_t)sent;
		memmove(link->buffer, link->buffer + sent, link->pending);
	}
}

static size_t count_readable(const struct tcp_link *link)
{
	int count = 0;
	return ioctl(link->watch.fd, FIONREAD, &count) < 0 ? 0 : (size_t)count;
}

/* To be called after any change of connecting, pending, announce_writable, read_paused. */
static void update_events(struct tcp_link *link)
{
	link->watch.events = 0;
	if (link->connecting || link->pending || link->announce_writable)
		link->watch.events |= POLLOUT;
	if (!link->connecting && !link->read_paused)
		link->watch.events |= POLLIN;
}

static void end(struct tcp_link *link, xsMachine *machine)
{
	link->ended = true;
	loop_watch_stop(&link->watch); /* tcp_link_close() sends what is pending, if the peer still reads */
	tcp_link_event(machine, link->owner, TCP_ENDED, 0);
}

/* Returns false when the connection is dead. */
static bool finish_connecting(struct tcp_link *link)
{
	int problem = 0;
	socklen_t size = sizeof problem;
	if (getsockopt(link->watch.fd, SOL_SOCKET, SO_ERROR, &problem, &size) < 0 || problem)
		return false;
	link->connecting = false;
	return true;
}

static void serve_readable(struct tcp_link *link, xsMachine *machine)
{
	size_t count = count_readable(link);
	if (count == 0) {
		end(link, machine);   /* readable without a byte: the peer closed, or worse */
		return;
	}
	/*
	 * A script that reads restarts the announcements; one that does not would otherwise be called endlessly.
	 */
	link->read_paused = true;
	tcp_link_event(machine, link->owner, TCP_READABLE, count);
}

static void serve_writable(struct tcp_link *link, xsMachine *machine)
{
	flush(link);
	if (link->announce_writable && link->pending < SEND_BUFFER_BYTES) {
		link->announce_writable = false;
		tcp_link_event(machine, link->owner, TCP_WRITABLE, SEND_BUFFER_BYTES - link->pending);
	}
}

/*
 * A callback may close the connection: the record stays until the turn is over, and `watched` and `ready` tell.
 */
static void ready(struct loop_watch *watch, xsMachine *machine, short revents)
{
	struct tcp_link *link = (struct tcp_link *)watch;
	bool is_dead = revents & (POLLHUP | POLLERR);
	if (link->connecting && !finish_connecting(link))
		end(link, machine);
	/* unread bytes come before the news that there will be no more */
	if (watch->watched && !link->read_paused && (is_dead || (revents & POLLIN)))
		serve_readable(link, machine);
	else if (watch->watched && is_dead && count_readable(link) == 0)
		end(link, machine);
	else if (watch->watched && is_dead)
		loop_watch_stop(watch); /* until the script reads on */
	if (watch->watched && watch->ready == ready && !is_dead && (revents & POLLOUT))
		serve_writable(link, machine);
	if (watch->ready == ready)
		update_events(link);
}

/* ---- end ---- */

static void end_connection(struct tcp_link *link)
{
	loop_watch_stop(&link->watch);
	loop_timer_stop(&link->linger);
	close(link->watch.fd);
	loop_free_later(&link->garbage, link);
}

static void linger_ready(struct loop_watch *watch, xsMachine *the, short revents)
{
	struct tcp_link *link = (struct tcp_link *)watch;
	(void)the, (void)revents;
	flush(link);
	if (link->pending == 0)
		end_connection(link);
}

static void linger_expired(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	end_connection((struct tcp_link *)((char *)timer - offsetof(struct tcp_link, linger)));
}

/* What was written is still sent, by the loop and for a limited time, as lwIP does on a board. */
void tcp_link_close(struct tcp_link *link)
{
	flush(link);
	if (link->pending == 0) {
		end_connection(link);
		return;
	}
	link->watch.ready = linger_ready;
	link->watch.events = POLLOUT;
	loop_watch_start(&link->watch);
	link->linger.due_us = host_clock_us() + LINGER_US;
	link->linger.fire = linger_expired;
	link->linger.background = true;
	loop_timer_start(&link->linger);
}

/* ---- begin ---- */

/* Takes the descriptor over. NULL: no memory. */
static struct tcp_link *make_link(int fd)
{
	struct tcp_link *link = calloc(1, sizeof *link);
	if (!link) {
		close(fd);
		return NULL;
	}
	/* A UNIX socket takes what the kernel gives: its client is here to count turns, not to be slow. */
	if (!host_options.http_path)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){ KERNEL_BUFFER_BYTES }, sizeof(int));
	link->watch.fd = fd;
	link->watch.ready = ready;
	return link;
}

void tcp_link_adopt(struct tcp_link *link, void *owner, bool nodelay)
{
	link->owner = owner;
	link->announce_writable = true;
	if (nodelay)
		setsockopt(link->watch.fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	update_events(link);
	loop_watch_start(&link->watch);
}

struct tcp_link *tcp_link_connect(void *machine, void *owner, const char *address, uint16_t port, bool nodelay)
{
	struct sockaddr_in peer = { .sin_family = AF_INET, .sin_port = htons(port) };
	(void)machine;
	int fd = inet_pton(AF_INET, address, &peer.sin_addr) == 1 ? socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
	struct tcp_link *link = fd < 0 ? NULL : make_link(fd);
	if (!link)
		return NULL;
	/* an error shows at once or later: either way it is TCP_ENDED that tells */
	(void)!connect(fd, (struct sockaddr *)&peer, sizeof peer);
	link->connecting = true;
	tcp_link_adopt(link, owner, nodelay);
	return link;
}

bool tcp_link_peer(const struct tcp_link *link, char address[TCP_ADDRESS_BYTES])
{
	struct sockaddr_in peer;
	socklen_t size = sizeof peer;
	return getpeername(link->watch.fd, (struct sockaddr *)&peer, &size) == 0 && peer.sin_family == AF_INET &&
		inet_ntop(AF_INET, &peer.sin_addr, address, TCP_ADDRESS_BYTES);
}

/* ---- reading and writing ---- */

size_t tcp_link_read(struct tcp_link *link, void *into, size_t count)
{
	size_t there = count_readable(link);
	if (count <= there && recv(link->watch.fd, into, count, 0) != (ssize_t)count)
		there = 0;
	link->read_paused = false;
	update_events(link);
	if (!link->ended)
		loop_watch_start(&link->watch);
	return there;
}

bool tcp_link_write(struct tcp_link *link, const void *bytes, size_t count)
{
	if (link->ended)
		return true;
	if (count > SEND_BUFFER_BYTES - link->pending)
		return false;
	memcpy(link->buffer + link->pending, bytes, count);
	link->pending += count;
	flush(link);
	link->announce_writable = true;
	update_events(link);
	return true;
}

/* ---- listener: accepted connections wait in a short queue until the script reads them ---- */

/* Accepted, not yet read; more wait in the kernel. */
#define QUEUE_LIMIT 8
/* More than the 20 connections that a board's lwIP has. */
#define BACKLOG 32

struct tcp_listener {
	struct loop_watch watch;
	struct loop_garbage garbage;
	void *owner;
	int queue[QUEUE_LIMIT];
	size_t queued;
};

static void accept_waiting(struct loop_watch *watch, xsMachine *machine, short revents)
{
	struct tcp_listener *listener = (struct tcp_listener *)watch;
	size_t before = listener->queued;
	(void)revents;
	while (listener->queued < QUEUE_LIMIT) {
		int fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			break;
		listener->queue[listener->queued++] = fd;
	}
	watch->events = listener->queued < QUEUE_LIMIT ? POLLIN : 0;
	if (listener->queued > before)
		tcp_listener_event(machine, listener->owner, listener->queued);
}

static int bind_to_path(int fd, const char *path)
{
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof local.sun_path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(local.sun_path, path);
	unlink(path);
	return bind(fd, (struct sockaddr *)&local, sizeof local);
}

/* Returns a descriptor, or -1 and errno. Without the interface's port there is no program: that ends it. */
static int open_port(xsMachine *the, uint16_t port)
{
	/* a board listens to its network; a computer keeps to itself unless it is told otherwise */
	struct in_addr address = { .s_addr = htonl(host_options.lan ? INADDR_ANY : INADDR_LOOPBACK) };
	/* the interface may have a UNIX socket instead; other ports are the application's affair */
	bool is_interface = port == host_options.http_port;
	const char *path = is_interface ? host_options.http_path : NULL;
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = address };
	if (fault_listener_fails) {
		fault_listener_fails--; /* as when lwIP has no more of its blocks */
		errno = ENOMEM;
		return -1;
	}
	int fd = socket(path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	int bound = path ? bind_to_path(fd, path) : bind(fd, (struct sockaddr *)&local, sizeof local);
	if (bound == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	int problem = errno;
	close(fd);
	errno = problem;
	if (!is_interface)
		return -1;
	/* A person typed the port: tell them, instead of a stack trace. */
	if (path)
		fprintf(stderr, "opencoupling: unix:%s cannot be opened: %s\n", path, strerror(problem));
	else if (problem == EADDRINUSE)
		fprintf(stderr, "opencoupling: port %d is in use: choose another with --http PORT\n", port);
	else
		fprintf(stderr, "opencoupling: port %d cannot be opened: %s\n", port, strerror(problem));
	host_exit(the, EXIT_PORT);
}

struct tcp_listener *tcp_listener_open(void *machine, void *owner, uint16_t port)
{
	int fd = open_port(machine, port);
	if (fd < 0)
		return NULL;
	struct tcp_listener *listener = calloc(1, sizeof *listener);
	if (!listener) {
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	listener->watch = (struct loop_watch){ .fd = fd, .events = POLLIN, .ready = accept_waiting };
	listener->owner = owner;
	loop_watch_start(&listener->watch);
	return listener;
}

const char *tcp_listener_problem(void)
{
	return strerror(errno);
}

uint16_t tcp_listener_port(const struct tcp_listener *listener)
{
	struct sockaddr_in local;
	socklen_t size = sizeof local;
	bool known = getsockname(listener->watch.fd, (struct sockaddr *)&local, &size) == 0 && local.sin_family == AF_INET;
	return known ? ntohs(local.sin_port) : 0;
}

struct tcp_link *tcp_listener_accept(struct tcp_listener *listener)
{
	if (listener->queued == 0)
		return NULL;
	int fd = listener->queue[0];
	listener->queued--;
	memmove(listener->queue, listener->queue + 1, listener->queued * sizeof listener->queue[0]);
	listener->watch.events = POLLIN;
	return make_link(fd);
}

void tcp_listener_close(struct tcp_listener *listener)
{
	loop_watch_stop(&listener->watch);
	close(listener->watch.fd);
	while (listener->queued)
		close(listener->queue[--listener->queued]);
	loop_free_later(&listener->garbage, listener);
}
