/** The natives for texts on XS, against those of Node. */
import assert from "node:assert/strict";
import { Text } from "../../../modules/text/text.js";
import { runScript } from "../../hal/host/host-program.js";

const IMPORT = 'import { Text } from "../../modules/text/text.js";';
const NAMES = "mode speed a";
const LIMITS = [4, 24, 21, 11] as const;

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
	"1".repeat(24),
	"1".repeat(25),
	"1E+99",
	"1e-100",
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
/** Bytes of a request line, of all fields, lines, bytes of kept values: less than the heads above have, in places. */
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
		const prepared = Text.prepareJson(new Uint8Array(Buffer.from('{"long name":"long name","a":1}')), NAMES, 9, 99, 99, 99);
		assert.equal(prepared, '{""         :"long name","a":1}');
	});

	it("reads heads of requests alike, whatever they are and however they are cut", async () => {
		const cases = Array.from({ length: 3000 }, someHead);
		const expected = cases.map((one) => headsRead(Text.readHead, one, HEAD_LIMITS));
		const outcomes = new Set(expected.flat().map(([outcome]) => outcome));
		assert.deepEqual([...outcomes].sort(), [0, 1, 400, 414, 417, 431, 501, 505]);
		const found = await onXs(`(${headsRead})(Text.readHead, it, [${HEAD_LIMITS}])`, cases);
		for (const [i, [bytes, ends]] of cases.entries())
			assert.deepEqual(found[i], expected[i], `${JSON.stringify(Buffer.from(bytes).toString("latin1"))} ${ends}`);
	});

	it("reads no head that does not lie within its bytes, and fills in nothing else", async () => {
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

	it("copies bytes and texts alike, and no further than there is room", async () => {
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

	it("finds a byte alike, within its range only", async () => {
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

	it("decodes Base64 alike, in place and within its range only", async () => {
		const texts = ["", "Q", "QU", "QUI", "QUJD", "QUI=", "QU==!", "QUJ!", "+/+/", "-_-_", "QUJD QUJD", "/".repeat(400), "AA=A"];
		const ranges = texts.map((text) => [text, 1, text.length + 1] as const);
		const cases = [...ranges, ["QUJD", 0, 7], ["QUJD", -1, 3], ["QUJD", 3, 2]] as const;
		const call = `(() => {
			const bytes = new Uint8Array(Text.encode("." + it[0] + "."));
			try {
				const end = Text.decodeBase64(bytes, it[1], it[2]);
				return [end, ...bytes.slice(0, end)];
			} catch (error) {
				return (error as Error).name;
			}
		})()`;
		const inNode = new Function("Text", "it", `return ${call.replace(" as Error", "")}`);
		const expected = cases.map((one) => inNode(Text, one));
		assert.equal(expected.filter((result) => result === "RangeError").length, 3);
		assert.deepEqual(expected[4], [4, 0x2e, 0x41, 0x42, 0x43]);
		assert.deepEqual(expected[7], [1, 0x2e]);
		assert.deepEqual(await onXs(call, cases), expected);
	});

	it("reads columns alike, within its range only", async () => {
		const PARTS = ["\t", "\t", "\t", " ", "\r", "S", "t", "0", "5", "12", ".", "-", "%", "x", "1".repeat(30), "\0", "\u00ff"];
		const texts = Array.from({ length: 1000 }, () =>
			Array.from({ length: random(9) }, () => PARTS[random(PARTS.length)]).join(""),
		);
		for (const known of [
			"33.333333333333336\t63.6",
			"0.49999999999999999999\t-0\t007",
			"1.2.3\t.5\t5.\t--1\t1-\tSS1\t1%%",
			"a\t",
		])
			texts.push(known);
		const cases = texts.map((text) => [[...Buffer.from(text, "latin1")], 0, text.length, random(7)] as const);
		const beyond = [
			[0, 4],
			[-1, 2],
			[2, 1],
		].map(([start, end]) => [[0x31, 0x09, 0x32], start, end, 3] as const);
		const call = `(() => {
			try {
				return Text.columns(new Uint8Array(it[0]), it[1], it[2], it[3]);
			} catch (error) {
				return (error as Error).name;
			}
		})()`;
		const inNode = new Function("Text", "it", `return ${call.replace(" as Error", "")}`);
		const expected = [...cases, ...beyond].map((one) => inNode(Text, one));
		assert.deepEqual(expected.slice(-3), Array(3).fill("RangeError"));
		const numbers = expected.flat().filter((value) => typeof value === "number");
		assert.ok(numbers.length > 100, `${numbers.length} numbers`);
		assert.deepEqual(await onXs(call, [...cases, ...beyond]), JSON.parse(JSON.stringify(expected)));
	});

	it("writes hexadecimal digits alike, and shows bytes that are a text, within their range only", async () => {
		const KINDS = [() => 0x20 + random(95), () => random(256), () => 0, () => 0x20, () => [0x1f, 0x7e, 0x7f, 0x80][random(4)]];
		const some = () => {
			const share = random(5);
			return Array.from({ length: random(20) }, () => KINDS[random(8) < 6 ? 0 : Math.max(share, random(5))]());
		};
		const cases = Array.from({ length: 1000 }, some).map((bytes) => {
			const start = random(bytes.length + 1);
			return [bytes, start, start + random(bytes.length - start + 1)] as const;
		});
		const beyond = [
			[0, 4],
			[-1, 2],
			[2, 1],
		].map(([start, end]) => [[1, 2, 3], start, end] as const);
		const call = `(() => {
			const bytes = new Uint8Array(it[0]);
			const made = [];
			for (const make of [
				() => Text.hexadecimal(bytes, it[1], it[2], true),
				() => Text.hexadecimal(bytes, it[1], it[2], false),
				() => Text.printable(bytes, it[1], it[2]),
			])
				try {
					made.push(make() ?? null);
				} catch (error) {
					made.push((error as Error).name);
				}
			return made;
		})()`;
		const inNode = new Function("Text", "it", `return ${call.replace(" as Error", "")}`);
		const expected = [...cases, ...beyond].map((one) => inNode(Text, one));
		assert.deepEqual(expected.slice(-3), Array(3).fill(Array(3).fill("RangeError")));
		assert.ok(expected.filter(([, , text]) => text === null).length > 100);
		assert.ok(expected.filter(([, , text]) => text !== null).length > 100);
		assert.deepEqual(await onXs(call, [...cases, ...beyond]), expected);
		const numbers = [0, 1, 0xf190, 0x7fffffff, 0x80000000, 0xffffffff].flatMap((value) => [1, 2, 4, 8].map((n) => [value, n]));
		assert.deepEqual(
			await onXs("Text.hexNumber(it[0], it[1])", numbers),
			numbers.map(([value, digits]) => Text.hexNumber(value, digits)),
		);
	});

	it("reads hexadecimal numbers and lists of them alike", async () => {
		const PARTS = [..."0019aFg _xX,;\t\r\n", "F190", "0x", ",12,", "é", "\0", " ".repeat(20)];
		const texts = Array.from({ length: 3000 }, () =>
			Array.from({ length: random(8) }, () => PARTS[random(PARTS.length)]).join(""),
		);
		texts.push("ffffffff", "100000000", "0x7fffffff", `${"_".repeat(31)}1`, `${"_".repeat(32)}1`, " ".repeat(40), "1,".repeat(5));
		const cases = texts.map((text, i) => [text, [0xff, 0xffff, 0x7fffffff][i % 3]] as const);
		const expected = cases.map(([text, max]) => [Text.hexValue(text, max), Text.hexValues(text, max, 4) ?? null]);
		assert.ok(expected.filter(([value]) => value !== -1).length > 100);
		assert.ok(expected.filter(([, values]) => values !== null).length > 300);
		const found = await onXs("[Text.hexValue(it[0], it[1]), Text.hexValues(it[0], it[1], 4) ?? null]", cases);
		for (const [i, one] of cases.entries()) assert.deepEqual(found[i], expected[i], JSON.stringify(one));
	});

	it("finds a delimiter, a boundary and a file's name alike, whatever is around them", async () => {
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

	it("looks for a delimiter or a file's name in no bytes that are not there", async () => {
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

	it("encodes alike, surrogates without their other half and U+0000 too", async () => {
		const texts = ["", "a\0é€😀z", "\ud800a", "\udc00", "\ud7ff\ue000\uffff", "\ud83dx\ude00"];
		const expected = texts.map((text) => [...new Uint8Array(Text.encode(text))]);
		assert.deepEqual(await onXs("[...new Uint8Array(Text.encode(it))]", texts), expected);
	});

	it("knows letters and characters of ASCII alike", async () => {
		const texts = ["", "abcXYZ@[`{", "Äé0", "12", "1a", "１"];
		assert.deepEqual(await onXs("Text.lowerCase(it)", texts), texts.map(Text.lowerCase));
		assert.deepEqual(await onXs("Text.upperCase(it)", texts), texts.map(Text.upperCase));
		const isNumber = "Text.consistsOf(it, '0123456789')";
		assert.deepEqual(
			await onXs(isNumber, texts),
			texts.map((text) => Text.consistsOf(text, "0123456789")),
		);
	});

	it("makes the same number of the same values, in whatever they are", async () => {
		const texts = ["", "abc", "Äé0", "１"];
		const numbers = [0, 1, -1, 255, 256, 0.5, 1e300, 2.5e-308, 2147483647, -2147483648];
		const lists = [[], [[]], [[], []], {}, { a: {} }, { a: 1, b: [2] }, [1, 2], [12], ["1", "2"], ["12", ""], [[[[1]]]]];
		const values = [null, true, false, ...texts, ...numbers, ...lists];
		const hashes = values.map((value) => Text.hash(value, Object));
		assert.deepEqual(await onXs("Text.hash(it, Object)", values), hashes);
		// an object is as the list of its values
		assert.equal(new Set(hashes).size, values.length - 2);
		assert.deepEqual(await onXs("[Text.hash(-0, Object), Text.hash(it, Object)]", [0]), [
			[0, 0].map((n) => Text.hash(n, Object)),
		]);
		const deep = "(() => { try { return Text.hash(it, Object); } catch (error) { return (error as Error).name; } })()";
		assert.deepEqual(await onXs(deep, [[[[[[1]]]]]]), ["RangeError"]);
		assert.throws(() => Text.hash([[[[[1]]]]], Object), RangeError);
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

	it("finds a parameter of a query alike", async () => {
		const pieces = [
			"a",
			"b",
			"&",
			"=",
			"+",
			"%61",
			"%4",
			"%",
			"%00",
			"%ff",
			"%26",
			"%3d",
			"%C3%A4",
			"%2B",
			"é",
			"a=1",
			"&a=1&",
			"&a=1",
		];
		const cases = Array.from({ length: 6000 }, () => {
			const query = Array.from({ length: random(8) }, () => pieces[random(pieces.length)]).join("");
			return [query, ["a", "ab", "a b", "ä", "é", ""][random(6)]] as const;
		});
		const expected = cases.map(([query, name]) => Text.queryValue(query, name));
		for (const kind of [undefined, "", "1", "\ufffd"]) assert.ok(expected.filter((value) => value === kind).length > 50, kind);
		const found = await onXs("Text.queryValue(it[0], it[1])", cases);
		for (const [i, one] of cases.entries()) assert.equal(found[i], expected[i], `${one}`);
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
