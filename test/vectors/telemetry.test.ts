import { loadVectors } from "../support/vectors.js";
import { Report } from "./report.js";
import { checkTelemetry, type TelemetrySet } from "./telemetry.js";

describe("vectors/telemetry", () => {
	for (const generation of [1, 2, 4, 5]) {
		it(`decodes what the reference decodes in every unflagged row, generation ${generation}`, () => {
			const report = new Report();
			checkTelemetry(loadVectors<TelemetrySet>(`telemetry-gen${generation}`), report);
			console.log(`      ${report.summary()}`);
			report.verdict();
		});
	}
});
