import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { anImage } from "../support/update-bench.js";
import { Bench } from "../system/bench-car.js";
import { describeInBrowser, launch, leave, PHONE, visit } from "./browser.js";
import { button, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const PASSWORD = "correct horse";

describeInBrowser("the owner's password in a browser", () => {
	let bench: Bench;
	let browser: Browser;

	before(async () => {
		bench = await Bench.start({ paced: true, connected: false });
		browser = await launch();
	});
	after(async () => {
		await bench?.end();
	});
	afterEach(leave);

	const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Owner's password" });
	const answer = async (page: Page, password: string): Promise<void> => {
		const dialog = dialogOf(page);
		await dialog.getByLabel("Password").fill(password);
		await dialog.getByRole("button", { name: "Continue" }).click();
	};
	const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));

	it("is set on the network page, which says who can do what, and is asked for once on each other device", async () => {
		const { page } = await visit(browser, bench.port, "network", PHONE);
		const card = page.locator('[data-test="owner"]');
		await card.getByText("everybody in this network can change everything").waitFor();
		await card.getByLabel("New owner's password").fill(PASSWORD);
		await button(page, "Set the owner's password").click();
		await card.getByText("Everybody in the network can read").waitFor();
		assert.ok(!(await kept(page)).includes(PASSWORD), "the page keeps no password");
		// this device has the key already
		await turnTo(page, "update");
		await button(page, "Check for an update").click();
		assert.equal(await dialogOf(page).count(), 0);

		const { page: other } = await visit(browser, bench.port, "update", PHONE);
		await button(other, "Check for an update").click();
		await dialogOf(other).waitFor();
		await dialogOf(other).getByLabel("Password").fill("what I type");
		await dialogOf(other).getByRole("button", { name: "Show" }).tap();
		assert.equal(await dialogOf(other).getByLabel("Password").getAttribute("type"), "text", "what is typed can be read");
		await loadAxe(other);
		assert.deepEqual(await problemsOf(other), NO_PROBLEMS);
		await answer(other, "wrong horse");
		await dialogOf(other).getByText("That is not the owner's password", { exact: true }).waitFor();
		await answer(other, PASSWORD);
		await dialogOf(other).waitFor({ state: "detached" });
		await other.reload();
		await button(other, "Check for an update").click();
		await turnTo(other, "network");
		await button(other, "Forget it on this device").click();
		assert.equal(await dialogOf(other).count(), 0, "once");
		await turnTo(other, "update");
		await button(other, "Check for an update").click();
		await dialogOf(other).getByRole("button", { name: "Cancel" }).click();
		await other.getByText("Rejected: The owner's password is needed for that", { exact: true }).waitFor();
	});

	it("is asked for in German, with what is wrong with it", async () => {
		const { page } = await visit(browser, bench.port, "update", { ...PHONE, locale: "de-DE" });
		await button(page, "Nach Update suchen").click();
		const dialog = page.getByRole("dialog", { name: "Passwort des Besitzers" });
		const say = async (password: string): Promise<void> => {
			await dialog.getByLabel("Passwort").fill(password);
			await dialog.getByRole("button", { name: "Weiter" }).click();
		};
		await dialog.getByText("Gib es ein, bevor du etwas änderst").waitFor();
		await say("falsches Pferd");
		await dialog.getByText("Das ist nicht das Passwort des Besitzers", { exact: true }).waitFor();
		await say(PASSWORD);
		await dialog.waitFor({ state: "detached" });
		await turnTo(page, "network");
		await button(page, "Auf diesem Gerät vergessen").click();
		await turnTo(page, "update");
		await button(page, "Nach Update suchen").click();
		await dialog.getByRole("button", { name: "Abbrechen" }).click();
		await page.getByText("Abgelehnt: Dafür wird das Passwort des Besitzers gebraucht", { exact: true }).waitFor();
	});

	it("lets an upload begin after it was said, and the password be removed by who knows it", async () => {
		const { page } = await visit(browser, bench.port, "update", PHONE);
		const file = {
			name: "firmware.bin",
			mimeType: "application/octet-stream",
			buffer: Buffer.from(anImage({ projectName: "other" })),
		};
		await page.locator('input[type="file"][accept=".bin"]').setInputFiles(file);
		await answer(page, PASSWORD);
		await page.getByText("Rejected: image is for another board").waitFor();
		await turnTo(page, "network");
		await button(page, "Remove the owner's password").click();
		await page.getByText("everybody in this network can change everything").waitFor();
		assert.equal((await bench.ask("POST", "/api/learn/cancel")).code, 200);
	});
});
