import assert from "node:assert/strict";
import { Reason } from "../../src/controller/reason.js";
import { carOf } from "../../src/coupling/couplings/couplings.js";
import { STOCK } from "../../src/lock/modes.js";
import { type ConditionSettings, DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { request } from "../support/api-client.js";
import { aController, type ControllerChanges, condition } from "../support/controller-view.js";

const WAITS = { holds: false, live: true, seen: true, value: 0, atMs: 123_400 };
const HOLDS = { ...WAITS, holds: true, value: 1 };
const LOST = { ...WAITS, live: false };

type Now = readonly [changes: Partial<ConditionSettings>, state: typeof WAITS | undefined];

/** What the interface says that each condition does. */
function doing(conditions: readonly Now[], changes: ControllerChanges = {}): string {
	const settings = { ...DEFAULT_SETTINGS, generation: 5, conditions: conditions.map(([one]) => condition(one)) } as const;
	const conditionAt = (index: number) => conditions[index]?.[1];
	const answer = request({ controller: aController({ ...changes, settings, conditionAt }) }, "GET", "/api/conditions");
	const shown = answer.json()["conditions"] as { doing: string }[];
	return shown.map((one) => one.doing).join();
}

describe("api/conditions", () => {
	it("recommends the signals of the car", () => {
		const controller = aController({ settings: { ...DEFAULT_SETTINGS, generation: 5 } });
		const recommended = request({ controller }, "GET", "/api/conditions").json()["recommended"] as {
			name: string;
			signal: string;
		}[];
		const { oilTemperature: _, ...others } = carOf(5).recommended.conditions;
		const shown = recommended.filter(({ name }) => name !== "oilTemperature").map(({ name, signal }) => [name, signal]);
		assert.deepEqual(Object.fromEntries(shown), others);
	});

	it("says of a condition that it is off, waits, acts, or gets no signal", () => {
		const opens = { effect: "open" } as const;
		for (const [state, said] of [
			[undefined, "off"],
			[WAITS, "waits"],
			[HOLDS, "acts"],
			[LOST, "no signal"],
		] as const)
			assert.equal(doing([[opens, state]]), said);
	});

	it("says that the car is stock although a condition holds", () => {
		const stock = { controlActive: false, reason: Reason.NO_SPEED, conditionSelects: true };
		for (const effect of ["open", "limit", "mode", "map"] as const) assert.equal(doing([[{ effect }, HOLDS]], stock), "stock");
		const selected = { ...stock, reason: Reason.STOCK_SELECTED, selectedMode: STOCK };
		assert.equal(doing([[{ effect: "mode" }, HOLDS]], selected), "stock");
		assert.equal(doing([[{ effect: "mode", alsoFromStock: true }, HOLDS]], selected), "acts", "it selects STOCK itself");
	});

	it("says that the first condition that selects a mode acts, and that others stand back", () => {
		const mode: Now = [{ effect: "mode" }, HOLDS];
		const map: Now = [{ effect: "map" }, HOLDS];
		const limit: Now = [{ effect: "limit" }, HOLDS];
		assert.equal(doing([limit, map, mode, limit], { conditionSelects: true }), "acts,acts,stands back,acts");
		assert.equal(doing([[mode[0], WAITS], map], { conditionSelects: true }), "waits,acts");
	});
});
