import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { PRESET_FILES, presetAt } from "../../src/maps/presets.js";

/** SHA-256 of axes and cells as JSON, the first 16 digits: of values that were compared with the reference's. */
const DIGESTS: readonly [file: string, digest: string][] = [
	["aggressive.txt", "b6b17f15249817ac"],
	["conservative.txt", "141d01c1d7f39f93"],
	["danger.txt", "cd983e379e2a617b"],
	["fwd.txt", "a034c7a0c1edf59b"],
];

describe("maps/presets", () => {
	it("are the reference's, to the value", () => {
		const digestOf = (file: string): string =>
			createHash("sha256")
				.update(JSON.stringify(presetAt(`/maps/${file}`)))
				.digest("hex")
				.slice(0, 16);
		assert.deepEqual(
			PRESET_FILES.map((file) => [file, digestOf(file)]),
			DIGESTS,
		);
	});
});
