/*
 * What TCP does on lwIP only: memory, and what may happen in lwIP's task meanwhile. What it does as the host's
 * is in test/hal/contract/tcp_behaviours.c.
 */
#include "lwip_model.h"

static struct end end, door;

static struct tcp_listener *listen_on_80(void)
{
	net_start();
	end = door = (struct end){0};
	return tcp_listener_open(&net_machine, &door, 80);
}

static struct tcp_link *accepted(struct tcp_listener *listener)
{
	peer_connect(0, listener);
	struct tcp_link *link = tcp_listener_accept(listener);
	tcp_link_adopt(link, &end, true);
	return link;
}

/* All is freed with it. */
static void close_both(struct tcp_link *link, struct tcp_listener *listener)
{
	if (link)
		tcp_link_close(link);
	tcp_listener_close(listener);
	net_run();
	EQUAL(lwip.pcbs, 0);
}

TEST(window, "the window opens as bytes are read")
{
	char into[4];
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	peer_send(0, "abc", 3);
	peer_send(0, "de", 2);
	EQUAL(tcp_link_read(link, into, 4), 5);
	EQUAL(lwip_pcb(0)->unread_bytes, 1);
	close_both(link, listener);
}

TEST(writes, "what lwIP rejects is not written, and small pieces do not wait for acknowledgements")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	CHECK(tcp_link_write(link, "abc", 3) && lwip_pcb(0)->nodelay);
	lwip.write_fails = true;
	CHECK(!tcp_link_write(link, "a", 1));
	net_run();
	close_both(link, listener);
}

TEST(writes_pieces, "pieces share packets while many wait to be acknowledged")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	for (unsigned i = 0; i < SEND_BUFFER_BYTES; ++i)
		CHECK(tcp_link_write(link, "a", 1));
	CHECK(!lwip_pcb(0)->nodelay);
	net_run();
	CHECK(tcp_link_write(link, "a", 1) && lwip_pcb(0)->nodelay);
	peer_reset(0);
	close_both(link, listener);
}

static void acknowledge(unsigned peer)
{
	struct tcp_pcb *pcb = lwip_pcb(peer);
	EQUAL(pcb->sent(pcb->argument, pcb, 0), ERR_OK);
}

static void send_and_acknowledge(struct end *told)
{
	if (told->told[TCP_READABLE] + told->told[TCP_WRITABLE] >= 10)
		return;
	peer_send(0, "a", 1);
	lwip.before_request = acknowledge;
}

TEST(in_turn, "bytes and space are announced in turn while both come without a pause")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	end.act = send_and_acknowledge;
	net_run();
	CHECK(end.told[TCP_READABLE] >= 5 && end.told[TCP_WRITABLE] >= 5);
	close_both(link, listener);
}

TEST(waits, "a peer that waits to be accepted holds one piece of memory; lwIP keeps the next one, and offers it again")
{
	struct tcp_listener *listener = listen_on_80();
	peer_connect(0, listener);
	peer_send(0, "ab", 2);
	peer_send(0, "cd", 2);
	CHECK(lwip_pcb(0)->refused_data);
	struct tcp_link *link = tcp_listener_accept(listener);
	net_run();
	CHECK(lwip_pcb(0)->refused_data);
	tcp_link_adopt(link, &end, true);
	net_run();
	CHECK(!lwip_pcb(0)->refused_data && end.readable == 4);
	close_both(link, listener);
}

TEST(gives_up, "what was written is sent after the close, but not for ever to a peer that takes nothing")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	CHECK(tcp_link_write(link, "abc", 3));
	tcp_link_close(link);
	struct tcp_pcb *pcb = lwip_pcb(0);
	CHECK(pcb && !pcb->recv && !pcb->sent && !pcb->err);
	EQUAL(pcb->poll(pcb->argument, pcb), ERR_ABRT);
	CHECK(!lwip_pcb(0) && lwip.aborted == 1);
	close_both(NULL, listener);
}

static void finish_and_reset(unsigned peer)
{
	peer_finish(peer);
	peer_reset(peer);
}

