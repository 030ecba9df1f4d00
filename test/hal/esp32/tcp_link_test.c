/*
 * TCP on a model of lwIP. Anything may happen in lwIP's task before a request of the script reaches it; what
 * is freed twice, or used after it, AddressSanitizer finds.
 */
#include "tcp_link.h"

#include "lwip/mem.h"
#include "lwip/priv/tcpip_priv.h"
#include "testing.h"

#define SEND_BUFFER_BYTES 100

const ip_addr_t ip_addr_any;

static struct model {
	void (*before_request)(struct tcp_pcb *pcb); /* happens in lwIP's task, once */
	struct tcp_pcb *pcb;                         /* the newest that is there, NULL: freed */
	struct tcp_pcb *listening;
	unsigned allowed_allocations, links_told, listeners_told, aborted;
	bool port_is_taken, rejects_connect, write_fails, close_fails;
} model;

/* ---- lwIP ---- */

static void *allocate(size_t bytes)
{
	return model.allowed_allocations && model.allowed_allocations-- ? calloc(1, bytes) : NULL;
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
	void (*before)(struct tcp_pcb *) = model.before_request;
	model.before_request = NULL;
	if (before && model.pcb)
		before(model.pcb);
	return what(call);
}

struct tcp_pcb *tcp_new(void)
{
	struct tcp_pcb *pcb = allocate(sizeof *pcb);
	if (pcb)
		pcb->snd_buf = SEND_BUFFER_BYTES;
	return model.pcb = pcb;
}

void tcp_backlog_delayed(struct tcp_pcb *pcb)
{
	pcb->accepts_pending = 1;
	++model.listening->accepts_pending;
}

void tcp_backlog_accepted(struct tcp_pcb *pcb)
{
	if (pcb->accepts_pending && model.listening)
		--model.listening->accepts_pending;
	pcb->accepts_pending = 0;
}

static void free_pcb(struct tcp_pcb *pcb)
{
	tcp_backlog_accepted(pcb);
	if (pcb->refused_data)
		(void)pbuf_free(pcb->refused_data);
	if (pcb == model.listening)
		model.listening = NULL;
	if (pcb == model.pcb)
		model.pcb = NULL;
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
	CHECK(pcb->so_options == SOF_REUSEADDR && address == IP_ADDR_ANY && port == 80);
	return model.port_is_taken ? ERR_USE : ERR_OK;
}

void tcp_poll(struct tcp_pcb *pcb, tcp_poll_fn poll, uint8_t interval)
{
	CHECK(interval == 40);
	pcb->poll = poll;
}

struct tcp_pcb *tcp_listen_with_backlog(struct tcp_pcb *pcb, uint8_t backlog)
{
	struct tcp_pcb *listening = allocate(sizeof *listening);
	if (!listening)
		return NULL;
	free_pcb(pcb);
	listening->backlog = backlog;
	return model.listening = listening;
}

err_t tcp_connect(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port, tcp_connected_fn connected)
{
	CHECK(address->addr == 7 && port == 443);
	pcb->connected = connected;
	return model.rejects_connect ? ERR_USE : ERR_OK;
}

void tcp_recved(struct tcp_pcb *pcb, u16_t count)
{
	pcb->unread_bytes -= count;
}

err_t tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t count, uint8_t flags)
{
	CHECK(bytes && flags == TCP_WRITE_FLAG_COPY);
	if (model.write_fails || pcb->snd_queuelen >= TCP_SND_QUEUELEN)
		return ERR_MEM;
	if (pcb->nodelay || pcb->snd_queuelen == 0)
		++pcb->snd_queuelen; /* else it joins the last one */
	pcb->snd_buf = (u16_t)(pcb->snd_buf - count);
	pcb->written_bytes += count;
	return ERR_OK;
}

err_t tcp_output(struct tcp_pcb *pcb)
{
	CHECK(pcb->written_bytes);
	return ERR_MEM;
}

err_t tcp_close(struct tcp_pcb *pcb)
{
	if (model.close_fails)
		return ERR_MEM;
	if (pcb->written_bytes)
		return ERR_OK; /* they are still to be sent */
	free_pcb(pcb);
	return ERR_OK;
}

