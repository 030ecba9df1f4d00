/** The natives for texts: each call is made on XS and in Node, whose stand-ins must say the same. */
import assert from "node:assert/strict";
import { Text } from "../../../modules/text/text.js";
import { asText } from "../../../src/diagnosis/services.js";
import { queryValue } from "../../../src/http/request.js";
import { hexOf } from "../../../src/text/hexadecimal.js";
import { runScript } from "../../hal/host/host-program.js";

const IMPORTS = `
	import { Text } from "../../modules/text/text.js";
	import { asText } from "../../src/diagnosis/services.js";
	import { queryValue } from "../../src/http/request.js";
	import { hexOf } from "../../src/text/hexadecimal.js";
`;
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
	"33.333333333333336",
	"123456789012345",
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
	"1".repeat(21),
	"1".repeat(22),
	"1e-100",
	"2E+0100",
	"3e00099",
	"1e",
	"-",
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

const HEADS = [
	"GET /api/status?a=b HTTP/1.1\r\nHost: h\r\nLast-Event-ID: 7\r\nConnection: x, Keep-Alive\r\n\r\n",
	"POST http://h/p HTTP/1.1\r\nHost: h\r\nContent-Length: 17\r\nExpect: 100-continue\r\nOrigin: http://h\r\n\r\n",
	'\r\nOPTIONS * HTTP/1.0\r\nConnection: close\r\nIf-None-Match:\t"x" \r\nIF-NONE-MATCH: b\r\n\r\n',
	"PUT /p HTTP/1.1\r\nTransfer-Encoding: Chunked\r\nHOST:h:80\r\nCookie: cccccccccccccccccccccccccccccccccc\r\n\r\n",
];
const PIECES = [
	..."\r\n\0 :\t,#@*/\u00e9",
	"\r\n",
	"Host: h\r\n",
	"X: y\r\n",
	"Content-Length: 9999999999\r\n",
	"gzip, ",
	" HTTP/2.0\r\n",
	"BREW",
];
/**
 * Bytes of a request line, of all fields, lines, bytes of kept values: less than the heads above have, in
 * places.
 */
const HEAD_LIMITS = [48, 100, 5, 24] as const;

/** Nearly right heads with the ends of the pieces in which they come. */
function someHead(): [bytes: number[], ends: number[]] {
	let text = HEADS[random(HEADS.length)];
	for (let i = random(3); i > 0; i--) {
		const at = random(text.length);
		text = text.slice(0, at) + (random(3) > 0 ? PIECES[random(PIECES.length)] : "") + text.slice(at + random(3));
	}
	const bytes = [...Buffer.from(text, "latin1")];
	const ends = [bytes.length];
	while (ends[0] > 1 && random(3) > 0) ends.unshift(1 + random(ends[0]));
	return [bytes, ends];
}

/** What is read of a head in pieces: outcome, figures and kept bytes after each. The same text runs on XS. */
function headsRead(read: typeof Text.readHead, [input, ends]: ReturnType<typeof someHead>, limits: readonly number[]) {
	const bytes = new Uint8Array(input);
	const figures = new Int32Array(43);
	figures.set(limits);
	const found: number[][] = [];
	for (const end of ends) {
		const outcome = read(bytes, figures.buffer, figures[5], end);
		found.push([outcome, ...(outcome > 1 ? [] : [...figures, ...bytes.slice(0, figures[6])])]);
		if (outcome !== 0) break;
	}
	return found;
}

const some = (parts: readonly string[], most: number) =>
	Array.from({ length: random(most) }, () => parts[random(parts.length)]).join("");

/** Every first pair of bytes. */
const pairs: number[][] = [];
for (let first = 0x70; first < 0x100; first++)
	for (const second of [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff])
		for (const rest of [[], [0x80], [0x80, 0xbf], [0xbf, 0x80, 0x41]]) pairs.push([first, second, ...rest]);
const UTF8 = [...Buffer.from("a\0é\0€😀z")];
const QUERY_PARTS = [
	...["%", "%4", "%41", "%c3%a4", "%ff", "%00", "%e0%80%80", "%ed%a0%80", "%f4%90%80%80", "%C3%BC"],
	...["+", "a", "=", "&", "name", "\u00fc", "1F", "0x", "_"],
];
const queries = Array.from({ length: 1000 }, () => some(QUERY_PARTS, 7));
const TEXTS = ["", "a\0é€😀z", "\ud800a", "\udc00", "\ud7ff\ue000\uffff", "\ud83dx\ude00"];
const WORDS = ["", "abcXYZ@[`{", "Äé0", "12", "1a", "１"];
/** Around three bytes. */
const RANGES = [
	[0, 3],
	[0, 4],
	[-1, 2],
	[2, 1],
];

interface Comparison {
	readonly title: string;
	/** Of `it`, one of the cases; the same text runs on XS and in Node. An exception counts by its name. */
	readonly call: string;
	readonly cases: readonly unknown[];
	/** How many results must be more than null or a name of an exception; default: one. */
	readonly found?: number;
	/** What all results are. */
	readonly results?: readonly unknown[];
}

