/*
 * What TCP does on the boards and on the host (hal/esp32/tcp_link.h): one list for both, which tcp.test.ts runs.
 * In each case, events come from the event loop only, and none comes after a close.
 */
#include "tcp_peer.h"

#define MANY 100000

bool net_runs;
char net_machine;

static struct tcp_listener *listener;
static struct end door; /* the listener's */
static struct end ends[3];
static char bytes[MANY];

void tcp_link_event(void *machine, void *owner, enum tcp_event event, size_t count)
{
	struct end *end = owner;
	CHECK(net_runs && machine == &net_machine && !end->closed && !end->told[TCP_ENDED]);
	++end->told[event];
	if (event == TCP_READABLE)
		end->readable = count;
	if (event == TCP_WRITABLE)
		end->writable = count;
	if (end->act)
		end->act(end);
}

void tcp_listener_event(void *machine, void *owner, size_t count)
{
	tcp_link_event(machine, owner, TCP_READABLE, count);
}

static void begin(void)
{
	net_start();
	memset(ends, 0, sizeof ends);
	door = (struct end){0};
}

static void listen(void)
{
	begin();
	listener = tcp_listener_open(&net_machine, &door, net_port());
	CHECK(listener);
}

static void close_listener(void)
{
	door.closed = true;
	tcp_listener_close(listener);
}

static void close_end(struct end *end)
{
	end->closed = true;
	tcp_link_close(end->link);
}

static struct end *accept_next(unsigned number)
{
	struct end *end = &ends[number];
	end->link = tcp_listener_accept(listener);
	CHECK(end->link);
	tcp_link_adopt(end->link, end, true);
	return end;
}

/* Peer 0 is connected, and can be written to. */
static struct end *connected(void)
{
	listen();
	peer_connect(0, listener);
	UNTIL(door.readable == 1);
	struct end *end = accept_next(0);
	UNTIL(end->told[TCP_WRITABLE]);
	return end;
}

static void finish(struct end *end)
{
	close_end(end);
	close_listener();
	net_run();
}

static void check_read(struct end *end, const char *text)
{
	char into[16];
	size_t count = strlen(text);
	CHECK(tcp_link_read(end->link, into, count) >= count && !memcmp(into, text, count));
}

TEST(tcp_order, "peers wait in their order, with what they have sent, and each has its address")
{
	char address[TCP_ADDRESS_BYTES];
	listen();
	for (unsigned peer = 0; peer < 3; ++peer) {
		peer_connect(peer, listener);
		peer_send(peer, &"abc"[peer], 1);
		UNTIL(door.readable == peer + 1);
	}
	for (unsigned peer = 0; peer < 3; ++peer) {
		struct end *end = accept_next(peer);
		CHECK(tcp_link_peer(end->link, address) && !strcmp(address, NET_ADDRESS));
		UNTIL(end->readable == 1);
		check_read(end, (char[]){(char)('a' + peer), 0});
		close_end(end);
	}
	CHECK(!tcp_listener_accept(listener));
	close_listener();
	net_run();
}

TEST(tcp_reads, "what came is read in pieces of any length, never more than is there, and more is told of as it comes")
{
	char into[8];
	struct end *end = connected();
	EQUAL(tcp_link_read(end->link, into, 1), 0);
	peer_send(0, "hello", 5);
	UNTIL(end->readable == 5);
	EQUAL(tcp_link_read(end->link, into, 6), 5);
	check_read(end, "hel");
	check_read(end, "lo");
	EQUAL(tcp_link_read(end->link, into, 1), 0);
	peer_send(0, "x", 1);
	UNTIL(end->readable == 1);
	check_read(end, "x");
	finish(end);
}

TEST(tcp_read, "bytes that were read early are not announced")
{
	char into[1] = "";
	struct end *end = connected();
	peer_send(0, "x", 1);
	for (unsigned tries = 0; tries < 1000000 && tcp_link_read(end->link, into, 1) == 0; ++tries)
		;
	CHECK(into[0] == 'x');
	net_run();
	EQUAL(end->told[TCP_READABLE], 0);
	finish(end);
}

TEST(tcp_early, "bytes that come before a connection is accepted are announced after it")
{
	listen();
	peer_connect(0, listener);
	UNTIL(door.readable == 1);
	peer_send(0, "ab", 2);
	net_run();
	peer_send(0, "cd", 2);
	net_run();
	struct end *end = accept_next(0);
	UNTIL(end->readable == 4);
	check_read(end, "abcd");
	finish(end);
}