void tcp_abort(struct tcp_pcb *pcb)
{
	++model.aborted;
	if (pcb->err)
		pcb->err(pcb->argument, ERR_USE);
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

/* ---- the script's side ---- */

void tcp_link_changed(struct tcp_link *link)
{
	CHECK(link->told);
	++model.links_told;
}

void tcp_listener_changed(struct tcp_listener *listener)
{
	CHECK(listener->told);
	++model.listeners_told;
}

/* ---- the peer ---- */

static void offer(struct tcp_pcb *pcb, struct pbuf *bytes)
{
	pcb->refused_data = pcb->recv(pcb->argument, pcb, bytes, ERR_OK) == ERR_OK ? NULL : bytes;
}

static void send_text(struct tcp_pcb *pcb, const char *text)
{
	size_t count = strlen(text);
	struct pbuf *bytes = calloc(1, sizeof *bytes + count);
	bytes->payload = memcpy(bytes + 1, text, count);
	bytes->len = bytes->tot_len = (u16_t)count;
	pcb->unread_bytes += (unsigned)count;
	offer(pcb, bytes);
}

static void finish(struct tcp_pcb *pcb)
{
	EQUAL(pcb->recv(pcb->argument, pcb, NULL, ERR_OK), ERR_OK);
}

static void reset(struct tcp_pcb *pcb)
{
	if (pcb->err)
		pcb->err(pcb->argument, ERR_USE);
	free_pcb(pcb);
}

static void finish_and_reset(struct tcp_pcb *pcb)
{
	finish(pcb);
	reset(pcb);
}

/* ---- cases ---- */

static int machine, owner;

static struct tcp_listener *listen_on_80(void)
{
	model = (struct model){.allowed_allocations = 1000};
	struct tcp_listener *listener = tcp_listener_open(&machine, &owner, 80);
	CHECK(listener && listener->owner == &owner);
	return listener;
}

/* A peer connects. ERR_ABRT: it gets no answer. */
static err_t knock(struct tcp_listener *listener)
{
	if (listener->pcb->accepts_pending >= listener->pcb->backlog)
		return ERR_ABRT;
	struct tcp_pcb *pcb = tcp_new();
	pcb->remote_ip.addr = 7;
	err_t error = listener->pcb->accept(listener->pcb->argument, pcb, ERR_OK);
	if (error != ERR_OK)
		tcp_abort(pcb);
	return error;
}

static struct tcp_link *accepted(struct tcp_listener *listener)
{
	EQUAL(knock(listener), ERR_OK);
	struct tcp_link *link = tcp_listener_accept(listener);
	CHECK(link->machine == &machine && link->peer.addr == 7);
	tcp_link_adopt(link, &owner, true);
	return link;
}

static void check_news(struct tcp_link *link, size_t readable, size_t writable, bool ended)
{
	struct tcp_news news = tcp_link_look(link);
	EQUAL(news.readable, readable);
	EQUAL(news.writable, writable);
	EQUAL(news.ended, ended);
}

static void close_both(struct tcp_link *link, struct tcp_listener *listener)
{
	check_news(link, 0, 0, true);
	tcp_link_close(link);
	EQUAL(tcp_listener_look(listener), 0);
	tcp_listener_close(listener);
}

TEST(reads_in_pieces, "bytes are read in pieces of any length, the window opens with them, and the end comes after them")
{
	char into[8] = "";
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	struct tcp_pcb *pcb = model.pcb;
	check_news(link, 0, SEND_BUFFER_BYTES, false);
	check_news(link, 0, 0, false);
	tcp_link_free_unused(link); /* it is open */
	EQUAL(tcp_link_read(link, into, 1), 0);
	send_text(pcb, "abc");
	send_text(pcb, "de");
	check_news(link, 5, 0, false);
	EQUAL(tcp_link_read(link, into, 4), 4);
	CHECK(!memcmp(into, "abcd", 4) && pcb->unread_bytes == 1);
	finish(pcb);
	check_news(link, 1, 0, false);
	EQUAL(tcp_link_read(link, into, 8), 1);
	CHECK(into[0] == 'e' && pcb->unread_bytes == 0);
	close_both(link, listener);
}

TEST(writes, "what fits is sent, more is rejected, and what comes after the end is dropped")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	struct tcp_pcb *pcb = model.pcb;
	CHECK(tcp_link_write(link, "abc", 3) && pcb->nodelay && pcb->written_bytes == 3);
	CHECK(!tcp_link_write(link, "", SEND_BUFFER_BYTES));
	model.write_fails = true;
	CHECK(!tcp_link_write(link, "a", 1));
	(void)tcp_link_look(link);
	pcb->sent(pcb->argument, pcb, 3);
	check_news(link, 0, SEND_BUFFER_BYTES - 3, false);
	finish(pcb);
	CHECK(tcp_link_write(link, "a", 1) && pcb->written_bytes == 3);
	close_both(link, listener);
	reset(pcb);
}

