import assert from "node:assert/strict";
import { CsvProblem, csvOf, driveOf } from "../../src/page/record/csv.js";
import type { Sample } from "../../src/page/state/samples.js";

const DRIVE: readonly Sample[] = [
	{ atMs: 5000, speedKmh: 40, pedalPercent: 12.4, rpm: 2100, requestedPercent: 33.3, engagedPercent: 33 },
	{ atMs: 5100, speedKmh: Number.NaN, pedalPercent: 101.2, rpm: 0, requestedPercent: 0, engagedPercent: Number.NaN },
];
const HEADER = "time_s,speed_kmh,pedal_percent,engine_rpm,lock_asked_percent,lock_engaged_percent";

describe("a drive as CSV", () => {
	it("begins at 0 s, leaves empty what is unknown, and is read back", () => {
		const csv = csvOf(DRIVE);
		assert.equal(csv, `${HEADER}\r\n0.00,40.0,12.4,2100,33.3,33.0\r\n0.10,,101.2,0,0.0,\r\n`);
		const expected = DRIVE.map((sample) => ({ ...sample, atMs: sample.atMs - 5000 }));
		assert.deepEqual(driveOf(csv, 2), expected);
		assert.deepEqual(driveOf(`\ufeff${csv.replaceAll("\r", "")}`, 2), expected, "as an editor may have saved it");
	});

	it("may have samples that came at the same time, out of Wi-Fi that had held them up", () => {
		const drive = [DRIVE[0], DRIVE[1], { ...DRIVE[1], atMs: DRIVE[1].atMs + 3 }];
		assert.deepEqual(
			driveOf(csvOf(drive), 3).map(({ atMs }) => atMs),
			[0, 100, 100],
		);
	});

	const wrong: [what: string, csv: string, line: number, found: RegExp][] = [
		["another file", "<html>", 1, /html/],
		["no line", `${HEADER}\n`, 1, /^0$/],
		["too many lines", `${HEADER}\n0,1,1,1,1,1\n1,1,1,1,1,1\n2,1,1,1,1,1`, 4, /^3$/],
		["a line that is cut off", `${HEADER}\n0,1,1`, 2, /^0,1,1$/],
		["a word", `${HEADER}\n0,fast,1,1,1,1`, 2, /^speed_kmh fast$/],
		["more lock than there is", `${HEADER}\n0,1,1,1,100.5,1`, 2, /^lock_asked_percent 100.5$/],
		["a negative value", `${HEADER}\n0,1,-1,1,1,1`, 2, /^pedal_percent -1$/],
		["infinity", `${HEADER}\n0,1,1,Infinity,1,1`, 2, /^engine_rpm Infinity$/],
		["no time", `${HEADER}\n,1,1,1,1,1`, 2, /^time_s $/],
		["time that goes back", `${HEADER}\n1,1,1,1,1,1\n0.5,1,1,1,1,1`, 3, /^time_s 0.5$/],
	];
	for (const [what, csv, line, found] of wrong)
		it(`rejects ${what}, and says where`, () => {
			assert.throws(
				() => driveOf(csv, 2),
				(error) => error instanceof CsvProblem && error.line === line && found.test(error.found) && error.found.length <= 60,
			);
		});
});
