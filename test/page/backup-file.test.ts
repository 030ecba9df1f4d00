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
	it("is refused by name of the member of a condition that is of another kind", () => {
		const fieldOf = (changes: object): string => {
			try {
				parseBackup(textOf(changes));
			} catch (error) {
				assert.ok(error instanceof BackupProblem && error.kind === "wrong");
				return error.field;
			}
			return "";
		};
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
