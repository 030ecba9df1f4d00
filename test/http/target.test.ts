import assert from "node:assert/strict";
import { decodedPath, isQueryShort, queryValue } from "../../src/http/target.js";

describe("http/target", () => {
	it("decodes percent signs of a path, and leaves plus alone", () => {
		assert.equal(decodedPath("/a%20b+%C3%a4"), "/a b+ä");
		for (const broken of ["%", "%4", "a%4", "%g0", "%0g", "%00", "%ff", "%c3"])
			assert.equal(decodedPath(broken), undefined, broken);
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

	it("takes empty parameters and names for what they are", () => {
		assert.equal(queryValue("&a=1", "a"), "1");
		assert.equal(queryValue("a=1&", ""), undefined);
		assert.equal(queryValue("=1", ""), "1");
		assert.equal(queryValue("=1", "=1"), undefined);
		assert.ok(!isQueryShort("&".repeat(16)));
	});

	it("counts the parameters of a query before one is looked for", () => {
		for (const short of ["", "a", "a=1&b=2", "a&".repeat(15)]) assert.ok(isQueryShort(short), short);
		for (const long of ["a&".repeat(16), "&".repeat(900)]) assert.ok(!isQueryShort(long), long);
	});
});
