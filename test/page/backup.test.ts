/** A backup: saved, compared, restored, and rejected where it is damaged. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { NOTHING_LEARNED } from "../../src/calibration/learning.js";
import { STORED_MAPS_MAX } from "../../src/maps/map-store.js";
import { type Backup, BackupProblem, backupText, differencesOf, parseBackup, restore } from "../../src/page/backup/backup.js";
import { NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import { settingsIn } from "../../src/page/settings/settings.js";
import { answerWith, PHONE, postsOf, untilAsked } from "./browser.js";
import { button, describePage, downloaded, openFile } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

const LEARNED = {
	...NOTHING_LEARNED,
	generation: 5,
	date: "2026-11-23",
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
		await fixture.set({ disableSpeed: 120, pwm: { frequencyHz: 500 } });
		await fixture.post("/api/maps/import?name=Winter", JSON.parse(fixture.map));
		await fixture.post("/api/learn/table", LEARNED);
		if (backup !== "") return;
		// a name that every object has already
		await fixture.post("/api/maps/import?name=__proto__", JSON.parse(fixture.map));
		const { page } = await fixture.open("backup", PHONE);
		const { name, text } = await downloaded(page, button(page, "Save to a file"));
		assert.match(name, /^opencoupling-\d{4}-\d\d-\d\d\.json$/);
		backup = text;
	});
	afterEach(async () => {
		await fixture.set({ disableSpeed: 0, pwm: { frequencyHz: 1000 } });
		await fixture.post("/api/wifi", { staEnabled: false });
		await fixture.post("/api/learn/clear", {});
	});

	after(() => fixture.post("/api/maps/delete", { name: "__proto__" }));

	/** Changes what the backup holds. */
	async function change(): Promise<void> {
		await fixture.post("/api/curve/rpm", { points: [{ x: 0, lock: 0 }] });
		await fixture.set({ disableSpeed: 200, pwm: { frequencyHz: 800 } });
		await fixture.post("/api/maps/delete", { path: "/maps/Winter.json" });
		const map = JSON.parse(fixture.map);
		map.lockTable[0][0] = 99;
		await fixture.post("/api/map", map);
		await fixture.post("/api/learn/clear", {});
	}

	it("holds settings, curves, maps and calibration, and neither a password nor the name of a network", () => {
		const { version, settings, curves, maps, map, calibration } = JSON.parse(backup);
		assert.deepEqual(calibration, LEARNED);
		assert.equal(version, 1);
		assert.deepEqual([settings["disableSpeed"], settings["couplingGeneration"]], [120, 5]);
		assert.deepEqual(curves["rpm"][1], { x: 4000, lock: 60 });
		assert.deepEqual([maps["Winter"], Object.getOwnPropertyDescriptor(maps, "__proto__")?.value], [map, map]);
		assert.doesNotMatch(backup, /secret|garage/);
	});

	it("shows what differs, and gives back what the driver chooses, also in place of a damaged map", async () => {
		await change();
		writeFileSync(join(fixture.bench.flash, "maps/Winter.json"), "{");
		const { page } = await fixture.open("backup", PHONE);
		await openMine(page, backup);
		await page.locator(".notice.bad", { hasText: 'Stored map "Winter": ' }).waitFor();
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
		const { disableSpeed, pwm } = await fixture.get("/api/status");
		assert.deepEqual([disableSpeed, pwm.frequencyHz], [120, 500]);
		assert.deepEqual((await fixture.get("/api/curve/rpm")).points.length, 1, "not chosen");
		assert.equal((await fixture.get("/api/map")).lockTable[0][0], 0);
		assert.equal((await fixture.get("/api/learn/table")).inForce, true);
		const { maps } = await fixture.get("/api/maps");
		assert.ok(maps.some(({ name }: { name: string }) => name === "Winter"));
		await button(page, "Restore 1").tap();
		await page.getByText("The controller has all that is in mine.json").waitFor();
	});

	it("is restored up to the value that the controller rejects; the page names it, and shows what still differs", async () => {
		await change();
		const file = JSON.parse(backup);
		file.map.speedBins[1] = 0;
		const { page } = await fixture.open("backup", PHONE);
		await openMine(page, JSON.stringify(file));
		await button(page, "Restore 6").tap();
		await page.getByText("bins must ascend").waitFor();
		await page.getByText("mine.json differs in 1 point from the controller:").waitFor();
		await page.locator("label.check", { hasText: "The active map" }).waitFor();
		assert.equal((await fixture.get("/api/map")).lockTable[0][0], 99);
	});

	it("of another generation is restored only after the driver has agreed", async () => {
		const file = JSON.parse(backup);
		file.settings["couplingGeneration"] = 4;
		const { page } = await fixture.open("backup", PHONE);
		await answerWith(page, false);
		await openMine(page, JSON.stringify(file));
		await button(page, "Restore 1").tap();
		await untilAsked(page, /changes the generation of the coupling/);
		assert.equal((await fixture.get("/api/status")).couplingGeneration, 5);
	});

	describe("with a stored map that is active under its name", () => {
		const winter = async () => (await fixture.get("/api/maps/export?name=Winter&format=json")).lockTable[0][0];
		const active = async () => (await fixture.get("/api/map")).lockTable[0][0];

		/** The active map is called Winter, and was changed since. */
		beforeEach(async () => {
			await fixture.post("/api/maps/load", { name: "Winter" });
			const map = JSON.parse(fixture.map);
			map.lockTable[0][0] = 99;
			await fixture.post("/api/map", map);
			// on flash now, instead of within two seconds
			await fixture.post("/api/maps/save", { name: "Winter" });
			assert.deepEqual([await winter(), await active()], [99, 99]);
		});

		it("gives back that map and the active one", async () => {
			const { page } = await fixture.open("backup", PHONE);
			await openMine(page, backup);
			await button(page, "Restore 2").tap();
			await page.getByText("The controller has all that is in mine.json").waitFor();
			assert.deepEqual([await winter(), await active()], [0, 0]);
		});

		it("leaves the active map alone if the driver chooses only the stored one", async () => {
			const { page } = await fixture.open("backup", PHONE);
			await openMine(page, backup);
			await page.locator("label.check", { hasText: "The active map" }).tap();
			await button(page, "Restore 1").tap();
			await page.getByText("mine.json differs in 1 point from the controller:").waitFor();
			assert.deepEqual([await winter(), await active()], [0, 99]);
			assert.equal((await fixture.get("/api/status")).mapName, "");
		});
	});

	it("with one damaged member is rejected as a whole, by the name of that member", async () => {
		const { page } = await fixture.open("backup", PHONE);
		const posts = postsOf(page);
		await openMine(page, JSON.stringify({ ...JSON.parse(backup), settings: { pwm: { inverted: "no" } } }));
		await page.locator(".notice", { hasText: "damaged: settings.pwm.inverted" }).waitFor();
		assert.deepEqual([posts, await page.locator("label.check").count()], [[], 0]);
	});

	it("gives back conditions", async () => {
		const { page } = await fixture.open("backup", PHONE);
		const file = { ...JSON.parse(textOf({})), map: JSON.parse(fixture.map) };
		const conditions = [{ enabled: true, effect: "limit", limitPercent: 33, signal: "chassis|0x1|x|" }];
		await openMine(page, JSON.stringify({ ...file, conditions }));
		await button(page, "Restore 1").tap();
		await page.getByText("The controller has all that is in mine.json").waitFor();
		const [stored] = (await fixture.get("/api/conditions")).conditions;
		assert.deepEqual([stored.effect, stored.limitPercent], ["limit", 33]);
		await fixture.set({ conditions: [] });
	});
});

