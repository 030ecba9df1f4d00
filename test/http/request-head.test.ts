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
	it("begins trailers at the start of a line, though the head was left in one that it skips", () => {
		const head = reading("GET / HTTP/1.1\r\nCookie: unfinished", HEAD_INCOMPLETE);
		assert.equal(readTrailers(head, "no field\r\n"), 400);
	});
});
