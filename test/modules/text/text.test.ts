/** The natives for texts on XS, against those of Node. */
import assert from "node:assert/strict";
import { Text } from "../../../modules/text/text.js";
import { runScript } from "../../hal/host/host-program.js";

const IMPORT = 'import { Text } from "../../modules/text/text.js";';
const NAMES = "mode speed a";
const LIMITS = [4, 24, 21] as const;

let seed = 20261122;
const random = (below: number): number => {
	seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
	return (seed >>> 8) % below;
};

const GOOD = [
	..."{}[]:, \n0",
	'"mode"',
	'"mode":1,',
	'"a" : {',
	'"other"\t:',
	'"\\"\\\\\\n"',
	'"\\u00e9"',
	'"\\ud83d\\ude00é😀"',
	"true",
	"-1.5e3",
];
const BAD = [
	...'"\\é\u0000\u001f\u00ff\ufeff',
	'"\\ud83d"',
	'"\\udc00x"',
	'"\\ud83d\\u0041"',
	'"\\u00g0"',
	'"\\x"',
	'"\u001f"',
	'"0123456789abcdefghijk"',
	'"0123456789abcdefghijkl"',
];

/** Mostly nearly right. */
function someJson(): number[] {
	let text = "";
	for (let i = random(14); i >= 0; i--) text += random(20) === 0 ? BAD[random(BAD.length)] : GOOD[random(GOOD.length)];
	if (random(2) === 0) text = `{"a":[${text}]}`;
	const bytes = [...Buffer.from(text)];
	if (random(8) === 0 && bytes.length > 0) bytes[random(bytes.length)] = random(256);
	return bytes;
}

async function onXs(call: string, cases: readonly unknown[]): Promise<unknown[]> {
	const { lines, stderr } = await runScript(`
		${IMPORT}
		for (const it of ${JSON.stringify(cases)}) {
			const result: any = ${call};
			print(result === undefined ? "undefined" : JSON.stringify(result));
		}
	`);
	assert.equal(lines.length, cases.length, stderr);
	return lines.map((line) => (line === "undefined" ? undefined : JSON.parse(line)));
}

describe("modules/text", () => {
	it("prepares JSON alike, whatever it is", async () => {
		const cases = Array.from({ length: 3000 }, someJson);
		const expected = cases.map((bytes) => Text.prepareJson(new Uint8Array(bytes), NAMES, ...LIMITS));
		assert.ok(expected.filter((text) => text !== undefined).length > 500);
		const found = await onXs(`Text.prepareJson(new Uint8Array(it), ${JSON.stringify(NAMES)}, ${LIMITS})`, cases);
		for (const [i, bytes] of cases.entries()) assert.equal(found[i], expected[i], Buffer.from(bytes).toString());
	});

	it("empties names that are not asked for, and keeps the text's length", () => {
		const prepared = Text.prepareJson(new Uint8Array(Buffer.from('{"long name":"long name","a":1}')), NAMES, 9, 99, 99);
		assert.equal(prepared, '{""         :"long name","a":1}');
	});

	it("decodes UTF-8 alike: every first pair of bytes, and every place in a text", async () => {
		const cases: number[][] = [];
		for (let first = 0x70; first < 0x100; first++)
			for (const second of [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff])
				for (const rest of [[], [0x80], [0x80, 0xbf], [0xbf, 0x80, 0x41]]) cases.push([first, second, ...rest]);
		const expected = cases.map((bytes) => Text.decode(new Uint8Array(bytes), 0, bytes.length));
		assert.ok(expected.filter((text) => text !== undefined).length > 100);
		assert.deepEqual(await onXs("Text.decode(new Uint8Array(it), 0, it.length)", cases), expected);
		const text = [...Buffer.from("a\0é\0€😀z")];
		const places = text.flatMap((_, start) => text.slice(start).map((__, i) => [start, start + i + 1]));
		const parts = await onXs(`Text.decode(new Uint8Array([${text}]), it[0], it[1])`, places);
		assert.deepEqual(
			parts,
			places.map(([start, end]) => Text.decode(new Uint8Array(text), start, end)),
		);
	});

	it("decodes percent signs alike", async () => {
		const cases: string[] = [
			"",
			"+",
			"%",
			"%4",
			"%4g",
			"%g4",
			"a%20b+c",
			"%00",
			"%0a",
			"ä%C3%A4",
			"%e2%82%ac%F0%9f%98%80",
			"%41%",
			"%%41",
		];
		const bytes = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff];
		const escaped = (byte: number) => `%${byte.toString(16)}`;
		for (const one of bytes)
			for (const two of bytes) for (const rest of ["", "%80", "%bf%80"]) cases.push(escaped(one) + escaped(two) + rest);
		const expected = cases.map((text) => Text.percentDecode(text, true));
		assert.ok(expected.filter((text) => text !== undefined).length > 30);
		assert.deepEqual(await onXs("Text.percentDecode(it, true)", cases), expected);
		assert.deepEqual(await onXs("Text.percentDecode(it, false)", ["a+b%2B"]), ["a+b+"]);
	});

	it("refuses ranges that are not within the bytes", async () => {
		const ranges = [
			[0, 4],
			[-1, 2],
			[2, 1],
		];
		const call =
			"(() => { try { return Text.decode(new Uint8Array(3), it[0], it[1]); } catch (error) { return (error as Error).name; } })()";
		assert.deepEqual(await onXs(call, ranges), ["RangeError", "RangeError", "RangeError"]);
		for (const [start, end] of ranges) assert.throws(() => Text.decode(new Uint8Array(3), start, end), RangeError);
	});
});
