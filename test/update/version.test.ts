import assert from "node:assert/strict";
import { compareVersions, isVersion } from "../../src/update/version.js";

describe("update/version", () => {
	it("orders versions as semver does, whatever letter they begin with", () => {
		// semver.org 2.0, 11, and around it; of a pre-release a missing part comes first, then numbers, then words
		for (const text of [
			"v0.9 v1.0.0-alpha 1.0.0-alpha.1 v1.0.0-alpha.beta v1.0.0-beta 1.0.0-beta.2 v1.0.0-beta.11 v1.0.0-rc.1 v1.0 v1.0.1 v1.1 v1.2.0 1.10 v2.0.0",
			"1.0-0 1.0-0.0 1.0-1 1.0-9 1.0-10 1.0-- 1.0--1 1.0-A 1.0-a 1.0-a.0 1.0-a.a 1.0-b 1.0",
		]) {
			const rising = text.split(" ");
			for (let a = 0; a < rising.length; a++)
				for (let b = 0; b < rising.length; b++)
					assert.equal(Math.sign(compareVersions(rising[a], rising[b])), Math.sign(a - b), `${rising[a]} and ${rising[b]}`);
		}
		assert.equal(compareVersions("v1.1", "1.1.0"), 0);
	});

	it("accepts versions of up to 31 characters and numbers of up to five digits, and no other text", () => {
		const ofLength = (length: number) => `v1.1-${"a".repeat(length - "v1.1-".length)}`;
		for (const text of ["v1.1", "1.1.0", "v0.1.0-rc.1", ofLength(31), "12345.1", "1.1.12345"])
			assert.equal(isVersion(text), true, text);
		const wrong = [
			"",
			"v",
			"1",
			"v1",
			"1.2.3.4",
			"v1.x",
			"1.1<b>",
			"v1.1 ",
			"latest",
			"1.1-",
			ofLength(32),
			"123456.1",
			"1.123456",
		];
		for (const text of wrong) assert.equal(isVersion(text), false, text);
	});
});
