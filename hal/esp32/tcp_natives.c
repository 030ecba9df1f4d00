/* Natives of hal/io/sockets.ts, for boards and host. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <stdlib.h>

#include "tcp_link.h"

/* Host data of a TCP object or of a listener. It keeps its object alive until it is closed. */
struct socket {
	union {
		struct tcp_link *link;
		struct tcp_listener *listener;
	};
	xsSlot object;
	bool waits;      /* accepted, and not taken over yet */
	size_t writable; /* bytes: announced, less what was written since */
	xsSlot *on_readable, *on_writable, *on_error; /* NULL: none */
};

static void mark(xsMachine *the, void *data, xsMarkRoot mark_root)
{
	struct socket *socket = data;
	if (socket->on_readable)
		(*mark_root)(the, socket->on_readable);
	if (socket->on_writable)
		(*mark_root)(the, socket->on_writable);
	if (socket->on_error)
		(*mark_root)(the, socket->on_error);
}

/* Only the end of the machine deletes an open socket. */
void xs_hal_tcp_destructor(void *data)
{
	struct socket *socket = data;
	if (!socket)
		return;
	tcp_link_close(socket->link);
	free(socket);
}

void xs_hal_listener_destructor(void *data)
{
	struct socket *socket = data;
	if (!socket)
		return;
	if (socket->listener)
		tcp_listener_close(socket->listener);
	free(socket);
}

static const xsHostHooks tcp_hooks = {xs_hal_tcp_destructor, mark, NULL};
static const xsHostHooks listener_hooks = {xs_hal_listener_destructor, mark, NULL};

/* Throws for another object, and for a closed socket. */
static struct socket *socket_of(xsMachine *the, xsSlot *slot, const xsHostHooks *hooks)
{
	struct socket *socket = xsmcGetHostDataValidate(*slot, (void *)hooks);
	if (!socket)
		xsUnknownError("closed");
	return socket;
}

static struct socket *make_socket(xsMachine *the)
{
	struct socket *socket = calloc(1, sizeof *socket);
	if (!socket)
		xsUnknownError("no memory");
	return socket;
}

/* Returns the slot of a callback, which mark() keeps alive. NULL: the value is no function. */
static xsSlot *reference(xsMachine *the, xsSlot *value)
{
	return xsmcIsCallable(*value) ? fxToReference(the, value) : NULL;
}

/* A port among the options. */
static uint16_t port_of(xsMachine *the, xsIntegerValue least)
{
	xsmcGet(xsVar(0), xsArg(0), xsID_port);
	xsIntegerValue port = xsmcToInteger(xsVar(0));
	if (port < least || port > 65535)
		xsRangeError("invalid port");
	return (uint16_t)port;
}

static void remember(xsMachine *the, xsSlot *slot, struct socket *socket, const xsHostHooks *hooks)
{
	socket->object = *slot;
	xsmcSetHostData(*slot, socket);
	xsSetHostHooks(*slot, (xsHostHooks *)hooks);
	xsRemember(socket->object);
}

static void forget(xsMachine *the, xsSlot *slot, struct socket *socket)
{
	xsForget(socket->object);
	xsmcSetHostData(*slot, NULL);
	free(socket);
}

/* The callback may close the socket. */
static void call(xsMachine *the, struct socket *socket, xsSlot *function, size_t count)
{
	if (!function)
		return;
	xsBeginHost(the);
	xsmcSetInteger(xsResult, (xsIntegerValue)count);
	xsCallFunction1(xsReference(function), xsAccess(socket->object), xsResult);
	xsEndHost(the);
}

void tcp_link_event(void *machine, void *owner, enum tcp_event event, size_t count)
{
	struct socket *socket = owner;
	if (event == TCP_WRITABLE)
		socket->writable = count;
	xsSlot *functions[] = {NULL, socket->on_readable, socket->on_writable, socket->on_error}; /* as enum tcp_event */
	call(machine, socket, functions[event], count);
}

/* (options): connects, or takes a connection over; without options an empty object, for a listener to fill */
void xs_hal_tcp_open(xsMachine *the)
{
	char address[TCP_ADDRESS_BYTES];
	if (xsmcArgc == 0 || xsmcTypeOf(xsArg(0)) == xsUndefinedType)
		return;
	xsmcVars(4);
	xsmcGet(xsVar(0), xsArg(0), xsID_nodelay);
	bool nodelay = xsmcTest(xsVar(0));
	/* a getter may throw, or close `from` */
	xsmcGet(xsVar(1), xsArg(0), xsID_onReadable);
	xsmcGet(xsVar(2), xsArg(0), xsID_onWritable);
	xsmcGet(xsVar(3), xsArg(0), xsID_onError);
	xsmcGet(xsVar(0), xsArg(0), xsID_from);
	bool connects = !xsmcTest(xsVar(0));
	struct socket *from = connects ? NULL : socket_of(the, &xsVar(0), &tcp_hooks);
	if (from && !from->waits)
		xsUnknownError("not from a listener");
	uint16_t port = connects ? port_of(the, 1) : 0;
	if (connects) {
		xsmcGet(xsVar(0), xsArg(0), xsID_address);
		xsmcToStringBuffer(xsVar(0), address, sizeof address);
	}
	struct socket *socket = make_socket(the);
	socket->on_readable = reference(the, &xsVar(1));
	socket->on_writable = reference(the, &xsVar(2));
	socket->on_error = reference(the, &xsVar(3));
	socket->link = connects ? tcp_link_connect(the, socket, address, port, nodelay) : from->link;
	if (!socket->link) {
		free(socket);
		xsUnknownError("invalid address, no memory or no network");
	}
	if (from)
		forget(the, &xsVar(0), from);
	remember(the, &xsThis, socket, &tcp_hooks);
	if (!connects)
		tcp_link_adopt(socket->link, socket, nodelay);
}

