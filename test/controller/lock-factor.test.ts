import assert from "node:assert/strict";
import { NOTHING_LEARNED } from "../../src/calibration/learning.js";
import { commandFactor, LockFactor, trimmedFactor } from "../../src/controller/lock-factor.js";
import { FULL_FACTOR } from "../../src/coupling/frame-plan.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";

const LOCK = 40;

describe("controller/lock-factor", () => {
	it("is the reference's guess, without a trim, before there are settings", () => {
		assert.equal(new LockFactor().of(LOCK), commandFactor(LOCK, null, "reference"));
	});

	it("changes for the same lock with profile, trim and learned table", () => {
		const factors = new LockFactor();
		const settings = { ...DEFAULT_SETTINGS, generation: 5 as const, frameProfile: "reference" as const };
		factors.applySettings(settings);
		assert.equal(factors.differs, "", "there is no table to differ from");
		const guessed = factors.of(LOCK);
		assert.equal(guessed, commandFactor(LOCK, null, "reference"));
		assert.equal(factors.of(LOCK), guessed);

		factors.applySettings({ ...settings, lockTrimPercent: 110 });
		assert.equal(factors.of(LOCK), Math.round(guessed * 1.1));

		factors.applySettings({ ...settings, generation: 4, lockTrimPercent: 110 });
		assert.equal(factors.of(LOCK), guessed, "generation 4 has no trim");

		factors.applySettings({ ...settings, frameProfile: "corrected" });
		assert.equal(factors.of(LOCK), commandFactor(LOCK, null, "corrected"));

		const table = Array.from({ length: 101 }, (_, factor) => factor / 2);
		factors.applySettings(settings, { ...NOTHING_LEARNED, generation: 5, date: "2026-11-23", table });
		assert.equal(factors.of(LOCK), commandFactor(LOCK, table, "reference"));
		assert.notEqual(factors.of(LOCK), guessed);
		assert.equal(factors.of(0), 0);

		// the same factor is said with other bytes then
		for (const [other, differs] of [
			[{}, ""],
			[{ torqueCeilingNm: 160 }, ""],
			[{ generation: 4 }, "generation"],
			[{ frameProfile: "corrected" }, "frameProfile"],
			[{ torqueModel: "proportional" }, "torqueModel"],
			[{ framesOff: "0x0A7" }, "framesOff"],
		] as const) {
			factors.applySettings({ ...settings, ...other });
			assert.deepEqual([factors.differs, factors.table === null], [differs, differs !== ""]);
		}
		for (const generation of [1, 2, 4] as const) {
			factors.applySettings(settings, { ...settings, generation, date: "", table, oilC: [] });
			assert.equal(factors.differs, "generation");
		}
		const proportional = { ...settings, torqueModel: "proportional" } as const;
		factors.applySettings(proportional, { ...proportional, date: "", table, oilC: [] });
		assert.equal(factors.table, table);
		factors.applySettings({ ...proportional, torqueCeilingNm: 151 });
		assert.deepEqual([factors.differs, factors.table], ["torqueCeilingNm", null]);
	});
});

/** How the gateway scales a byte. */
const scaled = (base: number, factor: number): number => Math.floor((base * factor) / 25600);
const table = (engagement: (factor: number) => number): number[] => Array.from({ length: 101 }, (_, i) => engagement(i));
const percent = (factor: number): number => factor / 256;

