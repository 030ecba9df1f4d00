/** The short form of the fault campaign: a few drives. `node tools/campaign.mjs` makes all of them. */
import assert from "node:assert/strict";
import { SETTINGS_DOCUMENT } from "../../../src/settings/stored-settings.js";
import { campaign, type Options } from "../../../tools/campaign/campaign.js";
import { Drive, ignored, settingsOf } from "../../../tools/campaign/drive.js";
import { FAULTS } from "../../../tools/campaign/faults.js";
import { FOREIGN_ID } from "../../../tools/campaign/hostile-car.js";
import { STATES } from "../../../tools/campaign/states.js";
import { judgeLog } from "../../../tools/campaign/status-judge.js";
import { PROGRAM, run } from "../../hal/host/host-program.js";
import { importsOf, sourcesIn } from "../../support/syntax.js";

const FOLDER = "tools/campaign";
/** Names of states, and how the names of faults begin that happen in them. */
type Row = readonly [states: readonly string[], faults: readonly string[]];

/** What the parts of control show themselves in: faults while lock is asked for, and states. */
const FAULTS_OF_5050: readonly Row[] = [
	[
		["5050"],
		[
			...["car: too-hot", "car: speeds-disagree", "car: counter-stands", "ABS for", "ABS pulses 20/800"],
			...["coupling's report lost", "flags of ABS", "flag of ABS", "script-stalled=0:700", "coupling bus unplugged for 300"],
			...["bus-off-chassis", "another generation", "frames short", "the same identifiers", "tick-throws"],
		],
	],
];
const STATES_OF_ALL: readonly Row[] = [
	[
		[
			...["closing gate", "inverted PWM", "speed", "throttle", "map", "rpm", "capture", "steered by a map"],
			...["some frames off", "proportional", "verbose logging"],
		],
		["boot-key"],
	],
	[
		["condition that may open", "condition that may limit"],
		["the condition's signal is set", "the condition's signal is lost for 3"],
	],
	[["map"], ["car: speed-error", "car: speed-undervoltage"]],
	[["steered"], ["the steering angle is lost for 900"]],
	[["calibration"], ["the car moves"]],
	[["triggered"], ["the trigger's"]],
];
/**
 * What the parts above leave to `npm run campaign`: they take only one leg of many, and faults that end one
 * after the other are one leg.
 */
const FAULTS_OF_GENERATION_5: readonly Row[] = [
	[["map"], ["speed lost for 900", "pedal lost for 900"]],
	[
		["5050"],
		[
			...["car: wrong-checksum", "car: speed-error", "ABS for", "flags of ABS", "flag of ABS", "STOCK is chosen"],
			...["script-stalled=0:700", "flash-blocks", "bus-off-", "tx-full-", "clock-jump=", "frames short", "the same identifiers"],
		],
	],
	[["starting"], ["ABS for"]],
	[["unusable map"], ["boot-key"]],
	[["calibration"], ["the condition's signal is set", "the lever leaves", "the page of"]],
];
/** Where the profiles differ. */
const FAULTS_OF_REFERENCE: readonly Row[] = [[["5050"], ["ABS for", "script-stalled=0:700", "tx-full-coupling", "frames short"]]];
const FAULTS_OF_VARIANTS: readonly Row[] = [
	[
		["5050", "map"],
		["coupling's report", "ABS for"],
	],
];
/** Each fault in one state, and in the other states what matters there. */
const FAULTS_ALONE: readonly Row[] = [
	[
		["alone, locked"],
		[
			"coupling's report",
			"script-stalled=0:700",
			"one frame",
			"another sender",
			"it is switched",
			"bus-off-coupling",
			"questions",
		],
	],
	[["alone, a third"], ["one frame", "bus-off-coupling", "tick-throws"]],
	[["alone, stock"], ["coupling's report", "script-stalled=0:700", "another sender, for"]],
	[["alone, listening"], ["one frame", "another sender, for"]],
	[["alone, without the input that its mode needs"], ["coupling's report", "another sender's remote"]],
];

/** Makes the drives that match, which must be this many combinations and commands at least. */
async function drives(
	rows: readonly Row[],
	choice: Pick<Options, "generations" | "part">,
	[combinations, commands]: readonly [number, number],
): Promise<void> {
	const pattern = rows.map(([states, faults]) => `(${states.join("|")}): (${faults.join("|")})`).join("|");
	const result = await campaign({ ...choice, seed: 1, grep: new RegExp(`^(${pattern})`), program: PROGRAM });
	assert.deepEqual(result.complaints, []);
	assert.ok(result.combinations >= combinations && result.commands >= commands, JSON.stringify(result));
}

