/** The natives for texts on XS, against those of Node. */
import assert from "node:assert/strict";
import { Text } from "../../../modules/text/text.js";
import { asText } from "../../../src/diagnosis/services.js";
import { queryValue } from "../../../src/http/request.js";
import { hexOf } from "../../../src/text/hexadecimal.js";
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
	"1E+99",
	"1e-100",
	"2E+0100",
	"3e00099",
	"1e100x",
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
	"GET /api/status?a=b HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nConnection: x, Keep-Alive\r\n\r\n",
	"POST http://h/p HTTP/1.1\r\nHost: h\r\nContent-Length: 17\r\nExpect: 100-continue\r\nOrigin: http://h\r\n\r\n",
	'\r\nOPTIONS * HTTP/1.0\r\nConnection: close\r\nIf-None-Match:\t"x" \r\nAccept: a\r\nACCEPT: b\r\n\r\n',
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

/** Nearly right heads with the ends of the pieces in which they come, and whether they are trailers. */
function someHead(): [bytes: number[], ends: number[], isTrailer: boolean] {
	let text = HEADS[random(HEADS.length)];
	for (let i = random(3); i > 0; i--) {
		const at = random(text.length);
		text = text.slice(0, at) + (random(3) > 0 ? PIECES[random(PIECES.length)] : "") + text.slice(at + random(3));
	}
	const bytes = [...Buffer.from(text, "latin1")];
	const ends = [bytes.length];
	while (ends[0] > 1 && random(3) > 0) ends.unshift(1 + random(ends[0]));
	return [bytes, ends, random(8) === 0];
}

/** What is read of a head in pieces: outcome, figures and kept bytes after each. The same text runs on XS. */
function headsRead(read: typeof Text.readHead, [input, ends, isTrailer]: ReturnType<typeof someHead>, limits: readonly number[]) {
	const bytes = new Uint8Array(input);
	const figures = new Int32Array(49);
	figures.set(limits);
	if (isTrailer) figures[4] = 3;
	const found: number[][] = [];
	for (const end of ends) {
		const outcome = read(bytes, figures.buffer, figures[5], end);
		found.push([outcome, ...(outcome > 1 ? [] : [...figures, ...bytes.slice(0, figures[6])])]);
		if (outcome !== 0) break;
	}
	return found;
}

async function onXs(call: string, cases: readonly unknown[], imports = ""): Promise<unknown[]> {
	const { lines, stderr } = await runScript(`
		${IMPORT}${imports}
		for (const it of ${JSON.stringify(cases)}) {
			const result: any = ${call};
			print(result === undefined ? "undefined" : JSON.stringify(result));
		}
	`);
	assert.equal(lines.length, cases.length, stderr);
	return lines.map((line) => (line === "undefined" ? undefined : JSON.parse(line)));
}