const INTO = "const into = new Uint8Array([9, 8, 7, 6, 5, 0]);";
const COMPARISONS: readonly Comparison[] = [
	{
		title: "prepares random JSON texts",
		call: `Text.prepareJson(new Uint8Array(it), ${JSON.stringify(NAMES)}, ${LIMITS})`,
		cases: Array.from({ length: 1500 }, someJson),
		found: 250,
	},
	{
		title: "empties names that are not asked for, and keeps the text's length",
		call: `Text.prepareJson(new Uint8Array(Text.encode(it)), ${JSON.stringify(NAMES)}, 9, 99, 99)`,
		cases: ['{"long name":"long name","a":1}'],
		results: ['{""         :"long name","a":1}'],
	},
	{
		title: "reads random heads of requests, however they are cut",
		call: `(${headsRead})(Text.readHead, it, [${HEAD_LIMITS}])`,
		cases: Array.from({ length: 1500 }, someHead),
		found: 1500,
	},
	{
		title: "rejects a head outside its bytes",
		call: "Text.readHead(new Uint8Array(3), new ArrayBuffer(4 * it[2]), it[0], it[1])",
		cases: [...RANGES.slice(1).map((range) => [...range, 43]), [0, 3, 42]],
		found: 0,
	},
	{
		title: "copies bytes, and no further than the buffer",
		call: `${INTO} Text.copyBytes(it[0] ? new Uint8Array([1, 2, 3, 4]) : into, it[1], it[2], into, it[3]); return [...into]`,
		cases: [
			...[
				[true, 1, 3, 2],
				[false, 0, 4, 1],
			],
			...[
				[true, 0, 4, 3],
				[true, 2, 1, 0],
				[true, -1, 1, 0],
				[true, 0, 1, -1],
				[true, 0, 5, 0],
			],
		],
		results: [[9, 8, 2, 3, 5, 0], [9, 9, 8, 7, 6, 0], ...Array(5).fill("RangeError")],
	},
	{
		title: "copies texts, and no further than the buffer",
		call: `${INTO} Text.copyText(it[0], it[1], it[2], into, 0); return [...into]`,
		cases: [
			["aé€", 1, 6],
			["aé", 0, 4],
		],
	},
	{ title: "counts the bytes of a text", call: "Text.byteLength(it)", cases: ["", "aé€😀"], results: [0, 10] },
	{
		title: "finds a byte within its range only",
		call: "Text.indexOf(Uint8Array.of(0, 1, 2, 1, 3), it[0], it[1], it[2])",
		cases: [
			[1, 0, 5],
			[1, 2, 5],
			[1, 4, 5],
			[1, 3, 3],
			[7, 0, 5],
			[1, 0, 6],
			[1, -1, 5],
			[1, 4, 3],
		],
		results: [1, 3, -1, -1, -1, "RangeError", "RangeError", "RangeError"],
	},
	{
		title: "encodes, lone surrogates and U+0000 too",
		call: "[...new Uint8Array(Text.encode(it))]",
		cases: TEXTS,
	},
	{
		title: "changes the case of ASCII letters, and compares characters",
		call: "[Text.lowerCase(it), Text.upperCase(it), Text.consistsOf(it, '0123456789')]",
		cases: WORDS,
	},
	{
		title: "decodes UTF-8",
		call: "Text.decode(new Uint8Array(it), 0, it.length)",
		cases: pairs,
		found: 100,
	},
	{
		title: "decodes every part of a text",
		call: `Text.decode(new Uint8Array([${UTF8}]), it[0], it[1])`,
		cases: UTF8.flatMap((_, start) => UTF8.slice(start).map((__, i) => [start, start + i + 1])),
	},
	{
		title: "rejects a range outside the bytes to decode",
		call: "Text.decode(new Uint8Array(3), it[0], it[1])",
		cases: RANGES,
		results: ["\0\0\0", "RangeError", "RangeError", "RangeError"],
	},
	{
		title: "reads queries, hexadecimal numbers and texts in bytes",
		call: '[queryValue(it, "name") ?? null, hexOf(it, 0xff), asText(new Uint8Array(Text.encode(it)), 0) ?? null]',
		cases: [...queries, ...queries.map((text) => `name=${text}`)],
		found: 100,
	},
];

describe("modules/text, on XS as in Node", () => {
	for (const { title, call, cases, found = 1, results } of COMPARISONS)
		it(title, async () => {
			const statement = call.startsWith("const ") ? call : `return ${call}`;
			const guarded = `try { ${statement}; } catch (error) { return error.name; }`;
			const inNode = new Function("Text", "queryValue", "hexOf", "asText", "it", guarded);
			const expected = cases.map((it) => inNode(Text, queryValue, hexOf, asText, it));
			const { lines, stderr } = await runScript(`
				${IMPORTS}
				const call = (it: any): any => { ${guarded.replace("error.name", "(error as Error).name")} };
				for (const it of ${JSON.stringify(cases)} as any[]) print(JSON.stringify(call(it) ?? null));
			`);
			assert.equal(lines.length, cases.length, stderr);
			for (const [i, line] of lines.entries()) assert.deepEqual(JSON.parse(line), expected[i] ?? null, JSON.stringify(cases[i]));
			if (results !== undefined) assert.deepEqual(expected, results);
			const isFound = (result: unknown) => result !== undefined && result !== null && result !== "RangeError";
			assert.ok(expected.filter(isFound).length >= found);
		});
});
