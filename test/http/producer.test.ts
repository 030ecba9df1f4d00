import assert from "node:assert/strict";
import {
	BytesProducer,
	figure,
	jsonTexts,
	type Producer,
	partTexts,
	SECTION_BYTES,
	TextsProducer,
} from "../../src/http/producer.js";
import { HttpResponse } from "../../src/http/response.js";

/** All of a body, asked for with `room` bytes at a time. */
function whole(producer: Producer, room: number): string {
	const buffer = new Uint8Array(SECTION_BYTES + 10);
	let text = "";
	for (;;) {
		const length = producer.produce(buffer, 3, 3 + room);
		if (length === 0) return text;
		text += Buffer.from(buffer.subarray(3, 3 + length)).toString();
	}
}

const long = "x".repeat(300);
const PARTS = [(n: number) => ({ a: n }), () => ({ b: long, c: [{}, long] }), () => ({ u: '\u0001"', none: undefined, d: null })];

describe("http/producer", () => {
	it("joins the parts of an object to one text, however much room there is", () => {
		for (const room of [1, 20, 330, 400, 1000, SECTION_BYTES])
			assert.equal(
				whole(new TextsProducer(partTexts(PARTS, 7)), room),
				`{"a":7,"b":"${long}","c":[{},"${long}"],"u":"\\u0001\\"","d":null}`,
			);
	});

	it("makes a part when it is its turn", () => {
		let made = 0;
		const parts = new TextsProducer(partTexts([() => ({ a: ++made }), () => ({ b: ++made })], undefined));
		const buffer = new Uint8Array(3);
		assert.deepEqual([parts.produce(buffer, 0, 3), made], [3, 1]);
		assert.equal(whole(parts, 9), '":1,"b":2}');
	});

	it("makes the items of a list when it is their turn, in an object and in its members", () => {
		let made = 0;
		function* items(count: number): Generator<object> {
			for (let i = 0; i < count; i++) yield { n: ++made, long };
		}
		const value = () => ({ a: [1, { b: 2 }], none: undefined, c: { d: null, list: items(3), e: {} }, f: items(0), u: "s" });
		const rows = (first: number) => [0, 1, 2].map((i) => `{"n":${first + i},"long":"${long}"}`).join();
		for (const room of [1, 20, 330, 1000, SECTION_BYTES]) {
			const text = `{"a":[1,{"b":2}],"c":{"d":null,"list":[${rows(made + 1)}],"e":{}},"f":[],"u":"s"}`;
			assert.equal(whole(new TextsProducer(jsonTexts(value())), room), text);
		}
		made = 0;
		new TextsProducer(jsonTexts(value())).produce(new Uint8Array(400), 0, 400);
		assert.equal(made, 2);
		assert.equal(whole(new TextsProducer(jsonTexts({})), 9), "{}");
	});

	it("writes numbers with seven digits, whole ones as they are", () => {
		const numbers = [0, -0, -3, 2 ** 31, 1e21, 0.1, 12.3456789123, -1 / 3, 1e-7, 123456789.5, Number.NaN, Infinity];
		const texts = numbers.map((number) => JSON.stringify(figure(number)));
		assert.equal(texts.join(" "), "0 0 -3 2147483648 1e+21 0.1 12.34568 -0.3333333 1e-7 123456800 null null");
	});

	it("copies bytes in pieces", () => {
		for (const room of [1, 7, 1000]) assert.equal(whole(new BytesProducer(new Uint8Array(Buffer.from(long))), room), long);
	});
});

describe("http/response", () => {
	it("lets the last answer win and ends the one it replaces", () => {
		const response = new HttpResponse();
		let ended = 0;
		response.stream(200, "text/plain", { produce: () => 0 });
		response.onEnd(() => ended++);
		response.empty(304);
		assert.deepEqual([response.status, response.body, response.bodyBytes, ended], [304, undefined, 0, 1]);
		response.stream(200, "text/plain", { produce: () => 0 });
		response.onEnd(() => ended++);
		response.text(200, "ä");
		assert.deepEqual([response.bodyBytes, ended], [2, 2]);
	});

	it("takes one callback for the end of an answer, and only once there is one", () => {
		const response = new HttpResponse();
		assert.throws(() => response.onEnd(() => {}), /before the answer/);
		response.text(200, "a");
		response.onEnd(() => {});
		assert.throws(() => response.onEnd(() => {}), /twice/);
	});

	it("rejects header lines that would split the answer", () => {
		for (const bad of ["a\r\nb", "a\0", "ä"]) assert.throws(() => new HttpResponse().header("X", bad), TypeError);
		assert.equal(new HttpResponse().header("ETag", '"1"').extraHeaders, 'ETag: "1"\r\n');
	});
});
