/** SavvyCAN switched on from the page, and what it takes until it may send frames to the car. */
import assert from "node:assert/strict";
import { FOREIGN_EXTENDED_ID } from "../system/car-rows.js";
import { SavvyCan } from "../system/savvycan.js";
import { until } from "../system/wait.js";
import { PHONE } from "./browser.js";
import { button, describePage, downloaded } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

describePage("SavvyCAN on the page", (fixture) => {
	let client: SavvyCan | undefined;
	afterEach(async () => {
		client?.close();
		await fixture.post("/api/wifi", { apPassword: "", apOpen: false });
		await fixture.post("/api/analyzer", { enabled: false, maySend: false });
	});

	it("is let in by a switch, shows who is there, and says what is missing before it may send to the car", async () => {
		const { page, problems } = await fixture.open("can", PHONE);
		const facts = page.locator('[data-test="analyzer"]');
		const fact = (name: string) => facts.locator(`dt:has-text("${name}") + dd`);
		const listen = page.getByLabel("Let SavvyCAN connect");
		const maySend = page.getByLabel("It may send frames to the car");
		// the table beside it is not looked at
		await button(page, "Pause").tap();
		await listen.tap();
		const address = fact("Address").filter({ hasText: /^127\.0\.0\.1:\d+$/ });
		client = await SavvyCan.connect(Number((await address.innerText()).split(":")[1]));
		await fact("Connected").filter({ hasText: "1" }).waitFor();
		await fact("Frames lost").filter({ hasText: "0" }).waitFor();
		await page.getByText("Not now: a network of the controller has no password").waitFor();
		client.sendFrame(0, FOREIGN_EXTENDED_ID, [1, 2], true);
		await fact("Frames rejected").filter({ hasText: "1" }).waitFor();
		await page.getByText("The last one: sending is not allowed").waitFor();
		await maySend.tap();
		await page.locator(".notice.bad", { hasText: "sending refused: a network of the controller has no password" }).waitFor();
		assert.equal(await maySend.isChecked(), false, "the box shows what is");
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
		assert.equal(await fixture.post("/api/wifi", { apPassword: "long enough" }), 200);
		await page.getByText("Not now: select mode STOCK first").waitFor();
		await fixture.bench.mode("STOCK");
		await page.getByText("Not now: the car must stand").waitFor();
		fixture.bench.show(0, 0);
		await page.getByText("All conditions hold").waitFor();
		await maySend.tap();
		await until(async () => (await fixture.json<{ maySend: boolean }>("/api/analyzer")).maySend, 30_000, "the permission");
		client.sendFrame(0, FOREIGN_EXTENDED_ID, [1, 2], true);
		await fact("Frames sent").filter({ hasText: "1" }).waitFor();
		fixture.bench.show(5, 0);
		await page.getByText("Not now: the car must stand").waitFor();
		await until(async () => !(await maySend.isChecked()), 30_000, "its end by itself");
		await listen.tap();
		await facts.waitFor({ state: "detached" });
		const refused = problems.filter((text) => /status of 409/.test(text));
		assert.deepEqual([problems.length, refused.length], [1, 1], problems.join("\n"));
	});

	it("gives away the names of the signals as a DBC file", async () => {
		const { page } = await fixture.open("can", PHONE);
		const { name, text } = await downloaded(page, page.getByRole("link", { name: "DBC" }));
		assert.equal(name, "opencoupling-mqb.dbc");
		assert.match(text, /^BO_ 1712 OpenCoupling_Status: 8 /m);
	});
});
