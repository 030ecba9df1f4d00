/**
 * What the driver feels, without a browser: a phone that notes its vibrations, and modes that come and go.
 */

import assert from "node:assert/strict";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import { feelModes } from "../../src/page/drive/feel.js";
import type { ModeState } from "../../src/page/net/types.js";
import { Store } from "../../src/page/state/store.js";

const LOST = [60, 90, 60];

describe("what the driver feels of the modes", () => {
	const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
	const userActivation = { hasBeenActive: true };
	const WHY = { reason: "", reasonCode: Reason.ACTIVE, reasonDetail: "", heldBy: HeldBy.NOTHING, conditionMap: "" } as const;
	let felt: unknown[] = [];
	let modes = new Store<ModeState | undefined>(undefined);

	const are = (mode: ModeState["mode"], effectiveMode: ModeState["effectiveMode"]): void =>
		modes.set({ mode, effectiveMode, ...WHY, controlActive: true, disableController: false, canviewCaptureMode: false });

	beforeEach(() => {
		felt = [];
		userActivation.hasBeenActive = true;
		const navigator = { userActivation, vibrate: (pattern: unknown) => felt.push(pattern) > 0 };
		Object.defineProperty(globalThis, "navigator", { configurable: true, value: navigator });
		modes = new Store<ModeState | undefined>(undefined);
		feelModes(modes);
	});

	after(() => {
		if (own === undefined) Reflect.deleteProperty(globalThis, "navigator");
		else Object.defineProperty(globalThis, "navigator", own);
	});

	it("is one vibration for each mode that comes into force, and none for what is told again or was found", () => {
		are("MAP", "MAP");
		assert.deepEqual(felt, []);
		are("8020", "8020");
		are("8020", "8020");
		assert.deepEqual(felt, [80]);
	});

	it("is nothing for a mode that was only asked for", () => {
		are("MAP", "MAP");
		are("8020", "MAP");
		assert.deepEqual(felt, []);
	});

	it("is two when the mode is lost, and one when it is back", () => {
		are("8020", "8020");
		are("8020", "STOCK");
		assert.deepEqual(felt, [LOST]);
		are("8020", "8020");
		assert.deepEqual(felt, [LOST, 80]);
	});

	it("is nothing on a page that nobody has touched yet", () => {
		are("MAP", "MAP");
		userActivation.hasBeenActive = false;
		are("MAP", "STOCK");
		assert.deepEqual(felt, []);
	});
});
