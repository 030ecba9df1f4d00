/*
 * TCP on lwIP. A connection belongs to lwIP's task: what the script asks runs there, one thing after the
 * other, so that a peer may vanish at any moment. Moddable's socket frees a connection twice if it vanishes
 * while it is accepted or closed (its issue 1655, pull request 1679), which restarts the board.
 */
#include "tcp_link.h"

#include "lwip/mem.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/tcp.h"

/* Clients that wait to be accepted; further ones repeat their request. lwIP itself has no limit. */
#define WAITING_MAX 8
/* A closed connection that gets no acknowledgement for 20 s is aborted; lwIP counts in 500 ms. */
#define SILENT_STEPS 40
/* With 8 unacknowledged pieces the next ones share a packet: lwIP queues 16 and rejects the next. */
#define PIECES_MAX 8

struct tcp_link {
	struct tcp_pcb *pcb;   /* NULL: the connection is gone */
	struct pbuf *unread;
	ip_addr_t peer;
	bool received, sent;   /* since the script was told */
	bool ended;            /* nothing more comes; a peer that has finished may still read: then there is a pcb */
	bool told;             /* a message to the script's task is under way */
	enum tcp_event last;   /* of the events that the script was told */
	bool closed;           /* by the script: the message that is under way frees it */
	bool nodelay;
	struct tcp_listener *listener; /* in whose queue it waits: it has a pcb, for one whose peer goes is freed */
	struct tcp_link *next;
	void *machine, *owner; /* the script's */
};

struct tcp_listener {
	struct tcp_pcb *pcb;
	struct tcp_link *first;
	bool told, closed;     /* as of a link */
	void *machine, *owner;
};

/* What the script's task asks of lwIP's. */
struct request {
	struct tcpip_api_call_data call; /* first: lwIP hands it back */
	struct tcp_link *link;
	struct tcp_listener *listener;
	const void *from;
	void *into;
	size_t count;
	enum tcp_event event;
	uint16_t port;
	bool nodelay, done;
};

static void ask(struct request *request, tcpip_api_call_fn what)
{
	(void)tcpip_api_call(what, &request->call);
}

/* ---- in lwIP's task ---- */

/* What the script is to be told next. */
static enum tcp_event due(const struct tcp_link *link)
{
	bool readable = link->received && link->unread;
	if (link->ended && !link->unread)
		return link->last == TCP_ENDED ? TCP_NOTHING : TCP_ENDED;
	/* In turn: a peer may send, and acknowledge, without a pause. */
	if (link->sent && link->pcb && !(readable && link->last == TCP_WRITABLE))
		return TCP_WRITABLE;
	return readable ? TCP_READABLE : TCP_NOTHING;
}

static err_t look_now(struct tcpip_api_call_data *call);

/* In the script's task. */
static void deliver(void *machine, void *context, uint8_t *message, uint16_t length)
{
	struct tcp_link *link = context;
	struct request request = {.link = link};
	(void)message, (void)length;
	ask(&request, look_now);
	if (link->closed)
		mem_free(link);
	else if (request.event)
		tcp_link_event(machine, link->owner, request.event, request.count); /* which may close it */
}

static void tell(struct tcp_link *link)
{
	if (link->told || !link->owner || !due(link))
		return;
	link->told = true;
	tcp_post(link->machine, deliver, link);
}

static err_t on_receive(void *argument, struct tcp_pcb *pcb, struct pbuf *bytes, err_t error)
{
	struct tcp_link *link = argument;
	(void)pcb, (void)error;
	if (bytes && link->unread && !link->owner)
		return ERR_MEM; /* lwIP offers it again: a client that waits to be accepted takes no more memory */
	if (!bytes)
		link->ended = true;
	else if (link->unread)
		pbuf_cat(link->unread, bytes);
	else
		link->unread = bytes;
	link->received = true;
	tell(link);
	return ERR_OK;
}

static err_t on_sent(void *argument, struct tcp_pcb *pcb, u16_t count)
{
	struct tcp_link *link = argument;
	(void)pcb, (void)count;
	link->sent = true;
	tell(link);
	return ERR_OK;
}

static err_t on_connected(void *argument, struct tcp_pcb *pcb, err_t error)
{
	(void)error; /* is always ERR_OK */
	return on_sent(argument, pcb, 0);
}

static void leave_queue(struct tcp_link *link)
{
	struct tcp_link **at = &link->listener->first;
	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
	link->listener = NULL;
}

static void free_unread(struct tcp_link *link)
{
	if (link->unread)
		pbuf_free(link->unread);
	link->unread = NULL;
}

