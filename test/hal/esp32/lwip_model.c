/* See lwip_model.h. */
#include "lwip_model.h"

#include "lwip/mem.h"
#include "lwip/priv/tcpip_priv.h"

#define PEERS 10
#define ADDRESS 0x0100007F /* NET_ADDRESS */
#define WINDOW_BYTES 5744
#define MESSAGES 16

const ip_addr_t ip_addr_any;
struct lwip_model lwip;

static struct peer {
	struct tcp_pcb *pcb;
	bool knocks;    /* has had no answer yet */
	bool finishes;  /* once all that it has sent was received */
	bool sees_end;
	size_t unsent, received;
	char send_buffer[SEND_BUFFER_BYTES], window[WINDOW_BYTES];
} peers[PEERS];

/* Of the script's task. */
static struct message {
	tcp_deliver deliver;
	void *machine, *context;
} messages[MESSAGES];
static unsigned message_count;

/* Connections that are being made, to these ports. */
static struct tcp_pcb *connecting;
static uint16_t connecting_port;
static unsigned server;

#define SERVER_PORT 443

struct tcp_pcb *lwip_pcb(unsigned peer)
{
	return peers[peer].pcb;
}

static struct peer *peer_of(const struct tcp_pcb *pcb)
{
	for (struct peer *peer = peers; peer < peers + PEERS; ++peer)
		if (peer->pcb == pcb)
			return peer;
	return NULL;
}

/* ---- lwIP ---- */

static void *allocate(size_t bytes)
{
	return lwip.allowed_allocations && lwip.allowed_allocations-- ? calloc(1, bytes) : NULL;
}

void *mem_calloc(size_t count, size_t bytes)
{
	return allocate(count * bytes);
}

void mem_free(void *memory)
{
	free(memory);
}

err_t tcpip_api_call(tcpip_api_call_fn what, struct tcpip_api_call_data *call)
{
	void (*before)(unsigned) = lwip.before_request;
	lwip.before_request = NULL;
	if (before)
		before(0);
	return what(call);
}

int ipaddr_aton(const char *text, ip_addr_t *address)
{
	address->addr = ADDRESS;
	return !strcmp(text, NET_ADDRESS);
}

char *ipaddr_ntoa_r(const ip_addr_t *address, char *text, int size)
{
	CHECK(address->addr == ADDRESS && size >= (int)sizeof NET_ADDRESS);
	return strcpy(text, NET_ADDRESS);
}

struct tcp_pcb *tcp_new(void)
{
	struct tcp_pcb *pcb = allocate(sizeof *pcb);
	if (!pcb)
		return NULL;
	++lwip.pcbs;
	pcb->remote_ip.addr = ADDRESS;
	pcb->snd_buf = SEND_BUFFER_BYTES;
	return pcb;
}

void tcp_backlog_delayed(struct tcp_pcb *pcb)
{
	pcb->accepts_pending = 1;
	++lwip.listening->accepts_pending;
}

void tcp_backlog_accepted(struct tcp_pcb *pcb)
{
	if (pcb->accepts_pending && lwip.listening)
		--lwip.listening->accepts_pending;
	pcb->accepts_pending = 0;
}

static void free_pcb(struct tcp_pcb *pcb)
{
	struct peer *peer = peer_of(pcb);
	tcp_backlog_accepted(pcb);
	if (pcb->refused_data)
		(void)pbuf_free(pcb->refused_data);
	if (pcb == lwip.listening)
		lwip.listening = NULL;
	if (pcb == connecting)
		connecting = NULL;
	if (peer)
		peer->pcb = NULL;
	--lwip.pcbs;
	free(pcb);
}

void tcp_arg(struct tcp_pcb *pcb, void *argument)
{
	pcb->argument = argument;
}

void tcp_accept(struct tcp_pcb *pcb, tcp_accept_fn accept)
{
	pcb->accept = accept;
}

void tcp_recv(struct tcp_pcb *pcb, tcp_recv_fn recv)
{
	pcb->recv = recv;
}

void tcp_sent(struct tcp_pcb *pcb, tcp_sent_fn sent)
{
	pcb->sent = sent;
}

void tcp_err(struct tcp_pcb *pcb, tcp_err_fn err)
{
	pcb->err = err;
}

err_t tcp_bind(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port)
{
	CHECK(pcb->so_options == SOF_REUSEADDR && address == IP_ADDR_ANY);
	pcb->local_port = port;
	return lwip.listening && lwip.listening->local_port == port ? ERR_USE : ERR_OK;
}

