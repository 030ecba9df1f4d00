import assert from "node:assert/strict";
import { LockFactor } from "../../src/controller/lock-factor.js";
import { commandFactor } from "../../src/coupling/command-factor.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";

const LOCK = 40;

describe("controller/lock-factor", () => {
	it("is the reference's guess, without a trim, before there are settings", () => {
		assert.equal(new LockFactor().of(LOCK), commandFactor(LOCK, null, "reference"));
	});

	it("is another one for the same lock as soon as profile, trim or what was learned are others", () => {
		const factors = new LockFactor();
		const settings = { ...DEFAULT_SETTINGS, generation: 5 as const, frameProfile: "reference" as const };
		factors.applySettings(settings);
		const guessed = factors.of(LOCK);
		assert.equal(guessed, commandFactor(LOCK, null, "reference"));
		assert.equal(factors.of(LOCK), guessed);

		factors.applySettings({ ...settings, lockTrimPercent: 110 });
		assert.equal(factors.of(LOCK), Math.round(guessed * 1.1));

		factors.applySettings({ ...settings, frameProfile: "corrected" });
		assert.equal(factors.of(LOCK), commandFactor(LOCK, null, "corrected"));

		const table = Array.from({ length: 101 }, (_, factor) => factor / 2);
		factors.applySettings(settings, {
			generation: 5,
			frameProfile: "reference",
			torqueModel: "pinned",
			torqueCeilingNm: 150,
			framesOff: "",
			date: "2026-11-23",
			oilC: [],
			table,
		});
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
		const proportional = { ...settings, torqueModel: "proportional" } as const;
		factors.applySettings(proportional, { ...proportional, date: "", table, oilC: [] });
		assert.equal(factors.table, table);
		factors.applySettings({ ...proportional, torqueCeilingNm: 151 });
		assert.deepEqual([factors.differs, factors.table], ["torqueCeilingNm", null]);
	});
});