TEST(tcp_writes, "at least 1400 bytes can be written at once, or as many as were announced in pieces of one byte")
{
	static char got[MANY];
	size_t count = 0;
	struct end *end = connected();
	size_t space = end->writable;
	CHECK(space >= 1400 && tcp_link_write(end->link, bytes, 1400));
	end->writable = 0;
	UNTIL((count += peer_read(0, got, sizeof got)) == 1400 && end->writable);
	space = end->writable;
	for (size_t i = 0; i < space; ++i)
		CHECK(tcp_link_write(end->link, "a", 1));
	UNTIL((count += peer_read(0, got, sizeof got)) == 1400 + space);
	CHECK(!tcp_link_write(end->link, bytes, MANY));
	finish(end);
}

/* Answers what it reads, and then writes all that is announced. */
static void answer(struct end *end)
{
	if (end->readable) {
		CHECK(tcp_link_read(end->link, bytes, end->readable) == end->readable);
		end->readable = 0;
		CHECK(tcp_link_write(end->link, bytes, 1000));
	} else {
		CHECK(tcp_link_write(end->link, bytes, end->writable));
		end->act = NULL;
	}
}

TEST(tcp_answers, "as much as is announced can be written, although something was written in the event before")
{
	struct end *end = connected();
	CHECK(tcp_link_write(end->link, bytes, 1000));
	end->act = answer;
	peer_send(0, "abc", 3);
	UNTIL(!end->act);
	finish(end);
}

/* Reads what has come, and has its peer send more, until space is announced. */
static void upload(struct end *end)
{
	static unsigned pieces;
	if (end->writable) {
		end->act = NULL;
		return;
	}
	CHECK(++pieces < 100 && tcp_link_read(end->link, bytes, end->readable) == end->readable);
	peer_send(0, "abc", 3);
}

TEST(tcp_uploads, "space is announced while a peer sends without a pause")
{
	struct end *end = connected();
	CHECK(tcp_link_write(end->link, "x", 1));
	end->writable = 0;
	end->act = upload;
	peer_send(0, "abc", 3);
	UNTIL(!end->act);
	finish(end);
}

/* Whatever is announced: byte i is i % 251. */
static size_t written;

static void write_all(struct end *end)
{
	size_t count = end->writable;
	for (size_t i = 0; i < count; ++i)
		bytes[i] = (char)((written + i) % 251);
	CHECK(tcp_link_write(end->link, bytes, count));
	written += count;
	end->writable = 0;
}

static void check_written(size_t from, const char *got, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		EQUAL((unsigned char)got[i], (from + i) % 251);
}

/* Until the peer's window and all buffers are full. Returns how much was written in all. */
static size_t fill(void)
{
	size_t before;
	do {
		before = written;
		for (unsigned i = 0; i < 10; ++i)
			net_run();
	} while (written > before && written < 50 * MANY);
	return written;
}

/* The same, with what the host's kernel may have left: no byte more is taken. */
static void fill_up(struct end *end)
{
	(void)fill();
	end->act = NULL;
	while (tcp_link_write(end->link, &(char){(char)(written % 251)}, 1))
		++written;
}

/* Peer 0, which has read `count` of the bytes that were written, reads the others, and sees the end. */
static void read_rest(size_t count)
{
	static char got[MANY];
	for (unsigned tries = 0; count < written && tries < 10000; ++tries) {
		size_t read = peer_read(0, got, sizeof got);
		check_written(count, got, read);
		count += read;
		net_run();
	}
	EQUAL(count, written);
	UNTIL(peer_sees_end(0));
}

TEST(tcp_slow, "a slow reader is waited for, and gets all that was written, even before a close")
{
	static char got[MANY];
	size_t count = 0;
	struct end *end = connected();
	written = 0;
	end->act = write_all;
	write_all(end);
	size_t before = fill();
	CHECK(before < 50 * MANY);
	for (unsigned pieces = 0; written == before && pieces < 1000; ++pieces) {
		size_t read = peer_read(0, got, 1000);
		check_written(count, got, read);
		count += read;
		net_run();
	}
	CHECK(fill() > before);
	fill_up(end);
	finish(end);
	read_rest(count);
}

TEST(tcp_half, "a peer that has finished sending gets what is written before its end is told, even if it reads slowly")
{
	listen();
	peer_connect(0, listener);
	peer_send(0, "abc", 3);
	peer_finish(0);
	UNTIL(door.readable == 1);
	struct end *end = accept_next(0);
	UNTIL(end->readable == 3 && end->writable);
	written = 0;
	end->act = write_all;
	write_all(end);
	fill_up(end);
	EQUAL(end->told[TCP_ENDED], 0);
	check_read(end, "abc");
	UNTIL(end->told[TCP_ENDED] == 1);
	finish(end);
	read_rest(0);
}

