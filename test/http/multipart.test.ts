import assert from "node:assert/strict";
import { MultipartFile, multipartBoundary } from "../../src/http/multipart.js";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const boundaryOf = (contentType: string) => {
	const value = bytes(contentType);
	const found = multipartBoundary(value);
	return found === undefined ? undefined : Buffer.from(found).toString();
};

const part = (boundary: string, headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const FILE = 'Content-Disposition: form-data; name="update"; filename="fw.bin"\r\nContent-Type: application/octet-stream';

/** Of a body with one file, read to its end. */
const WHOLE = { found: true, complete: true, broken: false, ambiguous: false };

/** What came of a body, cut into pieces of `pieceBytes` or at one place. */
function read(boundary: string, body: string, cut: { pieceBytes?: number; at?: number } = {}) {
	let content = "";
	const data = (from: Uint8Array, start: number, end: number): boolean => {
		assert.ok(end > start);
		content += Buffer.from(from.slice(start, end)).toString("latin1");
		return true;
	};
	const file = new MultipartFile(bytes(boundary), data);
	const all = bytes(body);
	const { pieceBytes = all.length, at } = cut;
	let intact = true;
	if (at !== undefined) intact = file.write(all, 0, at) && file.write(all, at, all.length);
	else
		for (let i = 0; i < all.length && intact; i += pieceBytes) intact = file.write(all, i, Math.min(all.length, i + pieceBytes));
	return { content, found: file.found, complete: file.complete, broken: file.broken, ambiguous: file.ambiguous };
}

describe("http/multipart", () => {
	it("finds a boundary of up to 70 characters, by its parameter's exact name", () => {
		for (const [contentType, boundary] of [
			["multipart/form-data; boundary=abc", "abc"],
			['Multipart/Form-Data;charset=utf-8; Boundary="a b:c"; x=y', "a b:c"],
			["multipart/form-data;\t boundary=abc;x", "abc"],
			["multipart/form-data; boundary=a b", "a"],
			[`multipart/form-data;boundary=${"a".repeat(70)}`, "a".repeat(70)],
			[`multipart/form-data; boundary=${"a".repeat(71)}`, undefined],
			["multipart/form-data", undefined],
			["multipart/form-data; boundary=", undefined],
			['multipart/form-data; boundary=""', undefined],
			["text/plain; boundary=abc", undefined],
			["multipart/mixed; boundary=abc", undefined],
			["multipart/form-data; xboundary=abc", undefined],
			["multipart/form-data boundary=abc", undefined],
			["multipart/form-data; x boundary=a", undefined],
		])
			assert.equal(boundaryOf(contentType as string), boundary, contentType);
	});

	it("accepts headers of up to 1024 bytes in each part, and reads the first 512 of a line", () => {
		const padded = (total: number) => {
			// with the empty line's CRLF
			const rest = total - FILE.length - 4;
			return `${FILE}\r\nX: ${"x".repeat(rest - 5)}`;
		};
		const parts = `${part("b", padded(1024), "one")}${part("b", padded(1024).replace("filename", "other"), "two")}--b--`;
		assert.deepEqual([read("b", parts).content, read("b", parts).complete], ["one", true]);
		assert.equal(read("b", `${part("b", padded(1025), "one")}--b--`).broken, true);
		const named = (nameEnd: number) => {
			const start = "Content-Disposition: form-data; x=";
			return `${start}${"y".repeat(nameEnd - start.length - "; filename".length)}; filename=f`;
		};
		assert.equal(named(512).indexOf("="), 33);
		assert.equal(read("b", `${part("b", named(512), "one")}--b--`).found, true);
		assert.equal(read("b", `${part("b", named(513), "one")}--b--`).found, false);
		assert.equal(read("b", `${part("b", named(513), "one")}--b--`, { pieceBytes: 300 }).found, false);
	});

	it("knows a file name by its parameter's name alone, outside of quotes", () => {
		const isFile = (parameters: string) => read("b", `${part("b", `Content-Disposition:${parameters}`, "i")}--b--`).found;
		for (const yes of [
			...[" form-data; filename=f", "form-data;filename=f", ";filename=f", "; \t FileName =f", "; filename*=utf-8''f"],
			...['; name="a;b"; filename=""', "; filename", '; name="a"; x="; filename=no"; filename=f'],
		])
			assert.equal(isFile(yes), true, yes);
		for (const no of [
			...["filename=f", " form-data filename=f", "; xfilename=f", "; filenamex=f", "; filenam=f", "; name=filename", ";", ""],
			...['; name="a; filename=f', '; name="; filename=f"'],
		])
			assert.equal(isFile(no), false, no);
		assert.equal(read("b", `${part("b", "X-Content-Disposition: a; filename=f", "i")}--b--`).found, false);
	});

	it("accepts blanks behind a delimiter and a header line without CR, nothing else there", () => {
		const ofDelimiter = (behind: string) => read("b", `--b${behind}${FILE}\r\n\r\nimage\r\n--b--`);
		for (const good of ["\r\n", " \r\n", " \t \r\n"]) assert.equal(ofDelimiter(good).content, "image", JSON.stringify(good));
		for (const bad of ["-x\r\n", "- \r\n", "x\r\n", "\r\r\n", "\n"])
			assert.deepEqual([ofDelimiter(bad).broken, ofDelimiter(bad).found], [true, false], JSON.stringify(bad));
		assert.equal(ofDelimiter("-\r\n").complete, true);
		assert.equal(read("b", `--b\r\n${FILE.replace("\r\n", "\n")}\n\nimage\r\n--b--`).content, "image");
	});

	it("delivers the file wherever the body is cut", () => {
		// content full of what could be taken for a delimiter
		const content = "\r\n--bou\r\r\n--boundar\r\n-\r\n\n--boundary\r\n--\r\n--boundarx\xff\0\r";
		const body = `${part("boundary", FILE, content)}--boundary--\r\n`;
		const expected = { content, ...WHOLE };
		for (let at = 0; at <= body.length; at++) assert.deepEqual(read("boundary", body, { at }), expected, `cut at ${at}`);
		for (const pieceBytes of [1, 2, 3, 5]) assert.deepEqual(read("boundary", body, { pieceBytes }), expected);
	});

	it("accepts boundaries of all kinds", () => {
		for (const boundary of ["-", "--", "----WebKitFormBoundaryabcDEF0123456789", "a".repeat(70), "'()+_,-./:=?"]) {
			const body = `${part(boundary, FILE, "\r\n-\r\n--x")}--${boundary}--`;
			assert.deepEqual(read(boundary, body, { pieceBytes: 1 }).content, "\r\n-\r\n--x", boundary);
		}
	});

	it("skips fields without a file, the preamble and the epilogue", () => {
		const text = part("b", 'content-disposition: form-data; name="note; filename=no"', "words");
		const body = `preamble\r\n${text}${part("b", FILE, "image")}${text}--b--\r\nepilogue --b\r\n`;
		assert.deepEqual(read("b", body, { pieceBytes: 1 }), { content: "image", ...WHOLE });
		assert.equal(read("b", `${text}--b--`).found, false);
		assert.equal(read("b", `${part("b", "Content-Disposition: form-data; name=u; filename*=utf-8''f", "i")}--b--`).content, "i");
	});

	it("delivers nothing of an empty file and of a second one", () => {
		assert.deepEqual(read("b", `${part("b", FILE, "")}--b--`), { content: "", ...WHOLE });
		const two = read("b", `${part("b", FILE, "one")}${part("b", FILE, "two")}--b--`);
		assert.deepEqual([two.content, two.ambiguous], ["one", true]);
	});

	it("hands over a piece in two calls at most, whatever is in it", () => {
		const boundary = "b".repeat(70);
		for (const content of ["\r".repeat(4000), "\r\n--".repeat(1000), `\r\n--${boundary.slice(1)}`.repeat(50)]) {
			let [seen, most, ofPiece] = ["", 0, 0];
			const data = (from: Uint8Array, start: number, end: number): boolean => {
				seen += Buffer.from(from.slice(start, end)).toString("latin1");
				most = Math.max(most, ++ofPiece);
				return true;
			};
			const body = `${part(boundary, FILE, content)}--${boundary}--`;
			const file = new MultipartFile(bytes(boundary), data);
			for (let at = 0; at < body.length; at += 501, ofPiece = 0)
				file.write(bytes(body.slice(at, at + 501)), 0, body.slice(at, at + 501).length);
			assert.deepEqual([seen === content, most], [true, 2]);
		}
	});

	it("accepts up to 64 bytes behind delimiters and header lines, in all parts together", () => {
		// four of them, and two
		const parts = part("b", "X: y", "").repeat(15);
		assert.deepEqual([read("b", `${parts}--b--`).complete, read("b", `${parts}--b  --`).complete], [true, true]);
		assert.deepEqual([read("b", `${parts}--b   --`).complete, read("b", `${parts}--b   --`).broken], [false, true]);
		// the 64th is the empty line of the file's part
		const before = `${part("b", "X: y", "").repeat(14)}--b `;
		const ofFile = (line: string) => read("b", `${before}\r\n${FILE}${line}\r\n\r\nimage\r\n`, { pieceBytes: 1 });
		assert.deepEqual([ofFile("\r\nX: y".repeat(2)).content, ofFile("\r\nX: y".repeat(2)).broken], ["image", false]);
		// line feeds that begin a piece count, too
		const file = new MultipartFile(bytes("b"), () => true);
		for (const byte of `${before}\r\n${FILE}${"\r\nX: y".repeat(3)}\r\n\r\n`) file.write(bytes(byte), 0, 1);
		assert.equal(file.broken, true);
		assert.deepEqual([ofFile("\r\nX: y".repeat(3)).content, ofFile("\r\nX: y".repeat(3)).broken], ["", true]);
	});

	it("reports a body that ends early, has no or a wrong boundary, or has endless headers", () => {
		const whole = `${part("b", FILE, "image")}--b--`;
		for (let length = 0; length < whole.length; length++) assert.equal(read("b", whole.slice(0, length)).complete, false);
		assert.equal(read("b", "image").found, false);
		assert.equal(read("b", "--bx\r\n").broken, true);
		assert.equal(read("b", "--b\rx").broken, true);
		assert.equal(read("b", `--b\r\nX: ${"x".repeat(2000)}`).broken, true);
		assert.equal(read("b", `--b\r\n${"X: y\r\n".repeat(300)}`).broken, true);
	});

	it("stops when the receiver says so", () => {
		let calls = 0;
		const file = new MultipartFile(bytes("b"), () => {
			calls++;
			return false;
		});
		const body = bytes(`${part("b", FILE, "a\rb\rc")}--b--`);
		assert.equal(file.write(body, 0, body.length), false);
		assert.equal(calls, 1);
		// in what looked like a delimiter, too
		const other = new MultipartFile(bytes("b"), () => ++calls < 2);
		const looksSo = bytes(`${part("b", FILE, "\rx\ry")}--b--`);
		assert.equal(other.write(looksSo, 0, looksSo.length), false);
		assert.equal(calls, 2);
		const third = new MultipartFile(bytes("b"), () => ++calls < 4);
		for (const [piece, goesOn] of [
			[`--b\r\n${FILE}\r\n\r\nx\r`, true],
			["x", false],
		] as const)
			assert.equal(third.write(bytes(piece), 0, piece.length), goesOn);
		assert.equal(calls, 4);
	});
});
