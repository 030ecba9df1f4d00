import assert from "node:assert/strict";
import { compareVersions, isVersion } from "../../src/update/version.js";

describe("update/version", () => {
	it("orders versions as semver does, whatever letter they begin with", () => {
		// semver.org 2.0, 11, and around it
		const rising = [
			"v0.9",
			"v1.0.0-alpha",
			"1.0.0-alpha.1",
			"v1.0.0-alpha.beta",
			"v1.0.0-beta",
			"1.0.0-beta.2",
			"v1.0.0-beta.11",
		];
		rising.push("v1.0.0-rc.1", "v1.0", "v1.0.1", "v1.1", "v1.2.0", "1.10", "v2.0.0");
		for (let a = 0; a < rising.length; a++)
			for (let b = 0; b < rising.length; b++)
				assert.equal(Math.sign(compareVersions(rising[a], rising[b])), Math.sign(a - b), `${rising[a]} and ${rising[b]}`);
		assert.equal(compareVersions("v1.1", "1.1.0"), 0);
	});

	it("orders the parts of a pre-release: a missing part first, then numbers by value, then words", () => {
		const rising = [
			"1.0-0",
			"1.0-0.0",
			"1.0-1",
			"1.0-9",
			"1.0-10",
			"1.0--",
			"1.0--1",
			"1.0-A",
			"1.0-a",
			"1.0-a.0",
			"1.0-a.a",
			"1.0-b",
			"1.0",
		];
		for (let a = 0; a < rising.length; a++)
			for (let b = 0; b < rising.length; b++)
				assert.equal(Math.sign(compareVersions(rising[a], rising[b])), Math.sign(a - b), `${rising[a]} and ${rising[b]}`);
	});

	it("accepts versions of up to 31 characters and numbers of up to five digits", () => {
		const ofLength = (length: number) => `v1.1-${"a".repeat(length - "v1.1-".length)}`;
		assert.deepEqual([ofLength(31), ofLength(32), "12345.1", "123456.1", "1.1.12345"].map(isVersion), [
			true,
			false,
			true,
			false,
			true,
		]);
	});

	it("rejects texts such as 1, 1.2.3.4 and 1.1- as a version", () => {
		for (const text of [
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
			`1.1-${"a".repeat(40)}`,
			"1.123456",
		])
			assert.equal(isVersion(text), false, text);
		for (const text of ["v1.1", "1.1.0", "v0.1.0-rc.1"]) assert.equal(isVersion(text), true, text);
	});
});
