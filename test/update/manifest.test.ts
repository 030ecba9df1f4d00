import assert from "node:assert/strict";
import { readManifest } from "../../src/update/manifest.js";

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

	it("refuses what is no manifest, and whatever a page must not show", () => {
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
		];
		for (const manifest of wrong) assert.equal(read(manifest), undefined, JSON.stringify(manifest));
		assert.equal(readManifest(new Uint8Array(Buffer.from('{"version":"v1.2"')), URL), undefined);
	});
});
