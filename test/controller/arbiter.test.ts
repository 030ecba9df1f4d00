import assert from "node:assert/strict";
import { arbitrate, calibrationDoubt, type Verdict } from "../../src/controller/arbiter.js";
import { InputHealth } from "../../src/controller/input-health.js";
import { Reason } from "../../src/controller/reason.js";
import { Sources } from "../../src/controller/sources.js";
import { MODES } from "../../src/lock/modes.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const STOCK = 0;
const FWD = 1;
const FULL = 2;
const SPEED = 7;
const THROTTLE = 8;
const MAP = 9;
const RPM = 10;

type Health = "ready" | "settling" | "starting" | "missing";

function health(state: Health): InputHealth {
	return Object.assign(new InputHealth(), {
		valid: state !== "missing",
		ready: state === "ready",
		starting: state === "starting",
	});
}

/** A driving car in mode MAP without any doubt. */
function sourcesWith(changes: Partial<Sources> = {}): Sources {
	return {
		...new Sources(),
		selectedMode: MAP,
		generation: 5,
		chassisRunning: true,
		couplingRunning: true,
		chassis: health("ready"),
		couplingBus: health("ready"),
		ignition: health("ready"),
		speedAgreement: health("ready"),
		speed: health("ready"),
		pedal: health("ready"),
		rpm: health("ready"),
		interventions: health("ready"),
		feedback: health("ready"),
		conditions: health("ready"),
		...changes,
	};
}

function judge(sources: Sources, tuning: Tuning = DEFAULT_TUNING): Verdict {
	const verdict: Verdict = { mode: 42, reason: Reason.FAULT, inputMissing: true };
	arbitrate(sources, tuning, verdict);
	return verdict;
}

const stock = (reason: Reason): Verdict => ({ mode: STOCK, reason, inputMissing: false });

/** Doubts in order of precedence, all but the mode itself. */
const DOUBTS: readonly (readonly [Partial<Sources>, Reason])[] = [
	[{ disabled: true }, Reason.DISABLED],
	[{ generation: 0 }, Reason.NO_GENERATION],
	[{ bootLoop: true }, Reason.BOOT_LOOP],
	[{ openNetwork: true }, Reason.OPEN_NETWORK],
	[{ updating: true }, Reason.UPDATING],
	[{ capture: true }, Reason.CAPTURE],
	[{ verboseLogging: true }, Reason.VERBOSE_LOGGING],
	[{ noFrames: true }, Reason.NO_FRAMES],
	[{ mapUnreadable: true }, Reason.MAP_UNREADABLE],
	[{ chassisRunning: false }, Reason.CHASSIS_BUS_DOWN],
	[{ couplingRunning: false }, Reason.COUPLING_BUS_DOWN],
	[{ chassis: health("missing") }, Reason.CHASSIS_SILENT],
];

