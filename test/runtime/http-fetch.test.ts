import assert from "node:assert/strict";
import type { ClientOptions, TcpSocket } from "../../hal/network-ports.js";
import { FETCH_TIMEOUT_MS, FetchError, HttpFetch } from "../../src/runtime/http-fetch.js";

/** A fetch on a scripted socket, and all that it told. */
function fixture() {
	const told: string[] = [];
	const clock = { ticks: 0x7fffff00 };
	const socket = { options: undefined as ClientOptions | undefined, input: Buffer.alloc(0), written: "", closed: 0, opened: 0 };
	class Tcp implements TcpSocket {
		constructor(options: ClientOptions) {
			socket.options = options;
			socket.opened++;
		}
		read(byteLength: number): ArrayBuffer {
			assert.ok(byteLength > 0 && byteLength <= socket.input.length && byteLength <= 2048);
			const piece = new Uint8Array(socket.input.subarray(0, byteLength)).buffer;
			socket.input = socket.input.subarray(byteLength);
			return piece;
		}
		write(bytes: Uint8Array): void {
			socket.written += Buffer.from(bytes).toString();
		}
		close(): void {
			socket.closed++;
		}
	}
	const turns: (() => void)[] = [];
	const fetch = new HttpFetch(Tcp, clock, (callback) => turns.push(callback));
	const open = (url: string) =>
		fetch.open(url, {
			onHead: (status, lengthBytes) => told.push(`head ${status} ${lengthBytes}`),
			onData: (bytes) => told.push(Buffer.from(bytes).toString("latin1")),
			onEnd: (code) => told.push(`end ${code}`),
		});
	const announce = (text: string) => {
		socket.input = Buffer.concat([socket.input, Buffer.from(text, "latin1")]);
		socket.options?.onReadable(socket.input.length);
	};
	const receive = (text: string) => {
		announce(text);
		while (turns.length > 0) turns.shift()?.();
	};
	const pass = (ms: number) => {
		clock.ticks = (clock.ticks + ms) & 0x7fffffff;
		fetch.tick();
	};
	return { fetch, socket, told, open, announce, turns, receive, pass };
}

