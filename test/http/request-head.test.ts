import assert from "node:assert/strict";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { HEAD_COMPLETE, HEAD_INCOMPLETE, HEADER, newInputBuffer, RequestHead } from "../../src/http/request-head.js";

/** A head that has read `text` whole, with room behind it. */
function reading(text: string, expected: number): RequestHead {
	const head = new RequestHead(HTTP_LIMITS);
	head.hold(newInputBuffer(4096));
	head.bytes.set(Buffer.from(text, "latin1"));
	assert.equal(head.read(0, text.length), expected);
	return head;
}

const chunked = (...lines: string[]) =>
	["POST /target HTTP/1.1", "Host: h", "Transfer-Encoding: chunked", ...lines, "", ""].join("\r\n");

/** Reads lines of trailers, where the unread input begins. */
function readTrailers(head: RequestHead, text: string): number {
	head.expectTrailers();
	head.bytes.set(Buffer.from(text, "latin1"), head.keptEnd);
	return head.read(head.keptEnd, head.keptEnd + text.length);
}

describe("http/request-head", () => {
	it("knows the first and the last of the headers that are kept, and which are absent", () => {
		const head = reading(chunked("Accept-Language: de"), HEAD_COMPLETE);
		const { HOST, ORIGIN, ACCEPT_LANGUAGE } = HEADER;
		assert.deepEqual(
			[HOST, ORIGIN, ACCEPT_LANGUAGE].map((index) => head.value(index)),
			["h", undefined, ""],
		);
		assert.equal(reading(chunked(), HEAD_COMPLETE).value(ACCEPT_LANGUAGE), undefined);
	});

	it("keeps target and values while trailers are read, and says how far those were", () => {
		const head = reading(chunked(), HEAD_COMPLETE);
		const { keptEnd } = head;
		assert.equal(readTrailers(head, "Host: other\r\nX: y\r\n\r\nrest"), HEAD_COMPLETE);
		assert.equal(head.keptEnd, keptEnd);
		assert.equal(head.next, keptEnd + "Host: other\r\nX: y\r\n\r\n".length);
		assert.equal(head.value(HEADER.HOST), "h");
		const { bytes, targetStart, targetEnd } = head;
		assert.equal(Buffer.from(bytes.subarray(targetStart, targetEnd)).toString(), "/target");
	});

	it("gives trailers as many bytes and lines as the head had, whatever the head took of its own", () => {
		// "Host: h", "Transfer-Encoding: chunked" and the empty line take 39 of the 4096 bytes, "X: " and
		// CRLF 5
		const long = `X: ${"y".repeat(3000)}\r\n`;
		assert.equal(readTrailers(reading(chunked(long.trim()), HEAD_COMPLETE), `${long}\r\n`), HEAD_COMPLETE);
		const many = Array.from({ length: 46 }, () => "X: y");
		const lines = (count: number) => `${"X: y\r\n".repeat(count)}\r\n`;
		assert.equal(readTrailers(reading(chunked(...many), HEAD_COMPLETE), lines(48)), HEAD_COMPLETE);
		assert.equal(readTrailers(reading(chunked(...many), HEAD_COMPLETE), lines(49)), 431);
	});

	it("begins trailers at the start of a line, though the head was left in one that it skips", () => {
		const head = reading("GET / HTTP/1.1\r\nCookie: unfinished", HEAD_INCOMPLETE);
		assert.equal(readTrailers(head, "no field\r\n"), 400);
	});

	it("forgets a request whole", () => {
		const head = reading(chunked(), HEAD_COMPLETE);
		assert.ok(!head.isEmpty);
		head.reset();
		assert.deepEqual(
			[head.isEmpty, head.next, head.keptEnd, head.contentLength, head.value(HEADER.HOST)],
			[true, 0, 0, 0, undefined],
		);
		assert.equal(head.read(0, 0), HEAD_INCOMPLETE);
	});
});
