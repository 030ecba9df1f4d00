/*
 * Natives of tcp.ts: ECMA-419 TCP on a non-blocking socket. Received bytes stay in the kernel until read; sent bytes pass
 * through a buffer as small as a board's, so that a slow reader is felt. An open socket keeps itself alive until close().
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../clock.h"
#include "../loop.h"
#include "socket.h"

#define SEND_BUFFER_BYTES 5744    /* TCP_SND_BUF of the boards' lwIP: 4 segments of 1436 bytes */
#define KERNEL_BUFFER_BYTES 8192   /* what the kernel may hold beyond that, in either direction; Linux doubles it */

#define LINGER_US 5000000            /* how long a closed socket tries to send its last bytes */

enum format { FORMAT_NUMBER, FORMAT_BUFFER };

struct tcp {
	struct loop_watch watch;
	struct loop_timer linger;
	xsSlot self;                                     /* remembered while open */
	xsSlot *on_readable, *on_writable, *on_error;    /* marked by the hooks; NULL: none */
	enum format format;
	struct loop_garbage garbage;
	bool connecting;
	bool failed;               /* the peer closed or reset; nothing more can be sent */
	bool read_paused;          /* the script left bytes unread: no new announcement until it reads */
	bool announce_writable;    /* onWritable is due once the buffer has room */
	size_t pending;            /* bytes in `buffer` */
	unsigned char buffer[SEND_BUFFER_BYTES];
};

/// Life ///

/* Moves the buffer to the kernel. Returns false when the connection is dead. */
static bool flush_buffer(struct tcp *tcp)
{
	while (tcp->pending) {
		ssize_t sent = send(tcp->watch.fd, tcp->buffer, tcp->pending, MSG_NOSIGNAL);
		if (sent < 0)
			return errno == EAGAIN || errno == EINTR;
		tcp->pending -= (size_t)sent;
		memmove(tcp->buffer, tcp->buffer + sent, tcp->pending);
	}
	return true;
}

static void end_connection(struct tcp *tcp)
{
	loop_watch_stop(&tcp->watch);
	loop_timer_stop(&tcp->linger);
	if (tcp->watch.fd >= 0)
		close(tcp->watch.fd);
	tcp->watch.fd = -1;
	loop_free_later(&tcp->garbage, tcp);
}

static void linger_ready(struct loop_watch *watch, xsMachine *the, short revents)
{
	struct tcp *tcp = (struct tcp *)watch;
	(void)the, (void)revents;
	if (!flush_buffer(tcp) || tcp->pending == 0)
		end_connection(tcp);
}

static void linger_expired(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	end_connection((struct tcp *)((char *)timer - offsetof(struct tcp, linger)));
}

/* What was written before close() is still sent, by the loop and for a limited time, as lwIP does on a board. */
static void tcp_destructor(void *data)
{
	struct tcp *tcp = data;
	if (!tcp)
		return;
	if (tcp->pending && !tcp->failed && flush_buffer(tcp) && tcp->pending) {
		tcp->watch.ready = linger_ready;
		tcp->watch.events = POLLOUT;
		loop_watch_start(&tcp->watch);
		tcp->linger.due_us = host_clock_us() + LINGER_US;
		tcp->linger.fire = linger_expired;
		tcp->linger.background = true;
		loop_timer_start(&tcp->linger);
		return;
	}
	end_connection(tcp);
}

static void tcp_mark(xsMachine *the, void *data, xsMarkRoot mark_root)
{
	struct tcp *tcp = data;
	if (!tcp)
		return;
	if (tcp->on_readable)
		(*mark_root)(the, tcp->on_readable);
	if (tcp->on_writable)
		(*mark_root)(the, tcp->on_writable);
	if (tcp->on_error)
		(*mark_root)(the, tcp->on_error);
}

static const xsHostHooks tcp_hooks = { tcp_destructor, tcp_mark, NULL };

static struct tcp *get_tcp(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = fxGetHostDataValidate(the, slot, (void *)&tcp_hooks);
	if (!tcp)
		xsSyntaxError("closed");
	return tcp;
}

static void close_tcp(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = fxGetHostData(the, slot);
	if (!tcp)
		return;
	tcp = get_tcp(the, slot);
	xsForget(tcp->self);
	fxSetHostData(the, slot, NULL);
	fxSetHostDestructor(the, slot, NULL);
	tcp_destructor(tcp);
}

