import assert from "node:assert/strict";
import { jsonObject } from "../../src/api/request-values.js";
import type { HttpRequest } from "../../src/http/request.js";

/** The parsed object, or the error message. */
function parse(body: string | Uint8Array, ...names: string[]): unknown {
	try {
		return jsonObject({ body: new Uint8Array(Buffer.from(body)) } as HttpRequest, names.join(" "));
	} catch (rejection) {
		return (rejection as { message: string }).message;
	}
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("api/request-values: jsonObject", () => {
	it("rejects what is not JSON", () => {
		const texts = [
			"",
			" ",
			"{",
			"}",
			'{"a":1',
			'{"a" 1}',
			"{'a':1}",
			"{a:1}",
			'{"a":1,}',
			'{"a":01}',
			'{"a":NaN}',
			'{"a":1}x',
			'{"a":1}{}',
			"\ufeff{}",
			"// c\n{}",
		];
		const strings = [
			'{"a":"\n"}',
			'{"a":"\\x"}',
			'{"a":"\\u12"}',
			'{"a":"b',
			'{"a":"b\\',
			'{"\\q":1}',
			'{"\n":1}',
			'{"x\\u00g0":1}',
			'{"a":"\\u',
		];
		for (const text of [...texts, ...strings]) assert.equal(parse(text, "a"), "invalid json", text);
	});

	it("rejects invalid UTF-8, in names too", () => {
		for (const text of ["\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x", "\\udc00\\ud800", "\\uD83D\\n"]) {
			assert.equal(parse(`{"a":"${text}"}`, "a"), "invalid json", text);
			assert.equal(parse(`{"${text}":1}`, "a"), "invalid json", text);
		}
		assert.deepEqual(parse('{"a":"\\ud83d\\ude00\\uD83D\\uDE00😀"}', "a"), { a: "😀😀😀" });
		for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]]) {
			assert.equal(parse(Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]), "a"), "invalid json");
			assert.equal(parse(Buffer.concat([Buffer.from('{"'), Buffer.from(bytes), Buffer.from('":1}')]), "a"), "invalid json");
		}
	});

	it("wants an object at the top", () => {
		for (const text of ["[]", "1", "null", '"a"', "true", " [1] "]) assert.equal(parse(text), "invalid object", text);
	});

	it("accepts ten levels", () => {
		assert.equal(typeof parse(nested(9), "a"), "object");
		assert.equal(typeof parse(nested(10), "a"), "object");
		assert.equal(parse(nested(11), "a"), "invalid json");
		assert.equal(parse(`{"a":${"[".repeat(4000)}`, "a"), "invalid json");
		assert.deepEqual(parse(`{"a":"${"[{".repeat(50)}"}`, "a"), { a: "[{".repeat(50) });
		assert.deepEqual(parse(`{"a":[${"[],".repeat(50)}1]}`, "a"), { a: [...Array.from({ length: 50 }, () => []), 1] });
	});

	it("keeps the last of two members, and makes no property of an unknown name", () => {
		assert.deepEqual(parse('{"a":1,"b":{"c":3,"evil":4},"a" :2,"evil":{"a":5},"":6}', "a", "b", "c"), {
			a: 2,
			b: { c: 3, "": 4 },
			"": 6,
		});
		assert.deepEqual(parse('{"\\u0061":1,"x\\"y":2,"a":"a:b"}', "a"), { "": 2, a: "a:b" });
		assert.equal(Object.getPrototypeOf(parse('{"__proto__":{"a":1}}', "a")), Object.prototype);
	});

	it("accepts 400 values and member names together, and strings and numbers of 1,024 bytes", () => {
		assert.deepEqual(parse(`{"a":[${Array(397).fill(0)}]}`, "a"), { a: Array(397).fill(0) });
		assert.equal(parse(`{"a":[${Array(398).fill(0)}]}`, "a"), "invalid json");
		assert.equal(typeof parse(`{${Array(199).fill('"b":1')},"a":1}`, "a"), "string");
		assert.deepEqual(parse(`{${Array(198).fill('"b":1')},"a":1}`, "a"), { "": 1, a: 1 });
		for (const many of ["{}", "[]", '""', "0", "null"])
			assert.equal(parse(`{"a":[${Array(900).fill(many)}]}`, "a"), "invalid json");
		const long = (length: number) => `{"a":"${"x".repeat(length)}"}`;
		assert.deepEqual(parse(long(1024), "a"), { a: "x".repeat(1024) });
		assert.equal(parse(long(1025), "a"), "invalid json");
		assert.equal(parse(`{"${"x".repeat(1025)}":1}`, "a"), "invalid json");
		assert.deepEqual(parse(`{"a":0.${"1".repeat(1022)}}`, "a"), { a: Number(`0.${"1".repeat(1022)}`) });
		assert.equal(parse(`{"a":0.${"1".repeat(1023)}}`, "a"), "invalid json");
	});
});
