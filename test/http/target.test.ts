import assert from "node:assert/strict";
import { pathEnd, percentDecode, queryValue } from "../../src/http/target.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const decode = (text: string, plusIsBlank = false) => percentDecode(bytes(text), 0, bytes(text).length, plusIsBlank);
const query = (text: string, name: string) => queryValue(bytes(text), 0, bytes(text).length, name);

describe("http/target", () => {
	it("ends the path at the first question mark", () => {
		for (const [target, end] of [
			["/a?b?c", 2],
			["/a", 2],
			["?", 0],
		] as const)
			assert.equal(pathEnd(bytes(target), 0, bytes(target).length), end);
	});

	it("decodes percent signs, and plus only where told", () => {
		assert.equal(decode("/a%20b+%C3%a4"), "/a b+ä");
		assert.equal(decode("a+b%2B", true), "a b+");
		for (const broken of ["%", "%4", "a%4", "%g0", "%0g", "%00", "%ff", "%c3"]) assert.equal(decode(broken), undefined, broken);
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
			["bad", undefined],
			["c", undefined],
			["", undefined],
		];
		for (const [name, value] of rows) assert.equal(query(text, name), value, name);
		for (const odd of ["", "&", "&&", "=", "%", "%4=1", "%5G=1", "%g1=1"]) assert.equal(query(odd, "O"), undefined, odd);
		assert.equal(query("a==b=c&", "a"), "=b=c");
	});
});
