/** The short form of the fault campaign: a few drives. `node tools/campaign.mjs` makes all of them. */
import assert from "node:assert/strict";
import { campaign } from "../../../tools/campaign/campaign.js";
import { Drive } from "../../../tools/campaign/drive.js";
import { FAULTS } from "../../../tools/campaign/faults.js";
import { judgeLog } from "../../../tools/campaign/status-judge.js";
import { PROGRAM, run } from "../../hal/host/host-program.js";
import { importsOf, sourcesIn } from "../../support/syntax.js";

const FOLDER = "tools/campaign";
const OPTIONS = { seed: 1, program: PROGRAM };
/** What the parts of control show themselves in: faults while lock is asked for, and states. */
const FAULTS_OF_5050 = [
	"car: (too-hot|speeds-disagree|counter-stands)",
	"ABS (for|pulses 20/800)",
	"coupling's report lost",
	"flags of ABS",
	"script-stalled=0:700",
	"coupling bus unplugged for 300",
	"bus-off-chassis",
	"another generation",
	"frames short",
	"the same identifiers",
	"tick-throws",
];
const STATES = [
	"(closing gate|inverted PWM|speed|throttle|map|rpm|capture|steered by a map|some frames off|proportional): boot-key",
	"condition that may open: the condition's signal is (set|lost for 3)",
	"steered: the steering angle is lost for 900",
	"calibration: the car moves",
	"triggered: the trigger's",
];
/**
 * What the parts above leave to `npm run campaign`: they take only one leg of many, and faults that end one
 * after the other are one leg.
 */
const FAULTS_OF_GENERATION_5 = [
	"map: (speed|pedal) lost for 900",
	"5050: car: (wrong-checksum|speed-error)",
	"5050: (ABS for|flags of ABS|script-stalled=0:700|flash-blocks|bus-off-|tx-full-|clock-jump=)",
	"5050: (frames short|the same identifiers)",
	"starting: ABS for",
	"unusable map: boot-key",
	"calibration: (the condition's signal is set|the lever leaves|the page of)",
];

describe("tools/campaign", () => {
	it("has nothing to complain about, and is stock and back in time", async () => {
		for (const [patterns, part, generations] of [
			[FAULTS_OF_5050.map((fault) => `5050: ${fault}`), [1, 5], [4, 5]],
			[STATES, [1, 3], [4, 5]],
			[FAULTS_OF_GENERATION_5, [1, 1], [5]],
		] as const) {
			const grep = new RegExp(`^(${patterns.join("|")})`);
			const result = await campaign({ ...OPTIONS, grep, generations, part });
			assert.deepEqual(result.complaints, []);
			assert.ok(result.combinations > 10 && result.commands > 10_000, JSON.stringify(result));
		}
	});

	it("drives the variants: frames of its own, and frames that are generated in a car that reports", async () => {
		const result = await campaign({
			...OPTIONS,
			grep: /^(5050|map): (coupling's report|ABS for)/,
			generations: [51, 53],
			part: [1, 2],
		});
		assert.deepEqual(result.complaints, []);
		assert.ok(result.combinations >= 8 && result.commands > 1000, JSON.stringify(result));
	});

	it("complains about a log with an unexplained error, or another mode than the status", async () => {
		const wishes = { mode: "STOCK", disableSpeedKmh: 0, releaseRate: 120 };
		const drive = await Drive.start(PROGRAM, { generation: 4, profile: "reference", settings: { mode: "STOCK" }, wishes });
		try {
			await drive.run(500);
			await judgeLog(drive, 0, []);
			assert.equal(drive.complaints.length, 0);
			drive.lockstep.log.push("500\tEVENT\tmode\t5050: control is active", "500\tERROR\thttp\twhatever");
			await judgeLog(drive, 0, []);
			const complaints = drive.complaints.map((line) => line.replace(/ \[.*/, ""));
			assert.deepEqual(complaints, [
				': the log says "500\tEVENT\tmode\t5050: control is active", the status "STOCK: stock mode is selected"',
				": the log has an error that nothing explains: ERROR\thttp\twhatever",
			]);
		} finally {
			await drive.end();
		}
	});

	it("lets each fault happen that the host has a switch for", async () => {
		const { lines } = await run("--help");
		const from = lines.findIndex((line) => line.startsWith("Faults;"));
		const switches = lines.slice(from + 1).map((line) => /^ {2}([a-z-]+)/.exec(line)?.[1] ?? "");
		assert.ok(switches.length > 15);
		const tried = FAULTS.map(({ name }) => name);
		assert.deepEqual(
			switches.filter((name) => !tried.some((fault) => fault.startsWith(name))),
			[],
		);
	});

	it("shares no code with the firmware", () => {
		const edges = sourcesIn(FOLDER).flatMap(importsOf);
		assert.ok(edges.length > 10);
		assert.deepEqual(
			edges.filter(({ to }) => to.startsWith("src/")),
			[],
		);
	});
});