const line = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const MAP = { speedBins: line(9), throttleBins: line(7), lockTable: line(7).map(() => line(9)) };
const EMPTY: Backup = { settings: {}, curves: {}, map: MAP, maps: {} };

const textOf = (changes: object): string => JSON.stringify({ ...JSON.parse(backupText(EMPTY, "", new Date())), ...changes });

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
		const conditions = (changes: object) => ({ conditions: [NEW_CONDITION, { ...NEW_CONDITION, ...changes }] });
		const rows: [changes: object, field: string][] = [
			[{ settings: { pwm: 5 } }, "settings.pwm"],
			[{ settings: { pwm: { inverted: "no" } } }, "settings.pwm.inverted"],
			[{ calibration: { table: [1] } }, "calibration"],
			[{ curves: { rpm: [{ x: "1", lock: 2 }] } }, "curves.rpm"],
			[{ map: { ...MAP, speedBins: [1, 2] } }, "map"],
			[{ maps: { Winter: null } }, "maps.Winter"],
			[{ maps: [] }, "maps"],
			[conditions({ signal: [1] }), "conditions[1].signal"],
			[conditions({ value: null }), "conditions[1].value"],
			[{ conditions: [null] }, "conditions[0]"],
			[{ conditions: {} }, "conditions"],
		];
		for (const [changes, field] of rows) assert.deepEqual(problemOf(textOf(changes)), ["wrong", field]);
	});

	it("fills in what a condition lacks", () => {
		const { conditions } = parseBackup(textOf({ conditions: [{ signal: "chassis|0x1|x|" }] }));
		assert.deepEqual(conditions, [{ ...NEW_CONDITION, signal: "chassis|0x1|x|" }]);
	});

	it("holds as many maps as the controller stores, and no more", () => {
		const maps = (count: number) => ({ maps: Object.fromEntries(Array.from({ length: count }, (_, i) => [`map ${i}`, MAP])) });
		assert.equal(Object.keys(parseBackup(textOf(maps(STORED_MAPS_MAX))).maps).length, STORED_MAPS_MAX);
		assert.deepEqual(problemOf(textOf(maps(STORED_MAPS_MAX + 1))), ["wrong", `maps: ${STORED_MAPS_MAX + 1}`]);
	});

	it("holds maps that are named like members of every object, such as constructor", () => {
		const names = ["__proto__", "constructor", "toString"];
		const file = parseBackup(textOf({ maps: Object.fromEntries(names.map((name) => [name, MAP])) }));
		const found = differencesOf(file, EMPTY);
		assert.deepEqual(
			found.map((difference) => [difference.kind, difference.name, "now" in difference && difference.now]),
			names.map((name) => ["stored", name, undefined]),
		);
		assert.deepEqual(differencesOf(file, file), []);
	});
	it("restores a generation with parked sleep and frames as they are, unless it says otherwise", async () => {
		const { fetch } = globalThis;
		const now = settingsIn({ couplingGeneration: 4, framesOff: "0x392", lowPower: { sleepEnabled: false } }, assert.fail);
		const groups = ["inputMappings", "disengageUnderSpeed", "steeringGain", "logging", "dashMappings", "controls", "pwm"];
		const status = {
			...Object.fromEntries(groups.map((name) => [name, {}])),
			couplingGeneration: 4,
			framesOff: "0x392",
			power: { lowPowerSleepEnabled: false },
			mapName: "",
		};
		const lowPower = { sleepEnabled: false };
		try {
			for (const [framesOff, sent] of [
				["0x392", { couplingGeneration: 5, lowPower, framesOff: "0x392" }],
				["0x1A0", { couplingGeneration: 5, lowPower, framesOff: "0x1A0" }],
				[undefined, { couplingGeneration: 5, lowPower }],
			] as const) {
				const bodies: unknown[] = [];
				globalThis.fetch = async (_path, { body } = {}) => {
					if (body !== undefined) bodies.push(JSON.parse(String(body)));
					return Response.json(status);
				};
				const file = parseBackup(textOf({ settings: { couplingGeneration: 5, framesOff } }));
				await restore(differencesOf(file, { ...file, settings: now }), file);
				assert.deepEqual(bodies, [sent]);
			}
		} finally {
			globalThis.fetch = fetch;
		}
	});
});
