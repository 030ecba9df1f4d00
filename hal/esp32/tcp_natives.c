/* Natives of hal/io/sockets.ts. */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include <stdlib.h>

#include "tcp_link.h"

#define ADDRESS_BYTES 16 /* "255.255.255.255" */

/* Host data of a TCP object or of a listener. It keeps its object alive until it is closed. */
struct socket {
	union {
		struct tcp_link *link;
		struct tcp_listener *listener;
	};
	xsSlot object;
	xsSlot *on_readable, *on_writable, *on_error; /* NULL: none */
	bool has_failed;
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

/* Only the end of the machine deletes an open socket, and then the board restarts. */
void xs_hal_tcp_destructor(void *data)
{
	(void)data;
}

void xs_hal_listener_destructor(void *data)
{
	(void)data;
}

static const xsHostHooks hooks = {xs_hal_tcp_destructor, mark, NULL};

/* Throws for a closed socket. */
static struct socket *socket_of(xsMachine *the, xsSlot *slot)
{
	struct socket *socket = xsmcGetHostDataValidate(*slot, (void *)&hooks);
	if (!socket)
		xsUnknownError("closed");
	return socket;
}

static struct socket *make_socket(xsMachine *the)
{
	struct socket *socket = calloc(1, sizeof *socket);
	if (!socket)
		xsUnknownError("no memory");
	socket->object = xsThis;
	return socket;
}

/* A callback among the options, which are the first argument; NULL if it is missing. */
static xsSlot *callback(xsMachine *the, xsIdentifier id)
{
	xsSlot value;
	xsmcGet(value, xsArg(0), id);
	return xsmcIsCallable(value) ? fxToReference(the, &value) : NULL;
}

static void remember(xsMachine *the, struct socket *socket)
{
	xsmcSetHostData(xsThis, socket);
	xsSetHostHooks(xsThis, (xsHostHooks *)&hooks);
	xsRemember(socket->object);
}

static void forget(xsMachine *the, xsSlot *slot, struct socket *socket)
{
	xsForget(socket->object);
	xsmcSetHostData(*slot, NULL);
	free(socket);
}

static void call(xsMachine *the, struct socket *socket, xsSlot *function, size_t count)
{
	if (!function)
		return;
	xsBeginHost(the);
	xsmcSetInteger(xsResult, (xsIntegerValue)count);
	xsCallFunction1(xsReference(function), socket->object, xsResult);
	xsEndHost(the);
}

static void deliver(void *machine, void *context, uint8_t *message, uint16_t length)
{
	struct tcp_link *link = context;
	struct socket *socket = link->owner;
	(void)message, (void)length;
	struct tcp_news news = tcp_link_look(link);
	link->in_callback = true; /* which may close it */
	if (news.readable && !link->closed)
		call(machine, socket, socket->on_readable, news.readable);
	if (news.writable && !link->closed)
		call(machine, socket, socket->on_writable, news.writable);
	if (news.ended && !link->closed && !socket->has_failed) {
		socket->has_failed = true;
		call(machine, socket, socket->on_error, 0);
	}
	link->in_callback = false;
	tcp_link_free_unused(link);
}

void tcp_link_changed(struct tcp_link *link)
{
	modMessagePostToMachine(link->machine, NULL, 0, deliver, link);
}

/* (options): connects, or takes a connection over; without options an empty object, for a listener to fill */
void xs_hal_tcp_open(xsMachine *the)
{
	char text[ADDRESS_BYTES];
	ip_addr_t address;
	if (xsmcArgc == 0 || xsmcTypeOf(xsArg(0)) == xsUndefinedType)
		return;
	xsmcVars(1);
	xsmcGet(xsVar(0), xsArg(0), xsID_nodelay);
	bool nodelay = xsmcTest(xsVar(0));
	xsmcGet(xsVar(0), xsArg(0), xsID_from);
	bool connects = !xsmcTest(xsVar(0));
	struct socket *from = connects ? NULL : socket_of(the, &xsVar(0));
	uint16_t port = 0;
	if (connects) {
		xsmcGet(xsVar(0), xsArg(0), xsID_address);
		if (!ipaddr_aton(xsmcToStringBuffer(xsVar(0), text, sizeof text), &address))
			xsUnknownError("invalid address");
		xsmcGet(xsVar(0), xsArg(0), xsID_port);
		port = (uint16_t)xsmcToInteger(xsVar(0));
	}
	struct socket *socket = make_socket(the);
	socket->on_readable = callback(the, xsID_onReadable);
	socket->on_writable = callback(the, xsID_onWritable);
	socket->on_error = callback(the, xsID_onError);
	if (connects) {
		socket->link = tcp_link_connect(the, socket, &address, port, nodelay);
		if (!socket->link) {
			free(socket);
			xsUnknownError("no memory, or no network");
		}
		remember(the, socket);
		return;
	}
	socket->link = from->link;
	forget(the, &xsVar(0), from);
	remember(the, socket);
	tcp_link_adopt(socket->link, socket, nodelay);
}

/* (most) */
void xs_hal_tcp_read(xsMachine *the)
{
	struct socket *socket = socket_of(the, &xsThis);
	xsIntegerValue most = xsmcToInteger(xsArg(0));
	if (most <= 0)
		return;
	void *into = xsmcSetArrayBuffer(xsResult, NULL, most);
	size_t count = tcp_link_read(socket->link, into, (size_t)most);
	if (count == 0)
		xsmcSetUndefined(xsResult);
	else if (count < (size_t)most)
		xsUnknownError("less is there");
}

/* (bytes) */
void xs_hal_tcp_write(xsMachine *the)
{
	void *bytes;
	xsUnsignedValue count;
	struct socket *socket = socket_of(the, &xsThis);
	xsmcGetBufferReadable(xsArg(0), &bytes, &count);
	if (!tcp_link_write(socket->link, bytes, count))
		xsUnknownError("would block");
}

void xs_hal_tcp_close(xsMachine *the)
{
	struct socket *socket = xsmcGetHostData(xsThis);
	if (!socket)
		return;
	struct tcp_link *link = socket_of(the, &xsThis)->link;
	forget(the, &xsThis, socket);
	tcp_link_close(link);
}

void xs_hal_tcp_peer(xsMachine *the)
{
	char text[ADDRESS_BYTES];
	xsmcSetString(xsResult, ipaddr_ntoa_r(&socket_of(the, &xsThis)->link->peer, text, sizeof text));
}

/* ---- listener ---- */

static void deliver_listener(void *machine, void *context, uint8_t *message, uint16_t length)
{
	struct tcp_listener *listener = context;
	struct socket *socket = listener->owner;
	(void)message, (void)length;
	size_t count = tcp_listener_look(listener);
	if (!tcp_listener_free_unused(listener) && count)
		call(machine, socket, socket->on_readable, count);
}

void tcp_listener_changed(struct tcp_listener *listener)
{
	modMessagePostToMachine(listener->machine, NULL, 0, deliver_listener, listener);
}

/* (options) */
void xs_hal_listener_open(xsMachine *the)
{
	xsmcVars(1);
	xsmcGet(xsVar(0), xsArg(0), xsID_port);
	uint16_t port = (uint16_t)xsmcToInteger(xsVar(0));
	struct socket *socket = make_socket(the);
	socket->on_readable = callback(the, xsID_onReadable);
	socket->listener = tcp_listener_open(the, socket, port);
	if (!socket->listener) {
		free(socket);
		xsUnknownError("no memory, or the port is taken");
	}
	remember(the, socket);
}

/* (empty TCP object). Returns it, or undefined if no connection waits. */
void xs_hal_listener_read(xsMachine *the)
{
	struct tcp_link *link = tcp_listener_accept(socket_of(the, &xsThis)->listener);
	if (!link)
		return;
	struct socket *socket = calloc(1, sizeof *socket);
	if (!socket) {
		tcp_link_close(link);
		return;
	}
	socket->link = link;
	socket->object = xsArg(0);
	xsmcSetHostData(xsArg(0), socket);
	xsSetHostHooks(xsArg(0), (xsHostHooks *)&hooks);
	xsRemember(socket->object);
	xsResult = xsArg(0);
}

void xs_hal_listener_close(xsMachine *the)
{
	struct socket *socket = xsmcGetHostData(xsThis);
	if (!socket)
		return;
	struct tcp_listener *listener = socket_of(the, &xsThis)->listener;
	forget(the, &xsThis, socket);
	tcp_listener_close(listener);
}
