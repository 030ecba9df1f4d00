import assert from "node:assert/strict";
import { Header, type HttpRequest, InputBuffers } from "../../src/http/request.js";
import { ParserEvent, RequestParser } from "../../src/http/request-parser.js";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const NEXT = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

/**
 * Feeds `input` in pieces and writes down what comes out: one line per request, `400` for a rejection, `...`
 * for an incomplete one.
 */
function parse(input: string, pieceBytes = 4096): string[] {
	const parser = new RequestParser(new InputBuffers());
	const bytes = latin1(input);
	const lines: string[] = [];
	let body = "";
	let head = "";
	let at = 0;
	for (;;) {
		switch (parser.next()) {
			case ParserEvent.HEAD: {
				const { request } = parser;
				request.readTarget();
				head = `${request.method} ${request.path} 1.${request.minor} ${request.contentLength}`;
				if (!request.keepAlive) head += " close";
				if (request.expectsContinue) head += " expect";
				break;
			}
			case ParserEvent.DATA:
				body += Buffer.from(parser.buffer.subarray(parser.dataStart, parser.dataEnd)).toString("latin1");
				break;
			case ParserEvent.END:
				assert.equal(parser.next(), ParserEvent.END);
				assert.ok(parser.complete);
				lines.push(`${head} [${body}]`);
				body = "";
				parser.restart();
				break;
			case ParserEvent.FAILED:
				assert.equal(parser.next(), ParserEvent.FAILED);
				return [...lines, String(parser.status)];
			default: {
				const length = Math.min(pieceBytes, parser.space(), bytes.length - at);
				if (length === 0) {
					assert.equal(at, bytes.length, "no space although input is left");
					return parser.idle ? lines : [...lines, "..."];
				}
				parser.receive(bytes.subarray(at, at + length));
				at += length;
			}
		}
	}
}

/** Whole, in pieces of several sizes, byte by byte; a valid one also with a request behind it. */
function check(input: string, ...expected: string[]): void {
	for (const pieceBytes of [4096, 1, 2, 7, 300])
		assert.deepEqual(parse(input, pieceBytes), expected, `${JSON.stringify(input.slice(0, 200))} by ${pieceBytes}`);
	if (expected.at(-1)?.endsWith("]"))
		for (const pieceBytes of [4096, 1, 300])
			assert.deepEqual(parse(input + NEXT, pieceBytes), [...expected, "GET /next 1.1 0 []"]);
}

const get = (...lines: string[]) => ["GET / HTTP/1.1", "Host: h", ...lines, "", ""].join("\r\n");
const post = (body: string, ...lines: string[]) => ["POST /p HTTP/1.1", "Host: h", ...lines, "", body].join("\r\n");
const line = (text: string) => `${text}\r\nHost: h\r\n\r\n`;

