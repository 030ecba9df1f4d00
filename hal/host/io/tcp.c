/*
 * ECMA-419 TCP on a non-blocking socket. Received bytes stay in the kernel until read; sent bytes pass
 * through a buffer as small as a board's, so that a slow reader is felt. An open socket keeps itself alive
 * until it is closed.
 */
#include "tcp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../clock.h"
#include "../options.h"
#include "socket.h"

/* Size of the kernel's send buffer behind ours; Linux doubles it. */
#define KERNEL_BUFFER_BYTES 8192
/*
 * How long a closed socket tries to send its last bytes, a board's buffer at most (SEND_BUFFER_BYTES). It
 * keeps no program alive.
 */
#define LINGER_US 5000000

uint64_t tcp_sent_bytes;

/// Life ///

/* Moves the buffer to the kernel. Returns false when the connection is dead. */
bool tcp_flush(struct tcp *tcp)
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
	if (!tcp_flush(tcp) || tcp->pending == 0)
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
void tcp_destructor(void *data)
{
	struct tcp *tcp = data;
	if (!tcp)
		return;
	if (tcp->pending && !tcp->failed && tcp_flush(tcp) && tcp->pending) {
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

const xsHostHooks tcp_hooks = { tcp_destructor, tcp_mark, NULL };

struct tcp *tcp_get(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = fxGetHostDataValidate(the, slot, (void *)&tcp_hooks);
	if (!tcp)
		xsSyntaxError("closed");
	return tcp;
}

void tcp_close(xsMachine *the, xsSlot *slot)
{
	struct tcp *tcp = fxGetHostData(the, slot);
	if (!tcp)
		return;
	tcp = tcp_get(the, slot);
	xsForget(tcp->self);
	fxSetHostData(the, slot, NULL);
	fxSetHostDestructor(the, slot, NULL);
	tcp_destructor(tcp);
}

/// Events ///

size_t tcp_count_readable(struct tcp *tcp)
{
	int count = 0;
	return ioctl(tcp->watch.fd, FIONREAD, &count) < 0 ? 0 : (size_t)count;
}

void tcp_update_events(struct tcp *tcp)
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
	size_t count = tcp_count_readable(tcp);
	if (count == 0) {
		fail(tcp, machine);   /* readable without a byte: the peer closed, or worse */
		return;
	}
	/*
	 * A script that reads restarts the announcements; one that does not would otherwise be called for ever.
	 */
	tcp->read_paused = true;
	if (tcp->on_readable)
		call(tcp, machine, tcp->on_readable, count);
}

static void serve_writable(struct tcp *tcp, xsMachine *machine)
{
	if (!tcp_flush(tcp))
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
		tcp_update_events(tcp);
}

/// Construction ///

struct tcp *tcp_attach(xsMachine *the, xsSlot *slot)
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

void tcp_open(xsMachine *the, struct tcp *tcp, xsSlot *slot, int fd)
{
	/* A UNIX socket takes what the kernel gives: its client is here to count turns, not to be slow. */
	int bytes = KERNEL_BUFFER_BYTES;
	if (!host_options.http_path)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	tcp->watch.fd = fd;
	tcp->self = *slot;
	xsRemember(tcp->self);
	tcp_update_events(tcp);
	loop_watch_start(&tcp->watch);
}

void tcp_adopt(xsMachine *the, xsSlot *slot, int fd)
{
	struct tcp *tcp = tcp_get(the, slot);
	tcp->announce_writable = true;
	tcp->read_paused = true;   /* it has no callbacks; the socket made `from` it starts afresh */
	tcp_open(the, tcp, slot, fd);
}
