/*
 * Natives of hal/io/sockets.ts: TCP as hal/network-ports.ts has it, on a non-blocking socket. Received bytes stay
 * in the kernel until read; sent bytes pass through a buffer as small as a board's, so that a slow reader is
 * felt. An open socket keeps itself alive until it is closed.
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

#include "../clock.h"
#include "../faults.h"
#include "../host.h"
#include "../loop.h"
#include "../options.h"

#define SEND_BUFFER_BYTES 5744 /* TCP_SND_BUF of the boards' lwIP: 4 segments of 1436 bytes */
/* Size of the kernel's send buffer behind ours; Linux doubles it. */
#define KERNEL_BUFFER_BYTES 8192
/*
 * How long a closed socket tries to send its last bytes, a board's buffer at most (SEND_BUFFER_BYTES). It
 * keeps no program alive.
 */
#define LINGER_US 5000000

struct tcp {
	struct loop_watch watch;
	struct loop_timer linger;
	xsSlot self; /* remembered while open */
	xsSlot *on_readable, *on_writable, *on_error; /* marked by the hooks; NULL: none */
	struct loop_garbage garbage;
	bool connecting;
	bool failed;            /* the peer closed or reset; nothing more can be sent */
	bool read_paused;       /* the script left bytes unread: no new announcement until it reads */
	bool announce_writable; /* onWritable is due once the buffer has space */
	size_t pending;         /* bytes in `buffer` */
	unsigned char buffer[SEND_BUFFER_BYTES];
};

uint64_t tcp_sent_bytes;

/* ---- life ---- */