TEST(may_vanish, "a peer may vanish at any moment: before it is accepted, with bytes unread, before each request")
{
	void (*const ways[])(unsigned) = {peer_reset, finish_and_reset};
	char into[8];
	for (unsigned moment = 0; moment < 7; ++moment)
		for (unsigned way = 0; way < 2; ++way) {
			struct tcp_listener *listener = listen_on_80();
			peer_connect(0, listener);
			peer_send(0, "abc", 3);
			EQUAL(lwip.posted, 1); /* of the listener: the link has no script to tell yet */
			if (moment == 0)
				ways[way](0);
			lwip.before_request = moment == 1 ? ways[way] : NULL;
			struct tcp_link *link = tcp_listener_accept(listener);
			if (moment <= 1) {
				CHECK(!link && lwip.pcbs == 1 && lwip.listening->accepts_pending == 0);
				close_both(NULL, listener);
				continue;
			}
			net_run();
			lwip.before_request = moment == 2 ? ways[way] : NULL;
			tcp_link_adopt(link, &end, false);
			lwip.before_request = moment == 3 ? ways[way] : NULL;
			net_run();
			EQUAL(end.told[TCP_READABLE], moment != 2);
			EQUAL(end.told[TCP_WRITABLE], moment > 3);
			EQUAL(end.told[TCP_ENDED], moment == 2);
			lwip.before_request = moment == 4 ? ways[way] : NULL;
			CHECK(tcp_link_write(link, "ab", 2));
			lwip.before_request = moment == 5 ? ways[way] : NULL;
			EQUAL(tcp_link_read(link, into, 3), moment == 2 ? 0 : 3);
			net_run();
			EQUAL(end.told[TCP_ENDED], moment <= 5);
			lwip.before_request = moment == 6 ? ways[way] : NULL;
			close_both(link, listener);
			EQUAL(lwip.aborted, 0);
		}
}

TEST(closes, "a connection that lwIP cannot close is aborted")
{
	struct tcp_listener *listener = listen_on_80();
	struct tcp_link *link = accepted(listener);
	peer_send(0, "abc", 3);
	lwip.close_fails = true;
	tcp_link_close(link);
	CHECK(lwip.aborted == 1 && !lwip_pcb(0));
	lwip.close_fails = false;
	close_both(NULL, listener);
}

TEST(connects_not, "without memory, or without a network, no connection begins")
{
	for (unsigned allowed = 0; allowed < 2; ++allowed) {
		net_start();
		lwip.allowed_allocations = allowed;
		CHECK(!tcp_link_connect(&net_machine, &end, NET_ADDRESS, 443, true));
	}
	net_start();
	lwip.rejects_connect = true;
	CHECK(!tcp_link_connect(&net_machine, &end, NET_ADDRESS, 443, true) && lwip.pcbs == 0);
}

TEST(listens_to_some, "eight may wait, however many come and vanish; the next one is not answered until one was accepted")
{
	struct tcp_listener *listener = listen_on_80();
	for (unsigned i = 0; i < 50; ++i) {
		peer_connect(0, listener);
		peer_send(0, "abc", 3);
		peer_reset(0);
	}
	EQUAL(lwip.posted, 1);
	CHECK(!tcp_listener_accept(listener));
	for (unsigned peer = 0; peer < 9; ++peer)
		peer_connect(peer, listener);
	net_run();
	CHECK(lwip_pcb(7) && !lwip_pcb(8));
	tcp_link_close(tcp_listener_accept(listener));
	net_run();
	CHECK(lwip_pcb(8));
	peer_reset(7); /* it is not the first one */
	close_both(NULL, listener);
}

TEST(listens_not, "without memory there is no listener and no connection")
{
	for (unsigned allowed = 0; allowed < 3; ++allowed) {
		net_start();
		lwip.allowed_allocations = allowed;
		CHECK(!tcp_listener_open(&net_machine, &door, 80) && lwip.pcbs == 0);
	}
	struct tcp_listener *listener = listen_on_80();
	lwip.allowed_allocations = 1;
	peer_connect(0, listener);
	EQUAL(lwip.aborted, 1);
	EQUAL(lwip.listening->accept(lwip.listening->argument, NULL, ERR_MEM), ERR_MEM);
	CHECK(!tcp_listener_accept(listener) && lwip.posted == 0);
	close_both(NULL, listener);
}
