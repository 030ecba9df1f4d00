/* Peers of the host's TCP on sockets of this computer, and its event loop without an engine (tcp_peer.h). */
#define _GNU_SOURCE
#include "tcp_peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "engine.h"
#include "faults.h"
#include "host.h"
#include "io/board.h"
#include "loop.h"
#include "options.h"

/* net_run() ends when nothing has happened for 2 ms. UNTIL repeats it: no case is judged by this time. */
#define IDLE_US 2000
#define PEERS 10
#define RECEIVE_BUFFER_BYTES 4096

struct host_options host_options = {.http_port = -1};
uint32_t fault_listener_fails;

static struct peer {
	int fd;
	bool ended;
} peers[PEERS];
static int server = -1;
static unsigned served;

/* ---- what the event loop is linked with in the host program ---- */

void host_exit(xsMachine *the, int code)
{
	(void)the;
	exit(code);
}

void engine_run_jobs(xsMachine *the)
{
	(void)the;
}

uint32_t engine_meter(xsMachine *the)
{
	(void)the;
	return 0;
}

void engine_figures(xsMachine *the, struct engine_figures *figures)
{
	(void)the, (void)figures;
}

void report_print(xsMachine *the)
{
	(void)the;
}

void faults_on_signal(void)
{
}

bool controls_read_lines(int fd)
{
	(void)fd;
	return false;
}

bool gateway_host_hangs(void)
{
	return false;
}

void replay_run(xsMachine *the, enum loop_pace pace)
{
	(void)the, (void)pace;
}

/* ---- the network ---- */

void net_start(void)
{
	static bool is_open;
	CHECK(is_open || (is_open = loop_open()));
	for (unsigned number = 0; number < PEERS; ++number) {
		if (peers[number].fd > 0)
			close(peers[number].fd);
		peers[number] = (struct peer){0};
	}
}

void net_run(void)
{
	xsMachine *machine = (xsMachine *)&net_machine;
	if (server >= 0) {
		peers[served].fd = accept4(server, NULL, NULL, SOCK_NONBLOCK);
		if (peers[served].fd >= 0) {
			close(server);
			server = -1;
		}
	}
	net_runs = true;
	uint64_t now_us = host_clock_us();
	while (loop_serve(machine, now_us + IDLE_US, now_us)) {
		loop_free_garbage();
		now_us = host_clock_us();
	}
	loop_run_timers(machine);
	loop_free_garbage();
	net_runs = false;
}

static int make_socket(uint16_t *port)
{
	struct sockaddr_in local = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof local;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){RECEIVE_BUFFER_BYTES}, sizeof(int));
	CHECK(bind(fd, (struct sockaddr *)&local, sizeof local) == 0);
	CHECK(getsockname(fd, (struct sockaddr *)&local, &size) == 0);
	*port = ntohs(local.sin_port);
	return fd;
}

uint16_t net_port(void)
{
	return 0;
}

uint16_t net_server(unsigned peer)
{
	uint16_t port;
	server = make_socket(&port);
	served = peer;
	(void)fcntl(server, F_SETFL, O_NONBLOCK);
	CHECK(listen(server, 1) == 0);
	return port;
}

/* Bound and not listening: nobody else gets it meanwhile. */
uint16_t net_closed_port(void)
{
	uint16_t port;
	peers[PEERS - 1].fd = make_socket(&port);
	return port;
}

void peer_connect(unsigned number, const struct tcp_listener *listener)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(tcp_listener_port(listener))};
	uint16_t port;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	peers[number] = (struct peer){.fd = make_socket(&port)};
	CHECK(connect(peers[number].fd, (struct sockaddr *)&address, sizeof address) == 0);
	setsockopt(peers[number].fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

void peer_send(unsigned number, const char *bytes, size_t count)
{
	EQUAL(send(peers[number].fd, bytes, count, MSG_NOSIGNAL), count);
}

void peer_finish(unsigned number)
{
	EQUAL(shutdown(peers[number].fd, SHUT_WR), 0);
}

void peer_reset(unsigned number)
{
	setsockopt(peers[number].fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
	close(peers[number].fd);
	peers[number].fd = 0;
}

size_t peer_read(unsigned number, char *into, size_t most)
{
	ssize_t count = recv(peers[number].fd, into, most, MSG_DONTWAIT);
	return count > 0 ? (size_t)count : 0;
}

bool peer_sees_end(unsigned number)
{
	char byte;
	ssize_t count = recv(peers[number].fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
	return count == 0 || (count < 0 && errno == ECONNRESET);
}
