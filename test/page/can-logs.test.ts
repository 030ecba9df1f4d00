import assert from "node:assert/strict";
import { mayStay } from "../../src/page/can/identity.js";
import { until } from "../system/wait.js";
import { button, describePage, downloaded } from "./page-fixture.js";

describePage("the CAN and log pages", (fixture) => {
	it("dumps what has passed in three forms", async () => {
		const { page } = await fixture.open("can");
		await page.getByLabel("How far back").selectOption("10");
		for (const [label, form] of [
			["candump log", /^\(\d+\.\d{6}\) can[01] [0-9A-F]{3,8}#[0-9A-F]*/],
			["SavvyCAN CSV", /^Time Stamp,ID,Extended,/],
			["Text", /0x?[0-9a-f]{3}/i],
		] as const) {
			await page.getByLabel("Format").selectOption({ label });
			const { name, text } = await downloaded(page, page.getByRole("link", { name: "Download" }));
			assert.match(name, /\.(log|csv|txt)$/);
			assert.match(text, form, label);
			assert.ok(text.split("\n").length > 100, `${text.split("\n").length} lines`);
		}
	});

	it("gives a dump and the log without what tells whose car it is", async () => {
		const { page } = await fixture.open("can");
		await page.getByLabel("How far back").selectOption("10");
		const dump = await downloaded(page, button(page, "Download without identity"));
		assert.equal(dump.name, "can-dump.log");
		const ids = new Set([...dump.text.matchAll(/ can[01] ([0-9A-F]+)#/g)].map(([, id]) => Number.parseInt(id!, 16)));
		assert.ok(ids.size > 5, `${[...ids]}`);
		for (const id of ids) assert.ok(mayStay(id, false), `${id}`);
		await page.goto(page.url().replace(/#.*/, "#logs"));
		const log = await downloaded(page, button(page, "Download without identity"));
		assert.equal(log.name, "shared-all.txt");
		assert.match(log.text, /\tboot\t/);
		assert.doesNotMatch(log.text, /\t(wifi|http)\t/);
	});

	it("shows one bus, what a filter lets through, and stands still while it is paused", async () => {
		const { page } = await fixture.open("can", { stopped: true });
		await page.clock.resume();
		await page.getByLabel("Bus").selectOption({ label: "coupling" });
		await button(page, "Raw").click();
		await page.locator("tbody tr").first().waitFor();
		await until(
			async () => (await page.locator("tbody tr td:nth-child(3)").allInnerTexts()).every((text) => text.startsWith("coupling")),
			30_000,
			"only one bus",
		);
		await page.getByLabel("Filter").fill("0x118");
		await until(
			async () => {
				const ids = await page.locator("tbody td:first-child").allInnerTexts();
				return ids.length > 0 && ids.every((id) => id === "0x118");
			},
			30_000,
			"only one frame",
		);
		await button(page, "Pause").click();
		let asked = 0;
		page.on("request", (request) => request.url().includes("/api/canview") && asked++);
		// longer than any period in which it asks otherwise
		await page.clock.runFor(10_000);
		assert.equal(asked, 0);
	});

	it("shows the log, filters it, takes it along, deletes a file and clears all", async () => {
		await fixture.bench.mode("FWD");
		await fixture.bench.mode("5050");
		const { page } = await fixture.open("logs");
		const lines = page.locator(".log p");
		await lines.first().waitFor();
		const { name, text } = await downloaded(page, page.getByRole("link", { name: "Download" }));
		assert.equal(name, "all.txt");
		assert.ok(text.split("\n").length > 1);
		await page.getByLabel("Filter").fill("no line has this");
		await page.getByText("0 lines").waitFor();
		await page.getByLabel("Filter").fill("");
		await lines.first().waitFor();
		const posts: string[] = [];
		page.on("request", (request) => {
			if (request.method() === "POST") posts.push(`${new URL(request.url()).pathname} ${request.postData()}`);
		});
		await button(page, "Delete this file").click();
		await page.locator(".notice.good", { hasText: "Done" }).waitFor();
		await button(page, "Clear all logs").click();
		await until(() => posts.length === 2, 30_000, "the second request");
		assert.deepEqual(posts, ['/api/logs/delete {"path":"/logs/all.txt"}', '/api/logs/clear {"scope":"everything"}']);
	});
});