describe("tools/campaign", () => {
	it("has nothing to complain about, and is stock and back in time", async () => {
		await drives(FAULTS_OF_5050, { generations: [4, 5], part: [1, 5] }, [11, 10_000]);
		await drives(STATES_OF_ALL, { generations: [4, 5], part: [1, 3] }, [11, 10_000]);
		await drives(FAULTS_OF_GENERATION_5, { generations: [5], part: [2, 2] }, [20, 5000]);
		await drives(FAULTS_OF_REFERENCE, { generations: [5], part: [1, 2] }, [4, 500]);
	});

	it("drives the variants: frames of its own, and frames that are generated in a car that reports", () =>
		drives(FAULTS_OF_VARIANTS, { generations: [51, 53], part: [1, 2] }, [8, 1000]));

	it("lets everything go wrong in some of the states of standalone operation, and has nothing to complain of", () =>
		drives(FAULTS_ALONE, { generations: [2, 5], part: [1, 3] }, [25, 2000]));

	it("names states and faults that there are", () => {
		const rows = [FAULTS_OF_5050, STATES_OF_ALL, FAULTS_OF_GENERATION_5, FAULTS_OF_VARIANTS, FAULTS_ALONE].flat();
		for (const [states, faults] of rows)
			for (const name of states) {
				const state = STATES.find((one) => one.name === name);
				assert.ok(state, name);
				const possible = FAULTS.filter(({ only }) => ([4, 5] as const).some((generation) => only?.(state, generation) ?? true));
				for (const start of faults)
					assert.ok(
						possible.some((fault) => fault.name.startsWith(start)),
						`${name}: ${start}`,
					);
			}
	});

	it("has no setting in any state that the controller ignores", () => {
		for (const state of STATES)
			for (const generation of [1, 2, 4, 5, 51, 53] as const)
				for (const profile of ["reference", "corrected"] as const) {
					const stored = JSON.parse(JSON.stringify(settingsOf({ ...state, generation, profile })));
					const shown = SETTINGS_DOCUMENT.write(SETTINGS_DOCUMENT.read(stored));
					assert.deepEqual(ignored(stored, { format: 1, ...shown }), [], state.name);
				}
	});

	it("does not begin with a setting that the controller ignores", () =>
		assert.rejects(
			Drive.start(PROGRAM, {
				generation: 4,
				profile: "reference",
				wishes: { mode: "5050" },
				settings: { trigger: { enabled: true }, pwm: { inverted: true, frequency: 100 } },
			}),
			/ignores settings: settings\.json: trigger: .*; settings\.json: pwm: frequency: 100 is undefined$/,
		));

	for (const [generation, profile] of [
		[1, "reference"],
		[2, "corrected"],
		[4, "reference"],
		[5, "corrected"],
	] as const)
		it(`finds each frame that is generated for generation ${generation}, ${profile}, in its period while both buses are full`, async () => {
			const drive = await Drive.start(PROGRAM, { generation, profile, wishes: { mode: "5050", isAlone: true } });
			try {
				await drive.run(4500);
				drive.car.filler = (_ms, _count, send) => {
					for (let frames = 0; frames < 4; frames++)
						for (const bus of [0, 1] as const) send(bus, { id: FOREIGN_ID + bus, flags: 0, data: new Uint8Array(8) });
				};
				const before = drive.figures.commands;
				await drive.run(4000);
				drive.judgeSteady("full buses");
				assert.deepEqual(drive.complaints, []);
				assert.ok(drive.figures.commands - before > 150, `${drive.figures.commands - before} commands in 4 s`);
			} finally {
				await drive.end();
			}
		});

	for (const generation of [4, 5] as const) {
		const complaintsOf = async (settings: Record<string, unknown>, happens: (car: Drive["car"]) => void): Promise<string> => {
			const drive = await Drive.start(PROGRAM, { generation, profile: "corrected", wishes: { mode: "5050" }, settings });
			try {
				await drive.run(2500);
				assert.deepEqual(drive.complaints, []);
				assert.equal((await drive.lockstep.report()).pwm[0]?.duty, 1023, "the output follows the lock, too");
				happens(drive.car);
				await drive.run(2000);
				return drive.complaints.join("\n");
			} finally {
				await drive.end();
			}
		};

		it(`complains of a controller of generation ${generation} that asks for lock although ABS intervenes`, async () =>
			assert.match(
				await complaintsOf({ mode: "5050", respectInterventions: false }, (car) => {
					car.abs = () => true;
				}),
				/commands 100/,
			));

		it(`complains of a controller of generation ${generation} that asks for lock although the coupling does not report`, async () =>
			assert.match(
				await complaintsOf({ mode: "5050", controlWithoutFeedback: true }, (car) =>
					car.meddling.set(generation === 4 ? 0x2c0 : 0x118, () => undefined),
				),
				/commands 100/,
			));
	}

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
