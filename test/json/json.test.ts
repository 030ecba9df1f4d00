import assert from "node:assert/strict";
import { plainJson } from "../../src/json/json.js";

describe("json/json: plainJson", () => {
	it("writes what the engine writes, of frozen values too, and leaves them as they are", () => {
		const value = Object.freeze({
			list: Object.freeze([1, "a", null, Object.freeze({ b: Object.freeze([]) })]),
			flag: true,
			none: undefined,
		});
		assert.equal(plainJson(value), JSON.stringify(value));
		assert.equal(plainJson(value), '{"list":[1,"a",null,{"b":[]}],"flag":true}');
	});
});