void tcp_poll(struct tcp_pcb *pcb, tcp_poll_fn poll, uint8_t interval)
{
	CHECK(interval == 40);
	pcb->poll = poll;
}

struct tcp_pcb *tcp_listen_with_backlog(struct tcp_pcb *pcb, uint8_t backlog)
{
	struct tcp_pcb *listening = tcp_new();
	if (!listening)
		return NULL;
	listening->local_port = pcb->local_port;
	listening->backlog = backlog;
	free_pcb(pcb);
	return lwip.listening = listening;
}

err_t tcp_connect(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port, tcp_connected_fn connected)
{
	CHECK(address->addr == ADDRESS);
	if (lwip.rejects_connect)
		return ERR_USE;
	pcb->connected = connected;
	connecting = pcb;
	connecting_port = port;
	return ERR_OK;
}

void tcp_recved(struct tcp_pcb *pcb, u16_t count)
{
	pcb->unread_bytes -= count;
}

err_t tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t count, uint8_t flags)
{
	struct peer *peer = peer_of(pcb);
	CHECK(bytes && flags == TCP_WRITE_FLAG_COPY && count <= pcb->snd_buf);
	if (lwip.write_fails || pcb->snd_queuelen >= TCP_SND_QUEUELEN)
		return ERR_MEM;
	if (pcb->nodelay || pcb->snd_queuelen == 0)
		++pcb->snd_queuelen; /* else it joins the last one */
	memcpy(peer->send_buffer + peer->unsent, bytes, count);
	peer->unsent += count;
	pcb->snd_buf = (u16_t)(pcb->snd_buf - count);
	return ERR_OK;
}

err_t tcp_output(struct tcp_pcb *pcb)
{
	CHECK(pcb->snd_buf < SEND_BUFFER_BYTES);
	return ERR_MEM;
}

err_t tcp_close(struct tcp_pcb *pcb)
{
	struct peer *peer = peer_of(pcb);
	if (lwip.close_fails)
		return ERR_MEM;
	if (peer && peer->unsent && !pcb->unread_bytes) {
		pcb->closing = true;
		return ERR_OK;
	}
	if (peer)
		peer->sees_end = true; /* by a reset, if not all was read */
	free_pcb(pcb);
	return ERR_OK;
}

void tcp_abort(struct tcp_pcb *pcb)
{
	struct peer *peer = peer_of(pcb);
	++lwip.aborted;
	if (pcb->err)
		pcb->err(pcb->argument, ERR_USE);
	if (peer)
		peer->sees_end = true;
	free_pcb(pcb);
}

void pbuf_cat(struct pbuf *head, struct pbuf *tail)
{
	for (; head->next; head = head->next)
		head->tot_len = (u16_t)(head->tot_len + tail->tot_len);
	head->tot_len = (u16_t)(head->tot_len + tail->tot_len);
	head->next = tail;
}

u16_t pbuf_copy_partial(const struct pbuf *from, void *into, u16_t count, u16_t offset)
{
	CHECK(offset == 0 && count <= from->tot_len);
	for (u16_t done = 0; done < count; from = from->next) {
		u16_t part = from->len < count - done ? from->len : (u16_t)(count - done);
		memcpy((char *)into + done, from->payload, part);
		done = (u16_t)(done + part);
	}
	return count;
}

struct pbuf *pbuf_free_header(struct pbuf *from, u16_t count)
{
	while (from && count >= from->len) {
		struct pbuf *next = from->next;
		count = (u16_t)(count - from->len);
		free(from);
		from = next;
	}
	if (from) {
		from->payload = (char *)from->payload + count;
		from->len = (u16_t)(from->len - count);
		from->tot_len = (u16_t)(from->tot_len - count);
	}
	return from;
}

uint8_t pbuf_free(struct pbuf *from)
{
	return !pbuf_free_header(from, from->tot_len);
}

/* ---- the script's task ---- */

void tcp_post(void *machine, tcp_deliver deliver, void *context)
{
	CHECK(machine == &net_machine && message_count < MESSAGES);
	messages[message_count++] = (struct message){deliver, machine, context};
	++lwip.posted;
}

/* ---- the peers ---- */

void net_start(void)
{
	for (struct peer *peer = peers; peer < peers + PEERS; ++peer)
		if (peer->pcb) /* it was closed with bytes unsent */
			free_pcb(peer->pcb);
	lwip = (struct lwip_model){.allowed_allocations = 1000};
	memset(peers, 0, sizeof peers);
	CHECK(message_count == 0 && !connecting);
}

