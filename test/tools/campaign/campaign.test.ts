/** The short form of the fault campaign: a few drives. `node tools/campaign.mjs` makes all of them. */
import assert from "node:assert/strict";
import { SETTINGS_DOCUMENT } from "../../../src/settings/stored-settings.js";
import { campaign } from "../../../tools/campaign/campaign.js";
import { Drive, ignored, settingsOf } from "../../../tools/campaign/drive.js";
import { FAULTS } from "../../../tools/campaign/faults.js";
import { FOREIGN_ID } from "../../../tools/campaign/hostile-car.js";
import { STATES } from "../../../tools/campaign/states.js";
import { judgeLog } from "../../../tools/campaign/status-judge.js";
import { type FrameChoice, type Generation, type Profile, tableOf } from "../../../tools/campaign/tables.js";
import { PROGRAM, run } from "../../hal/host/host-program.js";
import { importsOf, sourcesIn } from "../../support/syntax.js";

const FOLDER = "tools/campaign";
type Unit = readonly [generation: Generation, profile: Profile];
/** Units, names of states, and how the names of faults begin: each fault happens in each state of each unit. */
type Row = readonly [units: readonly Unit[], states: readonly string[], faults: readonly string[]];

/**
 * What the parts of control show themselves in: faults while lock is asked for, states, and where generations
 * and profiles differ.
 */
const IN_A_CAR: readonly Row[] = [
	[
		[[4, "reference"]],
		["5050"],
		[
			...["car: too-hot", "car: speeds-disagree", "car: counter-stands", "ABS for", "ABS pulses 20/800"],
			...["coupling's report lost", "flags of ABS", "flag of ABS", "script-stalled=0:700", "coupling bus unplugged for 300"],
			...["bus-off-chassis", "another generation", "frames short", "the same identifiers"],
		],
	],
	[
		[[5, "corrected"]],
		["5050"],
		[
			...["car: wrong-checksum", "car: speed-error", "ABS for", "flags of ABS", "flag of ABS", "STOCK is chosen"],
			...["script-stalled=0:700", "flash-blocks", "bus-off-", "tx-full-", "clock-jump=", "frames short", "the same identifiers"],
		],
	],
	[[[5, "reference"]], ["5050"], ["ABS for", "script-stalled=0:700", "tx-full-coupling", "frames short", "tick-throws"]],
	[[[5, "corrected"]], ["starting"], ["ABS for"]],

	[[[4, "reference"]], ["speed", "rpm", "capture", "steered by a map", "some frames off"], ["boot-key"]],
	[[[4, "corrected"]], ["map", "closing gate", "verbose logging"], ["boot-key"]],
	[[[5, "reference"]], ["throttle", "inverted PWM", "proportional"], ["boot-key"]],
	[
		[[5, "corrected"]],
		["speed", "rpm", "capture", "steered by a map", "some frames off", "proportional", "unusable map"],
		["boot-key"],
	],

	[[[4, "corrected"]], ["map"], ["car: speed-error", "car: speed-undervoltage"]],
	[[[5, "corrected"]], ["map"], ["speed lost for 900", "pedal lost for 900", "it is disabled"]],
	[[[5, "reference"]], ["triggered"], ["the trigger's"]],
	[
		[
			[4, "reference"],
			[5, "corrected"],
		],
		["condition that may open", "condition that may limit"],
		["the condition's signal is set", "the condition's signal is lost for 3"],
	],
	[
		[
			[4, "corrected"],
			[5, "reference"],
		],
		["steered"],
		["the steering angle is lost for 900"],
	],
	[
		[
			[4, "reference"],
			[5, "corrected"],
		],
		["calibration"],
		["the car moves"],
	],
	[[[5, "corrected"]], ["calibration"], ["the condition's signal is set", "the lever leaves", "the page of"]],
];
const VARIANTS: readonly Row[] = [
	[
		[
			[51, "reference"],
			[53, "reference"],
		],
		["5050", "map"],
		["coupling's report", "ABS for"],
	],
];
/** Each fault in one state, and in the other states what matters there. */
const ALONE: readonly Row[] = [
	[
		[
			[2, "reference"],
			[5, "corrected"],
		],
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
	[[[2, "corrected"]], ["alone, a third"], ["one frame", "bus-off-coupling"]],
	[[[5, "reference"]], ["alone, a third"], ["tick-throws"]],
	[
		[
			[2, "reference"],
			[5, "corrected"],
		],
		["alone, stock"],
		["coupling's report", "script-stalled=0:700", "another sender, for"],
	],
	[[[5, "reference"]], ["alone, listening"], ["one frame"]],
	[
		[
			[2, "reference"],
			[5, "corrected"],
		],
		["alone, listening"],
		["another sender, for"],
	],
	[[[5, "reference"]], ["alone, without the input that its mode needs"], ["coupling's report", "another sender's remote"]],
];

/** Makes the drives of these rows, all of them, which must send this many commands at least. */
async function drives(rows: readonly Row[], commands: number): Promise<void> {
	const names = rows.flatMap(([units, states, faults]) =>
		units.flatMap(([generation, profile]) =>
			states.flatMap((state) => faults.map((fault) => `${state}, generation ${generation}, ${profile}: ${fault}`)),
		),
	);
	const result = await campaign({ seed: 1, grep: new RegExp(`^(${names.join("|")})`), program: PROGRAM });
	assert.deepEqual(result.complaints, []);
	assert.deepEqual(
		names.filter((name) => !result.trials.some((trial) => trial.startsWith(name))),
		[],
		"each row was driven",
	);
	assert.ok(result.commands >= commands, `${result.commands} commands`);
}

describe("tools/campaign", () => {
	it("has nothing to complain about, and is stock and back in time", () => drives(IN_A_CAR, 25_000));

	it("drives the variants: frames of its own, and frames that are generated in a car that reports", () => drives(VARIANTS, 1000));

	it("lets everything go wrong in some of the states of standalone operation, and has nothing to complain of", () =>
		drives(ALONE, 2000));

	it("drives `proportional`, and frames that are off, on units that have these frames", () => {
		const driven = [...IN_A_CAR, ...VARIANTS, ...ALONE].flatMap(([units, names]) =>
			STATES.filter(({ name, frames }) => frames !== undefined && names.includes(name)).flatMap((state) =>
				units.map((unit) => ({ state, unit })),
			),
		);
		for (const name of ["proportional", "some frames off"]) assert.ok(driven.some(({ state }) => state.name === name));
		for (const { state, unit } of driven) {
			const table = (choice?: FrameChoice) => tableOf(...unit, state.wishes.isAlone === true, state.wishes.mode, choice);
			assert.notDeepEqual(table(state.frames), table(), `${state.name}, ${unit.join()}`);
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
