import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { MANIFEST_BYTES_MAX, manifestDownload, NEWEST_VERSION_DOCUMENT, readManifest } from "../../src/update/manifest.js";
import { signManifest } from "../../tools/device/sign.mjs";
import { OTHER_KEY, OWN_KEY } from "../support/update-bench.js";

const URL = "http://10.0.0.1/release/s3/version.json";
const read = (manifest: unknown, url = URL) => readManifest(new Uint8Array(Buffer.from(JSON.stringify(manifest))), url);

describe("update/manifest", () => {
	it("finds the files beside the manifest, in the folder of the version or of releasePath", () => {
		assert.equal(read({ version: "v1.2", firmware: "fw.bin" })?.firmwareUrl, "http://10.0.0.1/release/s3/v1.2/fw.bin");
		const named = read({ version: "v1.2", firmware: "fw.bin", filesystem: "fs.bin", releasePath: "new" });
		assert.deepEqual(
			[named?.firmwareUrl, named?.filesystemUrl],
			["http://10.0.0.1/release/s3/new/fw.bin", "http://10.0.0.1/release/s3/new/fs.bin"],
		);
		assert.equal(read({ version: "v1.2", firmware: "http://a.b/c.bin" })?.firmwareUrl, "http://a.b/c.bin");
		assert.equal(read({ version: "v1.2" })?.firmwareUrl, "");
	});

	it("reads our own fields, and does without them", () => {
		const sha256 = "AB".repeat(32);
		const full = read({ version: "v1.2", firmware: "f", sha256, size: 12, board: "opencoupling-c6", minVersion: "v1.0" });
		assert.deepEqual(
			[full?.sha256, full?.sizeBytes, full?.board, full?.minVersion],
			[sha256.toLowerCase(), 12, "opencoupling-c6", "v1.0"],
		);
		const bare = read({ version: "v1.2", notes: "better", firmware: "f" });
		assert.deepEqual([bare?.sha256, bare?.sizeBytes, bare?.board, bare?.minVersion], ["", 0, "", ""]);
	});

	it("rejects other JSON than a manifest, and text that a page must not show", () => {
		const wrong: unknown[] = [
			[],
			null,
			"v1.2",
			{},
			{ version: 12 },
			{ version: "<img src=x>" },
			{ version: "v1.2", firmware: 3 },
			{ version: "v1.2", firmware: "a b" },
			{ version: "v1.2", firmware: '"onload=' },
			{ version: "v1.2", firmware: "a\r\nHost: b" },
			{ version: "v1.2", firmware: "a".repeat(257) },
			{ version: "v1.2", sha256: "ab" },
			{ version: "v1.2", size: -1 },
			{ version: "v1.2", size: "12" },
			{ version: "v1.2", minVersion: "old" },
			{ version: "v1.2", board: 1 },
			{ version: "v1.2", signature: 1 },
			{ version: "v1.2", signature: "ab" },
			{ version: "v1.2", signature: "x".repeat(128) },
		];
		for (const manifest of wrong) assert.equal(read(manifest), undefined, JSON.stringify(manifest));
		assert.equal(readManifest(new Uint8Array(Buffer.from('{"version":"v1.2"')), URL), undefined);
	});

	it("keeps to its lengths exactly", () => {
		assert.equal(MANIFEST_BYTES_MAX, 4096);
		const folder = "http://10.0.0.1/release/s3/v1.2/";
		const ofUrl = (length: number) => read({ version: "v1.2", firmware: "f".repeat(length - folder.length) });
		assert.deepEqual([ofUrl(256)?.firmwareUrl.length, ofUrl(257)], [256, undefined]);
		assert.equal(read({ version: "v1.2", filesystem: "f".repeat(257 - folder.length) }), undefined);
		const ofText = (length: number) => read({ version: "v1.2", board: "b".repeat(length) })?.board.length;
		assert.deepEqual([ofText(256), ofText(257)], [256, undefined]);
		const ofHex = (name: string, length: number) => read({ version: "v1.2", [name]: "a".repeat(length) })?.version;
		for (const [name, digits] of [
			["sha256", 64],
			["signature", 128],
		] as const)
			assert.deepEqual(
				[digits - 1, digits, digits + 1].map((length) => ofHex(name, length)),
				[undefined, "v1.2", undefined],
				name,
			);
	});

	it("accepts whole sizes from 0 on, and printable characters of an address except those of markup", () => {
		const sizes = [0, 1, 1.5, -1, 2 ** 32].map((size) => read({ version: "v1.2", size })?.sizeBytes);
		assert.deepEqual(sizes, [0, 1, undefined, undefined, 2 ** 32]);
		for (const good of ["!", "~", "?a=b&c"]) assert.equal(read({ version: "v1.2", firmware: good })?.version, "v1.2", good);
		for (const bad of [" ", "\x7f", "\x1f", "'", "<", ">", "ä"])
			assert.equal(read({ version: "v1.2", firmware: bad }), undefined, bad);
		assert.equal(read({ version: "v1.2", firmware: "https://a.b/c" })?.firmwareUrl, "https://a.b/c");
		assert.equal(read({ version: "v1.2", sha256: "g".repeat(64) }), undefined);
	});

	it("accepts a signature only if it covers each member, board and digest included", () => {
		const whole = {
			version: "v1.2",
			firmware: "f",
			sha256: "ab".repeat(32),
			size: 12,
			board: "opencoupling-c6",
			minVersion: "v1.0",
		};
		const isSigned = (manifest: Record<string, unknown>): boolean | undefined => {
			const { signed } = read(manifest)!;
			return signed && verify(null, signed.message, createPublicKey(OWN_KEY), signed.signature);
		};
		const signed = signManifest({ ...whole, notes: "better" }, OWN_KEY);
		assert.equal(isSigned(signed), true);
		assert.equal(isSigned({ ...signed, notes: "worse" }), true, "nobody reads it");
		assert.equal(isSigned(signManifest(whole, OTHER_KEY)), false);
		for (const changed of [
			...[{ version: "v1.3" }, { firmware: "g" }, { sha256: "cd".repeat(32) }, { size: 13 }, { board: "opencoupling-t2can" }],
			...[{ minVersion: "v1.1" }, { minVersion: "" }, { filesystem: "x" }, { releasePath: "x" }],
			// what moves from one member to the next
			...[
				{ board: "opencoupling-c6\nv1.0", minVersion: "" },
				{ firmware: "", filesystem: "f" },
			],
		])
			assert.equal(isSigned({ ...signed, ...changed }), false, JSON.stringify(changed));
		assert.equal(isSigned(whole), undefined);
		for (const absent of ["board", "sha256"])
			assert.equal(isSigned(signManifest({ ...whole, [absent]: undefined }, OWN_KEY)), undefined, absent);
	});
});

