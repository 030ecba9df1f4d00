import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../src/can/bus.js";
import { Changes, FAULTS } from "../../src/controller/changes.js";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import { aController, type ControllerChanges } from "../support/controller-view.js";

/** A car in which nothing is wrong. */
const healthy = (changes: ControllerChanges = {}) => aController({ engagementValid: true, ...changes });

const names = (changes: Changes) => FAULTS.filter((_, i) => (changes.activeFaults & (1 << i)) !== 0);

describe("controller/changes", () => {
	it("sees each fault come and go, with revision and time", () => {
		const cases: [string, ControllerChanges][] = [
			["chassisBusDown", { chassisState: STOPPED }],
			["chassisBusDown", { chassisState: BUS_OFF }],
			["couplingBusDown", { couplingBusState: STOPPED }],
			["couplingBusDown", { couplingBusState: BUS_OFF }],
			["chassisSilent", { chassisAgeMs: 201 }],
			["speedInvalid", { speedValid: false }],
			["throttleInvalid", { pedalValid: false }],
			["rpmInvalid", { rpmValid: false }],
			["engagementInvalid", { engagementValid: false }],
			["couplingOverheated", { temperatureProtection: true }],
		];
		for (const [name, wrong] of cases) {
			const changes = new Changes();
			changes.observe(healthy());
			assert.deepEqual([names(changes), changes.faultRevision], [[], 0], name);
			changes.observe(healthy({ ...wrong, nowMs: 5000 }));
			const fault = FAULTS.indexOf(name as (typeof FAULTS)[number]);
			assert.deepEqual([names(changes), changes.revisionOf(fault), changes.changedMsOf(fault)], [[name], 1, 5000]);
			changes.observe(healthy({ ...wrong, nowMs: 6000 }));
			assert.deepEqual([changes.faultRevision, changes.changedMsOf(fault)], [1, 5000], "nothing new");
			changes.observe(healthy({ nowMs: 7000 }));
			assert.deepEqual([names(changes), changes.revisionOf(fault), changes.changedMsOf(fault)], [[], 2, 7000]);
		}
	});

	it("counts no fault at 200 ms of silence or for bits of the coupling's state", () => {
		const changes = new Changes();
		changes.observe(healthy({ chassisAgeMs: 200, couplingState: 0xff, couplingFault: true, chassisState: ERROR_ACTIVE + 2 }));
		assert.deepEqual(names(changes), []);
		changes.observe(healthy({ chassisAgeMs: 65535, chassisState: BUS_OFF }));
		assert.deepEqual(names(changes), ["chassisBusDown"], "a bus that is down is not silent as well");
	});

	it("sees at its first look that neither bus runs", () => {
		const changes = new Changes();
		changes.observe(healthy({ chassisState: STOPPED, couplingBusState: STOPPED }));
		assert.deepEqual(names(changes), ["chassisBusDown", "couplingBusDown"]);
	});

	it("gives each of several faults a revision of its own", () => {
		const changes = new Changes();
		changes.observe(healthy({ speedValid: false, rpmValid: false }));
		assert.deepEqual([changes.revisionOf(3), changes.revisionOf(5), changes.faultRevision], [1, 2, 2]);
	});

	it("counts what concerns the active mode, once per change", () => {
		const changes = new Changes();
		changes.observe(healthy());
		assert.equal(changes.modeRevision, 1);
		changes.observe(healthy({ speedKmh: 99, lockPercent: 1, nowMs: 9 }));
		assert.equal(changes.modeRevision, 1);
		const all: ControllerChanges[] = [
			{ selectedMode: 1 },
			{ effectiveMode: 0 },
			{ reason: Reason.SETTLING },
			{ reasonDetail: "/maps/x.json" },
			{ conditionMap: "/maps/x.json" },
			{ heldBy: HeldBy.RAMP },
			{ controlActive: false },
			{ disabled: true },
			{ captureActive: true },
		];
		let expected = 1;
		for (const change of all) {
			changes.observe(healthy(change));
			assert.equal(changes.modeRevision, ++expected, Object.keys(change)[0]);
			changes.observe(healthy());
			assert.equal(changes.modeRevision, ++expected);
		}
	});

	it("tells control, disabled flag and capture from each other, however they come together", () => {
		const all = Array.from({ length: 8 }, (_, i) =>
			healthy({ controlActive: (i & 1) !== 0, disabled: (i & 2) !== 0, captureActive: (i & 4) !== 0 }),
		);
		for (const one of all)
			for (const other of all) {
				const changes = new Changes();
				changes.observe(one);
				changes.observe(other);
				assert.equal(changes.modeRevision, one === other ? 1 : 2);
			}
	});
});
