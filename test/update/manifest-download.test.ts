import assert from "node:assert/strict";
import { MANIFEST_BYTES_MAX, manifestDownload } from "../../src/update/manifest.js";

const URL = "http://10.0.0.1/version.json";
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

describe("update/manifest-download", () => {
	it("reads a manifest however it is cut", () => {
		for (const pieceBytes of [1, 3, 100]) assert.deepEqual(outcome(GOOD, { pieceBytes }), [true, "v1.2", ""]);
	});

	it("says what came instead", () => {
		assert.deepEqual(outcome("<html>", {}), [true, undefined, "invalid json"]);
		assert.deepEqual(outcome(GOOD, { status: 404 }), [false, undefined, "http 404"]);
		assert.deepEqual(outcome(GOOD, { code: -5 }), [true, undefined, "http -5"]);
	});

	it("takes an end without a head for no answer", () => {
		for (const [code, error] of [
			[0, "http 0"],
			[-5, "http -5"],
		] as const) {
			const told: unknown[] = [];
			manifestDownload(URL, (...outcome) => told.push(...outcome)).onEnd(code);
			assert.deepEqual(told, [false, undefined, error]);
		}
	});

	it("takes as much as it has room for, and no byte more", () => {
		const padded = (length: number) => " ".repeat(length - GOOD.length) + GOOD;
		assert.deepEqual(outcome(padded(MANIFEST_BYTES_MAX), { pieceBytes: 1024 }), [true, "v1.2", ""]);
		assert.deepEqual(outcome(padded(MANIFEST_BYTES_MAX + 1), { pieceBytes: 1024 }), [true, undefined, "invalid json"]);
	});
});
