import assert from "node:assert/strict";
import { AnswerHead } from "../../src/http/answer-head.js";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

describe("http/answer-head", () => {
	it("reads status and length, however the head is cut", () => {
		const text = "HTTP/1.1 200 OK\r\nServer: x\r\nCONTENT-length: \t1234\r\n\r\nbody";
		for (let cut = 0; cut < text.length - 4; cut++) {
			const head = new AnswerHead();
			assert.equal(head.take(bytes(text.slice(0, cut))), cut);
			assert.equal(head.complete, false);
			assert.equal(head.take(bytes(text.slice(cut))), text.length - 4 - cut);
			assert.deepEqual([head.complete, head.status, head.lengthBytes], [true, 200, 1234]);
		}
	});

	it("takes an answer without a length, as it ends with the connection", () => {
		const head = new AnswerHead();
		head.take(bytes("HTTP/1.0 404 Not Found\r\n\r\n"));
		assert.deepEqual([head.complete, head.status, head.lengthBytes], [true, 404, -1]);
	});

	it("takes up to 2,048 bytes and 48 lines, one byte at a time", () => {
		const fields = `${`X: ${"x".repeat(35)}\r\n`.repeat(46)}Content-Type: a\r\nContent-Length: 70000\r\n`;
		const start = "HTTP/1.1 200 ";
		const text = `${start}${"k".repeat(2048 - start.length - fields.length - 4)}\r\n${fields}\r\n`;
		assert.equal(text.length, 2048);
		const head = new AnswerHead();
		for (const byte of bytes(text)) assert.equal(head.take(Uint8Array.of(byte)), 1);
		assert.deepEqual([head.complete, head.status, head.lengthBytes], [true, 200, 70_000]);
		assert.equal(new AnswerHead().take(bytes(text.replace("k", "kk"))), -1);
	});

	it("refuses what is none, what it can't read, and what is too long", () => {
		for (const text of [
			"SSH-2.0-x\r\n\r\n",
			"HTTP/2 200\r\n\r\n",
			"HTTP/1.1 2x0 OK\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 1,1\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n",
			"HTTP/1.1 200 OK\n\n",
			"HTTP/1.1 200 OK\r\n\n",
			"HTTP/1.1 099 OK\r\n\r\n",
			`HTTP/1.1 200 OK\r\n${"Content-Length: 1\r\n".repeat(2)}\r\n`,
			`HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(49)}\r\n`,
			`HTTP/1.1 200 OK\r\nX: ${"x".repeat(2100)}\r\n\r\n`,
		])
			assert.equal(new AnswerHead().take(bytes(text)), -1, text.slice(0, 60));
	});
});
