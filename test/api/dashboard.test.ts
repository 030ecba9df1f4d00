/** What displays for OpenHaldex-C6 read: V1.10 (`locking`) and V2 to V9, whose members these are. */
import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { request } from "../support/api-client.js";
import { aController, type ControllerChanges } from "../support/controller-view.js";
import { type Latest, LatestTable } from "../support/gateway-memory.js";

const dashboard = (changes: ControllerChanges = {}, frames: readonly Latest[] = [], inputs = -1) => {
	const parts = {
		controller: aController(changes),
		frames: new LatestFrames(new LatestTable(...frames)),
		boardInputs: () => inputs,
	};
	const answer = request(parts, "GET", "/api/dashboard");
	assert.equal(answer.status, 200);
	assert.equal(answer.headers["content-length"], String(answer.text.length), "a length, for what reads no chunks");
	assert.ok(answer.text.length < 1024, "small enough for an ESP8266");
	assert.ok(answer.text.startsWith('{"mode":'), "the first `mode` of the text is this one");
	return answer.json();
};

/** All that the pages and displays of OpenHaldex-C6 V2 to V9 read, but its own processor's figures. */
const NAMES =
	"throttle asrOn tcOn hazardActive brakeIn brakeOut handbrakeIn handbrakeOut brakeFromCAN handbrakeFromCAN lockTarget lockActual " +
	"haldexState haldexEngagement haldexEngagementRaw clutch1Report clutch2Report tempProtection couplingOpen speedLimit " +
	"chassisCAN haldexCAN busFailure lastChassisMs lastHaldexMs uptimeMs";
const ALIVE = { couplingAgeMs: 12, engagementValid: true } as const;

describe("api/dashboard", () => {
	it("keeps the members of V1.10 as they were, and has every member that V2 to V9 have", () => {
		const all = dashboard(ALIVE);
		for (const [name, value] of Object.entries({
			...{ mode: 5, effectiveMode: 5, speed: 51, rpm: 2100, boost: 210, locking: 32, throttle: 12, lockTarget: 33 },
			...{ lockActual: 32, haldexEngagement: 32, haldexEngagementRaw: 79, chassisCAN: true, haldexCAN: true, lastHaldexMs: 12 },
		}))
			assert.equal(all[name], value, name);
		const missing = NAMES.split(" ").filter((name) => !(name in all));
		assert.deepEqual(missing, []);
	});

	it("writes null for unknown values", () => {
		const silent = dashboard({ pedalValid: false, chassisAgeMs: 65535 });
		const known = Object.keys(silent).filter((name) => silent[name] !== null);
		const names =
			"mode effectiveMode speed rpm boost locking lockTarget chassisCAN haldexCAN busFailure lastChassisMs lastHaldexMs";
		assert.deepEqual(known, [...names.split(" "), "uptimeMs"]);
		assert.deepEqual([silent["chassisCAN"], silent["haldexCAN"]], [false, false]);
		const invalid = dashboard({ couplingAgeMs: 12, engagementValid: false });
		assert.deepEqual([invalid["haldexCAN"], invalid["lockActual"], invalid["couplingOpen"]], [true, null, null]);
	});

	it("reads the coupling's flags of generations that report them", () => {
		const { clutch1Report, tempProtection, clutch2Report, couplingOpen, speedLimit } = dashboard({ ...ALIVE, generation: 4 });
		assert.deepEqual([clutch1Report, tempProtection, clutch2Report, couplingOpen, speedLimit], [true, true, false, true, true]);
	});

	const bit = (start: number) => Array.from({ length: 8 }, (_, i) => (i === start >> 3 ? 1 << (start & 7) : 0));
	// the recommended signals of conditions: brake light switch and handbrake of PQ
	const PQ: readonly (readonly [name: string, id: number, start: number])[] = [
		["brakeFromCAN", 0x288, 16],
		["handbrakeFromCAN", 0x320, 9],
	];
	it("reads brake, handbrake, hazard lights and ESP off where the car tells them, received frames only", () => {
		const frames = (data: (start: number) => number[], ageMs = 20): Latest[] =>
			PQ.map(([, id, start]) => ({ bus: 0, id, received: { ageMs, data: data(start) } }));
		const read = (...table: Latest[]) => PQ.map(([name]) => dashboard({ generation: 4 }, table)[name]);
		assert.deepEqual(read(...frames(bit)), [true, true]);
		assert.deepEqual(read(...frames(() => bit(63))), [false, false]);
		assert.deepEqual(read(...frames(bit, 1501)), [null, null]);
		assert.deepEqual(read({ bus: 1, id: 0x288, sent: { ageMs: 1, data: bit(16) } }), [null, null], "what we send ourselves");
		const passive = (raw: number[]) => dashboard({ generation: 4 }, [{ bus: 0, id: 0x1a0, received: { data: raw } }]);
		const { tcOn, asrOn } = passive([0, 0, 0, 0, 0, 0, 0, 0]);
		assert.deepEqual([tcOn, asrOn], [true, true]);
		assert.ok([...Array(64).keys()].some((start) => passive(bit(start))["tcOn"] === false));
		const hazard = (start: number) =>
			dashboard({ generation: 4 }, [{ bus: 0, id: 0x390, received: { data: bit(start) } }])["hazardActive"];
		assert.equal([...Array(64).keys()].filter((start) => hazard(start) === true).length, 1);
	});

	it("has no flags of the car without a generation", () => {
		const { tcOn, hazardActive, brakeFromCAN } = dashboard({ generation: 0 });
		assert.deepEqual([tcOn, hazardActive, brakeFromCAN], [null, null, null]);
	});

	it("reads the board's inputs, and says what its outputs do", () => {
		const board = (inputs: number, controls: object) => {
			const settings = { ...DEFAULT_SETTINGS, controls: { ...DEFAULT_SETTINGS.controls, ...controls } };
			const { brakeIn, brakeOut, handbrakeIn, handbrakeOut } = dashboard({ settings } as ControllerChanges, [], inputs);
			return [brakeIn, brakeOut, handbrakeIn, handbrakeOut];
		};
		assert.deepEqual(board(-1, { followBrake: true }), [null, null, null, null]);
		assert.deepEqual(board(4, {}), [true, false, false, false]);
		assert.deepEqual(board(4, { followBrake: true, followHandbrake: true }), [true, true, false, false]);
		assert.deepEqual(board(12, { followBrake: true, invertBrake: true }), [true, false, true, false]);
		assert.deepEqual(board(0, { followHandbrake: true, invertHandbrake: true }), [false, false, false, true]);
	});
});
