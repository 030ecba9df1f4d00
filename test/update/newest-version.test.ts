import assert from "node:assert/strict";
import { NEWEST_VERSION_DOCUMENT } from "../../src/update/manifest.js";

describe("update/newest-version", () => {
	const { read, write, fallback } = NEWEST_VERSION_DOCUMENT;

	it("reads what it has written", () => {
		for (const newest of [fallback, { version: "v0.10.3-rc.1", announced: "v0.11" }])
			assert.deepEqual(read(JSON.parse(JSON.stringify(write(newest)))), newest);
	});

	it("reads what was written before announcements were kept", () =>
		assert.deepEqual(read({ version: "v0.2.0" }), { version: "v0.2.0", announced: "" }));

	it("keeps its format, and has room for the longest versions", () => {
		const version = `v1.1-${"a".repeat(26)}`;
		assert.equal(NEWEST_VERSION_DOCUMENT.format, 1);
		assert.ok(JSON.stringify({ format: 1, ...write({ version, announced: version }) }).length < NEWEST_VERSION_DOCUMENT.maxBytes);
	});

	it("takes nothing but a version", () => {
		for (const wrong of [undefined, null, 3, "newest", "v1.2.3\n"]) {
			assert.throws(() => read({ version: wrong, announced: "" }), RangeError);
			if (wrong !== undefined) assert.throws(() => read({ version: "", announced: wrong }), RangeError);
		}
	});
});