const GOOD = '{"version":"v1.2"}';

/** What an answer comes to: whether there was one, the manifest's version, what is wrong. */
function outcome(body: string, { status = 200, code = 0, pieceBytes = 5 } = {}): unknown[] {
	const told: unknown[] = [];
	const download = manifestDownload(URL, (answered, manifest, error) => told.push(answered, manifest?.version, error));
	const bytes = new Uint8Array(Buffer.from(body));
	download.onHead(status, bytes.length);
	for (let at = 0; at < bytes.length; at += pieceBytes) download.onData(bytes.subarray(at, at + pieceBytes));
	assert.deepEqual(told, [], "not before the end");
	download.onEnd(code);
	return told;
}

describe("update/manifest: its download", () => {
	it("reads a manifest in pieces of any size", () => {
		for (const pieceBytes of [1, 3, 100]) assert.deepEqual(outcome(GOOD, { pieceBytes }), [true, "v1.2", ""]);
	});

	it("reports what came instead of a manifest", () => {
		assert.deepEqual(outcome("<html>", {}), [true, undefined, "invalid json"]);
		assert.deepEqual(outcome(GOOD, { status: 404 }), [false, undefined, "http 404"]);
		assert.deepEqual(outcome(GOOD, { code: -5 }), [true, undefined, "http -5"]);
	});

	it("reports a transport error if the download ends before its head", () => {
		for (const [code, error] of [
			[0, "http 0"],
			[-5, "http -5"],
		] as const) {
			const told: unknown[] = [];
			manifestDownload(URL, (...outcome) => told.push(...outcome)).onEnd(code);
			assert.deepEqual(told, [false, undefined, error]);
		}
	});

	it("reads up to MANIFEST_BYTES_MAX and rejects one byte more", () => {
		const padded = (length: number) => " ".repeat(length - GOOD.length) + GOOD;
		assert.deepEqual(outcome(padded(MANIFEST_BYTES_MAX), { pieceBytes: 1024 }), [true, "v1.2", ""]);
		assert.deepEqual(outcome(padded(MANIFEST_BYTES_MAX + 1), { pieceBytes: 1024 }), [true, undefined, "invalid json"]);
	});
});

describe("update/manifest: the newest version", () => {
	const { read, write, fallback } = NEWEST_VERSION_DOCUMENT;

	it("reads its own output", () => {
		for (const newest of [fallback, { version: "v0.10.3-rc.1", announced: "v0.11" }])
			assert.deepEqual(read(JSON.parse(JSON.stringify(write(newest)))), newest);
	});

	it("reads files from before announcements were stored", () =>
		assert.deepEqual(read({ version: "v0.2.0" }), { version: "v0.2.0", announced: "" }));

	it("keeps its format, and has space for the longest versions", () => {
		const version = `v1.1-${"a".repeat(26)}`;
		assert.equal(NEWEST_VERSION_DOCUMENT.format, 1);
		assert.ok(JSON.stringify({ format: 1, ...write({ version, announced: version }) }).length < NEWEST_VERSION_DOCUMENT.maxBytes);
	});

	it("rejects a stored value that is not a version", () => {
		for (const wrong of [undefined, null, 3, "newest", "v1.2.3\n"]) {
			assert.throws(() => read({ version: wrong, announced: "" }), RangeError);
			if (wrong !== undefined) assert.throws(() => read({ version: "", announced: wrong }), RangeError);
		}
	});
});
