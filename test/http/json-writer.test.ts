import assert from "node:assert/strict";
import { JsonWriter } from "../../src/http/json-writer.js";

/** Text that `write` produces in a buffer of `size` bytes; undefined if it did not fit. */
function written(write: (json: JsonWriter) => void, size = 1000): string | undefined {
	const json = new JsonWriter();
	const buffer = new Uint8Array(size + 3).fill(0x2a);
	json.open(buffer, 1, size + 1);
	write(json);
	assert.ok(buffer[0] === 0x2a && buffer[size + 1] === 0x2a, "wrote outside of its room");
	return json.overflowed ? undefined : Buffer.from(buffer.subarray(1, json.at)).toString();
}

describe("http/json-writer", () => {
	it("writes numbers as JSON.stringify does, with 7 significant digits", () => {
		for (const value of [
			0, 1, 9, 10, 99, 100, -1, -10, 12345, 2147483647, -2147483647, 2147483648, -2147483648, 4294967295, 1e15, 0.5, -0.25, 33.5,
			1e21, 1e-7,
		])
			assert.equal(
				written((json) => json.number(value)),
				JSON.stringify(value),
			);
		assert.equal(
			written((json) => json.number(33.333333333)),
			"33.33333",
		);
		assert.equal(
			written((json) => json.number(12)),
			"12",
		);
		assert.equal(
			written((json) => json.number(-0)),
			"0",
		);
		for (const value of [Number.NaN, Infinity, -Infinity])
			assert.equal(
				written((json) => json.number(value)),
				"null",
			);
	});

	it("writes strings that JSON.parse gives back", () => {
		for (const value of ["", "a", 'q"b\\', "\0\x01\x1f\n\t", "äß€😀", "</script>"])
			assert.equal(JSON.parse(written((json) => json.string(value)) as string), value);
		assert.equal(
			written((json) => json.string("\ud800")),
			'"\ufffd"',
		);
	});

	it("puts the commas", () => {
		const text = written((json) => {
			json.beginObject().key("a").number(1).key("b").beginArray().null().boolean(true).boolean(false).endArray();
			json.key("c").beginObject().endObject().key("d").beginArray().beginObject().endObject().string("x").endArray().endObject();
		});
		assert.equal(text, '{"a":1,"b":[null,true,false],"c":{},"d":[{},"x"]}');
	});

	it("notices whatever does not fit, and never writes beyond its room", () => {
		const write = (json: JsonWriter) =>
			json.beginObject().key("number").number(-123).key("text").string('ä"\n').key("x").null().endObject();
		const size = Buffer.byteLength(written(write) as string);
		for (let room = 0; room < size; room++) assert.equal(written(write, room), undefined);
		assert.notEqual(written(write, size + 6), undefined);
	});
});