TEST(writes_pieces, "as many bytes as were announced can be written, in however small pieces")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	struct tcp_pcb *pcb = model.pcb;
	for (unsigned i = 0; i < SEND_BUFFER_BYTES; ++i)
		CHECK(tcp_link_write(link, "a", 1));
	CHECK(!pcb->nodelay && pcb->written_bytes == SEND_BUFFER_BYTES);
	pcb->snd_queuelen = 0;
	pcb->snd_buf = SEND_BUFFER_BYTES;
	CHECK(tcp_link_write(link, "a", 1) && pcb->nodelay);
	reset(pcb);
	close_both(link, listener);
}

TEST(waits, "a peer that waits to be accepted holds one piece of memory; lwIP keeps the next one, and offers it again")
{
	char into[4];
	struct tcp_listener *listener = listen_on_80();
	EQUAL(knock(listener), ERR_OK);
	struct tcp_pcb *pcb = model.pcb;
	send_text(pcb, "ab");
	send_text(pcb, "cd");
	CHECK(pcb->refused_data);
	struct tcp_link *link = tcp_listener_accept(listener);
	offer(pcb, pcb->refused_data);
	CHECK(pcb->refused_data);
	tcp_link_adopt(link, &owner, true);
	check_news(link, 2, SEND_BUFFER_BYTES, false);
	offer(pcb, pcb->refused_data);
	CHECK(!pcb->refused_data);
	check_news(link, 4, 0, false);
	EQUAL(tcp_link_read(link, into, 4), 4);
	CHECK(!memcmp(into, "abcd", 4));
	finish(pcb);
	close_both(link, listener);
}

TEST(gives_up, "what was written is sent after the close, but not for ever to a peer that takes nothing")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	struct tcp_pcb *pcb = model.pcb;
	CHECK(tcp_link_write(link, "abc", 3));
	(void)tcp_link_look(link);
	tcp_link_close(link);
	CHECK(model.pcb == pcb && !pcb->recv && !pcb->sent && !pcb->err);
	EQUAL(pcb->poll(pcb->argument, pcb), ERR_ABRT);
	CHECK(!model.pcb && model.aborted == 1);
	(void)tcp_listener_look(listener);
	tcp_listener_close(listener);
}

TEST(may_vanish, "a peer may vanish at any moment: before it is accepted, with bytes unread, before each request")
{
	void (*const ways[])(struct tcp_pcb *) = {reset, finish_and_reset};
	char into[8];
	for (unsigned moment = 0; moment < 7; ++moment)
		for (unsigned way = 0; way < 2; ++way) {
			struct tcp_listener *listener = listen_on_80();
			EQUAL(knock(listener), ERR_OK);
			send_text(model.pcb, "abc");
			EQUAL(model.links_told, 0); /* no script to tell yet */
			if (moment == 0)
				ways[way](model.pcb);
			model.before_request = moment == 1 ? ways[way] : NULL;
			struct tcp_link *link = tcp_listener_accept(listener);
			if (moment <= 1) {
				CHECK(!link && !model.pcb && model.listening->accepts_pending == 0);
				(void)tcp_listener_look(listener);
				tcp_listener_close(listener);
				continue;
			}
			model.before_request = moment == 2 ? ways[way] : NULL;
			tcp_link_adopt(link, &owner, false);
			EQUAL(model.links_told, 1);
			model.before_request = moment == 3 ? ways[way] : NULL;
			check_news(link, moment == 2 ? 0 : 3, moment <= 3 ? 0 : SEND_BUFFER_BYTES, moment == 2);
			model.before_request = moment == 4 ? ways[way] : NULL;
			CHECK(tcp_link_write(link, "ab", 2));
			model.before_request = moment == 5 ? ways[way] : NULL;
			EQUAL(tcp_link_read(link, into, 8), moment == 2 ? 0 : 3);
			if (moment <= 5)
				check_news(link, 0, 0, true);
			model.before_request = moment == 6 ? ways[way] : NULL;
			tcp_link_close(link);
			if (moment == 6)
				(void)tcp_link_look(link), tcp_link_free_unused(link); /* the message that was under way */
			(void)tcp_listener_look(listener);
			tcp_listener_close(listener);
			CHECK(!model.pcb && model.aborted == 0);
		}
}

