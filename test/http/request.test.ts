import assert from "node:assert/strict";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { HttpRequest } from "../../src/http/request.js";
import { HEADER, InputBuffers } from "../../src/http/request-head.js";
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

	it("rejects a path that can't be decoded, and a query of more parameters than there may be", () => {
		for (const target of ["/%zz", "/%zz?a", "/%00", `/a?${"b&".repeat(16)}`])
			assert.equal(withHead(target).readTarget(), false, target);
		for (const target of ["/a?b=%zz", `/a?${"b&".repeat(15)}`]) assert.equal(withHead(target).readTarget(), true, target);
	});

	it("gives headers as text", () => {
		const request = read("/", 'If-None-Match: "Ab"', "Content-Type:");
		const texts = [HEADER.IF_NONE_MATCH, HEADER.CONTENT_TYPE, HEADER.ORIGIN].map((index) => request.header(index));
		assert.deepEqual(texts, ['"Ab"', "", undefined]);
	});
});

describe("http/request: targets", () => {
	/** "" and "?" of a request line may stand in a query, a blank not. */
	const queryValue = (query: string, name: string) => read(`/?${query}`).query(name);

	it("decodes percent signs of a path, and leaves plus alone", () => {
		assert.equal(read("/a%20b+%C3%a4").path, "/a b+ä");
		for (const broken of ["%", "%4", "a%4", "%g0", "%0g", "%00", "%ff", "%c3"])
			assert.equal(withHead(`/${broken}`).readTarget(), false, broken);
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
