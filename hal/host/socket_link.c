/* Sockets as buses. */
#define _GNU_SOURCE
#include "gateway_host.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>

#include "options.h"

#define RECORD_BYTES sizeof(struct gateway_frame)

/*
 * Period of checking a bus that is off. Recovery begins at most this much late: a fifth of the shortest
 * back-off.
 */
#define OFF_POLL_US 20000u
/* SocketCAN: poll() says writable although the queue is full. */
#define CONGESTED_POLL_US 1000u

_Static_assert(sizeof(struct gateway_frame) == 16, "records on the sockets are SocketCAN's struct can_frame");

struct host_link host_links[GATEWAY_BUSES];

/* The first member. */
static struct host_link *host_link_of(struct can_link *link)
{
	return (struct host_link *)link;
}

/* ---- UNIX sockets ---- */

/* Removes the socket that a killed program left. Returns the error, or NULL. */
static const char *clear_path(const struct sockaddr_un *address)
{
	struct stat status;
	if (lstat(address->sun_path, &status))
		return errno == ENOENT ? NULL : strerror(errno);
	if (!S_ISSOCK(status.st_mode))
		return "a file of this name is in the way";
	int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool alive = probe >= 0 && !connect(probe, (const struct sockaddr *)address, sizeof *address);
	if (probe >= 0)
		close(probe);
	if (alive)
		return "another program is listening there";
	return unlink(address->sun_path) ? strerror(errno) : NULL;
}

static int open_unix(struct host_link *bus, const char *path, char *error, size_t error_size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (!*path || strlen(path) >= sizeof address.sun_path) {
		snprintf(error, error_size, "unix:%s: the path must have 1 to %zu bytes", path, sizeof address.sun_path - 1);
		return EXIT_ENDPOINT;
	}
	strcpy(address.sun_path, path);
	const char *problem = clear_path(&address);
	if (!problem) {
		bus->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (bus->listener < 0 || bind(bus->listener, (struct sockaddr *)&address, sizeof address)) {
			problem = strerror(errno);
		} else {
			bus->path = path;
			problem = listen(bus->listener, 4) ? strerror(errno) : NULL;
		}
	}
	if (!problem)
		return 0;
	snprintf(error, error_size, "unix:%s: %s", path, problem);
	return EXIT_ENDPOINT;
}

