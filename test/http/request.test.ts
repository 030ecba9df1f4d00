import assert from "node:assert/strict";
import { HEADER } from "../../src/http/header-names.js";
import { InputBuffers } from "../../src/http/input-buffer.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { HttpRequest } from "../../src/http/request.js";
import { EVENT, RequestParser } from "../../src/http/request-parser.js";

/** A request whose head was read, not yet its target. */
function withHead(target: string, ...headers: string[]): HttpRequest {
	const parser = new RequestParser(HTTP_LIMITS, new InputBuffers(HTTP_LIMITS));
	parser.receive(new Uint8Array(Buffer.from([`GET ${target} HTTP/1.1`, "Host: h", ...headers, "", ""].join("\r\n"))));
	assert.equal(parser.next(), EVENT.HEAD);
	return new HttpRequest(parser.head);
}

function read(target: string, ...headers: string[]): HttpRequest {
	const request = withHead(target, ...headers);
	assert.ok(request.readTarget());
	return request;
}

describe("http/request", () => {
	it("separates path and query and decodes both", () => {
		const request = read("/a%2fb?c=d%20e&f", "Accept: x");
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

	it("refuses a path that can't be decoded, and a query of more parameters than there may be", () => {
		for (const target of ["/%zz", "/%zz?a", "/%00", `/a?${"b&".repeat(16)}`])
			assert.equal(withHead(target).readTarget(), false, target);
		assert.equal(withHead("/a?b=%zz").readTarget(), true);
	});

	it("gives headers as text", () => {
		const request = read("/", 'If-None-Match: "Ab"', "Content-Type:");
		const texts = [HEADER.IF_NONE_MATCH, HEADER.CONTENT_TYPE, HEADER.ORIGIN].map((index) => request.header(index));
		assert.deepEqual(texts, ['"Ab"', "", undefined]);
	});

	it("has nothing noted before a router does, nor for the next request", () => {
		const request = read("/");
		assert.equal(request.noted, -1);
		request.noted = 0;
		request.forget();
		assert.equal(request.noted, -1);
	});
});
