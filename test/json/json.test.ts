import assert from "node:assert/strict";
import { parseJson, plainJson } from "../../src/json/json.js";

const parse = (body: string | Uint8Array, names = "a"): unknown => parseJson(new Uint8Array(Buffer.from(body)), names);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("json/json: parseJson", () => {
	it("rejects texts that are not JSON", () => {
		for (const text of [
			...[
				"",
				" ",
				"{",
				'{"a":1',
				'{"a" 1}',
				"{'a':1}",
				'{"a":1,}',
				'{"a":01}',
				'{"a":NaN}',
				'{"a":1}x',
				'{"a":1}{}',
				"\ufeff\ufeff{}",
				"{}\ufeff",
			],
			...['{"a":"\n"}', '{"a":"\\x"}', '{"a":"\\u12"}', '{"a":"b', '{"a":"b\\', '{"\\q":1}', '{"\n":1}', '{"x\\u00g0":1}'],
		])
			assert.equal(parse(text), undefined, text);
	});

	it("rejects invalid UTF-8 and lone surrogates, in names too", () => {
		for (const text of ["\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x", "\\udc00\\ud800", "\\uD83D\\n"])
			for (const body of [`{"a":"${text}"}`, `{"${text}":1}`]) assert.equal(parse(body), undefined, body);
		assert.deepEqual(parse('{"a":"\\ud83d\\ude00\\uD83D\\uDE00😀"}'), { a: "😀😀😀" });
		for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]])
			for (const [before, after] of [
				['{"a":"', '"}'],
				['{"', '":1}'],
			])
				assert.equal(parse(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])), undefined);
	});

	it("ignores a byte order mark before the text", () => {
		assert.deepEqual(parse('\ufeff {"a":"\ufeff"}'), { a: "\ufeff" });
		for (const text of ["\ufeff", "\ufeff "]) assert.equal(parse(text), undefined);
	});

	it("accepts ten levels", () => {
		assert.equal(typeof parse(nested(10)), "object");
		for (const deep of [nested(11), `{"a":${"[".repeat(4000)}`]) assert.equal(parse(deep), undefined);
		assert.deepEqual(parse(`{"a":"${"[{".repeat(50)}"}`), { a: "[{".repeat(50) });
		assert.deepEqual(parse(`{"a":[${"[],".repeat(50)}1]}`), { a: [...Array.from({ length: 50 }, () => []), 1] });
	});

	it("keeps the last of two members, and makes no property of an unknown name", () => {
		const twice = parse('{"a":1,"b":{"c":3,"evil":4},"a" :2,"evil":{"a":5},"":6}', "a b c");
		assert.deepEqual(twice, { a: 2, b: { c: 3, "": 4 }, "": 6 });
		assert.deepEqual(parse('{"\\u0061":1,"x\\"y":2,"a":"a:b"}'), { "": 2, a: "a:b" });
		assert.equal(Object.getPrototypeOf(parse('{"__proto__":{"a":1}}')), Object.prototype);
	});

	it("accepts 400 values and member names together, and strings and numbers of 1,024 bytes", () => {
		assert.deepEqual(parse(`{"a":[${Array(397).fill(0)}]}`), { a: Array(397).fill(0) });
		assert.deepEqual(parse(`{${Array(198).fill('"b":1')},"a":1}`), { "": 1, a: 1 });
		assert.deepEqual(parse(`{"a":"${"x".repeat(1024)}"}`), { a: "x".repeat(1024) });
		assert.deepEqual(parse(`{"a":0.${"1".repeat(1022)}}`), { a: Number(`0.${"1".repeat(1022)}`) });
		for (const long of [
			`{"a":[${Array(398).fill(0)}]}`,
			`{${Array(199).fill('"b":1')},"a":1}`,
			...["{}", "[]", '""', "null"].map((many) => `{"a":[${Array(900).fill(many)}]}`),
			`{"a":"${"x".repeat(1025)}"}`,
			`{"${"x".repeat(1025)}":1}`,
			`{"a":0.${"1".repeat(1023)}}`,
		])
			assert.equal(parse(long), undefined, long.slice(0, 40));
	});
});

describe("json/json: plainJson", () => {
	it("writes what the engine writes, of frozen values too", () => {
		const list = Object.freeze([1, "a", null, Object.freeze({ b: Object.freeze([]) })]);
		const value = Object.freeze({ list, flag: true, none: undefined });
		assert.equal(plainJson(value), '{"list":[1,"a",null,{"b":[]}],"flag":true}');
	});
});