uint16_t net_port(void)
{
	return 80;
}

uint16_t net_server(unsigned peer)
{
	server = peer;
	return SERVER_PORT;
}

uint16_t net_closed_port(void)
{
	return 444;
}

static void knock(struct peer *peer)
{
	struct tcp_pcb *listening = lwip.listening;
	if (!listening || listening->accepts_pending >= listening->backlog)
		return;
	peer->knocks = false;
	peer->pcb = tcp_new();
	err_t error = listening->accept(listening->argument, peer->pcb, ERR_OK);
	if (error != ERR_OK)
		tcp_abort(peer->pcb);
}

void peer_connect(unsigned number, const struct tcp_listener *listener)
{
	(void)listener;
	peers[number] = (struct peer){.knocks = true};
	knock(&peers[number]);
}

static void offer(struct tcp_pcb *pcb, struct pbuf *bytes)
{
	pcb->refused_data = NULL;
	if (!pcb->recv)
		(void)pbuf_free(bytes);
	else if (pcb->recv(pcb->argument, pcb, bytes, ERR_OK) != ERR_OK)
		pcb->refused_data = bytes;
}

void peer_send(unsigned number, const char *text, size_t count)
{
	struct tcp_pcb *pcb = peers[number].pcb;
	struct pbuf *bytes = calloc(1, sizeof *bytes + count);
	CHECK(!pcb->refused_data);
	bytes->payload = memcpy(bytes + 1, text, count);
	bytes->len = bytes->tot_len = (u16_t)count;
	pcb->unread_bytes += (unsigned)count;
	offer(pcb, bytes);
}

void peer_finish(unsigned number)
{
	struct tcp_pcb *pcb = peers[number].pcb;
	peers[number].finishes = pcb->refused_data;
	if (!pcb->refused_data && pcb->recv)
		EQUAL(pcb->recv(pcb->argument, pcb, NULL, ERR_OK), ERR_OK);
}

static void reset(struct tcp_pcb *pcb)
{
	if (pcb->err)
		pcb->err(pcb->argument, ERR_USE);
	free_pcb(pcb);
}

void peer_reset(unsigned number)
{
	reset(peers[number].pcb);
}

size_t peer_read(unsigned number, char *into, size_t most)
{
	struct peer *peer = &peers[number];
	size_t count = peer->received < most ? peer->received : most;
	memcpy(into, peer->window, count);
	peer->received -= count;
	memmove(peer->window, peer->window + count, peer->received);
	return count;
}

bool peer_sees_end(unsigned number)
{
	return peers[number].sees_end && peers[number].received == 0;
}

static void run_connecting(void)
{
	struct tcp_pcb *pcb = connecting;
	connecting = NULL;
	if (connecting_port != SERVER_PORT) {
		reset(pcb);
		return;
	}
	peers[server] = (struct peer){.pcb = pcb};
	EQUAL(pcb->connected(pcb->argument, pcb, ERR_OK), ERR_OK);
}

/* What fits into its window reaches a peer, and is acknowledged. */
static void send(struct peer *peer)
{
	struct tcp_pcb *pcb = peer->pcb;
	size_t space = sizeof peer->window - peer->received;
	size_t count = peer->unsent < space ? peer->unsent : space;
	if (count == 0)
		return;
	memcpy(peer->window + peer->received, peer->send_buffer, count);
	peer->received += count;
	peer->unsent -= count;
	memmove(peer->send_buffer, peer->send_buffer + count, peer->unsent);
	pcb->snd_buf = (u16_t)(pcb->snd_buf + count);
	pcb->snd_queuelen = peer->unsent > 0;
	if (pcb->sent)
		EQUAL(pcb->sent(pcb->argument, pcb, (u16_t)count), ERR_OK);
	if (pcb->closing && peer->unsent == 0) {
		peer->sees_end = true;
		free_pcb(pcb);
	}
}

void net_run(void)
{
	if (connecting)
		run_connecting();
	for (unsigned number = 0; number < PEERS; ++number) {
		struct peer *peer = &peers[number];
		if (peer->knocks)
			knock(peer);
		if (peer->pcb && peer->pcb->refused_data)
			offer(peer->pcb, peer->pcb->refused_data);
		if (peer->pcb && peer->finishes)
			peer_finish(number);
		if (peer->pcb)
			send(peer);
	}
	net_runs = true;
	while (message_count) {
		struct message message = messages[0];
		memmove(messages, messages + 1, --message_count * sizeof *messages);
		message.deliver(message.machine, message.context, NULL, 0);
	}
	net_runs = false;
}