/* lwIP has freed the connection, or does so next. */
static void on_gone(void *argument, err_t error)
{
	struct tcp_link *link = argument;
	(void)error;
	link->pcb = NULL;
	link->ended = true;
	if (!link->owner)
		free_unread(link);
	if (link->listener) {
		leave_queue(link);
		mem_free(link);
	} else
		tell(link);
}

/* The peer of a closed connection acknowledges nothing. */
static err_t abort_silent(void *argument, struct tcp_pcb *pcb)
{
	(void)argument;
	tcp_abort(pcb);
	return ERR_ABRT;
}

static void attach(struct tcp_link *link, struct tcp_pcb *pcb)
{
	link->pcb = pcb;
	tcp_arg(pcb, link);
	tcp_recv(pcb, on_receive);
	tcp_sent(pcb, on_sent);
	tcp_err(pcb, on_gone);
}

/* lwIP calls back no more. */
static void detach(struct tcp_link *link)
{
	struct tcp_pcb *pcb = link->pcb;
	link->pcb = NULL;
	link->ended = link->closed = true;
	if (pcb) {
		tcp_arg(pcb, NULL);
		tcp_recv(pcb, NULL);
		tcp_sent(pcb, NULL);
		tcp_err(pcb, NULL);
		tcp_poll(pcb, abort_silent, SILENT_STEPS);
		if (tcp_close(pcb) != ERR_OK)
			tcp_abort(pcb);
	}
	free_unread(link);
}

static void set_nodelay(struct tcp_link *link)
{
	if (link->nodelay && tcp_sndqueuelen(link->pcb) < PIECES_MAX)
		tcp_nagle_disable(link->pcb);
	else
		tcp_nagle_enable(link->pcb);
}

static err_t connect_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_pcb *pcb = tcp_new();
	if (!pcb)
		return ERR_MEM;
	attach(request->link, pcb);
	request->done = tcp_connect(pcb, &request->link->peer, request->port, on_connected) == ERR_OK;
	if (!request->done)
		detach(request->link);
	return ERR_OK;
}

static err_t adopt_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_link *link = request->link;
	link->nodelay = request->nodelay;
	link->owner = request->into;
	link->received = link->sent = true;
	tell(link);
	return ERR_OK;
}

static err_t look_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_link *link = request->link;
	link->told = false;
	if (link->closed)
		return ERR_OK;
	request->event = due(link);
	if (request->event)
		link->last = request->event;
	if (request->event == TCP_READABLE) {
		request->count = link->unread->tot_len;
		link->received = false;
	} else if (request->event == TCP_WRITABLE) {
		request->count = tcp_sndbuf(link->pcb);
		link->sent = false;
	}
	tell(link);
	return ERR_OK;
}

static err_t read_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_link *link = request->link;
	uint16_t there = link->unread ? link->unread->tot_len : 0;
	size_t count = request->count;
	request->count = there;
	if (count > there)
		return ERR_OK;
	(void)pbuf_copy_partial(link->unread, request->into, (uint16_t)count, 0);
	link->unread = pbuf_free_header(link->unread, (uint16_t)count);
	if (link->pcb)
		tcp_recved(link->pcb, (uint16_t)count);
	tell(link); /* of the end, if these were the last ones */
	return ERR_OK;
}

static err_t write_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_link *link = request->link;
	if (!link->pcb || link->last == TCP_ENDED) {
		request->done = true; /* what is written to a connection that has ended is lost, and its end is told */
		return ERR_OK;
	}
	set_nodelay(link);
	request->done = request->count <= tcp_sndbuf(link->pcb) &&
		tcp_write(link->pcb, request->from, (u16_t)request->count, TCP_WRITE_FLAG_COPY) == ERR_OK;
	if (request->done)
		(void)tcp_output(link->pcb); /* what fails now is sent again by lwIP's timer */
	return ERR_OK;
}

static err_t close_now(struct tcpip_api_call_data *call)
{
	detach(((struct request *)call)->link);
	return ERR_OK;
}

/* ---- listener, in lwIP's task ---- */

static err_t count_now(struct tcpip_api_call_data *call);

/* In the script's task. */
static void deliver_waiting(void *machine, void *context, uint8_t *message, uint16_t length)
{
	struct tcp_listener *listener = context;
	struct request request = {.listener = listener};
	(void)message, (void)length;
	ask(&request, count_now);
	if (listener->closed)
		mem_free(listener);
	else if (request.count)
		tcp_listener_event(machine, listener->owner, request.count);
}