/* (count) */
void xs_hal_tcp_read(xsMachine *the)
{
	struct socket *socket = socket_of(the, &xsThis, &tcp_hooks);
	xsIntegerValue count = xsmcToInteger(xsArg(0));
	if (count <= 0)
		return;
	void *into = xsmcSetArrayBuffer(xsResult, NULL, count);
	size_t there = tcp_link_read(socket->link, into, (size_t)count);
	if (there == 0)
		xsmcSetUndefined(xsResult);
	else if (there < (size_t)count)
		xsRangeError("asks for more than is there");
}

/* (bytes) */
void xs_hal_tcp_write(xsMachine *the)
{
	void *bytes;
	xsUnsignedValue count;
	struct socket *socket = socket_of(the, &xsThis, &tcp_hooks);
	xsmcGetBufferReadable(xsArg(0), &bytes, &count);
	if (count > socket->writable || !tcp_link_write(socket->link, bytes, count))
		xsUnknownError("would block");
	socket->writable -= count;
}

void xs_hal_tcp_close(xsMachine *the)
{
	if (!xsmcGetHostData(xsThis))
		return;
	struct socket *socket = socket_of(the, &xsThis, &tcp_hooks);
	tcp_link_close(socket->link);
	forget(the, &xsThis, socket);
}

void xs_hal_tcp_peer(xsMachine *the)
{
	char address[TCP_ADDRESS_BYTES];
	if (tcp_link_peer(socket_of(the, &xsThis, &tcp_hooks)->link, address))
		xsmcSetString(xsResult, address);
}

/* ---- listener ---- */

void tcp_listener_event(void *machine, void *owner, size_t count)
{
	struct socket *socket = owner;
	call(machine, socket, socket->on_readable, count);
}

/* (options) */
void xs_hal_listener_open(xsMachine *the)
{
	xsmcVars(2);
	uint16_t port = port_of(the, 0);
	xsmcGet(xsVar(1), xsArg(0), xsID_onReadable);
	struct socket *socket = make_socket(the);
	remember(the, &xsThis, socket, &listener_hooks); /* the host may end the program instead of opening it */
	socket->on_readable = reference(the, &xsVar(1));
	socket->listener = tcp_listener_open(the, socket, port);
	if (!socket->listener) {
		const char *problem = tcp_listener_problem();
		forget(the, &xsThis, socket);
		xsUnknownError("%s", problem);
	}
	port = tcp_listener_port(socket->listener);
	xsmcSetInteger(xsVar(0), port);
	if (port)
		xsmcSet(xsThis, xsID_port, xsVar(0));
}

/* (empty TCP object). Returns it, or undefined if no connection waits. */
void xs_hal_listener_read(xsMachine *the)
{
	struct tcp_link *link = tcp_listener_accept(socket_of(the, &xsThis, &listener_hooks)->listener);
	if (!link)
		return;
	struct socket *socket = calloc(1, sizeof *socket);
	if (!socket) {
		tcp_link_close(link);
		return;
	}
	socket->link = link;
	socket->waits = true;
	remember(the, &xsArg(0), socket, &tcp_hooks);
	xsResult = xsArg(0);
}

void xs_hal_listener_close(xsMachine *the)
{
	if (!xsmcGetHostData(xsThis))
		return;
	struct socket *socket = socket_of(the, &xsThis, &listener_hooks);
	tcp_listener_close(socket->listener);
	forget(the, &xsThis, socket);
}

#if ESP32
void tcp_post(void *machine, tcp_deliver deliver, void *context)
{
	modMessagePostToMachine(machine, NULL, 0, deliver, context);
}
#else /* on a board the linker finds the functions by name */
const struct host_native tcp_natives[] = {
	{ .name = "xs_hal_tcp_destructor", .destructor = xs_hal_tcp_destructor },
	{ .name = "xs_hal_tcp_open", .callback = xs_hal_tcp_open, .length = 1 },
	{ .name = "xs_hal_tcp_close", .callback = xs_hal_tcp_close },
	{ .name = "xs_hal_tcp_read", .callback = xs_hal_tcp_read, .length = 1 },
	{ .name = "xs_hal_tcp_write", .callback = xs_hal_tcp_write, .length = 1 },
	{ .name = "xs_hal_tcp_peer", .callback = xs_hal_tcp_peer },
	{ .name = "xs_hal_listener_destructor", .destructor = xs_hal_listener_destructor },
	{ .name = "xs_hal_listener_open", .callback = xs_hal_listener_open, .length = 1 },
	{ .name = "xs_hal_listener_close", .callback = xs_hal_listener_close },
	{ .name = "xs_hal_listener_read", .callback = xs_hal_listener_read, .length = 1 },
	{ .name = NULL },
};
#endif