void host_link_accept(struct host_link *bus)
{
	int fd = accept4(bus->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		return;
	if (bus->connected) {
		close(fd);
		return;
	}
	bus->fd = fd;
	bus->connected = true;
}

/* ---- SocketCAN ---- */

static int open_can(struct host_link *bus, const char *name, char *error, size_t error_size)
{
	struct ifreq request = {0};
	struct sockaddr_can address = {.can_family = AF_CAN};
	can_err_mask_t errors = CAN_ERR_BUSOFF | CAN_ERR_RESTARTED | CAN_ERR_CRTL;
	int off = 0;
	if (strlen(name) >= sizeof request.ifr_name) {
		snprintf(error, error_size, "can:%s: name too long", name);
		return EXIT_ENDPOINT;
	}
	strcpy(request.ifr_name, name);
	bus->is_can = true;
	bus->fd = socket(AF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
	if (bus->fd < 0 || ioctl(bus->fd, SIOCGIFINDEX, &request)) {
		snprintf(error, error_size, "can:%s: %s", name, bus->fd < 0 ? "this kernel has no SocketCAN" : strerror(errno));
		return EXIT_ENDPOINT;
	}
	address.can_ifindex = request.ifr_ifindex;
	if (setsockopt(bus->fd, SOL_CAN_RAW, CAN_RAW_LOOPBACK, &off, sizeof off) ||
		setsockopt(bus->fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) ||
		bind(bus->fd, (struct sockaddr *)&address, sizeof address)) {
		snprintf(error, error_size, "can:%s: %s", name, strerror(errno));
		return EXIT_ENDPOINT;
	}
	bus->connected = true;
	return 0;
}

/* An error frame tells the controller's state; it is no frame of the bus. */
static void take_error_frame(struct host_link *bus, const struct gateway_frame *frame)
{
	if (frame->id & CAN_ERR_BUSOFF)
		bus->off = true;
	if (frame->id & CAN_ERR_RESTARTED)
		bus->off = bus->passive = false;
	if (frame->id & CAN_ERR_CRTL && frame->data[1] != CAN_ERR_CRTL_UNSPEC)
		bus->passive = !(frame->data[1] & CAN_ERR_CRTL_ACTIVE);
}

/* ---- both ---- */

static void disconnect(struct host_link *bus)
{
	if (bus->fd >= 0)
		close(bus->fd);
	bus->fd = -1;
	bus->connected = bus->readable = bus->full = false;
	bus->read_at = bus->read_bytes = bus->unsent_bytes = 0;
}

/* Reads what is there, behind what is left. Returns false if that is nothing, or the peer is gone. */
static bool fill(struct host_link *bus)
{
	memmove(bus->input, (uint8_t *)bus->input + bus->read_at, bus->read_bytes);
	bus->read_at = 0;
	size_t space = bus->is_can ? RECORD_BYTES : sizeof bus->input - bus->read_bytes;
	ssize_t bytes = recv(bus->fd, (uint8_t *)bus->input + bus->read_bytes, space, 0);
	bus->readable = bytes == (ssize_t)space;
	if (bytes > 0) {
		bus->read_bytes += (size_t)bytes;
		return true;
	}
	if (!bus->is_can && (bytes == 0 || (errno != EAGAIN && errno != EINTR)))
		bus->connected = false;
	return false;
}

static bool receive(struct can_link *link, struct gateway_frame *into, uint64_t now_us)
{
	struct host_link *bus = host_link_of(link);
	(void)now_us;
	for (;;) {
		if (bus->read_bytes < RECORD_BYTES && !(bus->readable && fill(bus)))
			break;
		if (bus->read_bytes < RECORD_BYTES)
			continue;
		memcpy(into, (const uint8_t *)bus->input + bus->read_at, RECORD_BYTES);
		bus->read_at += RECORD_BYTES;
		bus->read_bytes -= RECORD_BYTES;
		if (bus->is_can && into->id & CAN_ERR_FLAG)
			take_error_frame(bus, into);
		else if (!bus->off) /* a bus that is off delivers nothing */
			return true;
	}
	if (bus->connected || bus->fd < 0)
		return false;
	/* The peer is gone. A partial record is passed on as an invalid frame. */
	bool broken = bus->read_bytes;
	disconnect(bus);
	*into = (struct gateway_frame){.dlc = UINT8_MAX};
	return broken;
}

/* Returns the number of bytes that the socket took. */
static size_t write_some(struct host_link *bus, const void *data, size_t size)
{
	ssize_t bytes = send(bus->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	bus->full = bytes != (ssize_t)size;
	return bytes < 0 ? 0 : (size_t)bytes;
}

bool host_link_can_send(const struct host_link *bus)
{
	return bus->connected && !bus->off && !bus->fault_tx_full;
}

static bool send_frame(struct can_link *link, const struct gateway_frame *frame, uint64_t now_us)
{
	struct host_link *bus = host_link_of(link);
	link->retry_us = bus->is_can && host_link_can_send(bus) ? now_us + CONGESTED_POLL_US : GATEWAY_NEVER;
	if (!host_link_can_send(bus) || bus->fd < 0 || (bus->full && !bus->is_can))
		return false;
	if (bus->unsent_bytes) { /* the rest of the record before goes first */
		size_t sent = write_some(bus, bus->unsent, bus->unsent_bytes);
		bus->unsent_bytes -= sent;
		memmove(bus->unsent, bus->unsent + sent, bus->unsent_bytes);
		if (bus->unsent_bytes)
			return false;
	}
	size_t sent = write_some(bus, frame, RECORD_BYTES);
	if (sent == 0)
		return false;
	bus->unsent_bytes = RECORD_BYTES - sent;
	memcpy(bus->unsent, (const uint8_t *)frame + sent, bus->unsent_bytes);
	return true;
}

uint64_t host_link_service(struct can_link *link, uint64_t now_us)
{
	struct host_link *bus = host_link_of(link);
	if (bus->fault_bus_off && bus->connected)
		bus->off = true;
	return bus->off ? now_us + OFF_POLL_US : GATEWAY_NEVER;
}

enum bus_recovery_report host_link_report(const struct can_link *link)
{
	const struct host_link *bus = (const struct host_link *)link;
	if (!bus->connected)
		return BUS_REPORTS_STOPPED;
	if (bus->off)
		return BUS_REPORTS_OFF;
	return bus->passive ? BUS_REPORTS_PASSIVE : BUS_REPORTS_ACTIVE;
}

void host_link_recover(struct can_link *link, bool lasting, uint64_t now_us)
{
	struct host_link *bus = host_link_of(link);
	(void)lasting, (void)now_us;
	/* A SocketCAN interface restarts as `ip link set ... restart-ms` says, and tells with an error frame. */
	if (!bus->is_can)
		bus->off = bus->fault_bus_off;
}

static const struct can_link_class socket_class = {host_link_service, receive, send_frame, host_link_report, host_link_recover};

int host_link_open(struct host_link *bus, const char *endpoint, char *error, size_t error_size)
{
	bus->link.class = &socket_class;
	bus->listener = bus->fd = -1;
	if (!endpoint)
		return 0;
	if (!strncmp(endpoint, "unix:", 5))
		return open_unix(bus, endpoint + 5, error, error_size);
	if (!strncmp(endpoint, "can:", 4))
		return open_can(bus, endpoint + 4, error, error_size);
	snprintf(error, error_size, "%s: an endpoint is unix:PATH or can:INTERFACE", endpoint);
	return EXIT_USAGE;
}

void host_link_close(struct host_link *bus)
{
	disconnect(bus);
	if (bus->listener >= 0)
		close(bus->listener);
	bus->listener = -1;
	if (bus->path)
		unlink(bus->path);
	bus->path = NULL;
}