static err_t on_accept(void *argument, struct tcp_pcb *pcb, err_t error)
{
	struct tcp_listener *listener = argument;
	struct tcp_link *link = error == ERR_OK ? mem_calloc(1, sizeof *link) : NULL;
	if (!link)
		return ERR_MEM; /* lwIP resets the connection, if there is one */
	link->machine = listener->machine;
	link->listener = listener;
	link->peer = pcb->remote_ip;
	attach(link, pcb);
	tcp_backlog_delayed(pcb);
	struct tcp_link **end = &listener->first;
	while (*end)
		end = &(*end)->next;
	*end = link;
	if (!listener->told) {
		listener->told = true;
		tcp_post(listener->machine, deliver_waiting, listener);
	}
	return ERR_OK;
}

static err_t listen_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_pcb *pcb = tcp_new();
	if (!pcb)
		return ERR_MEM;
	ip_set_option(pcb, SOF_REUSEADDR);
	struct tcp_pcb *listening = tcp_bind(pcb, IP_ADDR_ANY, request->port) == ERR_OK ? tcp_listen_with_backlog(pcb, WAITING_MAX) : NULL;
	if (!listening) {
		(void)tcp_close(pcb);
		return ERR_USE;
	}
	request->listener->pcb = listening;
	tcp_arg(listening, request->listener);
	tcp_accept(listening, on_accept);
	request->done = true;
	return ERR_OK;
}

static err_t count_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	request->listener->told = false;
	for (struct tcp_link *link = request->listener->first; link; link = link->next)
		++request->count;
	return ERR_OK;
}

static err_t accept_now(struct tcpip_api_call_data *call)
{
	struct request *request = (struct request *)call;
	struct tcp_link *link = request->link = request->listener->first;
	if (link) {
		leave_queue(link);
		tcp_backlog_accepted(link->pcb);
	}
	return ERR_OK;
}

static err_t close_listener_now(struct tcpip_api_call_data *call)
{
	struct tcp_listener *listener = ((struct request *)call)->listener;
	listener->closed = true;
	(void)tcp_close(listener->pcb); /* of a listener it does not fail */
	while (listener->first) {
		struct tcp_link *link = listener->first;
		leave_queue(link);
		detach(link);
		mem_free(link);
	}
	return ERR_OK;
}

/* ---- in the script's task ---- */

struct tcp_link *tcp_link_connect(void *machine, void *owner, const char *address, uint16_t port, bool nodelay)
{
	struct tcp_link *link = mem_calloc(1, sizeof *link);
	if (!link)
		return NULL;
	link->machine = machine;
	link->owner = owner;
	link->nodelay = nodelay;
	struct request request = {.link = link, .port = port};
	if (ipaddr_aton(address, &link->peer))
		ask(&request, connect_now);
	if (request.done)
		return link;
	mem_free(link);
	return NULL;
}

void tcp_link_adopt(struct tcp_link *link, void *owner, bool nodelay)
{
	ask(&(struct request){.link = link, .into = owner, .nodelay = nodelay}, adopt_now);
}

bool tcp_link_peer(const struct tcp_link *link, char address[TCP_ADDRESS_BYTES])
{
	return ipaddr_ntoa_r(&link->peer, address, TCP_ADDRESS_BYTES);
}

size_t tcp_link_read(struct tcp_link *link, void *into, size_t count)
{
	struct request request = {.link = link, .into = into, .count = count};
	ask(&request, read_now);
	return request.count;
}

bool tcp_link_write(struct tcp_link *link, const void *bytes, size_t count)
{
	struct request request = {.link = link, .from = bytes, .count = count};
	ask(&request, write_now);
	return request.done;
}

void tcp_link_close(struct tcp_link *link)
{
	ask(&(struct request){.link = link}, close_now);
	if (!link->told)
		mem_free(link);
}

struct tcp_listener *tcp_listener_open(void *machine, void *owner, uint16_t port)
{
	struct tcp_listener *listener = mem_calloc(1, sizeof *listener);
	if (!listener)
		return NULL;
	listener->machine = machine;
	listener->owner = owner;
	struct request request = {.listener = listener, .port = port};
	ask(&request, listen_now);
	if (request.done)
		return listener;
	mem_free(listener);
	return NULL;
}

const char *tcp_listener_problem(void)
{
	return "no memory, or the port is taken";
}

uint16_t tcp_listener_port(const struct tcp_listener *listener)
{
	return listener->pcb->local_port;
}

struct tcp_link *tcp_listener_accept(struct tcp_listener *listener)
{
	struct request request = {.listener = listener};
	ask(&request, accept_now);
	return request.link;
}

void tcp_listener_close(struct tcp_listener *listener)
{
	ask(&(struct request){.listener = listener}, close_listener_now);
	if (!listener->told)
		mem_free(listener);
}
