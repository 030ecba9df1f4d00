import assert from "node:assert/strict";
import { until } from "../system/wait.js";
import { answerWith, PHONE, questionsOf } from "./browser.js";
import { button, cell, describePage, downloaded, saveBar, turnTo } from "./page-fixture.js";

interface Maps {
	readonly currentName: string;
	readonly maps: readonly { name: string; path: string }[];
}

describePage("the map page's tools and stored maps", (fixture) => {
	const names = async () => (await fixture.json<Maps>("/api/maps")).maps.map(({ name }) => name);
	const table = async () => (await fixture.json<{ lockTable: number[][] }>("/api/map")).lockTable;

	it("changes many cells at once: steps, factor, smoothing, an area that is dragged, all and none", async () => {
		const { page } = await fixture.open("map");
		const read = async (row: number, column: number) => Number((await cell(page, row, column).innerText()).trim());
		await button(page, "All").click();
		await page.getByLabel("Set to").fill("40");
		await page.keyboard.press("Enter");
		await button(page, "Multiply by 1.1").click();
		await button(page, "Add 10").click();
		await button(page, "Subtract 1").click();
		assert.deepEqual([await read(0, 0), await read(6, 8)], [53, 53]);
		await button(page, "None").click();
		await page.getByText("Touch cells").waitFor();
		await cell(page, 2, 2).hover();
		await page.mouse.down();
		await cell(page, 4, 4).hover();
		await page.mouse.up();
		await page.getByText("9 cells selected").waitFor();
		await page.getByLabel("Set to").fill("93");
		await page.keyboard.press("Enter");
		await button(page, "Smooth").click();
		const corner = await read(2, 2);
		assert.ok(corner > 53 && corner < 93, `${corner} lies between its neighbours`);
		assert.equal(await read(3, 3), 93);
		for (let i = 0; i < 5; i++) await button(page, "Undo").click();
		await page.getByText("As in the controller").waitFor();
		for (let i = 0; i < 5; i++) await button(page, "Redo").click();
		assert.equal(await read(2, 2), corner);
		await saveBar(page).getByRole("button", { name: "Discard" }).click();
		await page.getByText("As in the controller").waitFor();
		assert.equal(await read(0, 0), (await table())[0][0]);
	});

	it("shows the map as a surface, and where it differs from the controller's", async () => {
		const { page, problems } = await fixture.open("map");
		await cell(page, 1, 1).click();
		await page.keyboard.type("88");
		await button(page, "Changes").click();
		await page.locator(".cell.moved").waitFor();
		assert.equal(await page.locator(".cell.moved").count(), 1);
		await button(page, "3D").click();
		const surface = page.locator("canvas.surface");
		const drawn = () => surface.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
		const turned = () => surface.getAttribute("aria-valuenow");
		await surface.focus();
		const before = [await turned(), await drawn()];
		await page.keyboard.press("ArrowRight");
		const after = [await turned(), await drawn()];
		assert.ok(after[0] !== before[0] && after[1] !== before[1], "the arrow keys turn it");
		assert.deepEqual(problems, []);
	});

	it("stores, compares, loads and deletes maps by name; a preset can't be deleted", async () => {
		const { page } = await fixture.open("library");
		const row = (name: string) =>
			page.locator(".library li").filter({ has: page.locator("b", { hasText: new RegExp(`^${name}$`) }) });
		await page.getByLabel("Name", { exact: true }).fill("Gravel");
		await button(page, "Save as").click();
		await row("Gravel").getByText("active now").waitFor();
		await turnTo(page, "map");
		await cell(page, 0, 0).click();
		await page.keyboard.type("71");
		await turnTo(page, "library");
		await row("Gravel").getByRole("button", { name: "Compare" }).click();
		await page.getByText('1 cell differs from "Gravel"').waitFor();
		assert.equal(await row("Gravel").locator("td:not(:empty)").count(), 1);
		const presetName = await page.locator(".library li", { hasText: "preset" }).first().locator("b").innerText();
		const preset = row(presetName);
		assert.equal(await preset.getByRole("button", { name: "Delete" }).count(), 0);
		await preset.getByRole("button", { name: "Load" }).click();
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("As in the controller").waitFor();
		await turnTo(page, "library");
		await row("Gravel").getByRole("button", { name: "Delete" }).click();
		await row("Gravel").waitFor({ state: "detached" });
		assert.ok(!(await names()).includes("Gravel"));
	});

	it("loads a stored map as a draft, and tells the active one's name on Drive, in the library and beside A/B", async () => {
		const before = await table();
		const { page } = await fixture.open("library", PHONE);
		const row = (name: string) => page.locator(".library li", { has: page.getByText(name, { exact: true }) });
		const active = page.locator('[data-test="active-map"]');
		await active.getByText("unnamed map").waitFor();
		let posts = 0;
		page.on("request", (request) => request.method() === "POST" && posts++);
		await row("danger").getByRole("button", { name: "Load" }).tap();
		await page.getByText('"danger" is a draft').waitFor();
		assert.equal(await cell(page, 6, 4).textContent(), "100");
		assert.deepEqual([posts, await table()], [0, before], "nothing but a draft");
		await button(page, "Undo").tap();
		await page.getByText("As in the controller").waitFor();
		await turnTo(page, "library");
		await row("aggressive").getByRole("button", { name: "Load" }).tap();
		const apply = saveBar(page).getByRole("button", { name: "Apply" });
		await apply.tap();
		await turnTo(page, "library");
		await active.getByText("Active: aggressive", { exact: true }).waitFor();
		await row("aggressive").getByText("active now").waitFor();
		await turnTo(page, "map");
		await cell(page, 3, 3).tap();
		await button(page, "Add 10").tap();
		await apply.tap();
		await turnTo(page, "library");
		await active.getByText("aggressive, changed").waitFor();
		await row("aggressive").getByText("active, changed").waitFor();
		await turnTo(page, "drive");
		await page.locator('[data-test="shown"]', { hasText: "aggressive, changed" }).waitFor();
		await page.locator('[data-mode="AB"]', { hasText: "aggressive" }).tap();
		await page.locator('[data-mode="AB"]', { hasText: "aggressive, changed" }).waitFor();
		assert.equal(await page.locator('[data-test="shown"]').textContent(), "aggressive");
	});

	it("gives maps away as files and takes them in, and says what is wrong with one", async () => {
		const { page } = await fixture.open("library");
		const file = await downloaded(page, page.getByRole("link", { name: "Export" }));
		assert.equal(file.name, "current.txt");
		const take = (name: string, text: string, encoding: BufferEncoding = "utf8") =>
			page.locator('input[type="file"]').setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text, encoding) });
		await take("From a friend.txt", file.text);
		await page.getByText('Stored as "From a friend"').waitFor();
		assert.ok((await names()).includes("From a friend"));
		await take("From PowerShell.txt", `\ufeff${file.text}`, "utf16le");
		await page.getByText('Stored as "From PowerShell"').waitFor();
		const json = await downloaded(
			page,
			page.locator(".library li", { hasText: "From a friend" }).getByRole("link", { name: "Download" }),
		);
		assert.deepEqual((JSON.parse(json.text) as { lockTable: number[][] }).lockTable, await table());
		const before = await names();
		await take("broken.json", '{"lockTable":[[1,2');
		await page.locator(".notice.bad").waitFor();
		assert.deepEqual(await names(), before);
	});

	it("asks before it takes another map's place, however the name is written, and never takes a preset's", async () => {
		const other = JSON.parse(fixture.map) as { lockTable: number[][] };
		other.lockTable[4].fill(71);
		const { page } = await fixture.open("library");
		for (const name of ["Ice", "K__che"]) await fixture.post(`/api/maps/import?name=${name}`, other);
		await page.reload();
		await page.locator(".library li", { hasText: "K__che" }).waitFor();
		await answerWith(page, false);
		const areAsked = async (count: number) =>
			until(async () => (await questionsOf(page)).length === count, 30_000, `${count} questions`);
		const keep = async (name: string) => {
			await page.getByLabel("Name", { exact: true }).fill(name);
			await button(page, "Save as").click();
		};
		const take = (name: string) =>
			page
				.locator('.library input[type="file"]')
				.setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(fixture.map) });
		const before = await names();
		await keep("Ice.json");
		await areAsked(1);
		await keep(" Ice ");
		await areAsked(2);
		for (const [i, name] of ["Küche.json", "Ice .json", "Ice.json.json"].entries()) {
			await take(name);
			await areAsked(3 + i);
		}
		assert.deepEqual(
			(await questionsOf(page)).map((question) => /Ice|K__che/.exec(question)?.[0]),
			["Ice", "Ice", "K__che", "Ice", "Ice"],
		);
		await take("danger.txt");
		await page.locator(".notice.bad", { hasText: "danger" }).waitFor();
		await keep("danger.json");
		assert.deepEqual([await names(), (await questionsOf(page)).length], [before, 5]);
		for (const name of ["Ice", "K__che"]) {
			const kept = await fixture.json<{ lockTable: number[][] }>(`/api/maps/export?name=${name}&format=json`);
			assert.equal(kept.lockTable[4][4], 71, name);
			await fixture.post("/api/maps/delete", { path: `/maps/${name}.json` });
		}
	});

	it("stores a map once when the answer is lost, and shows that it is there", async () => {
		const { page } = await fixture.open("library");
		let posts = 0;
		await page.route("**/api/maps/save", async (route) => {
			posts++;
			await route.fetch();
			await route.abort();
		});
		await page.getByLabel("Name", { exact: true }).fill("Lost answer");
		await button(page, "Save as").click();
		await page.getByText("No answer from the controller").waitFor();
		await page.locator(".library li", { hasText: "Lost answer" }).waitFor();
		assert.equal(posts, 1);
		assert.equal((await names()).filter((name) => name === "Lost answer").length, 1);
	});
});