/// Events ///

static size_t count_readable(struct tcp *tcp)
{
	int count = 0;
	return ioctl(tcp->watch.fd, FIONREAD, &count) < 0 ? 0 : (size_t)count;
}

static void update_events(struct tcp *tcp)
{
	tcp->watch.events = 0;
	if (tcp->connecting || tcp->pending || (tcp->announce_writable && tcp->on_writable))
		tcp->watch.events |= POLLOUT;
	if (!tcp->connecting && !tcp->read_paused)
		tcp->watch.events |= POLLIN;
}

static void call(struct tcp *tcp, xsMachine *machine, xsSlot *callback, size_t count)
{
	xsBeginHost(machine);
	xsmcVars(2);
	xsVar(0) = xsAccess(tcp->self);
	xsmcSetInteger(xsVar(1), (xsIntegerValue)count);
	if (callback == tcp->on_error)
		xsCallFunction0(xsReference(callback), xsVar(0));
	else
		xsCallFunction1(xsReference(callback), xsVar(0), xsVar(1));
	xsEndHost(machine);
}

/* Reports the end of the connection, once; the script closes the socket. */
static void fail(struct tcp *tcp, xsMachine *machine)
{
	tcp->failed = true;
	tcp->pending = 0;
	loop_watch_stop(&tcp->watch);
	if (tcp->on_error)
		call(tcp, machine, tcp->on_error, 0);
}

/* Returns false when the connection is dead. */
static bool finish_connecting(struct tcp *tcp)
{
	int problem = 0;
	socklen_t size = sizeof problem;
	if (getsockopt(tcp->watch.fd, SOL_SOCKET, SO_ERROR, &problem, &size) < 0 || problem)
		return false;
	tcp->connecting = false;
	tcp->announce_writable = true;
	return true;
}

static void serve_readable(struct tcp *tcp, xsMachine *machine)
{
	size_t count = count_readable(tcp);
	if (count == 0) {
		fail(tcp, machine);   /* readable without a byte: the peer closed, or worse */
		return;
	}
	/* A script that reads restarts the announcements; one that does not would otherwise be called for ever. */
	tcp->read_paused = true;
	if (tcp->on_readable)
		call(tcp, machine, tcp->on_readable, count);
}

static void serve_writable(struct tcp *tcp, xsMachine *machine)
{
	if (!flush_buffer(tcp))
		fail(tcp, machine);
	else if (tcp->announce_writable && tcp->on_writable && tcp->pending < SEND_BUFFER_BYTES) {
		tcp->announce_writable = false;
		call(tcp, machine, tcp->on_writable, SEND_BUFFER_BYTES - tcp->pending);
	}
}

/* A callback may close the socket: the record stays until the turn is over, and `watched` and `ready` tell. */
static void ready(struct loop_watch *watch, xsMachine *machine, short revents)
{
	struct tcp *tcp = (struct tcp *)watch;
	if (tcp->connecting && !finish_connecting(tcp))
		fail(tcp, machine);
	/* unread bytes come before the news that there will be no more, unless the script does not want them */
	if (watch->watched && !tcp->read_paused && (revents & (POLLIN | POLLHUP | POLLERR)))
		serve_readable(tcp, machine);
	else if (watch->watched && (revents & (POLLHUP | POLLERR)))
		fail(tcp, machine);
	if (watch->watched && watch->ready == ready && (revents & POLLOUT))
		serve_writable(tcp, machine);
	if (watch->ready == ready)
		update_events(tcp);
}

/// Construction ///

static struct tcp *attach(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = calloc(1, sizeof *tcp);
	if (!tcp)
		xsRangeError("no memory");
	tcp->watch.fd = -1;
	tcp->watch.ready = ready;
	tcp->format = FORMAT_BUFFER;
	fxSetHostData(the, slot, tcp);
	fxSetHostHooks(the, slot, &tcp_hooks);
	return tcp;
}

static void open_on(xsMachine *the, struct tcp *tcp, xsSlot *slot, int fd)
{
	int bytes = KERNEL_BUFFER_BYTES;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	tcp->watch.fd = fd;
	tcp->self = *slot;
	xsRemember(tcp->self);
	update_events(tcp);
	loop_watch_start(&tcp->watch);
}

