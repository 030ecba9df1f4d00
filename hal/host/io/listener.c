/* Natives of hal/io/listener.ts. Accepted connections wait in a short queue until the script reads them. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../faults.h"
#include "../loop.h"
#include "../options.h"
#include "tcp.h"

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

static void ready(struct loop_watch *watch, xsMachine *machine, short revents)
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
	listener->watch = (struct loop_watch){ .fd = -1, .events = POLLIN, .ready = ready };
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

const struct host_native host_listener_natives[] = {
	{ .name = "xs_hal_listener_destructor", .destructor = listener_destructor },
	{ .name = "xs_hal_listener_open", .callback = listener_constructor, .length = 1 },
	{ .name = "xs_hal_listener_close", .callback = listener_close },
	{ .name = "xs_hal_listener_read", .callback = listener_read, .length = 1 },
	{ .name = NULL },
};
