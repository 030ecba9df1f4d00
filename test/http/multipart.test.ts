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

/** What came of a body, cut into pieces of `pieceBytes` or at one place. */
function read(boundary: string, body: string, cut: { pieceBytes?: number; at?: number } = {}) {
	let content = "";
	const data = (from: Uint8Array, start: number, end: number): boolean => {
		assert.ok(end > start);
		content += Buffer.from(from.slice(start, end)).toString("latin1");
		return true;
	};
	const file = new MultipartFile(bytes(boundary), { data });
	const all = bytes(body);
	const { pieceBytes = all.length, at } = cut;
	let intact = true;
	if (at !== undefined) intact = file.write(all, 0, at) && file.write(all, at, all.length);
	else
		for (let i = 0; i < all.length && intact; i += pieceBytes) intact = file.write(all, i, Math.min(all.length, i + pieceBytes));
	return { content, found: file.found, complete: file.complete, broken: file.broken, ambiguous: file.ambiguous };
}

describe("http/multipart", () => {
	it("finds the boundary", () => {
		assert.equal(boundaryOf("multipart/form-data; boundary=abc"), "abc");
		assert.equal(boundaryOf('Multipart/Form-Data;charset=utf-8; Boundary="a b:c"; x=y'), "a b:c");
		assert.equal(boundaryOf("multipart/form-data; boundary=abc; charset=utf-8"), "abc");
		const none = [
			"multipart/form-data",
			"multipart/form-data; boundary=",
			"text/plain; boundary=abc",
			"multipart/mixed; boundary=abc",
		];
		for (const contentType of [...none, `multipart/form-data; boundary=${"a".repeat(71)}`])
			assert.equal(boundaryOf(contentType), undefined, contentType);
	});

	it("delivers the file wherever the body is cut", () => {
		// content full of what could be taken for a delimiter
		const content = "\r\n--bou\r\r\n--boundar\r\n-\r\n\n--boundary\r\n--\r\n--boundarx\xff\0\r";
		const body = `${part("boundary", FILE, content)}--boundary--\r\n`;
		const expected = { content, found: true, complete: true, broken: false, ambiguous: false };
		for (let at = 0; at <= body.length; at++) assert.deepEqual(read("boundary", body, { at }), expected, `cut at ${at}`);
		for (const pieceBytes of [1, 2, 3, 5]) assert.deepEqual(read("boundary", body, { pieceBytes }), expected);
	});

	it("takes boundaries of all kinds", () => {
		for (const boundary of ["-", "--", "----WebKitFormBoundaryabcDEF0123456789", "a".repeat(70), "'()+_,-./:=?"]) {
			const body = `${part(boundary, FILE, "\r\n-\r\n--x")}--${boundary}--`;
			assert.deepEqual(read(boundary, body, { pieceBytes: 1 }).content, "\r\n-\r\n--x", boundary);
		}
	});

	it("skips what is no file, a preamble and an epilogue", () => {
		const text = part("b", 'content-disposition: form-data; name="note; filename=no"', "words");
		const body = `preamble\r\n${text}${part("b", FILE, "image")}${text}--b--\r\nepilogue --b\r\n`;
		assert.deepEqual(read("b", body, { pieceBytes: 1 }), {
			content: "image",
			found: true,
			complete: true,
			broken: false,
			ambiguous: false,
		});
		assert.equal(read("b", `${text}--b--`).found, false);
		assert.equal(read("b", `${part("b", "Content-Disposition: form-data; name=u; filename*=utf-8''f", "i")}--b--`).content, "i");
	});

	it("delivers nothing of an empty file and of a second one", () => {
		assert.deepEqual(read("b", `${part("b", FILE, "")}--b--`), {
			content: "",
			found: true,
			complete: true,
			broken: false,
			ambiguous: false,
		});
		const two = read("b", `${part("b", FILE, "one")}${part("b", FILE, "two")}--b--`);
		assert.deepEqual([two.content, two.ambiguous], ["one", true]);
	});

	it("notices a body that ends early, that is none, or whose headers do not end", () => {
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
		const file = new MultipartFile(bytes("b"), {
			data: () => {
				calls++;
				return false;
			},
		});
		const body = bytes(`${part("b", FILE, "a\rb\rc")}--b--`);
		assert.equal(file.write(body, 0, body.length), false);
		assert.equal(calls, 1);
	});
});
