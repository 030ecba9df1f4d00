import { loadVectors } from "../support/vectors.js";
import { checkChecksum, type ChecksumSet } from "./checksum.js";
import { Report } from "./report.js";

describe("vectors/checksum", () => {
	it("gives what the reference gives in every unflagged row", () => {
		const report = new Report();
		checkChecksum(loadVectors<ChecksumSet>("checksum"), report);
		console.log(`      ${report.summary()}`);
		report.verdict();
	});
});
