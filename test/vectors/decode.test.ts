import { loadVectors } from "../support/vectors.js";
import { checkDecode, type DecodeSet } from "./decode.js";
import { Report } from "./report.js";

describe("vectors/decode", () => {
	it("gives what the reference gives in every unflagged row", () => {
		const report = new Report();
		checkDecode(loadVectors<DecodeSet>("decode"), report);
		console.log(`      ${report.summary()}`);
		report.verdict();
	});
});