TEST(closes, "closing frees what was not read, and nothing comes after it")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	(void)tcp_link_look(link);
	send_text(model.pcb, "abc");
	model.close_fails = true;
	link->in_callback = true;
	tcp_link_close(link);
	CHECK(model.aborted == 1 && !model.pcb);
	EQUAL(model.links_told, 2);
	tcp_link_free_unused(link); /* nothing, for a message is under way */
	(void)tcp_link_look(link);
	tcp_link_free_unused(link); /* nor for a callback */
	link->in_callback = false;
	tcp_link_free_unused(link);
	model.close_fails = false;
	tcp_listener_close(listener);
	EQUAL(tcp_listener_look(listener), 0);
	CHECK(tcp_listener_free_unused(listener));
}

TEST(connects, "a connection is told when it is made, when it is rejected, and when there is no memory")
{
	const ip_addr_t address = {7};
	model = (struct model){.allowed_allocations = 0};
	for (unsigned allowed = 0; allowed < 2; ++allowed) {
		model.allowed_allocations = allowed;
		CHECK(!tcp_link_connect(&machine, &owner, &address, 443, true));
	}
	model = (struct model){.allowed_allocations = 100, .rejects_connect = true};
	CHECK(!tcp_link_connect(&machine, &owner, &address, 443, true) && !model.pcb);
	model.rejects_connect = false;
	struct tcp_link *link = tcp_link_connect(&machine, &owner, &address, 443, true);
	EQUAL(model.links_told, 0);
	EQUAL(model.pcb->connected(model.pcb->argument, model.pcb, ERR_OK), ERR_OK);
	check_news(link, 0, SEND_BUFFER_BYTES, false);
	tcp_link_close(link);
	link = tcp_link_connect(&machine, &owner, &address, 443, false);
	CHECK(!model.pcb->nodelay);
	reset(model.pcb);
	check_news(link, 0, 0, true);
	tcp_link_close(link);
}

TEST(listens, "several peers wait in their order; those that are not accepted are closed with the listener")
{
	struct tcp_listener *listener = listen_on_80();
	for (unsigned i = 0; i < 3; ++i)
		EQUAL(knock(listener), ERR_OK);
	EQUAL(model.listeners_told, 1);
	EQUAL(tcp_listener_look(listener), 3);
	tcp_link_close(tcp_listener_accept(listener));
	EQUAL(tcp_listener_look(listener), 2);
	reset(model.pcb); /* the last one */
	EQUAL(tcp_listener_look(listener), 1);
	CHECK(!tcp_listener_free_unused(listener));
	tcp_listener_close(listener);
	CHECK(!model.pcb);
}

TEST(listens_to_some, "eight may wait, however many come and vanish; the next one is not answered until one was accepted")
{
	struct tcp_listener *listener = listen_on_80();
	for (unsigned i = 0; i < 50; ++i) {
		EQUAL(knock(listener), ERR_OK);
		send_text(model.pcb, "abc");
		reset(model.pcb);
	}
	EQUAL(tcp_listener_look(listener), 0);
	for (unsigned i = 0; i < 8; ++i)
		EQUAL(knock(listener), ERR_OK);
	EQUAL(knock(listener), ERR_ABRT);
	EQUAL(tcp_listener_look(listener), 8);
	tcp_link_close(tcp_listener_accept(listener));
	EQUAL(knock(listener), ERR_OK);
	EQUAL(tcp_listener_look(listener), 8);
	tcp_listener_close(listener);
}

TEST(listens_not, "without memory, or on a port that is taken, there is no listener and no connection")
{
	for (unsigned allowed = 0; allowed < 3; ++allowed) {
		model = (struct model){.allowed_allocations = allowed};
		CHECK(!tcp_listener_open(&machine, &owner, 80) && !model.pcb);
	}
	model = (struct model){.allowed_allocations = 100, .port_is_taken = true};
	CHECK(!tcp_listener_open(&machine, &owner, 80) && !model.pcb);
	struct tcp_listener *listener = listen_on_80();
	model.allowed_allocations = 1;
	EQUAL(knock(listener), ERR_MEM);
	EQUAL(listener->pcb->accept(listener->pcb->argument, NULL, ERR_MEM), ERR_MEM);
	CHECK(!tcp_listener_accept(listener) && model.listeners_told == 0);
	tcp_listener_close(listener);
}