describe("controller/arbiter", () => {
	it("needs the ignition and speeds that agree in every mode, and for a calibration", () => {
		for (const [input, reason] of [
			["ignition", Reason.IGNITION_OFF],
			["speedAgreement", Reason.SPEEDS_CONTRADICT],
		] as const) {
			for (let mode = FWD; mode <= RPM; mode++) {
				const lost = judge(sourcesWith({ selectedMode: mode, [input]: health("missing") }));
				assert.deepEqual(lost, { mode, reason, inputMissing: true });
				for (const state of ["settling", "starting"] as const) {
					const back = judge(sourcesWith({ selectedMode: mode, [input]: health(state) }));
					assert.deepEqual(back, { mode, reason: Reason.SETTLING, inputMissing: true });
				}
			}
			assert.equal(calibrationDoubt(sourcesWith({ [input]: health("missing") })), reason);
		}
	});

	it("activates the selected mode when nothing stands against it", () => {
		for (let mode = FWD; mode <= RPM; mode++)
			assert.deepEqual(judge(sourcesWith({ selectedMode: mode })), { mode, reason: Reason.ACTIVE, inputMissing: false });
		for (const disabled of [false, true])
			assert.deepEqual(judge(sourcesWith({ disabled, selectedMode: STOCK })), stock(Reason.STOCK_SELECTED));
	});

	for (const [changes, reason] of DOUBTS)
		it(`is stock because "${reason}", whatever the mode and the conditions`, () => {
			for (let mode = FWD; mode <= RPM; mode++) {
				assert.deepEqual(judge(sourcesWith({ ...changes, selectedMode: mode })), stock(reason), MODES[mode]);
				const selected = { ...changes, selectedMode: MAP, conditionSelects: true, conditionMode: mode };
				assert.deepEqual(judge(sourcesWith(selected)), stock(reason), MODES[mode]);
			}
		});

	it("reports the doubt of highest precedence", () => {
		for (let from = 0; from < DOUBTS.length; from++) {
			const changes = Object.assign({}, ...DOUBTS.slice(from).map(([change]) => change));
			assert.deepEqual(judge(sourcesWith(changes)), stock(DOUBTS[from][1]));
		}
	});

	it("lets a condition that may act out of STOCK do so, below every other doubt", () => {
		const fromStock = { selectedMode: STOCK, conditionSelects: true, conditionMode: MAP };
		const acts = { mode: MAP, reason: Reason.SELECTED_BY_CONDITION, inputMissing: false };
		for (const disabled of [true, false]) assert.deepEqual(judge(sourcesWith({ ...fromStock, disabled })), acts);
		for (const [changes, reason] of DOUBTS.filter(([{ disabled }]) => !disabled))
			assert.deepEqual(judge(sourcesWith({ ...fromStock, disabled: true, ...changes })), stock(reason));
	});

	it("uses a held button's mode instead of the selected one, below conditions and every doubt", () => {
		const held = { selectedMode: MAP, heldMode: FULL };
		assert.deepEqual(judge(sourcesWith(held)), { mode: FULL, reason: Reason.SELECTED_BY_BUTTON, inputMissing: false });
		assert.deepEqual(judge(sourcesWith({ ...held, heldMode: STOCK })), stock(Reason.STOCK_SELECTED));
		const both = judge(sourcesWith({ ...held, conditionSelects: true, conditionMode: FWD }));
		assert.deepEqual(both, { mode: FWD, reason: Reason.SELECTED_BY_CONDITION, inputMissing: false });
		for (const [doubt, reason] of DOUBTS) assert.deepEqual(judge(sourcesWith({ ...held, ...doubt })), stock(reason));
		const missing = judge(sourcesWith({ ...held, feedback: health("missing") }));
		assert.deepEqual(missing, { mode: FULL, reason: Reason.NO_FEEDBACK, inputMissing: true });
	});

	it("activates a condition's mode while it selects one", () => {
		const selected = { selectedMode: MAP, conditionSelects: true, conditionMode: FULL };
		assert.deepEqual(judge(sourcesWith(selected)), { mode: FULL, reason: Reason.SELECTED_BY_CONDITION, inputMissing: false });
		assert.deepEqual(judge(sourcesWith({ ...selected, conditionMode: STOCK })), stock(Reason.STOCK_SELECTED));
		assert.equal(judge(sourcesWith({ ...selected, conditionSelects: false })).mode, MAP);
	});

	describe("inputs", () => {
		const gated = (changes: Partial<Tuning>): Tuning => ({ ...DEFAULT_TUNING, ...changes });
		const limits = { map: 0, speed: 0, throttle: 0, rpm: 0 };
		const dynamic = gated({ disableSpeedKmh: 1, disableThrottlePercent: 1 });
		// what it is, tuning, mode, what it needs: speed, pedal, rpm
		const NEEDS: readonly (readonly [string, Tuning, number, string])[] = [
			["FWD", DEFAULT_TUNING, FWD, ""],
			["9010", DEFAULT_TUNING, 6, ""],
			["5050 with a pedal threshold", gated({ disableThrottlePercent: 1 }), FULL, "pedal"],
			["5050 with a speed threshold", gated({ disableSpeedKmh: 1 }), FULL, "speed"],
			[
				"5050 with thresholds of dynamic modes",
				gated({ disengageUnderKmh: { map: 9, speed: 9, throttle: 9, rpm: 9 } }),
				FULL,
				"",
			],
			["SPEED", DEFAULT_TUNING, SPEED, "speed"],
			["SPEED with thresholds of presets", dynamic, SPEED, "speed"],
			["THROTTLE", DEFAULT_TUNING, THROTTLE, "pedal"],
			["THROTTLE with a speed threshold", gated({ disengageUnderKmh: { ...limits, throttle: 1 } }), THROTTLE, "speed pedal"],
			["THROTTLE with thresholds of presets", dynamic, THROTTLE, "pedal"],
			["MAP", DEFAULT_TUNING, MAP, "speed pedal"],
			["RPM", DEFAULT_TUNING, RPM, "rpm"],
			["RPM with a speed threshold", gated({ disengageUnderKmh: { ...limits, rpm: 1 } }), RPM, "speed rpm"],
			["RPM with thresholds of presets", dynamic, RPM, "rpm"],
		];
		const INPUTS = [
			["speed", Reason.NO_SPEED],
			["pedal", Reason.NO_PEDAL],
			["rpm", Reason.NO_RPM],
		] as const;

		const troubles = (missing: Reason) =>
			[
				["missing", missing],
				["settling", Reason.SETTLING],
				["starting", Reason.STARTING],
			] as const;

		for (const [what, tuning, mode, needs] of NEEDS)
			it(`${what} needs ${needs || "no input"} and nothing else`, () => {
				for (const [input, missing] of INPUTS)
					for (const [state, reason] of troubles(missing)) {
						const verdict = judge(sourcesWith({ selectedMode: mode, [input]: health(state) }), tuning);
						const needed = needs.split(" ").includes(input);
						const expected = { mode, reason: needed ? reason : Reason.ACTIVE, inputMissing: needed };
						assert.deepEqual(verdict, expected, `${input} ${state}`);
					}
			});

		const OF_ALL = [
			["interventions", "to know about interventions", Reason.NO_INTERVENTIONS, "needsInterventions"],
			["feedback", "a coupling that reports", Reason.NO_FEEDBACK, "needsFeedback"],
			["conditions", "the signals of conditions that open the coupling", Reason.NO_CONDITION, "needsConditions"],
		] as const;

		for (const [input, what, missing, needs] of OF_ALL)
			it(`every mode needs ${what}, unless the driver has it otherwise`, () => {
				for (let mode = FWD; mode <= RPM; mode++)
					for (const [state, reason] of troubles(missing)) {
						const sources = { selectedMode: mode, [input]: health(state) };
						assert.deepEqual(judge(sourcesWith({ ...sources, [needs]: true })), { mode, reason, inputMissing: true });
						const ignored = judge(sourcesWith({ ...sources, [needs]: false }));
						assert.deepEqual(ignored, { mode, reason: Reason.ACTIVE, inputMissing: false });
					}
			});

		it("every mode waits until both buses have been there for long enough", () => {
			for (let mode = FWD; mode <= RPM; mode++)
				for (const [bus, state, reason] of [
					["chassis", "settling", Reason.CHASSIS_BUS_SETTLING],
					["chassis", "starting", Reason.STARTING],
					["couplingBus", "settling", Reason.COUPLING_BUS_SETTLING],
					["couplingBus", "starting", Reason.STARTING],
				] as const) {
					const waiting = sourcesWith({ selectedMode: mode, [bus]: health(state) });
					assert.deepEqual(judge(waiting), { mode, reason, inputMissing: true });
				}
		});

		it("names missing inputs before settling ones, and starting before settling", () => {
			const both = sourcesWith({ speed: health("starting"), pedal: health("missing") });
			assert.equal(judge(both).reason, Reason.NO_PEDAL);
			assert.equal(judge(sourcesWith({ speed: health("missing"), pedal: health("missing") })).reason, Reason.NO_SPEED);
			assert.equal(judge(sourcesWith({ speed: health("settling"), pedal: health("starting") })).reason, Reason.STARTING);
		});

		it("judges a condition's mode by the inputs of that mode", () => {
			const selected = { conditionSelects: true, conditionMode: RPM, speed: health("missing"), pedal: health("missing") };
			assert.equal(judge(sourcesWith(selected)).reason, Reason.SELECTED_BY_CONDITION);
			const missing = judge(sourcesWith({ ...selected, rpm: health("missing") }));
			assert.deepEqual(missing, { mode: RPM, reason: Reason.NO_RPM, inputMissing: true });
		});
	});

	it("waits in standalone operation until frames are generated", () => {
		const standalone = { standalone: true, wantsGenerator: true, chassis: health("ready") };
		assert.equal(judge(sourcesWith({ ...standalone, generatorRuns: true })).reason, Reason.ACTIVE);
		const listening = judge(sourcesWith(standalone));
		assert.deepEqual([listening.reason, listening.mode, listening.inputMissing], [Reason.STANDALONE_WAITS, STOCK, false]);
		assert.equal(judge(sourcesWith({ ...standalone, couplingRunning: false })).reason, Reason.COUPLING_BUS_DOWN);
		assert.equal(judge(sourcesWith({ generatorRuns: false })).reason, Reason.ACTIVE);
		const inCar = { wantsGenerator: true, generatorRuns: true, interventions: health("missing") };
		assert.equal(judge(sourcesWith(inCar)).reason, Reason.NO_INTERVENTIONS, "in a car that lacks the frames");
	});
});

