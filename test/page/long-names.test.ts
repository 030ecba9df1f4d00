import assert from "node:assert/strict";
import { type Backup, backupText } from "../../src/page/backup/backup.js";
import { describePage, turnTo } from "./page-fixture.js";
import { misfitsOf } from "./page-problems.js";

/** The narrowest phone there is. */
const NARROW = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true } as const;
const LONG = "W".repeat(140);

describePage("the name of a signal, long and without a blank", (fixture) => {
	const signal = `chassis|0x1|${LONG}|`;
	before(async () => {
		const posted = { dashMappings: { dash_1: signal }, conditions: [{ enabled: false, effect: "open", signal }] };
		assert.equal(await fixture.post("/api/settings", posted), 200);
	});
	after(() => fixture.post("/api/settings", { dashMappings: { dash_1: "" }, conditions: [] }));

	for (const hash of ["display", "conditions"])
		it(`makes #${hash} no wider than the screen`, async () => {
			const { page } = await fixture.open("drive", NARROW);
			await turnTo(page, hash);
			await page.locator(".signal", { hasText: LONG }).first().waitFor();
			assert.equal((await misfitsOf(page)).wide, 0);
		});
});

describePage("the name of a stored map in a backup, long and without a blank", (fixture) => {
	it("makes #backup no wider than the screen", async () => {
		const map = await fixture.json<Backup["map"]>("/api/map");
		const text = backupText({ settings: {}, curves: {}, map, maps: { ["W".repeat(58)]: map } }, "", new Date());
		const { page } = await fixture.open("backup", NARROW);
		const file = { name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) };
		await page.locator('input[type="file"]').setInputFiles(file);
		await page.locator(".check", { hasText: "WWW" }).waitFor();
		assert.equal((await misfitsOf(page)).wide, 0);
	});
});