/* Moves the buffer to the kernel as far as it takes it. Returns false when the connection is dead. */
static bool flush(struct tcp *tcp)
{
	while (tcp->pending) {
		ssize_t sent = send(tcp->watch.fd, tcp->buffer, tcp->pending, MSG_NOSIGNAL);
		if (sent < 0)
			return errno == EAGAIN || errno == EINTR;
		tcp_sent_bytes += (uint64_t)sent;
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
	if (!flush(tcp) || tcp->pending == 0)
		end_connection(tcp);
}

static void linger_expired(struct loop_timer *timer, xsMachine *the)
{
	(void)the;
	end_connection((struct tcp *)((char *)timer - offsetof(struct tcp, linger)));
}

/*
 * What was written before close() is still sent, by the loop and for a limited time, as lwIP does on a board.
 */
static void tcp_destructor(void *data)
{
	struct tcp *tcp = data;
	if (!tcp)
		return;
	if (tcp->pending && !tcp->failed && flush(tcp) && tcp->pending) {
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

/* The open record of an object. Throws SyntaxError for any other object, and for a closed one. */
static struct tcp *get_tcp(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = fxGetHostDataValidate(the, slot, (void *)&tcp_hooks);
	if (!tcp)
		xsSyntaxError("closed");
	return tcp;
}

static void close_object(xsMachine *the, xsSlot *slot)
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

/* ---- events ---- */

static size_t count_readable(struct tcp *tcp)
{
	int count = 0;
	return ioctl(tcp->watch.fd, FIONREAD, &count) < 0 ? 0 : (size_t)count;
}

/* To be called after any change of connecting, pending, announce_writable, read_paused. */
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
	/*
	 * A script that reads restarts the announcements; one that does not would otherwise be called endlessly.
	 */
	tcp->read_paused = true;
	if (tcp->on_readable)
		call(tcp, machine, tcp->on_readable, count);
}

static void serve_writable(struct tcp *tcp, xsMachine *machine)
{
	if (!flush(tcp))
		fail(tcp, machine);
	else if (tcp->announce_writable && tcp->on_writable && tcp->pending < SEND_BUFFER_BYTES) {
		tcp->announce_writable = false;
		call(tcp, machine, tcp->on_writable, SEND_BUFFER_BYTES - tcp->pending);
	}
}

/*
 * A callback may close the socket: the record stays until the turn is over, and `watched` and `ready` tell.
 */
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

/* ---- construction ---- */

static struct in_addr socket_address(xsMachine *the, xsSlot *slot)
{
	struct in_addr address;
	if (inet_pton(AF_INET, fxToString(the, slot), &address) != 1)
		xsUnknownError("invalid address");
	return address;
}

/* Reads 0..65535. Throws RangeError "invalid port". */
static in_port_t socket_port(xsMachine *the, xsSlot *slot)
{
	double port = fxToNumber(the, slot);
	if (!(port >= 0 && port <= 65535 && port == (double)(int)port))
		xsRangeError("invalid port");
	return (in_port_t)port;
}

/*
 * The function in options[id], or NULL. Throws TypeError if it is something else. The options keep it alive
 * until the caller does.
 */
static xsSlot *socket_callback(xsMachine *the, xsSlot *options, xsIdentifier id)
{
	xsSlot value;
	_xsGet(the, &value, options, id);
	if (fxTypeOf(the, &value) == xsUndefinedType)
		return NULL;
	if (!fxIsCallable(the, &value))
		xsTypeError("callback is no function");
	return fxToReference(the, &value);
}

/* Gives the object an empty record, without connection. */
static struct tcp *attach(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = calloc(1, sizeof *tcp);
	if (!tcp)
		xsRangeError("no memory");
	tcp->watch.fd = -1;
	tcp->watch.ready = ready;
	fxSetHostData(the, slot, tcp);
	fxSetHostHooks(the, slot, &tcp_hooks);
	return tcp;
}

/* Starts serving a connection. The record keeps its object alive until it is closed. */
static void open_tcp(xsMachine *the, struct tcp *tcp, xsSlot *slot, int fd)
{
	/* A UNIX socket takes what the kernel gives: its client is here to count turns, not to be slow. */
	int bytes = KERNEL_BUFFER_BYTES;
	if (!host_options.http_path)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	tcp->watch.fd = fd;
	tcp->self = *slot;
	xsRemember(tcp->self);
	update_events(tcp);
	loop_watch_start(&tcp->watch);
}

/* Makes the empty TCP object in `slot` own a connected non-blocking socket. */
static void tcp_adopt(xsMachine *the, xsSlot *slot, int fd)
{
	struct tcp *tcp = get_tcp(the, slot);
	tcp->announce_writable = true;
	tcp->read_paused = true;   /* it has no callbacks; the socket made `from` it starts afresh */
	open_tcp(the, tcp, slot, fd);
}

static int connect_to(xsMachine *the, xsSlot *options, struct tcp *tcp)
{
	struct sockaddr_in peer = { .sin_family = AF_INET };
	xsmcGet(xsVar(0), *options, xsID_port);
	peer.sin_port = htons(socket_port(the, &xsVar(0)));
	xsmcGet(xsVar(0), *options, xsID_address);
	peer.sin_addr = socket_address(the, &xsVar(0));
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		xsUnknownError("no socket");
	/* an error shows at once or later: either way it is onError that tells */
	(void)!connect(fd, (struct sockaddr *)&peer, sizeof peer);
	tcp->connecting = true;
	return fd;
}

/* Takes the connection from another TCP object, and closes that object. */
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
	close_object(the, slot);
	return fd;
}

/* (options or undefined): without options an empty object for Listener.read() to fill */
static void native_constructor(xsMachine *the)
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
	xsmcGet(xsVar(0), *options, xsID_nodelay);
	bool no_delay = xsmcTest(xsVar(0));
	xsmcGet(xsVar(1), *options, xsID_from);
	int fd = xsmcTypeOf(xsVar(1)) == xsUndefinedType ? connect_to(the, options, tcp) : take_from(the, &xsVar(1), tcp);
	tcp->announce_writable = true;
	if (no_delay)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	open_tcp(the, tcp, &xsThis, fd);
}

static void native_close(xsMachine *the)
{
	close_object(the, &xsThis);
}

/* ---- reading and writing ---- */

/* (count) */
static void native_read(xsMachine *the)
{
	struct tcp *tcp = get_tcp(the, &xsThis);
	size_t available = tcp->watch.fd < 0 ? 0 : count_readable(tcp);
	double wanted = xsmcToNumber(xsArg(0));
	if (available > 0) {
		/* the boards throw too: a caller has to ask for what onReadable announced, or less */
		if (!(wanted >= 1 && wanted <= (double)available))
			xsRangeError("asks for more than is there");
		void *data = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)wanted);
		/* no allocation from here on: `data` is in a chunk, and chunks move */
		if (recv(tcp->watch.fd, data, (size_t)wanted, 0) != (ssize_t)wanted)
			xsUnknownError("read failed");
	}
	tcp->read_paused = false;
	update_events(tcp);
}

