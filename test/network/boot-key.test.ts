import assert from "node:assert/strict";
import { BootKey, CALL_COUNTS_MS, HOLD_MS, KeyAction, PRESS_MS } from "../../src/network/boot-key.js";

const TICK_MS = 100;
const STANDS = (): boolean => true;

describe("network/boot-key", () => {
	/** When the key counted as held within `ms`. */
	function hold(key: BootKey, ms: number, stands: (atMs: number) => boolean = () => true, fromMs = 0): number[] {
		const times: number[] = [];
		for (let at = 0; at <= ms; at += TICK_MS)
			if (key.tick(true, () => stands(at), fromMs + at) === KeyAction.HELD) times.push(at);
		return times;
	}

	it("counts once after 10 s, however long it is held, and again when it was released; not two holds together", () => {
		const key = new BootKey();
		assert.deepEqual(hold(key, HOLD_MS - TICK_MS), []);
		key.tick(false, STANDS, HOLD_MS);
		assert.deepEqual(hold(key, 5 * HOLD_MS, undefined, 2 * HOLD_MS), [HOLD_MS]);
		assert.equal(key.tick(false, STANDS, 80_000), KeyAction.NOTHING, "held for longer it is no press");
		assert.deepEqual(hold(key, HOLD_MS, undefined, 0x7fffffff - 5000), [HOLD_MS], "at the clock's end, too");
	});

	it("begins anew whenever the car may have moved", () => {
		const key = new BootKey();
		assert.deepEqual(
			hold(key, 25_000, (at) => at !== 9_900),
			[10_000 + HOLD_MS],
		);
		assert.deepEqual(
			hold(new BootKey(), 60_000, () => false),
			[],
		);
		const done = new BootKey();
		assert.deepEqual(
			hold(done, 40_000, (at) => at < 12_000 || at > 13_000),
			[HOLD_MS],
			"once in each hold",
		);
	});

	it("reports a press of 2 s at its release, if the car stood all the time", () => {
		const pressed = (ms: number, stands?: (atMs: number) => boolean, standsThen = true) => {
			const key = new BootKey();
			assert.deepEqual(hold(key, ms, stands), []);
			const told = key.tick(false, () => standsThen, ms + TICK_MS);
			assert.equal(key.tick(false, STANDS, ms + 2 * TICK_MS), KeyAction.NOTHING, "once");
			return told;
		};
		assert.equal(pressed(PRESS_MS), KeyAction.PRESSED);
		assert.equal(pressed(HOLD_MS - TICK_MS), KeyAction.PRESSED);
		assert.equal(pressed(PRESS_MS - TICK_MS), KeyAction.NOTHING);
		assert.equal(
			pressed(3000, (at) => at !== 2000),
			KeyAction.NOTHING,
		);
		assert.equal(pressed(3000, undefined, false), KeyAction.NOTHING);
	});

	for (const [name, jumpMs] of [
		["forwards", 20_000],
		["forwards by hours", 10_000_000],
		["back", -20_000],
		["back by hours", -10_000_000],
	] as const)
		it(`makes neither a press nor a hold of a key that is down while the clock jumps ${name}`, () => {
			const fromMs = 20_000_000;
			const heldAcross = (ms: number): { key: BootKey; told: number[] } => {
				const key = new BootKey();
				const before = hold(key, ms / 2, undefined, fromMs);
				return { key, told: [...before, ...hold(key, ms / 2, undefined, fromMs + ms / 2 + jumpMs)] };
			};
			const touch = heldAcross(PRESS_MS - CALL_COUNTS_MS - TICK_MS);
			assert.deepEqual(touch.told, []);
			assert.equal(touch.key.tick(false, STANDS, fromMs + PRESS_MS + jumpMs), KeyAction.NOTHING);
			const press = heldAcross(HOLD_MS - CALL_COUNTS_MS - 2 * TICK_MS);
			assert.deepEqual(press.told, []);
			assert.equal(press.key.tick(false, STANDS, fromMs + HOLD_MS + jumpMs), KeyAction.PRESSED);
			assert.equal(heldAcross(HOLD_MS + 2 * TICK_MS).told.length, 1, "nor is a hold lost");
		});

	it("counts a late call, and of a longer gap at most as much", () => {
		for (const [gapMs, expected] of [
			[CALL_COUNTS_MS, KeyAction.PRESSED],
			[CALL_COUNTS_MS - 1, KeyAction.NOTHING],
			[10 * CALL_COUNTS_MS, KeyAction.PRESSED],
		] as const) {
			const key = new BootKey();
			for (let call = 0; call <= PRESS_MS / CALL_COUNTS_MS; call++) key.tick(true, STANDS, call * gapMs);
			assert.equal(key.tick(false, STANDS, 60_000), expected);
		}
	});
});
