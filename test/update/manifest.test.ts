import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { MANIFEST_BYTES_MAX, manifestDownload, NEWEST_VERSION_DOCUMENT, readManifest } from "../../src/update/manifest.js";
import { signManifest } from "../../tools/device/sign.mjs";
import { OTHER_KEY, OWN_KEY } from "../support/update-bench.js";

const URL = "http://10.0.0.1/release/s3/version.json";
const read = (manifest: unknown, url = URL) => readManifest(new Uint8Array(Buffer.from(JSON.stringify(manifest))), url);

describe("update/manifest", () => {
	it("finds the files beside the manifest, in the folder of the version or of releasePath", () => {
		const folder = "http://10.0.0.1/release/s3";
		for (const [named, firmwareUrl, filesystemUrl = ""] of [
			[{ firmware: "fw.bin" }, `${folder}/v1.2/fw.bin`],
			[{ firmware: "fw.bin", filesystem: "fs.bin", releasePath: "new" }, `${folder}/new/fw.bin`, `${folder}/new/fs.bin`],
			[{ firmware: "http://a.b/c.bin" }, "http://a.b/c.bin"],
			[{ firmware: "https://a.b/c" }, "https://a.b/c"],
			[{}, ""],
		] as const) {
			const manifest = read({ version: "v1.2", ...named });
			assert.deepEqual([manifest?.firmwareUrl, manifest?.filesystemUrl], [firmwareUrl, filesystemUrl]);
		}
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
		const version = "v1.2";
		const accepted = [{}, { size: 0 }, { size: 2 ** 32 }, { firmware: "!" }, { firmware: "~" }, { firmware: "?a=b&c" }];
		for (const manifest of accepted) assert.equal(read({ version, ...manifest })?.version, version, JSON.stringify(manifest));
		const wrong: object[] = [
			...[{ version: 12 }, { version: "<img src=x>" }, { board: 1 }, { minVersion: "old" }],
			...[3, "a b", '"onload=', "a\r\nHost: b", "\x7f", "\x1f", "'", "<", ">", "ä"].map((firmware) => ({ firmware })),
			...[-1, 1.5, "12"].map((size) => ({ size })),
			...[1, "ab", "x".repeat(128)].map((signature) => ({ signature })),
			...["ab", "g".repeat(64)].map((sha256) => ({ sha256 })),
		];
		for (const manifest of wrong) assert.equal(read({ version, ...manifest }), undefined, JSON.stringify(manifest));
		for (const other of [[], null, "v1.2", {}]) assert.equal(read(other), undefined);
		assert.equal(readManifest(new Uint8Array(Buffer.from('{"version":"v1.2"')), URL), undefined);
	});

	it("takes each member up to its greatest length, and rejects one character more", () => {
		const folder = "http://10.0.0.1/release/s3/v1.2/";
		for (const [member, digit, most, others] of [
			["firmware", "f", 256 - folder.length, []],
			["filesystem", "f", 256 - folder.length, []],
			["board", "b", 256, []],
			["sha256", "a", 64, [63]],
			["signature", "a", 128, [127]],
		] as const) {
			const ofLength = (length: number) => read({ version: "v1.2", [member]: digit.repeat(length) })?.version;
			assert.equal(ofLength(most), "v1.2", member);
			for (const length of [most + 1, ...others]) assert.equal(ofLength(length), undefined, member);
		}
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
		assert.equal(isSigned({ ...signed, notes: "worse" }), true, "it is not read");
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
		for (const [code, error] of [
			[0, "http 0"],
			[-5, "http -5"],
		] as const) {
			const told: unknown[] = [];
			manifestDownload(URL, (...outcome) => told.push(...outcome)).onEnd(code);
			assert.deepEqual(told, [false, undefined, error], "it ends before its head");
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