/* (bytes) */
static void native_write(xsMachine *the)
{
	struct tcp *tcp = get_tcp(the, &xsThis);
	void *data;
	xsUnsignedValue count;
	if (tcp->watch.fd < 0 || tcp->connecting)
		xsUnknownError("not ready");
	if (tcp->failed)
		return;
	xsmcGetBufferReadable(xsArg(0), &data, &count);
	if (count > SEND_BUFFER_BYTES - tcp->pending)
		xsUnknownError("would block");
	memcpy(tcp->buffer + tcp->pending, data, count);
	tcp->pending += count;
	/* an error shows again in the event loop, where onError can be called */
	(void)flush(tcp);
	tcp->announce_writable = true;
	update_events(tcp);
}

static void native_get_remote_address(xsMachine *the)
{
	struct tcp *tcp = get_tcp(the, &xsThis);
	struct sockaddr_in peer;
	socklen_t size = sizeof peer;
	char text[INET_ADDRSTRLEN];
	if (tcp->watch.fd >= 0 && getpeername(tcp->watch.fd, (struct sockaddr *)&peer, &size) == 0 && peer.sin_family == AF_INET &&
		inet_ntop(AF_INET, &peer.sin_addr, text, sizeof text))
		xsmcSetString(xsResult, text);
}

/* ---- listener: accepted connections wait in a short queue until the script reads them ---- */

/* Accepted, not yet read; more wait in the kernel. */
#define QUEUE_LIMIT 8
/* More than the 20 connections that a board's lwIP has. */
#define BACKLOG 32

struct listener {
	struct loop_watch watch;
	xsSlot self;             /* remembered while open */
	xsSlot *on_readable;     /* marked by the hooks; NULL: none */
	struct loop_garbage garbage;
	int queue[QUEUE_LIMIT];
	size_t queued;
};

static void listener_destructor(void *data)
{
	struct listener *listener = data;
	if (!listener)
		return;
	loop_watch_stop(&listener->watch);
	if (listener->watch.fd >= 0)
		close(listener->watch.fd);
	while (listener->queued)
		close(listener->queue[--listener->queued]);
	loop_free_later(&listener->garbage, listener);
}

static void listener_mark(xsMachine *the, void *data, xsMarkRoot mark_root)
{
	struct listener *listener = data;
	if (listener && listener->on_readable)
		(*mark_root)(the, listener->on_readable);
}

static const xsHostHooks listener_hooks = { listener_destructor, listener_mark, NULL };

static struct listener *get_listener(xsMachine *the)
{
	struct listener *listener = xsmcGetHostDataValidate(xsThis, (void *)&listener_hooks);
	if (!listener)
		xsSyntaxError("closed");
	return listener;
}

