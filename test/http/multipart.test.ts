import assert from "node:assert/strict";
import { MultipartFile, multipartBoundary } from "../../src/http/multipart.js";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const part = (boundary: string, headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const FILE = 'Content-Disposition: form-data; name="update"; filename="fw.bin"\r\nContent-Type: application/octet-stream';

/** Of a body with one file, read to its end. */
const WHOLE = { found: true, isWhole: true };

/** What came of a body, cut into pieces of `pieceBytes` or at one place. */
function read(boundary: string, body: string, cut: { pieceBytes?: number; at?: number } = {}) {
	let content = "";
	const data = (from: Uint8Array, start: number, end: number): boolean => {
		assert.ok(end > start);
		content += Buffer.from(from.slice(start, end)).toString("latin1");
		return true;
	};
	const all = bytes(body);
	const file = new MultipartFile(boundary, all.length, data);
	const { pieceBytes = Math.max(1, all.length), at } = cut;
	let isTaken = true;
	if (at !== undefined) isTaken = file.write(all, 0, at) && file.write(all, at, all.length);
	else
		for (let i = 0; i < all.length && isTaken; i += pieceBytes)
			isTaken = file.write(all.slice(i, i + pieceBytes), 0, Math.min(all.length - i, pieceBytes));
	const isWhole = isTaken && file.end();
	return { content, found: file.found, isWhole };
}

describe("http/multipart", () => {
	it("finds a boundary of up to 70 characters, by its parameter's exact name", () => {
		for (const [contentType, boundary] of [
			["multipart/form-data; boundary=abc", "abc"],
			['Multipart/Form-Data;charset=utf-8; Boundary="a b:c"; x=y', "a b:c"],
			["multipart/form-data;\t boundary=abc;x", "abc"],
			[`multipart/form-data;boundary=${"a".repeat(70)}`, "a".repeat(70)],
			[`multipart/form-data; boundary=${"a".repeat(71)}`, ""],
			[`multipart/form-data${";".repeat(8)}boundary=a`, "a"],
			[`multipart/form-data${";".repeat(9)}boundary=a`, ""],
			["multipart/form-data", ""],
			["multipart/form-data; boundary=", ""],
			['multipart/form-data; boundary=""', ""],
			['multipart/form-data; boundary="', ""],
			["text/plain; boundary=abc", ""],
			["multipart/mixed; boundary=abc", ""],
			["multipart/form-data2; boundary=abc", ""],
			["multipart/form-data ; boundary=abc", "abc"],
			["multipart/form-data; xboundary=abc", ""],
			["multipart/form-data boundary=abc", ""],
			["multipart/form-data; x boundary=a", ""],
		] as const)
			assert.equal(multipartBoundary(contentType), boundary, contentType);
	});

	it("knows a file by the file name in its content-disposition", () => {
		const isFile = (line: string) => read("b", `${part("b", line, "image")}--b--`).content === "image";
		for (const yes of [
			...["filename=f", "\t FileName =f", "filename*=utf-8''f", 'name="a;b"; filename=""', 'filename="\xfc.bin"'],
			`${"y".repeat(512 - "Content-Disposition: form-data; ; filename=".length)}; filename=f`,
			...[`${" ".repeat(62)}filename=f`, `${"\t".repeat(64)}filename=f`],
		])
			assert.ok(isFile(`Content-Disposition: form-data; ${yes}`), yes);
		for (const no of [
			...["xfilename=f", "filenamex=f", "filename", "name=filename", ""],
			`${"y".repeat(513 - "Content-Disposition: form-data; ; filename=".length)}; filename=f`,
			...[`${" ".repeat(63)}filename=f`, `${"\t".repeat(65)}filename=f`],
		])
			assert.ok(!isFile(`Content-Disposition: form-data; ${no}`), no);
		assert.ok(!isFile("X-Content-Disposition: a; filename=f"));
		assert.ok(isFile(`\x80: no UTF-8\r\n${FILE}`));
	});

	it("delivers the file wherever the body is cut, with and without a line end behind it", () => {
		// content full of what could be taken for a delimiter
		const content = "\r\n--bou\r\r\n--boundar\r\n-\r\n\n--boundary\r\n--\r\n--boundary--\r\nx\xff\0\r";
		for (const end of ["\r\n", ""]) {
			const body = `${part("boundary", FILE, content)}--boundary--${end}`;
			const expected = { content, ...WHOLE };
			for (let at = 0; at <= body.length; at++) assert.deepEqual(read("boundary", body, { at }), expected, `cut at ${at}`);
			for (const pieceBytes of [1, 2, 3, 5]) assert.deepEqual(read("boundary", body, { pieceBytes }), expected);
		}
	});

	it("accepts boundaries of all kinds", () => {
		for (const boundary of ["-", "--", "----WebKitFormBoundaryabcDEF0123456789", "a".repeat(70), "'()+_,-./:=?"]) {
			const body = `${part(boundary, FILE, "\r\n-\r\n--x")}--${boundary}--`;
			assert.deepEqual(read(boundary, body, { pieceBytes: 1 }).content, "\r\n-\r\n--x", boundary);
		}
	});

	it("skips a preamble and fields before the file, and lines like a header's that are in none", () => {
		const text = part("b", 'content-disposition: form-data; name="note"', `words\r\n${FILE}\r\n\r\nmore`);
		const whole = { content: "image", ...WHOLE };
		assert.deepEqual(read("b", `${FILE}\r\n\r\n${text}${text}${part("b", FILE, "image")}--b--\r\n`, { pieceBytes: 1 }), whole);
		assert.deepEqual(read("b", `${text}--b--`), { content: "", found: false, isWhole: false });
		assert.equal(read("b", `--b\n${FILE.replace("\r\n", "\n")}\n\nimage\r\n--b--`).content, "image");
	});

	it("reads 2,048 bytes and 64 lines before the file", () => {
		const behind = (before: string) => read("b", `${before}${part("b", FILE, "image")}--b--`, { pieceBytes: 100 });
		const ofBytes = (count: number) => `${"x".repeat(count - part("b", FILE, "").length)}\r\n`;
		assert.deepEqual([behind(ofBytes(2048)).isWhole, behind(ofBytes(2049)).isWhole], [true, false]);
		// delimiter, two lines and an empty one are the file's
		assert.deepEqual([behind("\n".repeat(60)).isWhole, behind("\n".repeat(61)).isWhole], [true, false]);
		for (const endless of ["x".repeat(5000), "\n".repeat(5000)]) assert.equal(read("b", `--b\r\n${endless}`).isWhole, false);
	});

	it("says that a body is not whole: it ends early, or has another part or an epilogue behind the file", () => {
		const whole = `${part("b", FILE, "image")}--b--`;
		for (let length = 0; length < whole.length; length++) assert.equal(read("b", whole.slice(0, length)).isWhole, false);
		for (const behind of ["\n", "\r", "x\r\n", "\r\n\r\n"]) assert.equal(read("b", whole + behind).isWhole, false);
		const two = read("b", `${part("b", FILE, "one")}${part("b", FILE, "two")}--b--`);
		assert.deepEqual(two, { content: `one\r\n${part("b", FILE, "two").slice(0, -2)}`, ...WHOLE });
		for (const other of ["image", "--bx\r\n", ""])
			assert.deepEqual(read("b", other), { content: "", found: false, isWhole: false });
	});

	it("delivers nothing of an empty file", () => {
		assert.deepEqual(read("b", `${part("b", FILE, "")}--b--`), { content: "", ...WHOLE });
	});

	it("hands over a piece in one call, whatever is in it", () => {
		const boundary = "b".repeat(70);
		for (const content of ["\r".repeat(4000), "\r\n--".repeat(1000), `\r\n--${boundary.slice(1)}`.repeat(50)]) {
			let [seen, most, ofPiece] = ["", 0, 0];
			const data = (from: Uint8Array, start: number, end: number): boolean => {
				seen += Buffer.from(from.slice(start, end)).toString("latin1");
				most = Math.max(most, ++ofPiece);
				return true;
			};
			const body = bytes(`${part(boundary, FILE, content)}--${boundary}--`);
			const file = new MultipartFile(boundary, body.length, data);
			for (let at = 0; at < body.length; at += 501, ofPiece = 0) file.write(body, at, Math.min(body.length, at + 501));
			assert.deepEqual([file.end(), seen === content, most], [true, true, 1]);
		}
	});

	it("stops when the receiver says so", () => {
		let calls = 0;
		const body = bytes(`${part("b", FILE, "image")}--b--`);
		const stops = new MultipartFile("b", body.length, () => {
			calls++;
			return false;
		});
		assert.deepEqual([stops.write(body, 0, body.length), calls], [false, 1]);
		// the last two bytes might have been the delimiter's line end
		const later = new MultipartFile("b", body.length, () => ++calls < 3);
		assert.deepEqual([later.write(body, 0, body.length), later.end(), calls], [true, false, 3]);
	});
});
