import assert from "node:assert/strict";
import { CHASSIS_SILENT_MS, ERROR_ACTIVE, STOPPED } from "../../src/can/bus.js";
import { Conditions } from "../../src/controller/conditions.js";
import { InputHealth } from "../../src/controller/input-health.js";
import { InputSupervisor } from "../../src/controller/input-supervisor.js";
import { Reason } from "../../src/controller/reason.js";
import { REQUIRED_INPUTS } from "../../src/controller/required-inputs.js";
import { Sources } from "../../src/controller/sources.js";
import { Steering } from "../../src/controller/steering.js";
import { newLockState } from "../../src/lock/lock-core.js";
import { MAP, RPM } from "../../src/lock/modes.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { SampleHeader, WORD_CHASSIS_AGE, WORD_FLAGS, WORD_STATES } from "../../src/vehicle/sample.js";
import { VehicleState } from "../../src/vehicle/vehicle-state.js";
import { WatchList } from "../../src/vehicle/watch-list.js";
import { condition } from "../support/controller-view.js";

const TICK_MS = 10;

type InputName = { [Name in keyof Sources]: Sources[Name] extends InputHealth ? Name : never }[keyof Sources];

/** A supervisor whose inputs are what the test says. */
class Supervised {
	readonly state = Object.assign(new VehicleState(), {
		speedValid: true,
		pedalValid: true,
		rpmValid: true,
		interventionsValid: true,
		engagementValid: true,
	});
	readonly words = new SampleHeader().words;
	/** A condition that opens the coupling has its signal. */
	hasSignal = true;
	readonly #supervisor: InputSupervisor;
	#nowMs = 0;

	constructor(mode: number) {
		this.words[WORD_STATES] = ERROR_ACTIVE | (ERROR_ACTIVE << 8);
		this.words[WORD_FLAGS] = 1;
		this.words[WORD_CHASSIS_AGE] = 0;
		const conditions = [condition({ effect: "open", signal: "none" })];
		const settings: Settings = { ...DEFAULT_SETTINGS, generation: 4, mode, disableController: false, conditions };
		const opening = new Conditions(settings, new WatchList());
		opening.poll = () => {
			const changed = opening.known !== this.hasSignal;
			opening.known = this.hasSignal;
			return changed;
		};
		const steering = new Steering(newLockState(), settings.steeringGain, undefined);
		this.#supervisor = new InputSupervisor(settings, opening, steering);
	}

	/** @returns the reason after the last tick */
	run(ms: number): Reason {
		for (let passed = 0; passed < ms; passed += TICK_MS) {
			this.#nowMs += TICK_MS;
			this.#supervisor.step(new Uint8Array(this.words.buffer), this.words, this.state, this.#nowMs, TICK_MS);
		}
		return this.#supervisor.verdict.reason;
	}
}

/** How each input is lost while nothing else is, and what the driver is told. */
const LOSSES: Readonly<Record<InputName, readonly [loses: (one: Supervised) => void, reason: Reason, mode?: number]>> = {
	chassis: [({ words }) => (words[WORD_CHASSIS_AGE] = CHASSIS_SILENT_MS + 1), Reason.CHASSIS_SILENT],
	couplingBus: [({ words }) => (words[WORD_STATES] = ERROR_ACTIVE | (STOPPED << 8)), Reason.COUPLING_BUS_DOWN],
	ignition: [({ state }) => (state.ignition = "off"), Reason.IGNITION_OFF],
	speedAgreement: [({ state }) => (state.speedsContradict = true), Reason.SPEEDS_CONTRADICT],
	speed: [({ state }) => (state.speedValid = false), Reason.NO_SPEED],
	pedal: [({ state }) => (state.pedalValid = false), Reason.NO_PEDAL],
	rpm: [({ state }) => (state.rpmValid = false), Reason.NO_RPM, RPM],
	interventions: [({ state }) => (state.interventionsValid = false), Reason.NO_INTERVENTIONS],
	feedback: [({ state }) => (state.engagementValid = false), Reason.NO_FEEDBACK],
	conditions: [(one) => (one.hasSignal = false), Reason.NO_CONDITION],
};

describe("controller/required-inputs", () => {
	it("list each input of the sources exactly once", () => {
		const sources = new Sources();
		const listed = REQUIRED_INPUTS.map(({ health }) => health(sources));
		const members = Object.entries(sources).filter(([, member]) => member instanceof InputHealth);
		for (const [name, member] of members) assert.equal(listed.filter((one) => one === member).length, 1, name);
		assert.equal(listed.length, members.length);
	});

	for (const [name, [loses, reason, mode = MAP]] of Object.entries(LOSSES))
		it(`make a lost input the reason in the tick of its loss: ${name}`, () => {
			const one = new Supervised(mode);
			assert.equal(one.run(2000), Reason.ACTIVE);
			loses(one);
			assert.equal(one.run(TICK_MS), reason);
		});
});