describe("http/request-parser", () => {
	it("reads requests of both versions", () => {
		check(get(), "GET / 1.1 0 []");
		check("GET /a?b=c HTTP/1.0\r\n\r\n", "GET /a 1.0 0 close []");
		check("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / 1.0 0 []");
		check(get("Connection: close"), "GET / 1.1 0 close []");
		check(get("Connection: Upgrade, Close", "Connection: keep-alive"), "GET / 1.1 0 close []");
		check(get("Connection: closed, ,close2"), "GET / 1.1 0 []");
		check("HEAD / HTTP/1.1\r\nhOsT:h\r\n\r\n", "HEAD / 1.1 0 []");
		check("OPTIONS * HTTP/1.1\r\nHost: \t h \t \r\n\r\n", "OPTIONS * 1.1 0 []");
		check("GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n", "GET /x 1.1 0 []");
		check(`\r\n${get()}`, "GET / 1.1 0 []");
		check("", ...[]);
	});

	it("reads bodies by their length", () => {
		check(post("hello", "Content-Length: 5"), "POST /p 1.1 5 [hello]");
		check(post("", "Content-Length: 0"), "POST /p 1.1 0 []");
		check(post("\0\r\n\n\0", "Content-Length: 005"), "POST /p 1.1 5 [\0\r\n\n\0]");
		check(post("a", "Content-Length: 1", "Expect: 100-Continue"), "POST /p 1.1 1 expect [a]");
		const large = "x".repeat(10000);
		check(post(large, "Content-Length: 10000"), `POST /p 1.1 10000 [${large}]`);
		check(post("", "Content-Length: 4294967296"), "...");
	});

	it("waits for missing bytes", () => {
		for (const part of ["G", "\r", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nHost: h\r\n\r", post("hell", "Content-Length: 5")])
			check(part, "...");
	});

	it("rejects requests that two parsers could read differently", () => {
		for (const input of [
			// framing: both, twice, or in another form
			post("0\r\n\r\n", "Transfer-Encoding: chunked", "Content-Length: 5"),
			post("", "Content-Length: 5", "Transfer-Encoding: chunked"),
			post("", "Content-Length: 5", "Content-Length: 6"),
			post("", "Content-Length: 5", "Content-Length: 5"),
			...["5, 5", "+5", "-5", "0x5", "", "1 2", "9".repeat(16)].map((length) => post("", `Content-Length: ${length}`)),
			post("", "Content-Length : 5"),
			post("", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
			...["identity", "xchunked", ""].map((coding) => post("", `Transfer-Encoding: ${coding}`)),
			"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
			// lines: folded, without a name, ended by LF or CR alone, with control characters
			...[["X: a", " b"], ["X: a", "\tb"], ["Host"], [": x"], ["X(: y"], ["X: a\rb"], ["X: a\r"]].map((lines) => get(...lines)),
			...["X: a\0b", "X\0: a", "Origin: a\x01b"].map((text) => get(text)),
			"GET / HTTP/1.1\r\n Host: h\r\n\r\n",
			"GET / HTTP/1.1\nHost: h\r\n\r\n",
			"GET / HTTP/1.1\r\nHost: h\n\r\n",
			"GET / HTTP/1.1\r\nHost: h\r\n\n",
			...["GET /\r HTTP/1.1", "GET /\0 HTTP/1.1"].map(line),
			// host: none, two, or another than the target's
			"GET / HTTP/1.1\r\n\r\n",
			get("Host: h"),
			"GET / HTTP/1.1\r\nHost: a, b\r\n\r\n",
			"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
			"GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n",
			get("Origin: http://a", "Origin: http://b"),
			line("GET http://g/ HTTP/1.1"),
			"GET http://h/ HTTP/1.1\r\nHost: hh\r\n\r\n",
			"GET http://h/ HTTP/1.0\r\n\r\n",
			`\r\n\r\n${get()}`,
		])
			check(input, "400");
	});

	it("rejects malformed request lines, and versions, methods, codings and expectations that it does not know", () => {
		for (const [status, ...lines] of [
			["400", "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", "GET /a b HTTP/1.1", " GET / HTTP/1.1", "G@T / HTTP/1.1"],
			["400", "GET / http/1.1", "GET / HTTP/1,1", "GET / HTTP/11", "GET / HTTP/x.1", "GET / HTTP/1.x", "GET / HTTP/1.10"],
			["400", "GET /#a HTTP/1.1", "GET a HTTP/1.1", "GET * HTTP/1.1", "GET https://h/ HTTP/1.1", "GET http:/// HTTP/1.1"],
			["400", "GET http://h HTTP/1.1", "GET /\xfc HTTP/1.1", "GET", "GET HTTP/1.1", `${"M".repeat(25)} / HTTP/1.1`],
			["505", "POST / HTTP/2.0", "GET / HTTP/0.9", "GET / HTTP/1.2", "GET / HTTP/9.9"],
			["501", "BREW / HTTP/1.1", "CONNECT / HTTP/1.1", "get / HTTP/1.1", `${"M".repeat(24)} / HTTP/1.1`],
		])
			for (const text of lines) check(line(text), status);
		for (const coding of ["chunked", "Chunked", "gzip, chunked"]) check(post("0\r\n\r\n", `Transfer-Encoding: ${coding}`), "411");
		check(post("", "Expect: the unexpected"), "417");
	});

	it("rejects garbage before its line ends", () => {
		for (const garbage of ["\x16\x03\x01", "\0", " ", "{", "\xff", "GET /\0"]) check(garbage, "400");
	});

	it("keeps to its limits exactly", () => {
		const long = (bytes: number) => line(`GET /${"a".repeat(bytes - 14)} HTTP/1.1`);
		for (const bytes of [1022, 1023, 1024]) check(long(bytes), `GET /${"a".repeat(bytes - 14)} 1.1 0 []`);
		for (const bytes of [1025, 1026, 1027, 5000]) check(long(bytes), "414");
		check("G".repeat(2000), "414");

		// "Host: h" and the final empty line take 11 of the 4096 bytes, "X: " and CRLF 5
		const header = (bytes: number) => get(`X: ${"b".repeat(bytes - 16)}`);
		for (const bytes of [4095, 4096]) check(header(bytes), "GET / 1.1 0 []");
		for (const bytes of [4097, 4098, 20000]) check(header(bytes), "431");
		check(header(20000).slice(0, -4), "431");
		const many = (lines: number) => get(...Array.from({ length: lines - 1 }, (_, i) => `X${i}: y`));
		for (const lines of [47, 48]) check(many(lines), "GET / 1.1 0 []");
		for (const lines of [49, 50]) check(many(lines), "431");
		check(get(...Array.from({ length: 40 }, () => `X: ${"y".repeat(95)}`)), "GET / 1.1 0 []");
		check(get(...Array.from({ length: 41 }, () => `X: ${"y".repeat(95)}`)), "431");
		check(get(...Array.from({ length: 45 }, (_, i) => `A${i}: b`), `X: ${"b".repeat(3000)}`), "GET / 1.1 0 []");
		check(get(...Array.from({ length: 47 }, (_, i) => `A${i}: b`), `X: ${"b".repeat(3000)}`), "431");

		// "h" of Host and the value share 512 bytes
		check(get(`If-None-Match: ${"c".repeat(511)}`), "GET / 1.1 0 []");
		check(get(`If-None-Match: ${"c".repeat(512)}`), "431");
		check(get(`If-None-Match: ${"c".repeat(3000)}`), "431");
		check(get(`${"n".repeat(3000)}: x`), "431");
	});

	it("skips long headers of others as strictly as it reads its own", () => {
		const long = "z".repeat(2500);
		check(get(`Cookie: ${long}`, "Content-Length: 0"), "GET / 1.1 0 []");
		for (const bad of ["\0", "\r", "\n", "\rz"]) check(get(`Cookie: ${long}${bad}${"z".repeat(100)}`), "400");
	});

	it("keeps values of our headers, the first of a list", () => {
		const parser = new RequestParser(new InputBuffers());
		const tags = ['If-None-Match:\t"x"\t', 'If-None-Match: "y"'];
		parser.receive(latin1(get(...tags, "X-Other: c", "Content-Type:", "Last-Event-ID: 7")));
		assert.equal(parser.next(), ParserEvent.HEAD);
		const value = (index: number) => parser.request.header(index);
		assert.deepEqual([Header.HOST, Header.IF_NONE_MATCH, Header.CONTENT_TYPE, Header.LAST_EVENT_ID, Header.ORIGIN].map(value), [
			"h",
			'"x"',
			"",
			"7",
			undefined,
		]);
	});

	it("keeps each header of ours under its own name", () => {
		const headers = [
			"Origin: o",
			"Sec-Fetch-Site: s",
			"Content-Type: t",
			"Content-Length: 0",
			"Expect: 100-continue",
			"Authorization: a",
			"Last-Event-ID: l",
			"Connection: close",
			"If-None-Match: n",
			"Accept-Language: de",
		];
		const request = behindHead(get(...headers)).request;
		const kept = [
			[Header.HOST, "h"],
			[Header.ORIGIN, "o"],
			[Header.SEC_FETCH_SITE, "s"],
			[Header.CONTENT_TYPE, "t"],
			[Header.CONTENT_LENGTH, "0"],
			[Header.TRANSFER_ENCODING, undefined],
			[Header.EXPECT, "100-continue"],
			[Header.AUTHORIZATION, "a"],
			[Header.LAST_EVENT_ID, "l"],
			[Header.CONNECTION, undefined], // `keepAlive` tells
			[Header.IF_NONE_MATCH, "n"],
			[Header.ACCEPT_LANGUAGE, ""],
		] as const;
		for (const [header, value] of kept) assert.equal(request.header(header), value, Header[header]);
	});

	it("rejects more bytes than its buffer holds, and starts again on reset", () => {
		const parser = new RequestParser(new InputBuffers());
		assert.throws(() => parser.receive(new Uint8Array(parser.space() + 1)), RangeError);
		parser.receive(latin1("\0"));
		assert.equal(parser.next(), ParserEvent.FAILED);
		parser.reset();
		assert.ok(parser.idle && !parser.complete && !parser.hasInput);
		parser.receive(latin1(get()));
		assert.ok(!parser.idle && parser.hasInput);
		assert.equal(parser.next(), ParserEvent.HEAD);
	});

	/** A parser that has reported the head of a request; what is behind it in the buffer is `behind`. */
	function behindHead(head: string, behind = "", buffers = new InputBuffers()): RequestParser {
		const parser = new RequestParser(buffers);
		parser.receive(latin1(head + behind));
		assert.equal(parser.next(), ParserEvent.HEAD);
		return parser;
	}
	it("gives its buffer to the next that needs one as soon as nothing unread is in it", () => {
		const buffers = new InputBuffers();
		const parser = behindHead(get(), get(), buffers);
		const { buffer } = parser;
		assert.equal(parser.next(), ParserEvent.END);
		parser.release();
		assert.equal(parser.buffer, buffer, "the second request is in it");
		parser.restart();
		for (const event of [ParserEvent.HEAD, ParserEvent.END]) assert.equal(parser.next(), event);
		parser.restart();
		parser.release();
		assert.equal(parser.buffer.length, 0);
		assert.equal(behindHead(get(), "", buffers).buffer, buffer);
		parser.release();
		assert.notEqual(behindHead(get(), "", buffers).buffer, buffer, "it was given back twice");
	});

	it("has the space of a whole buffer after it gave its own back", () => {
		const parser = behindHead(get(), "hello");
		const whole = new RequestParser(new InputBuffers()).space();
		parser.reset();
		assert.equal(parser.space(), whole);
		parser.receive(latin1("G".repeat(whole)));
		assert.equal(parser.space(), 0);
	});

	it("moves unread input to the front only when less than a quarter of the buffer is free behind it", () => {
		const size = new RequestParser(new InputBuffers()).space();
		const first = get();
		for (const [receivedBytes, movedBytes] of [
			[first.length + 1, 0],
			[(size * 3) / 4, 0],
			[(size * 3) / 4 + 1, first.length],
			[size, first.length],
		]) {
			const parser = behindHead(first, "G".repeat(receivedBytes - first.length));
			assert.equal(parser.next(), ParserEvent.END);
			parser.restart();
			assert.equal(parser.space(), size - receivedBytes + movedBytes, `${receivedBytes}`);
		}
	});

	it("accepts a line that fills its buffer to the last byte", () => {
		const size = new RequestParser(new InputBuffers()).space();
		// of the request line only the target's one byte is left in the buffer then
		const tag = (bytes: number) => `If-None-Match:${" ".repeat(bytes - "If-None-Match:x\r\n".length)}x`;
		check(`GET / HTTP/1.1\r\n${tag(size - 1)}\r\nHost: h\r\n\r\n`, "GET / 1.1 0 []");
		check(`GET / HTTP/1.1\r\n${tag(size)}\r\nHost: h\r\n\r\n`, "431");
	});

	it("reads many requests in a row however they are cut", () => {
		const one = post("12345", "Content-Length: 5", `Cookie: ${"c".repeat(700)}`);
		const expected = Array.from({ length: 20 }, () => "POST /p 1.1 5 [12345]");
		for (const pieceBytes of [1, 3, 100, 1000, 4096]) assert.deepEqual(parse(one.repeat(20), pieceBytes), expected);
	});
});

/** A request whose head was read, not yet its target. */
function requestFor(target: string, ...headers: string[]): HttpRequest {
	const parser = new RequestParser(new InputBuffers());
	parser.receive(new Uint8Array(Buffer.from([`GET ${target} HTTP/1.1`, "Host: h", ...headers, "", ""].join("\r\n"))));
	assert.equal(parser.next(), ParserEvent.HEAD);
	return parser.request;
}

function read(target: string, ...headers: string[]): HttpRequest {
	const request = requestFor(target, ...headers);
	assert.ok(request.readTarget());
	return request;
}

describe("http/request", () => {
	it("separates path and query and decodes both", () => {
		const request = read("/a%2fb?c=d%20e&f");
		assert.deepEqual(
			[request.method, request.path, request.query("c"), request.query("f"), request.query("x")],
			["GET", "/a/b", "d e", "", undefined],
		);
		assert.equal(read("/a").query("a"), undefined);
		assert.equal(read("/a?").query("a"), undefined);
		assert.equal(read("http://h/p?a=1").query("a"), "1");
		for (const [target, path] of [
			["/a", "/a"],
			["/a?", "/a"],
			["/?/b?c", "/"],
			["http://h/p?a=1", "/p"],
		])
			assert.equal(read(target).path, path, target);
	});

	it("finds no parameter in a path", () => {
		assert.equal(read("/a=1").query("/a"), undefined);
	});

	it("rejects a path that can't be decoded, and a query of more parameters than there may be", () => {
		for (const target of ["/%zz", "/%zz?a", "/%00", `/a?${"b&".repeat(16)}`])
			assert.equal(requestFor(target).readTarget(), false, target);
		for (const target of ["/a?b=%zz", `/a?${"b&".repeat(15)}`]) assert.equal(requestFor(target).readTarget(), true, target);
	});

	it("gives headers as text", () => {
		const request = read("/", 'If-None-Match: "Ab"', "Content-Type:");
		const texts = [Header.IF_NONE_MATCH, Header.CONTENT_TYPE, Header.ORIGIN].map((index) => request.header(index));
		assert.deepEqual(texts, ['"Ab"', "", undefined]);
	});
});

describe("http/request: targets", () => {
	/** "" and "?" of a request line may stand in a query, a blank not. */
	const queryValue = (query: string, name: string) => read(`/?${query}`).query(name);

	it("decodes percent signs of a path, and leaves plus alone", () => {
		assert.equal(read("/a%20b+%C3%a4").path, "/a b+ä");
		for (const broken of ["%", "%4", "a%4", "%g0", "%0g", "%00", "%ff", "%c3"])
			assert.equal(requestFor(`/${broken}`).readTarget(), false, broken);
	});

	it("finds the first occurrence of a query key, case-sensitively", () => {
		const text = "b=2&a=1&a=3&empty=&bare&sp+ace=x+y&%63ode=%2f&bad=%zz&A=9";
		const rows: [string, string | undefined][] = [
			["a", "1"],
			["b", "2"],
			["A", "9"],
			["empty", ""],
			["bare", ""],
			["sp ace", "x y"],
			["code", "/"],
			["bad", "\ufffd"],
			["c", undefined],
			["", undefined],
		];
		for (const [name, value] of rows) assert.equal(queryValue(text, name), value, name);
		for (const odd of ["", "&", "&&", "=", "%", "%4=1", "%5G=1", "%g1=1"]) assert.equal(queryValue(odd, "O"), undefined, odd);
		assert.equal(queryValue("a==b=c&", "a"), "=b=c");
		assert.equal(queryValue("x=1&a=a+b%2B", "a"), "a b+");
	});

	it("reads empty parameters and names", () => {
		assert.equal(queryValue("&a=1", "a"), "1");
		assert.equal(queryValue("a=1&", ""), undefined);
		assert.equal(queryValue("=1", ""), "1");
		assert.equal(queryValue("=1", "=1"), undefined);
	});
});
