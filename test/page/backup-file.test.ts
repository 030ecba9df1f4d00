/** What a file says that somebody has changed by hand, or that is damaged. */
import assert from "node:assert/strict";
import { type Backup, BackupProblem, backupText, differencesOf, parseBackup } from "../../src/page/backup/backup.js";
import { NEW_CONDITION } from "../../src/page/conditions/conditions.js";

const line = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const MAP = { speedBins: line(9), throttleBins: line(7), lockTable: line(7).map(() => line(9)) };
const EMPTY: Backup = { settings: {}, curves: {}, map: MAP, maps: {} };

const textOf = (changes: object): string =>
	JSON.stringify({ ...(JSON.parse(backupText(EMPTY, "", new Date())) as object), ...changes });

describe("the file of a backup", () => {
	const problemOf = (text: string): [kind?: string, field?: string] => {
		try {
			parseBackup(text);
		} catch (error) {
			assert.ok(error instanceof BackupProblem);
			return [error.kind, error.field];
		}
		return [];
	};

	it("is no backup, of a newer version, or wrong in one of its members", () => {
		for (const text of ["no JSON", '{"format":"else"}', "null"]) assert.equal(problemOf(text)[0], "other", text);
		assert.equal(problemOf(textOf({ version: 2 }))[0], "newer");
		const rows: [changes: object, field: string][] = [
			[{ settings: { pwm: 5 } }, "settings.pwm"],
			[{ settings: { pwm: { inverted: "no" } } }, "settings.pwm.inverted"],
			[{ calibration: { table: [1] } }, "calibration"],
			[{ curves: { rpm: [{ x: "1", lock: 2 }] } }, "curves.rpm"],
			[{ map: { ...MAP, speedBins: [1, 2] } }, "map"],
			[{ maps: { Winter: null } }, "maps.Winter"],
			[{ maps: [] }, "maps"],
		];
		for (const [changes, field] of rows) assert.deepEqual(problemOf(textOf(changes)), ["wrong", field]);
	});

	it("is rejected by name of the member of a condition that is of another kind", () => {
		const fieldOf = (changes: object): string => problemOf(textOf(changes))[1] ?? "";
		const conditions = (changes: object) => ({ conditions: [NEW_CONDITION, { ...NEW_CONDITION, ...changes }] });
		assert.equal(fieldOf(conditions({ signal: 5 })), "conditions[1].signal");
		assert.equal(fieldOf(conditions({ signal: [1] })), "conditions[1].signal");
		assert.equal(fieldOf(conditions({ effect: {} })), "conditions[1].effect");
		assert.equal(fieldOf(conditions({ value: null })), "conditions[1].value");
		assert.equal(fieldOf({ conditions: [null] }), "conditions[0]");
		assert.equal(fieldOf({ conditions: {} }), "conditions");
		assert.equal(fieldOf({ settings: { modeTrigger: { enabled: true, signal: 5 } } }), "settings.modeTrigger.signal");
		assert.equal(fieldOf(conditions({})), "");
	});

	it("lacks what a condition may lack", () => {
		const { conditions } = parseBackup(textOf({ conditions: [{ signal: "chassis|0x1|x|" }] }));
		assert.deepEqual(conditions, [{ ...NEW_CONDITION, signal: "chassis|0x1|x|" }]);
	});

	it("may hold maps that are called like what every object has", () => {
		const names = ["__proto__", "constructor", "toString"];
		const file = parseBackup(textOf({ maps: Object.fromEntries(names.map((name) => [name, MAP])) }));
		const found = differencesOf(file, EMPTY);
		assert.deepEqual(
			found.map((difference) => [difference.kind, difference.name, "now" in difference && difference.now]),
			names.map((name) => ["stored", name, undefined]),
		);
		assert.deepEqual(differencesOf(file, file), []);
	});
});
