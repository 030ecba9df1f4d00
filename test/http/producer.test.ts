import assert from "node:assert/strict";
import type { JsonWriter } from "../../src/http/json-writer.js";
import { BytesProducer, JsonSections, PENDING, type Producer, SECTION_BYTES } from "../../src/http/producer.js";
import { HttpResponse } from "../../src/http/response.js";

/** All of a body, asked for with `room` bytes at a time; a PENDING asks again with a whole piece. */
function whole(producer: Producer, room: number): string {
	const buffer = new Uint8Array(SECTION_BYTES + 10);
	let text = "";
	for (let next = room; ; ) {
		const length = producer.produce(buffer, 3, 3 + next);
		if (length === 0) return text;
		next = length === PENDING ? SECTION_BYTES : room;
		if (length > 0) text += Buffer.from(buffer.subarray(3, 3 + length)).toString();
	}
}

const long = "x".repeat(300);
const SECTIONS = [
	(json: JsonWriter, n: number) => json.beginObject().key("a").number(n),
	(json: JsonWriter) => json.key("b").string(long).key("c").beginArray(),
	(json: JsonWriter) => json.beginObject().endObject(),
	(json: JsonWriter) => json.string(long),
	(json: JsonWriter) => json.endArray().endObject(),
];

describe("http/producer", () => {
	it("joins sections to one text, however much room there is", () => {
		for (const room of [20, 330, 400, 1000, SECTION_BYTES])
			assert.deepEqual(JSON.parse(whole(new JsonSections(SECTIONS, 7), room)), { a: 7, b: long, c: [{}, long] });
	});

	it("calls a section that fits nowhere a bug", () => {
		const huge = new JsonSections([(json: JsonWriter) => json.string("x".repeat(SECTION_BYTES))], undefined);
		assert.throws(() => whole(huge, 10), RangeError);
	});

	it("copies bytes in pieces", () => {
		for (const room of [1, 7, 1000]) assert.equal(whole(new BytesProducer(new Uint8Array(Buffer.from(long))), room), long);
	});
});

describe("http/response", () => {
	it("lets the last answer win and closes the body it replaces", () => {
		const response = new HttpResponse();
		let closed = 0;
		response.stream(200, "text/plain", { produce: () => 0, close: () => closed++ }, -1);
		response.empty(304);
		assert.deepEqual([response.status, response.body, response.bodyBytes, closed], [304, undefined, 0, 1]);
		response.stream(200, "text/plain", { produce: () => 0, close: () => closed++ }, -1);
		response.text(200, "ä");
		assert.deepEqual([response.bodyBytes, closed], [2, 2]);
	});

	it("refuses header lines that would split the answer", () => {
		for (const bad of ["a\r\nb", "a\0", "ä"]) assert.throws(() => new HttpResponse().header("X", bad), TypeError);
		assert.equal(new HttpResponse().header("ETag", '"1"').extraHeaders, 'ETag: "1"\r\n');
	});
});