static void accept_waiting(struct loop_watch *watch, xsMachine *machine, short revents)
{
	struct listener *listener = (struct listener *)watch;
	size_t before = listener->queued;
	(void)revents;
	while (listener->queued < QUEUE_LIMIT) {
		int fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			break;
		listener->queue[listener->queued++] = fd;
	}
	watch->events = listener->queued < QUEUE_LIMIT ? POLLIN : 0;
	if (listener->queued == before || !listener->on_readable)
		return;
	xsBeginHost(machine);
	xsmcVars(2);
	xsVar(0) = xsAccess(listener->self);
	xsmcSetInteger(xsVar(1), (xsIntegerValue)listener->queued);
	xsCallFunction1(xsReference(listener->on_readable), xsVar(0), xsVar(1));
	xsEndHost(machine);
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

static int open_listener(xsMachine *the, struct in_addr address, in_port_t port)
{
	/*
	 * the interface may have a UNIX socket instead, and without it there is no program; other ports are the
	 * application's affair
	 */
	bool is_interface = port == host_options.http_port;
	const char *path = is_interface ? host_options.http_path : NULL;
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = address };
	int fd = socket(path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		xsUnknownError("no socket");
	if (fault_listener_fails) {
		fault_listener_fails--;
		close(fd);
		xsUnknownError("no memory");   /* what lwIP says when it has no more of its blocks */
	}
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	int bound = path ? bind_to_path(fd, path) : bind(fd, (struct sockaddr *)&local, sizeof local);
	if (bound == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	if (!is_interface) {
		int problem = errno;
		close(fd);
		xsUnknownError("port %d: %s", port, strerror(problem));
	}
	/* A person typed the port: tell them, instead of a stack trace. */
	if (path)
		fprintf(stderr, "opencoupling: unix:%s cannot be opened: %s\n", path, strerror(errno));
	else if (errno == EADDRINUSE)
		fprintf(stderr, "opencoupling: port %d is in use: choose another with --http PORT\n", port);
	else
		fprintf(stderr, "opencoupling: port %d cannot be opened: %s\n", port, strerror(errno));
	close(fd);
	host_exit(the, EXIT_PORT);
}

/* (options: port, onReadable) */
static void listener_constructor(xsMachine *the)
{
	/* a board listens to its network; a computer keeps to itself unless it is told otherwise */
	struct in_addr address = { .s_addr = htonl(host_options.lan ? INADDR_ANY : INADDR_LOOPBACK) };
	xsmcVars(1);
	struct listener *listener = calloc(1, sizeof *listener);
	if (!listener)
		xsRangeError("no memory");
	listener->watch = (struct loop_watch){ .fd = -1, .events = POLLIN, .ready = accept_waiting };
	xsmcSetHostData(xsThis, listener);
	xsSetHostHooks(xsThis, &listener_hooks);
	listener->on_readable = socket_callback(the, &xsArg(0), xsID_onReadable);
	xsmcGet(xsVar(0), xsArg(0), xsID_port);
	in_port_t port = socket_port(the, &xsVar(0));
	listener->watch.fd = open_listener(the, address, port);
	listener->self = xsThis;
	xsRemember(listener->self);
	loop_watch_start(&listener->watch);
	struct sockaddr_in local;
	socklen_t size = sizeof local;
	if (getsockname(listener->watch.fd, (struct sockaddr *)&local, &size) == 0 && local.sin_family == AF_INET) {
		xsmcSetInteger(xsVar(0), ntohs(local.sin_port));
		xsmcSet(xsThis, xsID_port, xsVar(0));
	}
}

static void listener_close(xsMachine *the)
{
	if (!xsmcGetHostData(xsThis))
		return;
	struct listener *listener = get_listener(the);
	xsForget(listener->self);
	xsmcSetHostData(xsThis, NULL);
	xsmcSetHostDestructor(xsThis, NULL);
	listener_destructor(listener);
}

/* (empty TCP object): fills and returns it, or returns undefined */
static void listener_read(xsMachine *the)
{
	struct listener *listener = get_listener(the);
	if (listener->queued == 0)
		return;
	tcp_adopt(the, &xsArg(0), listener->queue[0]);
	listener->queued--;
	memmove(listener->queue, listener->queue + 1, listener->queued * sizeof listener->queue[0]);
	listener->watch.events = POLLIN;
	xsResult = xsArg(0);
}

const struct host_native host_tcp_natives[] = {
	{ .name = "xs_hal_tcp_destructor", .destructor = tcp_destructor },
	{ .name = "xs_hal_tcp_open", .callback = native_constructor, .length = 1 },
	{ .name = "xs_hal_tcp_close", .callback = native_close },
	{ .name = "xs_hal_tcp_read", .callback = native_read, .length = 1 },
	{ .name = "xs_hal_tcp_write", .callback = native_write, .length = 1 },
	{ .name = "xs_hal_tcp_peer", .callback = native_get_remote_address },
	{ .name = "xs_hal_listener_destructor", .destructor = listener_destructor },
	{ .name = "xs_hal_listener_open", .callback = listener_constructor, .length = 1 },
	{ .name = "xs_hal_listener_close", .callback = listener_close },
	{ .name = "xs_hal_listener_read", .callback = listener_read, .length = 1 },
	{ .name = NULL },
};
