import assert from "node:assert/strict";
import { UpdateChanges } from "../../src/update/update-changes.js";
import type { Updater } from "../../src/update/updater.js";

/** What is shown of an updater that has done nothing yet. */
const AT_FIRST = {
	phase: "idle",
	lastCheckMs: 0,
	progressMs: 0,
	installError: "",
	confirmed: true,
	refusal: "",
	facts: { olderAllowed: false },
};
const LATER = {
	phase: "checking",
	lastCheckMs: 5,
	progressMs: 5,
	installError: "offline",
	confirmed: false,
	refusal: "the car is moving",
	facts: { olderAllowed: true },
};
const asUpdater = (shown: object): Updater => shown as Updater;

describe("update/update-changes", () => {
	it("has news at first, of each change by itself, and none of what was seen", () => {
		for (const name of Object.keys(AT_FIRST) as (keyof typeof AT_FIRST)[]) {
			const watch = new UpdateChanges();
			assert.equal(watch.changed(asUpdater(AT_FIRST)), true);
			watch.seen(asUpdater(AT_FIRST));
			assert.equal(watch.changed(asUpdater(AT_FIRST)), false);
			const changed = { ...AT_FIRST, [name]: LATER[name] };
			assert.equal(watch.changed(asUpdater(changed)), true, name);
			watch.seen(asUpdater(changed));
			assert.equal(watch.changed(asUpdater(changed)), false, `${name} was seen`);
		}
	});
});
