/** Commit subjects: `scope: change in the imperative`, at most 72 characters. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** From here on; what is older is as it is. */
const SINCE = "f82685e";
const SUBJECT_MAX = 72;
/** Too long: the first is older than the rule, the second was published by mistake, and published history stays. */
const EXCEPTED = ["07f256a", "0da5a92"];

const git = (...options: string[]) => spawnSync("git", options, { encoding: "utf8" });

describe("commit subjects", () => {
	it("name their scope and are short enough for every list", function () {
		const { status, stdout } = git("log", "--no-merges", "--format=%h %s", `${SINCE}..HEAD`);
		if (status !== 0) {
			console.log("      skipped: no history that goes back far enough");
			this.skip();
		}
		const wrong = stdout
			.split("\n")
			.filter((line) => line !== "" && !EXCEPTED.some((hash) => line.startsWith(hash)))
			.map((line) => line.slice(line.indexOf(" ") + 1))
			.filter((subject) => subject.length > SUBJECT_MAX || !/^[a-z0-9, /-]+: \S/.test(subject));
		assert.deepEqual(wrong, []);
	});
});