void tcp_adopt(xsMachine *the, xsSlot *slot, int fd)
{
	struct tcp *tcp = get_tcp(the, slot);
	tcp->announce_writable = true;
	tcp->read_paused = true;   /* it has no callbacks; the socket made `from` it starts afresh */
	open_on(the, tcp, slot, fd);
}

static enum format get_format(xsMachine *the, xsSlot *slot)
{
	const char *name = fxToString(the, slot);
	if (!strcmp(name, "buffer"))
		return FORMAT_BUFFER;
	if (strcmp(name, "number"))
		xsRangeError("invalid format");
	return FORMAT_NUMBER;
}

static int connect_to(xsMachine *the, xsSlot *options, struct tcp *tcp)
{
	struct sockaddr_in peer = { .sin_family = AF_INET };
	xsmcGet(xsVar(0), *options, xsID_port);
	peer.sin_port = htons(socket_port(the, &xsVar(0)));
	xsmcGet(xsVar(0), *options, xsID_address);
	if (xsmcTypeOf(xsVar(0)) == xsUndefinedType)
		xsmcGet(xsVar(0), *options, xsID_host);
	peer.sin_addr = socket_address(the, &xsVar(0));
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		xsUnknownError("no socket");
	/* an error shows at once or later: either way it is onError that tells */
	(void)!connect(fd, (struct sockaddr *)&peer, sizeof peer);
	tcp->connecting = true;
	return fd;
}

/* Takes over the connection of another TCP object, which is closed then. */
static int take_from(xsMachine *the, xsSlot *slot, struct tcp *tcp)
{
	struct tcp *from = get_tcp(the, slot);
	int fd = from->watch.fd;
	if (fd < 0)
		xsUnknownError("invalid from");
	tcp->connecting = from->connecting;
	tcp->pending = from->pending;
	memcpy(tcp->buffer, from->buffer, from->pending);
	from->pending = 0;
	loop_watch_stop(&from->watch);
	from->watch.fd = -1;
	close_tcp(the, slot);
	return fd;
}

/* (options or undefined): without options an empty object for Listener.read() to fill */
static void tcp_constructor(xsMachine *the)
{
	xsmcVars(2);
	/* first, so that the callbacks are marked while the rest of the options is read */
	struct tcp *tcp = attach(the, &xsThis);
	if (xsmcTypeOf(xsArg(0)) == xsUndefinedType)
		return;
	xsSlot *options = &xsArg(0);
	tcp->on_readable = socket_callback(the, options, xsID_onReadable);
	tcp->on_writable = socket_callback(the, options, xsID_onWritable);
	tcp->on_error = socket_callback(the, options, xsID_onError);
	xsmcGet(xsVar(0), *options, xsID_format);
	if (xsmcTypeOf(xsVar(0)) != xsUndefinedType)
		tcp->format = get_format(the, &xsVar(0));
	xsmcGet(xsVar(0), *options, xsID_target);
	if (xsmcTypeOf(xsVar(0)) != xsUndefinedType)
		xsmcSet(xsThis, xsID_target, xsVar(0));
	xsmcGet(xsVar(0), *options, xsID_nodelay);
	xsmcGet(xsVar(1), *options, xsID_noDelay);
	bool no_delay = xsmcTest(xsVar(0)) || xsmcTest(xsVar(1));
	xsmcGet(xsVar(1), *options, xsID_from);
	int fd = xsmcTypeOf(xsVar(1)) == xsUndefinedType ? connect_to(the, options, tcp) : take_from(the, &xsVar(1), tcp);
	tcp->announce_writable = true;
	if (no_delay)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	open_on(the, tcp, &xsThis, fd);
}

static void tcp_close(xsMachine *the)
{
	close_tcp(the, &xsThis);
}

/// Reading and writing ///