/* The peer's connection ends one way or another, with three bytes unread. */
static void check_end(void (*way)(unsigned peer))
{
	struct end *end = connected();
	peer_send(0, "abc", 3);
	UNTIL(end->readable == 3);
	way(0);
	net_run();
	check_read(end, "ab");
	net_run();
	EQUAL(end->told[TCP_ENDED], 0);
	check_read(end, "c");
	UNTIL(end->told[TCP_ENDED]);
	CHECK(tcp_link_write(end->link, "x", 1));
	net_run();
	EQUAL(end->told[TCP_ENDED], 1);
	finish(end);
}

TEST(tcp_finished, "the end that a peer makes is told once, after all that came was read, and what is written then is lost")
{
	char got[1];
	check_end(peer_finish);
	EQUAL(peer_read(0, got, 1), 0);
}

TEST(tcp_reset, "a reset is told once, after all that came was read, and what is written then is lost")
{
	check_end(peer_reset);
}

TEST(tcp_gone, "a peer that resets while it waits to be accepted ends once, or is not accepted; the next one is")
{
	listen();
	peer_connect(0, listener);
	UNTIL(door.readable == 1);
	peer_reset(0);
	net_run();
	ends[0].link = tcp_listener_accept(listener);
	bool is_accepted = ends[0].link;
	if (is_accepted) {
		tcp_link_adopt(ends[0].link, &ends[0], false);
		UNTIL(ends[0].told[TCP_ENDED] == 1);
		close_end(&ends[0]);
	}
	CHECK(!tcp_listener_accept(listener));
	peer_connect(1, listener);
	UNTIL(door.told[TCP_READABLE] == 2);
	struct end *next = accept_next(1);
	UNTIL(next->told[TCP_WRITABLE]);
	EQUAL(ends[0].told[TCP_ENDED], is_accepted);
	finish(next);
}

TEST(tcp_closes, "a connection may be closed in its own event, unread bytes and all, and its peer sees that")
{
	struct end *end = connected();
	end->act = close_end;
	peer_send(0, bytes, 3000);
	UNTIL(end->closed);
	UNTIL(peer_sees_end(0));
	close_listener();
	net_run();
}

TEST(tcp_silent, "an event that is under way does not come after a close")
{
	struct end *end = connected();
	peer_send(0, "abc", 3);
	CHECK(tcp_link_write(end->link, "abc", 3));
	peer_finish(0);
	close_end(end);
	peer_connect(1, listener);
	close_listener();
	net_run();
	EQUAL(end->told[TCP_READABLE], 0);
}

TEST(tcp_connects, "a connection to a peer can be written to once it is made, and has its address")
{
	char address[TCP_ADDRESS_BYTES], got[8];
	struct end *end = &ends[0];
	begin();
	end->link = tcp_link_connect(&net_machine, end, NET_ADDRESS, net_server(0), true);
	UNTIL(end->told[TCP_WRITABLE]);
	CHECK(tcp_link_peer(end->link, address) && !strcmp(address, NET_ADDRESS));
	CHECK(tcp_link_write(end->link, "abc", 3));
	UNTIL(peer_read(0, got, sizeof got) == 3);
	peer_send(0, "de", 2);
	UNTIL(end->readable == 2);
	check_read(end, "de");
	close_end(end);
	UNTIL(peer_sees_end(0));
}

TEST(tcp_rejected, "a rejected connection ends without TCP_WRITABLE, and an invalid address is rejected")
{
	struct end *end = &ends[0];
	begin();
	CHECK(!tcp_link_connect(&net_machine, end, "localhost", 80, false));
	end->link = tcp_link_connect(&net_machine, end, NET_ADDRESS, net_closed_port(), false);
	CHECK(end->link);
	UNTIL(end->told[TCP_ENDED] == 1);
	EQUAL(end->told[TCP_WRITABLE], 0);
	close_end(end);
}

TEST(tcp_listener, "a listener takes its port alone, closes those that wait with it, and leaves those that were accepted")
{
	listen();
	uint16_t port = tcp_listener_port(listener);
	CHECK(port && !tcp_listener_open(&net_machine, &door, port) && *tcp_listener_problem());
	for (unsigned peer = 0; peer < 2; ++peer) {
		peer_connect(peer, listener);
		UNTIL(door.readable == peer + 1);
	}
	struct end *end = accept_next(0);
	close_listener();
	UNTIL(peer_sees_end(1));
	CHECK(!peer_sees_end(0));
	peer_send(0, "abc", 3);
	UNTIL(end->readable == 3);
	check_read(end, "abc");
	close_end(end);
	UNTIL(peer_sees_end(0));
}
