/* Natives of tcp.ts: construction, reading and writing. What happens in between is in tcp.c. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "socket.h"
#include "tcp.h"

/// Construction ///

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
	struct tcp *from = tcp_get(the, slot);
	int fd = from->watch.fd;
	if (fd < 0)
		xsUnknownError("invalid from");
	tcp->connecting = from->connecting;
	tcp->pending = from->pending;
	memcpy(tcp->buffer, from->buffer, from->pending);
	from->pending = 0;
	loop_watch_stop(&from->watch);
	from->watch.fd = -1;
	tcp_close(the, slot);
	return fd;
}

/* (options or undefined): without options an empty object for Listener.read() to fill */
static void native_constructor(xsMachine *the)
{
	xsmcVars(2);
	/* first, so that the callbacks are marked while the rest of the options is read */
	struct tcp *tcp = tcp_attach(the, &xsThis);
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
	tcp_open(the, tcp, &xsThis, fd);
}

static void native_close(xsMachine *the)
{
	tcp_close(the, &xsThis);
}

/// Reading and writing ///

static void native_read(xsMachine *the)
{
	struct tcp *tcp = tcp_get(the, &xsThis);
	size_t available = tcp->watch.fd < 0 ? 0 : tcp_count_readable(tcp);
	void *data;
	xsUnsignedValue count;
	unsigned char value;
	if (available == 0) {
		tcp->read_paused = false;
		tcp_update_events(tcp);
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
	tcp_update_events(tcp);
}

static void native_write(xsMachine *the)
{
	struct tcp *tcp = tcp_get(the, &xsThis);
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
	(void)tcp_flush(tcp);
	tcp->announce_writable = true;
	tcp_update_events(tcp);
	xsmcSetInteger(xsResult, (xsIntegerValue)(SEND_BUFFER_BYTES - tcp->pending));
}

/// Properties ///

static bool get_peer(xsMachine *the, struct sockaddr_in *peer)
{
	struct tcp *tcp = tcp_get(the, &xsThis);
	socklen_t size = sizeof *peer;
	return tcp->watch.fd >= 0 && getpeername(tcp->watch.fd, (struct sockaddr *)peer, &size) == 0 && peer->sin_family == AF_INET;
}

static void native_get_remote_address(xsMachine *the)
{
	struct sockaddr_in peer;
	char text[INET_ADDRSTRLEN];
	if (get_peer(the, &peer) && inet_ntop(AF_INET, &peer.sin_addr, text, sizeof text))
		xsmcSetString(xsResult, text);
}

static void native_get_remote_port(xsMachine *the)
{
	struct sockaddr_in peer;
	if (get_peer(the, &peer))
		xsmcSetInteger(xsResult, ntohs(peer.sin_port));
}

static void native_get_format(xsMachine *the)
{
	xsmcSetString(xsResult, tcp_get(the, &xsThis)->format == FORMAT_NUMBER ? "number" : "buffer");
}

static void native_set_format(xsMachine *the)
{
	tcp_get(the, &xsThis)->format = get_format(the, &xsArg(0));
}

const struct host_native host_tcp_natives[] = {
	{ .name = "host_tcp_destructor", .destructor = tcp_destructor },
	{ .name = "host_tcp_constructor", .callback = native_constructor, .length = 1 },
	{ .name = "host_tcp_close", .callback = native_close },
	{ .name = "host_tcp_read", .callback = native_read, .length = 1 },
	{ .name = "host_tcp_write", .callback = native_write, .length = 1 },
	{ .name = "host_tcp_get_remote_address", .callback = native_get_remote_address },
	{ .name = "host_tcp_get_remote_port", .callback = native_get_remote_port },
	{ .name = "host_tcp_get_format", .callback = native_get_format },
	{ .name = "host_tcp_set_format", .callback = native_set_format, .length = 1 },
};
const size_t host_tcp_natives_count = HOST_COUNT(host_tcp_natives);