// docs/control-and-can.md 1.6: lock, factor, FE minus the scaled FE, and FE, 7F, 4E, 16, 22, 50 scaled.
const WORKED: readonly (readonly [number, number, number, ...number[]])[] = [
	[0, 0, 0xfe, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
	[0.1, 20, 0xcc, 0x32, 0x19, 0x0f, 0x04, 0x06, 0x10],
	[22.5, 31, 0xb0, 0x4e, 0x27, 0x18, 0x06, 0x0a, 0x18],
	[50, 45, 0x8c, 0x72, 0x39, 0x23, 0x09, 0x0f, 0x24],
	[99.4, 69, 0x4f, 0xaf, 0x57, 0x35, 0x0f, 0x17, 0x37],
	[99.5, 100, 0x00, 0xfe, 0x7f, 0x4e, 0x16, 0x22, 0x50],
];

describe("controller/lock-factor: the factor of a lock", () => {
	describe("profile reference", () => {
		for (const [lock, factorPercent, inverse, ...bytes] of WORKED)
			it(`has the worked bytes at ${lock} %`, () => {
				const factor = commandFactor(lock, null, "reference");
				assert.equal(factor, factorPercent * 256);
				assert.deepEqual(
					[0xfe, 0x7f, 0x4e, 0x16, 0x22, 0x50].map((base) => scaled(base, factor)),
					bytes,
				);
				assert.equal(0xfe - scaled(0xfe, factor), inverse);
			});

		it("clamps a lock outside 0 to 100 %", () => {
			for (const lock of [-1e9, -1, -0.001, 0]) assert.equal(commandFactor(lock, null, "reference"), 0);
			for (const lock of [99.5, 99.51, 100, 100.001, 1e9]) assert.equal(commandFactor(lock, null, "reference"), FULL_FACTOR);
			assert.equal(commandFactor(99.499, null, "reference"), 69 * 256);
		});

		it("steps by whole percents of the factor, each 2 % of lock", () => {
			for (let lock = 1; lock < 100; lock++)
				assert.equal(commandFactor(lock, null, "reference"), (20 + (lock >> 1)) * 256, `${lock} %`);
		});

		it("looks the whole percent of the request up in a calibration table", () => {
			const learnt = table((i) => (i <= 25 ? 0 : Math.min(100, Math.floor(((i - 25) * 100) / 60))));
			for (const [lock, factorPercent] of [
				[0, 0],
				[0.5, 0],
				[1, 26],
				[39.9, 49],
				[40, 49],
				[40.7, 49],
				[41, 50],
				[99, 85],
				[99.5, 100],
			])
				assert.equal(percent(commandFactor(lock, learnt, "reference")), factorPercent, `${lock} %`);
			assert.equal(scaled(0xfe, commandFactor(40.7, learnt, "reference")), 0x7c);
		});

		it("asks for full lock where a table does not reach the request", () => {
			const weak = table((i) => Math.min(85, i));
			assert.equal(percent(commandFactor(85, weak, "reference")), 85);
			assert.equal(percent(commandFactor(86, weak, "reference")), 100);
			assert.equal(percent(commandFactor(90, weak, "reference")), 100);
		});
	});

	describe("profile corrected", () => {
		it("rises from 0 to full without a jump", () => {
			let last = commandFactor(0, null, "corrected");
			assert.equal(last, 0);
			for (let i = 1; i <= 10_000; i++) {
				const factor = commandFactor(i / 100, null, "corrected");
				assert.ok(factor >= last && factor - last <= 20, `${i / 100} %: ${last} to ${factor}`);
				last = factor;
			}
			assert.equal(last, FULL_FACTOR);
		});

		it("agrees with the reference's line where that is not at an end", () => {
			for (let lock = 6; lock <= 94; lock += 2) assert.equal(percent(commandFactor(lock, null, "corrected")), 20 + lock / 2);
			assert.deepEqual(
				[percent(commandFactor(5, null, "corrected")), percent(commandFactor(95, null, "corrected"))],
				[22.5, 67.5],
			);
		});

		it("clamps a lock outside 0 to 100 %, with a table too", () => {
			for (const calibration of [null, table((i) => i)]) {
				for (const lock of [-5, 0]) assert.equal(commandFactor(lock, calibration, "corrected"), 0);
				for (const lock of [100, 100.1, 200]) assert.equal(commandFactor(lock, calibration, "corrected"), FULL_FACTOR);
			}
		});

		it("inverts a calibration table between its samples", () => {
			const halved = table((i) => i / 2);
			for (const [lock, factorPercent] of [
				[0.25, 0.5],
				[10, 20],
				[10.25, 20.5],
				[49.5, 99],
				[50, 100],
				[51, 100],
				[100, 100],
			])
				assert.equal(percent(commandFactor(lock, halved, "corrected")), factorPercent, `${lock} %`);
		});

		it("takes the smallest factor that reaches the request", () => {
			const stepped = table((i) => (i < 30 ? 0 : i < 60 ? 50 : 80));
			const flat = table((i) => (i < 30 ? 0 : i - 20));
			const early = table((i) => (i < 1 ? 0 : 70));
			for (const [learnt, lock, factorPercent] of [
				[stepped, 50, "30.00"],
				[stepped, 80, "60.00"],
				[stepped, 90, "60.00"],
				[flat, 5, "29.50"],
				[early, 50, "0.71"],
			] as const)
				assert.equal(percent(commandFactor(lock, learnt, "corrected")).toFixed(2), factorPercent);
		});

		it("asks for nothing up to the lock that the coupling has without a command", () => {
			const dragging = table((i) => 20 + i * 0.8);
			assert.equal(commandFactor(10, dragging, "corrected"), 0);
			assert.equal(commandFactor(20, dragging, "corrected"), 0);
			assert.equal(percent(commandFactor(60, dragging, "corrected")), 50);
		});

		it("never falls when more lock is asked, with 50 random tables", () => {
			let seed = 1;
			const random = (): number => {
				seed = (seed * 75 + 74) % 65537;
				return seed / 65537;
			};
			for (let round = 0; round < 50; round++) {
				let most = 0;
				const noisy = table((i) => {
					most = Math.max(most, Math.min(100, i + (random() - 0.5) * 30));
					return most;
				});
				let last = 0;
				for (let lock = 0; lock <= 100; lock += 0.5) {
					const factor = commandFactor(lock, noisy, "corrected");
					assert.ok(factor >= last && factor <= FULL_FACTOR && Number.isInteger(factor), `${lock} %: ${factor} after ${last}`);
					last = factor;
				}
			}
		});
	});

	it("is scaled by a trim, up to full", () => {
		assert.equal(trimmedFactor(FULL_FACTOR, 0.8), 20480);
		assert.equal(trimmedFactor(101, 0.5), 51);
		assert.equal(trimmedFactor(FULL_FACTOR, 1.5), FULL_FACTOR);
		assert.equal(trimmedFactor(10_000, 1.5), 15_000);
		assert.equal(trimmedFactor(0, 1.5), 0);
	});
});