describe("runtime/http-fetch", () => {
	it("handles a piece in a turn, and the rest of what has come in turns of their own", () => {
		const { fetch, told, open, announce, turns, receive } = fixture();
		open("http://10.0.0.1/");
		receive("HTTP/1.1 200 OK\r\n\r\n");
		announce("a".repeat(5000));
		announce("b");
		const lengths = () => told.slice(1).map((text) => text.length);
		assert.deepEqual([lengths(), turns.length], [[2048], 1]);
		turns.shift()?.();
		assert.deepEqual([lengths(), turns.length], [[2048, 2048], 1]);
		fetch.cancel();
		turns.shift()?.();
		assert.deepEqual([lengths(), turns.length], [[2048, 2048], 0]);
	});

	it("asks once it is connected and delivers head, body and end", () => {
		const { socket, told, open, receive } = fixture();
		open("http://10.0.0.1:8080/a/b.json?c");
		assert.deepEqual([socket.options?.address, socket.options?.port, socket.written], ["10.0.0.1", 8080, ""]);
		socket.options?.onWritable(5000);
		socket.options?.onWritable(5000);
		assert.equal(socket.written, "GET /a/b.json?c HTTP/1.0\r\nHost: 10.0.0.1:8080\r\nConnection: close\r\n\r\n");
		receive("HTTP/1.1 200 OK\r\nContent-Le");
		receive("ngth: 5\r\n\r\nab");
		receive("cde and what is too much");
		assert.deepEqual(told, ["head 200 5", "ab", "cde", "end 0"]);
		assert.equal(socket.closed, 1);
	});

	it("reads a body without a length to the end of the connection, also an empty one", () => {
		const { socket, told, open, receive } = fixture();
		open("http://localhost/");
		assert.deepEqual([socket.options?.address, socket.options?.port], ["127.0.0.1", 80]);
		socket.options?.onWritable(5000);
		receive("HTTP/1.0 200 OK\r\n\r\nabc");
		socket.options?.onError();
		open("http://localhost");
		socket.options?.onWritable(5000);
		receive("HTTP/1.0 404 No\r\nContent-Length: 0\r\n\r\n");
		assert.deepEqual(told, ["head 200 -1", "abc", "end 0", "head 404 0", "end 0"]);
	});

	/** The last that is told of an answer, which comes in these pieces. */
	const toldOf = (...pieces: string[]) => {
		const { socket, told, open, receive } = fixture();
		open("http://localhost/");
		socket.options?.onWritable(5000);
		for (const piece of pieces) receive(piece);
		return told.at(-1);
	};

	it("reads status and length, however the head is cut, of up to 2,048 bytes and 48 lines", () => {
		const text = "HTTP/1.1 200 OK\r\nServer: x\r\nCONTENT-length: \t1234\r\n\r\n";
		for (let cut = 1; cut < text.length; cut++) assert.equal(toldOf(text.slice(0, cut), text.slice(cut)), "head 200 1234");
		const fields = `${`X: ${"x".repeat(35)}\r\n`.repeat(46)}Content-Type: a\r\nContent-Length: 70000\r\n`;
		const start = "HTTP/1.1 200 ";
		const longest = `${start}${"k".repeat(2048 - start.length - fields.length - 4)}\r\n${fields}\r\n`;
		assert.equal(toldOf(...longest), "head 200 70000");
		assert.equal(toldOf(longest.replace("k", "kk")), `end ${FetchError.NO_HTTP}`);
	});

	it("rejects an invalid head, and one that is too long", () => {
		const ok = "HTTP/1.1 200 OK\r\n";
		for (const text of [
			...["SSH-2.0-x\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n"],
			...["HTTP/1.1 200 OK\n\n", `${ok}\n`, `${ok}${"Content-Length: 1\r\n".repeat(2)}\r\n`],
			...["Transfer-Encoding: chunked", "Transfer-Encoding:", "Content-Length: -1", "Content-Length: 1,1", "Content-Length:"].map(
				(line) => `${ok}${line}\r\n\r\n`,
			),
			...[`${ok}${"X: y\r\n".repeat(49)}\r\n`, `${ok}X: ${"x".repeat(2100)}\r\n\r\n`],
		])
			assert.equal(toldOf(text), `end ${FetchError.NO_HTTP}`, text.slice(0, 60));
	});

	it("reports how a download failed", () => {
		const refused = fixture();
		refused.open("http://localhost/");
		refused.socket.options?.onError();
		assert.deepEqual(refused.told, [`end ${FetchError.NOT_CONNECTED}`]);
		for (const received of ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"]) {
			const lost = fixture();
			lost.open("http://localhost/");
			lost.socket.options?.onWritable(5000);
			if (received !== "") lost.receive(received);
			lost.socket.options?.onError();
			assert.equal(lost.told.at(-1), `end ${FetchError.CONNECTION_LOST}`);
		}
	});

	it("waits as long as bytes come, and no longer", () => {
		const { socket, told, open, receive, pass } = fixture();
		open("http://localhost/");
		pass(FETCH_TIMEOUT_MS - 1);
		socket.options?.onWritable(5000);
		pass(FETCH_TIMEOUT_MS - 1);
		receive("HTTP/1.0 200 OK\r\n\r\n");
		pass(FETCH_TIMEOUT_MS - 1);
		assert.deepEqual(told, ["head 200 -1"]);
		pass(1);
		assert.deepEqual([told.at(-1), socket.closed], [`end ${FetchError.TIMEOUT}`, 1]);
		pass(FETCH_TIMEOUT_MS);
		assert.equal(told.length, 2);
	});

	it("stops calling back once it is cancelled, also from within a call", () => {
		const { fetch, socket, told, receive, open } = fixture();
		open("http://localhost/");
		socket.options?.onWritable(5000);
		fetch.cancel();
		fetch.cancel();
		receive("HTTP/1.0 200 OK\r\n\r\nabc");
		socket.options?.onError();
		assert.deepEqual([told, socket.closed], [[], 1]);
		fetch.open("http://localhost/", {
			onHead: () => fetch.cancel(),
			onData: () => told.push("data"),
			onEnd: () => told.push("end"),
		});
		socket.input = Buffer.alloc(0);
		socket.options?.onWritable(5000);
		receive("HTTP/1.0 500 No\r\nContent-Length: 3\r\n\r\nabc");
		assert.deepEqual([told, socket.closed], [[], 2]);
	});

	it("rejects https, host names and invalid ports without opening a socket", () => {
		const { socket, open } = fixture();
		for (const url of ["https://10.0.0.1/", "http://example.com/", "http://[::1]/", "ftp://10.0.0.1/", "", "http://10.0.0.1:x/"])
			assert.throws(() => open(url), RangeError, url);
		assert.equal(socket.opened, 0);
	});
});