static void tcp_read(xsMachine *the)
{
	struct tcp *tcp = get_tcp(the, &xsThis);
	size_t available = tcp->watch.fd < 0 ? 0 : count_readable(tcp);
	void *data;
	xsUnsignedValue count;
	unsigned char value;
	if (available == 0) {
		tcp->read_paused = false;
		update_events(tcp);
		return;
	}
	if (tcp->format == FORMAT_NUMBER) {
		data = &value;
		count = 1;
	}
	else {
		bool fills = xsmcArgc > 0 && xsmcTypeOf(xsArg(0)) == xsReferenceType;
		double wanted = (double)available;
		if (fills) {
			xsmcGetBufferWritable(xsArg(0), &data, &count);
			wanted = count;
		}
		else if (xsmcArgc > 0 && xsmcTypeOf(xsArg(0)) != xsUndefinedType)
			wanted = xsmcToNumber(xsArg(0));
		/* the boards throw too: a caller has to ask for what onReadable announced, or less */
		if (!(wanted >= 1 && wanted <= (double)available))
			xsRangeError("asks for more than is there");
		count = (xsUnsignedValue)wanted;
		if (fills)
			xsmcSetInteger(xsResult, (xsIntegerValue)count);
		else
			data = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)count);
	}
	/* no allocation from here on: `data` may be in a chunk, and chunks move */
	if (recv(tcp->watch.fd, data, count, 0) != (ssize_t)count)
		xsUnknownError("read failed");
	if (tcp->format == FORMAT_NUMBER)
		xsmcSetInteger(xsResult, value);
	tcp->read_paused = false;
	update_events(tcp);
}

static void tcp_write(xsMachine *the)
{
	struct tcp *tcp = get_tcp(the, &xsThis);
	void *data;
	xsUnsignedValue count;
	unsigned char value;
	if (tcp->watch.fd < 0 || tcp->connecting)
		xsUnknownError("not ready");
	if (tcp->failed)
		return;
	if (tcp->format == FORMAT_NUMBER) {
		value = (unsigned char)xsmcToInteger(xsArg(0));
		data = &value;
		count = 1;
	}
	else
		xsmcGetBufferReadable(xsArg(0), &data, &count);
	if (count > SEND_BUFFER_BYTES - tcp->pending)
		xsUnknownError("would block");
	memcpy(tcp->buffer + tcp->pending, data, count);
	tcp->pending += count;
	/* an error shows again in the event loop, where onError can be called */
	(void)flush_buffer(tcp);
	tcp->announce_writable = true;
	update_events(tcp);
	xsmcSetInteger(xsResult, (xsIntegerValue)(SEND_BUFFER_BYTES - tcp->pending));
}

/// Properties ///

static bool get_peer(xsMachine *the, struct sockaddr_in *peer)
{
	struct tcp *tcp = get_tcp(the, &xsThis);
	socklen_t size = sizeof *peer;
	return tcp->watch.fd >= 0 && getpeername(tcp->watch.fd, (struct sockaddr *)peer, &size) == 0;
}

static void tcp_get_remote_address(xsMachine *the)
{
	struct sockaddr_in peer;
	char text[INET_ADDRSTRLEN];
	if (get_peer(the, &peer) && inet_ntop(AF_INET, &peer.sin_addr, text, sizeof text))
		xsmcSetString(xsResult, text);
}

static void tcp_get_remote_port(xsMachine *the)
{
	struct sockaddr_in peer;
	if (get_peer(the, &peer))
		xsmcSetInteger(xsResult, ntohs(peer.sin_port));
}

static void tcp_get_format(xsMachine *the)
{
	xsmcSetString(xsResult, get_tcp(the, &xsThis)->format == FORMAT_NUMBER ? "number" : "buffer");
}

static void tcp_set_format(xsMachine *the)
{
	get_tcp(the, &xsThis)->format = get_format(the, &xsArg(0));
}

const struct host_native host_tcp_natives[] = {
	{ .name = "host_tcp_destructor", .destructor = tcp_destructor },
	{ .name = "host_tcp_constructor", .callback = tcp_constructor, .length = 1 },
	{ .name = "host_tcp_close", .callback = tcp_close },
	{ .name = "host_tcp_read", .callback = tcp_read, .length = 1 },
	{ .name = "host_tcp_write", .callback = tcp_write, .length = 1 },
	{ .name = "host_tcp_get_remote_address", .callback = tcp_get_remote_address },
	{ .name = "host_tcp_get_remote_port", .callback = tcp_get_remote_port },
	{ .name = "host_tcp_get_format", .callback = tcp_get_format },
	{ .name = "host_tcp_set_format", .callback = tcp_set_format, .length = 1 },
};
const size_t host_tcp_natives_count = HOST_COUNT(host_tcp_natives);