describe("controller/arbiter: calibration", () => {
	it("ignores the mode, but needs every input that safety depends on", () => {
		for (const [changes, doubt] of [
			[{}, undefined],
			[{ selectedMode: STOCK, disabled: true, pedal: health("missing"), rpm: health("missing") }, undefined],
			[{ needsInterventions: false, needsFeedback: false }, undefined],
			[{ standalone: true, wantsGenerator: true, generatorRuns: true, interventions: health("missing") }, undefined],
			[{ standalone: true, wantsGenerator: true, generatorRuns: true, needsInterventions: false }, undefined],
			...DOUBTS.filter(([{ disabled, mapUnreadable }]) => !disabled && !mapUnreadable),
			[{ conditionSelects: true, conditionMode: FULL }, Reason.SELECTED_BY_CONDITION],
			[{ heldMode: FULL }, Reason.SELECTED_BY_BUTTON],
			[{ restraint: Reason.OPENED_BY_CONDITION }, Reason.OPENED_BY_CONDITION],
			[{ restraint: Reason.LIMITED_BY_CONDITION }, Reason.LIMITED_BY_CONDITION],
			[{ conditions: health("missing"), needsConditions: true }, Reason.NO_CONDITION],
			[{ conditions: health("missing") }, undefined],
			[{ wantsGenerator: true }, Reason.STANDALONE_WAITS],
			[{ speed: health("missing") }, Reason.NO_SPEED],
			[{ interventions: health("missing"), needsInterventions: false }, Reason.NO_INTERVENTIONS],
			[{ feedback: health("missing"), needsFeedback: false }, Reason.NO_FEEDBACK],
			...(["chassis", "couplingBus", "speed", "interventions", "feedback"] as const).map(
				(input) => [{ [input]: health("settling") }, Reason.SETTLING] as const,
			),
		] as const)
			assert.equal(calibrationDoubt(sourcesWith(changes)), doubt, JSON.stringify(changes));
	});
});