describe("modules/text", () => {
	it("prepares random JSON texts as Node's stand-in does", async () => {
		const cases = Array.from({ length: 1500 }, someJson);
		const expected = cases.map((bytes) => Text.prepareJson(new Uint8Array(bytes), NAMES, ...LIMITS));
		assert.ok(expected.filter((text) => text !== undefined).length > 250);
		const found = await onXs(`Text.prepareJson(new Uint8Array(it), ${JSON.stringify(NAMES)}, ${LIMITS})`, cases);
		for (const [i, bytes] of cases.entries()) assert.equal(found[i], expected[i], Buffer.from(bytes).toString());
	});

	it("empties names that are not asked for, and keeps the text's length", () => {
		const prepared = Text.prepareJson(new Uint8Array(Buffer.from('{"long name":"long name","a":1}')), NAMES, 9, 99, 99);
		assert.equal(prepared, '{""         :"long name","a":1}');
	});

	it("reads random heads of requests as Node's stand-in does, however they are cut", async () => {
		const cases = Array.from({ length: 1500 }, someHead);
		const expected = cases.map((one) => headsRead(Text.readHead, one, HEAD_LIMITS));
		const outcomes = new Set(expected.flat().map(([outcome]) => outcome));
		assert.deepEqual([...outcomes].sort(), [0, 1, 400, 414, 417, 431, 501, 505]);
		const found = await onXs(`(${headsRead})(Text.readHead, it, [${HEAD_LIMITS}])`, cases);
		for (const [i, [bytes, ends]] of cases.entries())
			assert.deepEqual(found[i], expected[i], `${JSON.stringify(Buffer.from(bytes).toString("latin1"))} ${ends}`);
	});

	it("rejects a head outside its bytes, and fills in nothing else", async () => {
		const ranges = [
			[0, 4, 49],
			[-1, 2, 49],
			[2, 1, 49],
			[0, 3, 48],
		];
		const call = `(() => { try { return Text.readHead(new Uint8Array(3), new ArrayBuffer(4 * it[2]), it[0], it[1]); }
			catch (error) { return (error as Error).name; } })()`;
		assert.deepEqual(await onXs(call, ranges), Array(4).fill("RangeError"));
	});

	it("copies bytes and texts as Node's stand-in does, and no further than the buffer", async () => {
		const calls = [
			"copyBytes(new Uint8Array([1, 2, 3, 4]), 1, 3, into, 2)",
			"copyBytes(into, 0, 4, into, 1)",
			'copyText("aé€", 1, 6, into, 0)',
			'copyText("aé", 0, 4, into, 0)',
			"copyBytes(new Uint8Array(4), 0, 4, into, 3)",
			"copyBytes(new Uint8Array(4), 2, 1, into, 0)",
			"copyBytes(new Uint8Array(4), -1, 1, into, 0)",
			"copyBytes(new Uint8Array(4), 0, 1, into, -1)",
			"copyBytes(new Uint8Array(4), 0, 5, into, 0)",
		];
		const one = (call: string) =>
			`(() => { const into = new Uint8Array([9, 8, 7, 6, 5, 0]);
				try { Text.${call}; return [...into]; } catch (error) { return (error as Error).name; } })()`;
		const inNode = (call: string) => new Function("Text", `return ${one(call).replace(" as Error", "")}`)(Text);
		const expected = calls.map(inNode);
		assert.equal(expected.filter((result) => result === "RangeError").length, 6);
		assert.deepEqual((await onXs(`[${calls.map(one)}]`, [0]))[0], expected);
		assert.deepEqual(await onXs("Text.byteLength(it)", ["", "aé€😀"]), [0, 10]);
	});

	it("finds a byte as Node's stand-in does, within its range only", async () => {
		const ranges = [
			[1, 0, 5],
			[1, 2, 5],
			[1, 4, 5],
			[1, 3, 3],
			[7, 0, 5],
			[1, 0, 6],
			[1, -1, 5],
			[1, 4, 3],
		];
		const found = await onXs(
			`(() => { try { return Text.indexOf(Uint8Array.of(0, 1, 2, 1, 3), it[0], it[1], it[2]); }
				catch (error) { return (error as Error).name; } })()`,
			ranges,
		);
		assert.deepEqual(found, [1, 3, -1, -1, -1, "RangeError", "RangeError", "RangeError"]);
		for (const [i, [byte, start, end]] of ranges.entries()) {
			const inNode = () => Text.indexOf(Uint8Array.of(0, 1, 2, 1, 3), byte as number, start as number, end as number);
			if (found[i] === "RangeError") assert.throws(inNode, RangeError);
			else assert.equal(inNode(), found[i]);
		}
	});

	it("finds a delimiter, a boundary and a file's name as Node's stand-in does, whatever is around them", async () => {
		const DELIMITER = [...Buffer.from("\r\n--b")];
		const PARTS = ["\r\n--b", "\r\n--", "\r\n", "\r", "\n", "-", "b", "x"];
		const some = (parts: readonly string[], most: number) => [
			...Buffer.from(Array.from({ length: random(most) }, () => parts[random(parts.length)]).join(""), "latin1"),
		];
		const bodies = Array.from({ length: 500 }, () => some(PARTS, 9)).map((bytes) => {
			const start = random(bytes.length + 1);
			return [bytes, start, start + random(bytes.length - start + 1)] as const;
		});
		assert.deepEqual(
			await onXs(`Text.findDelimiter(new Uint8Array(it[0]), new Uint8Array([${DELIMITER}]), it[1], it[2])`, bodies),
			bodies.map(([bytes, start, end]) => Text.findDelimiter(new Uint8Array(bytes), new Uint8Array(DELIMITER), start, end)),
		);
		const TOKENS = ["filename", "FileName", "file", "=", "*", '"', ";", " ", "\t", "a", "boundary=", "BOUNDARY=", "b".repeat(70)];
		const lines = (type: string) =>
			Array.from({ length: 1000 }, () => [...Buffer.from(random(9) > 0 ? type : type.slice(1)), ...some(TOKENS, 9)]);
		const dispositions = lines("Content-Disposition:");
		const named = dispositions.map((line) => Text.namesFile(new Uint8Array(line), line.length));
		assert.ok(named.includes(true) && named.includes(false));
		assert.deepEqual(await onXs("Text.namesFile(new Uint8Array(it), it.length)", dispositions), named);
		const types = lines("Multipart/Form-data;");
		const listed = (found: ArrayBuffer | undefined) => (found === undefined ? undefined : [...new Uint8Array(found)]);
		const boundaries = types.map((type) => listed(Text.multipartBoundary(new Uint8Array(type))));
		assert.ok(boundaries.filter((boundary) => boundary !== undefined).length > 50);
		const call =
			"(() => { const found = Text.multipartBoundary(new Uint8Array(it)); return found && [...new Uint8Array(found)]; })()";
		assert.deepEqual(await onXs(call, types), boundaries);
	});

	it("rejects a range outside the bytes in which to look for a delimiter or a file's name", async () => {
		const call = (text: string) => `(() => { try { return ${text}; } catch (error) { return (error as Error).name; } })()`;
		const ranges = [
			[0, 3, 1],
			[-1, 2, 1],
			[2, 1, 1],
			[0, 4, 1],
			[0, 3, 0],
		];
		const found = await onXs(call("Text.findDelimiter(new Uint8Array(3), new Uint8Array(it[2]), it[0], it[1])"), ranges);
		assert.deepEqual(found, [0, ...Array(4).fill("RangeError")]);
		assert.deepEqual(await onXs(call("Text.namesFile(new Uint8Array(3), it)"), [3, 4, -1]), [false, "RangeError", "RangeError"]);
		for (const [start, end, length] of ranges.slice(1))
			assert.throws(() => Text.findDelimiter(new Uint8Array(3), new Uint8Array(length), start, end), RangeError);
		for (const length of [4, -1]) assert.throws(() => Text.namesFile(new Uint8Array(3), length), RangeError);
	});

	it("encodes as Node's stand-in does, lone surrogates and U+0000 too", async () => {
		const texts = ["", "a\0é€😀z", "\ud800a", "\udc00", "\ud7ff\ue000\uffff", "\ud83dx\ude00"];
		const expected = texts.map((text) => [...new Uint8Array(Text.encode(text))]);
		assert.deepEqual(await onXs("[...new Uint8Array(Text.encode(it))]", texts), expected);
	});

	it("changes the case of ASCII letters, and compares characters, as Node's stand-in does", async () => {
		const texts = ["", "abcXYZ@[`{", "Äé0", "12", "1a", "１"];
		assert.deepEqual(await onXs("Text.lowerCase(it)", texts), texts.map(Text.lowerCase));
		assert.deepEqual(await onXs("Text.upperCase(it)", texts), texts.map(Text.upperCase));
		const isNumber = "Text.consistsOf(it, '0123456789')";
		assert.deepEqual(
			await onXs(isNumber, texts),
			texts.map((text) => Text.consistsOf(text, "0123456789")),
		);
	});

	it("decodes UTF-8 as Node's stand-in does: every first pair of bytes, and every place in a text", async () => {
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

	it("rejects ranges outside the bytes", async () => {
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

	it("finds XS and Node the same in queries, hexadecimal numbers and texts in bytes", async () => {
		const PARTS = [
			"%",
			"%4",
			"%41",
			"%c3%a4",
			"%ff",
			"%00",
			"%e0%80%80",
			"%ed%a0%80",
			"%f4%90%80%80",
			"%C3%BC",
			"+",
			"a",
			"=",
			"&",
			"name",
			"\u00fc",
			"1F",
			"0x",
			"_",
		];
		const texts = Array.from({ length: 1000 }, () =>
			Array.from({ length: random(7) }, () => PARTS[random(PARTS.length)]).join(""),
		);
		const cases = [...texts, ...texts.map((text) => `name=${text}`)];
		const expected = cases.map((text) => [
			queryValue(text, "name") ?? null,
			hexOf(text, 0xff),
			asText(new TextEncoder().encode(text), 0) ?? null,
		]);
		assert.ok(expected.filter(([value]) => value !== null && value !== "\ufffd").length > 100);
		const imports = `
			import { queryValue } from "../../src/http/request.js";
			import { hexOf } from "../../src/text/hexadecimal.js";
			import { asText } from "../../src/diagnosis/services.js";`;
		const call = '[queryValue(it, "name") ?? null, hexOf(it, 0xff), asText(new Uint8Array(Text.encode(it)), 0) ?? null]';
		const found = await onXs(call, cases, imports);
		for (const [i, text] of cases.entries()) assert.deepEqual(found[i], expected[i], text);
	});
});
