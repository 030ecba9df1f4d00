/** A backup: saved, compared, restored, and rejected where it is damaged. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type Backup, BackupProblem, backupText, differencesOf, parseBackup } from "../../src/page/backup/backup.js";
import { NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import { until } from "../system/wait.js";
import { answerWith, PHONE, postsOf, untilAsked } from "./browser.js";
import { button, describePage, downloaded, openFile } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

interface File {
	version: number;
	map: { speedBins: number[] };
	curves: Record<string, { x: number; lock: number }[]>;
	maps: Record<string, { lockTable: number[][] }>;
	settings: Record<string, unknown>;
	calibration: unknown;
}

interface LockTable {
	lockTable: number[][];
}

const LEARNED = {
	generation: 5,
	frameProfile: "reference",
	torqueModel: "pinned",
	torqueCeilingNm: 150,
	framesOff: "",
	date: "2026-11-23",
	oilC: [],
	table: Array.from({ length: 101 }, (_, factor) => factor),
};

const openMine = (page: Page, content: string) => openFile(page, "mine.json", content);

describePage("a backup", (fixture) => {
	let backup = "";

	/** Sets all kinds of things. The first time a backup of them is taken. */
	beforeEach(async () => {
		await fixture.post("/api/wifi", { staEnabled: true, staSsid: "garage", staPassword: "very secret" });
		await fixture.post("/api/curve/rpm", {
			points: [
				{ x: 1000, lock: 10 },
				{ x: 4000, lock: 60 },
			],
		});
		await fixture.post("/api/settings", { disableSpeed: 120, pwm: { frequencyHz: 500 } });
		await fixture.post("/api/maps/import?name=Winter", JSON.parse(fixture.map) as object);
		await fixture.post("/api/learn/table", LEARNED);
		if (backup !== "") return;
		const { page } = await fixture.open("backup", PHONE);
		const { name, text } = await downloaded(page, button(page, "Save to a file"));
		assert.match(name, /^opencoupling-\d{4}-\d\d-\d\d\.json$/);
		backup = text;
	});
	afterEach(async () => {
		await fixture.post("/api/settings", { disableSpeed: 0, pwm: { frequencyHz: 1000 } });
		await fixture.post("/api/wifi", { staEnabled: false });
		await fixture.post("/api/learn/clear", {});
	});

	/** Changes what the backup holds. */
	async function change(): Promise<void> {
		await fixture.post("/api/curve/rpm", { points: [{ x: 0, lock: 0 }] });
		await fixture.post("/api/settings", { disableSpeed: 200, pwm: { frequencyHz: 800 } });
		await fixture.post("/api/maps/delete", { path: "/maps/Winter.json" });
		const map = JSON.parse(fixture.map) as { lockTable: number[][] };
		map.lockTable[0][0] = 99;
		await fixture.post("/api/map", map);
		await fixture.post("/api/learn/clear", {});
	}

	it("holds settings, curves and maps, and no password", () => {
		const { version, settings, curves, maps, map, calibration } = JSON.parse(backup) as File;
		assert.deepEqual(calibration, LEARNED);
		assert.equal(version, 1);
		assert.deepEqual([settings["disableSpeed"], settings["couplingGeneration"]], [120, 5]);
		assert.deepEqual(curves["rpm"][1], { x: 4000, lock: 60 });
		assert.deepEqual(maps["Winter"], map);
		assert.doesNotMatch(backup, /secret|garage/);
	});

	it("shows what differs, restores what is chosen, damaged maps too, and leaves the rest", async () => {
		await change();
		writeFileSync(join(fixture.bench.flash, "maps/Winter.json"), "{");
		const { page, problems } = await fixture.open("backup", PHONE);
		await openMine(page, backup);
		await page.locator(".notice.bad", { hasText: 'Stored map "Winter": ' }).waitFor();
		assert.match(problems.splice(0).join(), /^[^,]*status of 400[^,]*$/);
		await page.getByText("mine.json differs in 6 points from the controller:").waitFor();
		await assertAccessible(page);
		const row = (label: string) => page.locator("label.check", { hasText: label });
		assert.match((await row("Fixed ratios: lock only up to").textContent()) ?? "", /200 km\/h → 120 km\/h$/);
		assert.match((await row("PWM frequency").textContent()) ?? "", /PWM frequency800 Hz → 500 Hz$/);
		assert.match((await row('Stored map "Winter"').textContent()) ?? "", /not on the controller$/);
		assert.match((await row("The active map").textContent()) ?? "", /1 cell differs$/);
		assert.equal(await row("The active map").locator(".map-picture").count(), 2, "now and then");
		assert.equal(await row("Curve: Engine").locator("path[d^=M]").count(), 3, "now and then, over two lines");
		assert.match((await row("The calibration").textContent()) ?? "", /Generation 5, 2026-11-23$/);
		await row("Curve: Engine").tap();
		await button(page, "Restore 5").tap();
		await page.getByText("Restored: 5").waitFor();
		await page.getByText("mine.json differs in 1 point from the controller:").waitFor();
		const { disableSpeed, pwm } = await fixture.json<{ disableSpeed: number; pwm: { frequencyHz: number } }>("/api/status");
		assert.deepEqual([disableSpeed, pwm.frequencyHz], [120, 500]);
		assert.deepEqual((await fixture.json<{ points: object[] }>("/api/curve/rpm")).points.length, 1, "not chosen");
		assert.equal((await fixture.json<{ lockTable: number[][] }>("/api/map")).lockTable[0][0], 0);
		assert.equal((await fixture.json<{ inForce: boolean }>("/api/learn/table")).inForce, true);
		const { maps } = await fixture.json<{ maps: { name: string }[] }>("/api/maps");
		assert.ok(maps.some(({ name }) => name === "Winter"));
		await button(page, "Restore 1").tap();
		await page.getByText("The controller has all that is in mine.json").waitFor();
		assert.deepEqual(problems, []);
	});

	it("stops where the controller rejects a value, says so, and shows what still differs", async () => {
		await change();
		const file = JSON.parse(backup) as File;
		file.map.speedBins[1] = 0;
		const { page } = await fixture.open("backup", PHONE);
		await openMine(page, JSON.stringify(file));
		await button(page, "Restore 6").tap();
		await page.getByText("bins must ascend").waitFor();
		await page.getByText("mine.json differs in 1 point from the controller:").waitFor();
		await page.locator("label.check", { hasText: "The active map" }).waitFor();
		assert.equal((await fixture.json<{ lockTable: number[][] }>("/api/map")).lockTable[0][0], 99);
	});

	it("asks before it changes the generation", async () => {
		const file = JSON.parse(backup) as File;
		file.settings["couplingGeneration"] = 4;
		const { page } = await fixture.open("backup", PHONE);
		await answerWith(page, false);
		await openMine(page, JSON.stringify(file));
		await button(page, "Restore 1").tap();
		await untilAsked(page, /changes the generation of the coupling/);
		assert.equal((await fixture.json<{ couplingGeneration: number }>("/api/status")).couplingGeneration, 5);
	});

	/** Restores all of the file that differs. */
	async function restoreAll(content: string): Promise<Page> {
		const { page, problems } = await fixture.open("backup", PHONE);
		await openMine(page, content);
		await page.getByRole("button", { name: /^Restore \d/ }).tap();
		await page.getByText("The controller has all that is in mine.json").waitFor();
		assert.deepEqual(problems, []);
		return page;
	}

	describe("with the active map in it", () => {
		const winter = async () => (await fixture.json<LockTable>("/api/maps/export?name=Winter&format=json")).lockTable[0][0];
		const inForce = async () => (await fixture.json<LockTable>("/api/map")).lockTable[0][0];

		/** The active map is called Winter, and was changed since. */
		beforeEach(async () => {
			await fixture.post("/api/maps/load", { name: "Winter" });
			const map = JSON.parse(fixture.map) as LockTable;
			map.lockTable[0][0] = 99;
			await fixture.post("/api/map", map);
			// on flash now, instead of within two seconds
			await fixture.post("/api/maps/save", { name: "Winter" });
			assert.deepEqual([await winter(), await inForce()], [99, 99]);
		});

		it("is restored whole", async () => {
			await restoreAll(backup);
			assert.deepEqual([await winter(), await inForce()], [0, 0]);
		});

		it("leaves the active map alone if only the stored one is chosen", async () => {
			const { page } = await fixture.open("backup", PHONE);
			await openMine(page, backup);
			await page.locator("label.check", { hasText: "The active map" }).tap();
			await button(page, "Restore 1").tap();
			await page.getByText("mine.json differs in 1 point from the controller:").waitFor();
			assert.deepEqual([await winter(), await inForce()], [0, 99]);
			assert.equal((await fixture.json<{ mapName: string }>("/api/status")).mapName, "");
		});
	});

	it("restores maps with odd names", async () => {
		const names = ["__proto__", "constructor", "toString"];
		const stored = async () => {
			const { maps } = await fixture.json<{ maps: { name: string }[] }>("/api/maps");
			return maps.map(({ name }) => name).filter((name) => names.includes(name));
		};
		for (const name of names) await fixture.post(`/api/maps/import?name=${name}`, JSON.parse(fixture.map) as object);
		const { page } = await fixture.open("backup", PHONE);
		const { text } = await downloaded(page, button(page, "Save to a file"));
		for (const name of names) await fixture.post("/api/maps/delete", { path: `/maps/${name}.json` });
		assert.deepEqual(await stored(), []);
		await restoreAll(text);
		assert.deepEqual(await stored(), names);
		for (const name of names) await fixture.post("/api/maps/delete", { path: `/maps/${name}.json` });
	});

	it("keeps parked sleep off when it restores the generation", async () => {
		const sleeps = async () =>
			(await fixture.json<{ power: { lowPowerSleepEnabled: boolean } }>("/api/status")).power.lowPowerSleepEnabled;
		const before = await sleeps();
		await fixture.post("/api/settings", { couplingGeneration: 4, lowPower: { sleepEnabled: false } });
		const file = JSON.parse(backup) as File;
		file.settings["lowPower"] = { sleepEnabled: false };
		await restoreAll(JSON.stringify(file));
		assert.equal((await fixture.json<{ couplingGeneration: number }>("/api/status")).couplingGeneration, 5);
		assert.equal(await sleeps(), false);
		await fixture.post("/api/settings", { lowPower: { sleepEnabled: before } });
	});

	it("restores which frames are off, also of another generation", async () => {
		const off = async () => (await fixture.json<{ framesOff: string }>("/api/status")).framesOff;
		const of = (settings: Record<string, unknown>) => {
			const file = JSON.parse(backup) as File;
			return JSON.stringify({ ...file, settings: { ...file.settings, ...settings } });
		};
		assert.equal((JSON.parse(backup) as File).settings["framesOff"], "");
		for (const [before, kept] of [
			["0x1A0 0x2A0", "0x392"],
			["0x392", undefined],
		]) {
			await fixture.post("/api/settings", { couplingGeneration: 4, framesOff: before, lowPower: { sleepEnabled: false } });
			await restoreAll(of({ framesOff: kept, lowPower: { sleepEnabled: false } }));
			assert.equal(await off(), kept ?? "");
		}
		await fixture.post("/api/settings", { framesOff: "" });
	});

	it("rejects a damaged file and one of another kind as a whole, and names the fault", async () => {
		const { page } = await fixture.open("backup", PHONE);
		const posts = postsOf(page);
		const file = (): File => JSON.parse(backup) as File;
		for (const [content, message] of [
			["no JSON", "This file is no backup"],
			[JSON.stringify({ ...file(), version: 2 }), "made by a newer version"],
			[JSON.stringify({ ...file(), settings: { pwm: { inverted: "no" } } }), "damaged: settings.pwm.inverted"],
		] as const) {
			await openMine(page, content);
			await page.locator(".notice", { hasText: message }).waitFor();
			await button(page, "Close").tap();
		}
		assert.deepEqual([posts, await page.locator("label.check").count()], [[], 0]);
	});

	it("restores conditions, also from a file that knows only the mode trigger", async () => {
		const conditions = async () =>
			(await fixture.json<{ conditions: Readonly<Record<string, unknown>>[] }>("/api/conditions")).conditions;
		const { page } = await fixture.open("backup", PHONE);
		const file = {
			format: "opencoupling-backup",
			version: 1,
			made: "",
			firmware: "",
			curves: {},
			maps: {},
			map: JSON.parse(fixture.map),
		};
		const put = async (name: string, more: object): Promise<void> => {
			await openFile(page, name, JSON.stringify({ ...file, ...more }));
			await page.getByText(`${name} differs in 1 point`).waitFor();
			await button(page, "Restore 1").tap();
			await page.getByText(`The controller has all that is in ${name}`).waitFor();
		};
		await put("new.json", {
			settings: {},
			conditions: [{ enabled: true, effect: "limit", limitPercent: 33, signal: "chassis|0x1|x|" }],
		});
		await until(async () => (await conditions())[0]?.["limitPercent"] === 33, 30_000, "the condition");
		await put("old.json", {
			settings: {
				modeTrigger: { enabled: true, signal: "chassis|0xfd|esp tastung passiv|", operator: "lt", value: 5, mode: "9010" },
			},
		});
		const [{ effect, operator, value, mode }] = (await conditions()) as [Record<string, unknown>];
		assert.deepEqual([effect, operator, value, mode], ["mode", "lt", 5, "9010"]);
		await fixture.post("/api/settings", { conditions: [] });
	});
});

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

	it("is rejected if it is another file, newer, or has an invalid member", () => {
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

	it("is rejected by the name of a condition's invalid member", () => {
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

	it("fills in what a condition lacks", () => {
		const { conditions } = parseBackup(textOf({ conditions: [{ signal: "chassis|0x1|x|" }] }));
		assert.deepEqual(conditions, [{ ...NEW_CONDITION, signal: "chassis|0x1|x|" }]);
	});

	it("may hold maps named like members of every object", () => {
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
