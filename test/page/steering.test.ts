/** Steering on the page: switched on, and what the angle does now, in figures and in words. */
import assert from "node:assert/strict";
import { PHONE } from "./browser.js";
import { describePage, saveBar } from "./page-fixture.js";

describePage("steering on the page", (fixture) => {
	afterEach(async () => {
		await fixture.post("/api/settings", { steeringGain: { enabled: false } });
	});

	it("is switched on with its angles, and says what remains without a valid angle", async () => {
		const { page, problems } = await fixture.open("steering", PHONE);
		await page.getByLabel("Less lock while I steer").check();
		await page.getByLabel("Least from this angle on").fill("300");
		await page.getByLabel("What remains if the angle is lost").fill("70");
		await page.keyboard.press("Tab");
		await saveBar(page).getByRole("button", { name: "Apply" }).tap();
		await saveBar(page).getByText("As in the controller").waitFor();
		const { steeringGain } = await fixture.json<{ steeringGain: Readonly<Record<string, unknown>> }>("/api/status");
		assert.deepEqual([steeringGain["enabled"], steeringGain["fullDeg"], steeringGain["lostPercent"]], [true, 300, 70]);
		await page.getByText("no valid angle: 70 % remains").waitFor();
		assert.deepEqual(problems, []);
	});

	it("has the controller's reason on Drive, in German, too", async () => {
		assert.equal(await fixture.post("/api/settings", { steeringGain: { enabled: true } }), 200);
		const { page } = await fixture.open("drive", { ...PHONE, locale: "de-DE" });
		await page.getByText("der Lenkwinkel ist nicht gültig").waitFor();
	});
});
