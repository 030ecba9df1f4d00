/* Sockets of the host's gateway; see gateway_host_link.h. */
#define _GNU_SOURCE
#include "gateway_host_link.h"

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

_Static_assert(sizeof(struct gateway_frame) == 16, "records on the sockets are SocketCAN's struct can_frame");

/* ---- UNIX sockets ---- */

/* Removes the socket of a program that ended without doing so. Returns what stands in the way, or NULL. */
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

static int open_unix(struct gateway_link *link, const char *path, char *error, size_t error_size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (!*path || strlen(path) >= sizeof address.sun_path) {
		snprintf(error, error_size, "unix:%s: the path must have 1 to %zu bytes", path, sizeof address.sun_path - 1);
		return EXIT_ENDPOINT;
	}
	strcpy(address.sun_path, path);
	const char *problem = clear_path(&address);
	if (!problem) {
		link->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (link->listener < 0 || bind(link->listener, (struct sockaddr *)&address, sizeof address)) {
			problem = strerror(errno);
		} else {
			link->path = path;
			problem = listen(link->listener, 4) ? strerror(errno) : NULL;
		}
	}
	if (!problem)
		return 0;
	snprintf(error, error_size, "unix:%s: %s", path, problem);
	return EXIT_ENDPOINT;
}

void link_accept(struct gateway_link *link)
{
	int fd = accept4(link->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		return;
	if (link->connected) {
		close(fd);
		return;
	}
	link->fd = fd;
	link->connected = true;
}

/* ---- SocketCAN ---- */

static int open_can(struct gateway_link *link, const char *name, char *error, size_t error_size)
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
	link->is_can = true;
	link->fd = socket(AF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
	if (link->fd < 0 || ioctl(link->fd, SIOCGIFINDEX, &request)) {
		snprintf(error, error_size, "can:%s: %s", name, link->fd < 0 ? "this kernel has no SocketCAN" : strerror(errno));
		return EXIT_ENDPOINT;
	}
	address.can_ifindex = request.ifr_ifindex;
	if (setsockopt(link->fd, SOL_CAN_RAW, CAN_RAW_LOOPBACK, &off, sizeof off) ||
		setsockopt(link->fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) ||
		bind(link->fd, (struct sockaddr *)&address, sizeof address)) {
		snprintf(error, error_size, "can:%s: %s", name, strerror(errno));
		return EXIT_ENDPOINT;
	}
	link->connected = true;
	return 0;
}

/* An error frame tells the controller's state; it is no frame of the bus. */
static void take_error_frame(struct gateway_link *link, const struct gateway_frame *frame)
{
	if (frame->id & CAN_ERR_BUSOFF)
		link->controller_off = true;
	if (frame->id & CAN_ERR_RESTARTED)
		link->controller_off = link->passive = false;
	if (frame->id & CAN_ERR_CRTL && frame->data[1] != CAN_ERR_CRTL_UNSPEC)
		link->passive = !(frame->data[1] & CAN_ERR_CRTL_ACTIVE);
}

static int read_can(struct gateway_link *link)
{
	int count = 0;
	while (count < (int)LINK_BATCH) {
		struct gateway_frame *frame = &link->input[count];
		ssize_t bytes = recv(link->fd, frame, RECORD_BYTES, 0);
		if (bytes != (ssize_t)RECORD_BYTES)
			break; /* nothing more, or the interface is down */
		if (frame->id & CAN_ERR_FLAG)
			take_error_frame(link, frame);
		else
			++count;
	}
	return count;
}

/* ---- both ---- */

int link_open(struct gateway_link *link, const char *endpoint, char *error, size_t error_size)
{
	link->listener = link->fd = -1;
	bus_recovery_init(&link->recovery);
	if (!endpoint)
		return 0;
	if (!strncmp(endpoint, "unix:", 5))
		return open_unix(link, endpoint + 5, error, error_size);
	if (!strncmp(endpoint, "can:", 4))
		return open_can(link, endpoint + 4, error, error_size);
	snprintf(error, error_size, "%s: an endpoint is unix:PATH or can:INTERFACE", endpoint);
	return EXIT_USAGE;
}

static void disconnect(struct gateway_link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
	link->connected = link->congested = false;
	link->read_bytes = link->unsent_bytes = 0;
}

void link_close(struct gateway_link *link)
{
	disconnect(link);
	if (link->listener >= 0)
		close(link->listener);
	link->listener = -1;
	if (link->path)
		unlink(link->path);
	link->path = NULL;
}

int link_read(struct gateway_link *link, unsigned *broken)
{
	*broken = 0;
	if (link->is_can)
		return read_can(link);
	ssize_t bytes = recv(link->fd, (uint8_t *)link->input + link->read_bytes, sizeof link->input - link->read_bytes, 0);
	if (bytes <= 0) {
		if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		*broken = link->read_bytes != 0;
		disconnect(link);
		return -1;
	}
	link->read_bytes += (size_t)bytes;
	return (int)(link->read_bytes / RECORD_BYTES);
}

void link_consume(struct gateway_link *link, int count)
{
	if (link->is_can)
		return;
	size_t used = (size_t)count * RECORD_BYTES;
	link->read_bytes -= used;
	memmove(link->input, (uint8_t *)link->input + used, link->read_bytes);
}

/* Returns the number of bytes that the socket took. */
static size_t write_some(struct gateway_link *link, const void *data, size_t size)
{
	ssize_t bytes = send(link->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	link->congested = bytes != (ssize_t)size;
	return bytes < 0 ? 0 : (size_t)bytes;
}

bool link_can_send(const struct gateway_link *link)
{
	return link->connected && !link->controller_off && !link->fault_tx_full;
}

bool link_send(struct gateway_link *link, const struct gateway_frame *frame)
{
	if (link->fd < 0)
		return false;
	if (link->unsent_bytes) { /* the rest of the record before goes first */
		size_t sent = write_some(link, link->unsent, link->unsent_bytes);
		link->unsent_bytes -= sent;
		memmove(link->unsent, link->unsent + sent, link->unsent_bytes);
		if (link->unsent_bytes)
			return false;
	}
	size_t sent = write_some(link, frame, RECORD_BYTES);
	if (sent == 0)
		return false;
	link->unsent_bytes = RECORD_BYTES - sent;
	memcpy(link->unsent, (const uint8_t *)frame + sent, link->unsent_bytes);
	return true;
}

enum bus_recovery_report link_report(struct gateway_link *link)
{
	if (!link->connected)
		return BUS_REPORTS_STOPPED;
	if (link->fault_bus_off)
		link->controller_off = true;
	if (link->controller_off)
		return BUS_REPORTS_OFF;
	return link->passive ? BUS_REPORTS_PASSIVE : BUS_REPORTS_ACTIVE;
}

void link_recover(struct gateway_link *link)
{
	/* A SocketCAN interface restarts as `ip link set ... restart-ms` says, and tells with an error frame. */
	if (!link->is_can)
		link->controller_off = link->fault_bus_off;
}
