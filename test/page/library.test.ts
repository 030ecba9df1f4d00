/** Stored maps: kept by name, compared, loaded, and given away as files, texts and QR codes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { codeOf, mapOf } from "../../src/page/share/share-code.js";
import { generator } from "../../tools/random.js";
import { until } from "../system/wait.js";
import { answerWith, arrive, IN_GERMAN, linkIs, PHONE, PLAIN_HTTP_HOST, postsOf, questionsOf } from "./browser.js";
import {
	apply,
	applyButton,
	button,
	cell,
	describePage,
	downloaded,
	openFile,
	saveBar,
	scanned,
	turnTo,
} from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

describePage("the library", (fixture) => {
	const names = async () => ((await fixture.get("/api/maps")).maps as { name: string }[]).map(({ name }) => name);
	const table = async () => (await fixture.get("/api/map")).lockTable;

	it("stores, compares, loads and deletes maps by name, and offers no deletion of a preset", async () => {
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
		assert.equal(await page.getByText("interpolating").count(), 0);
		const presetName = await page.locator(".library li", { hasText: "preset" }).first().locator("b").innerText();
		const preset = row(presetName);
		assert.equal(await preset.getByRole("button", { name: "Delete" }).count(), 0);
		await preset.getByRole("button", { name: "Compare" }).click();
		await preset.getByText("interpolating").waitFor();
		await preset.getByRole("button", { name: "Load" }).click();
		await apply(page);
		await turnTo(page, "library");
		await row("Gravel").getByRole("button", { name: "Delete" }).click();
		await row("Gravel").waitFor({ state: "detached" });
		assert.ok(!(await names()).includes("Gravel"));
	});

	it("loads a stored map as a draft, and names the active one everywhere", async () => {
		const before = await table();
		const { page } = await fixture.open("library", PHONE);
		const row = (name: string) => page.locator(".library li", { has: page.getByText(name, { exact: true }) });
		const active = page.locator('[data-test="active-map"]');
		await active.getByText("unnamed map").waitFor();
		const posts = postsOf(page);
		await row("danger").getByRole("button", { name: "Load" }).tap();
		await page.getByText('"danger" is a draft').waitFor();
		assert.equal(await cell(page, 6, 4).textContent(), "100");
		assert.deepEqual([posts, await table()], [[], before], "nothing but a draft");
		await button(page, "Undo").tap();
		await page.getByText("As in the controller").waitFor();
		await turnTo(page, "library");
		await row("aggressive").getByRole("button", { name: "Load" }).tap();
		const apply = applyButton(page);
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

	it("exports and imports maps as files, and names the fault of a damaged one", async () => {
		const { page } = await fixture.open("library");
		const file = await downloaded(page, page.getByRole("link", { name: "Export" }));
		assert.equal(file.name, "current.txt");
		const take = (name: string, text: string, encoding: BufferEncoding = "utf8") =>
			openFile(page, name, Buffer.from(text, encoding));
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

	it("says in German what is wrong with a file that is imported", async () => {
		const { page } = await fixture.open("library", IN_GERMAN);
		const row = `T10 10%${" 5".repeat(9)}\n`;
		const head = "ID Name 0 5 10 20 40 60 80 100 140\n";
		for (const [name, text, words] of [
			["big.txt", "x\n".repeat(5000), "Die Datei ist zu groß: erlaubt sind 8 KiB"],
			["short.txt", head + row, "Zahl der Zeilen ist 1, erlaubt: eine Kopfzeile und 7 Zeilen: T10 10% 5 5"],
			["cell.txt", head + row.replace("5", "x").repeat(7), "lockTable[0][0] ist x, erlaubt: 0..100, eine Zahl: T10 10% x 5"],
			["column.txt", `${head}T10 10% 5 5`, "Zeile 2 ist 4 Spalten, erlaubt: 11 Spalten, getrennt durch"],
			[`${"n".repeat(80)}.txt`, head, "erlaubt: 1 bis 63 Bytes, .json eingeschlossen"],
			["broken.json", "{", "Das ist kein gültiges JSON"],
		] as const) {
			await openFile(page, name, text);
			await page.locator(".notice.bad", { hasText: words }).waitFor();
			await button(page, "Schließen").click();
		}
	});

	it("asks before it replaces a map, however its name is written, and never replaces a preset", async () => {
		const other = JSON.parse(fixture.map);
		other.lockTable[4].fill(71);
		for (const name of ["Ice", "K__che"]) await fixture.post(`/api/maps/import?name=${name}`, other);
		const { page } = await fixture.open("library");
		await page.locator(".library li", { hasText: "K__che" }).waitFor();
		await answerWith(page, false);
		const keep = async (name: string) => {
			await page.getByLabel("Name", { exact: true }).fill(name);
			await button(page, "Save as").click();
		};
		const take = (name: string) => openFile(page, name, fixture.map);
		const before = await names();
		for (const [i, replace] of [() => keep(" Ice.json "), () => take("Küche.json"), () => take("Ice.json.json")].entries()) {
			await replace();
			await until(async () => (await questionsOf(page)).length === i + 1, 30_000, `${i + 1} questions`);
		}
		assert.deepEqual(
			(await questionsOf(page)).map((question) => /Ice|K__che/.exec(question)?.[0]),
			["Ice", "K__che", "Ice"],
		);
		for (const replace of [() => take("danger.txt"), () => keep("danger.json")]) {
			await replace();
			await page.locator(".notice.bad", { hasText: "danger" }).waitFor();
			await button(page, "Close").click();
		}
		assert.deepEqual([await names(), (await questionsOf(page)).length], [before, 3]);
		for (const name of ["Ice", "K__che"]) {
			assert.equal((await fixture.get(`/api/maps/export?name=${name}&format=json`)).lockTable[4][4], 71, name);
			await fixture.post("/api/maps/delete", { path: `/maps/${name}.json` });
		}
	});

	it("suggests the active map's name, but not while the driver types", async () => {
		await fixture.post("/api/maps/save", { name: "Gravel road" });
		const { page } = await fixture.open("library", PHONE);
		const name = page.getByLabel("Name", { exact: true });
		const active = page.locator("[data-test=active-map]");
		await active.filter({ hasText: "Gravel road" }).waitFor();
		assert.equal(await name.inputValue(), "Gravel road");
		await name.fill("");
		await fixture.post("/api/maps/load", { name: "aggressive" });
		await active.filter({ hasText: "aggressive" }).waitFor();
		await fixture.post("/api/maps/load", { name: "Gravel road" });
		await active.filter({ hasText: "Gravel road" }).waitFor();
		assert.equal(await name.inputValue(), "");
	});
});

describePage("the page for sharing", (fixture) => {
	it("shows a map as a QR code, which opens as a draft", async () => {
		const { page } = await fixture.open("library", PHONE);
		const row = page.locator(".library li", { hasText: "aggressive" });
		await row.scrollIntoViewIfNeeded();
		await row.locator(".map-picture[aria-label*='aggressive']").waitFor();
		await row.getByText("Much lock with much pedal").waitFor();
		await page.locator(".library li", { hasText: "danger" }).getByText("strains coupling and shafts").waitFor();
		await row.getByRole("button", { name: "Share" }).tap();
		const link = (await scanned(page, page.locator(".qr svg"))) ?? assert.fail("nothing to scan");
		assert.match(link, new RegExp(`^http://127\\.0\\.0\\.1:${fixture.bench.port}/#share/OC1-[\\w-]{99}$`));
		assert.equal(await page.getByLabel("The map as text").inputValue(), link.split("/").pop());
		await assertAccessible(page);
		const other = await arrive(fixture.browser, link, PHONE);
		await other.page.getByText(/cells differ from "the map in the controller"/).waitFor();
		await button(other.page, "Open it on the map page").tap();
		await saveBar(other.page).getByText("Not applied yet").waitFor();
		assert.equal(await cell(other.page, 6, 3).getAttribute("aria-label"), "100 % lock at 40 km/h and 100 % pedal");
		assert.equal(JSON.stringify(await fixture.get("/api/map")).includes("100,100"), false, "nothing is active yet");
		await button(other.page, "Undo").tap();
		await saveBar(other.page).getByText("As in the controller").waitFor();
		assert.deepEqual(other.problems, []);
	});

	it("copies a map as text, takes it from a mail, and rejects a damaged one", async () => {
		const { page, problems } = await arrive(fixture.browser, `http://${PLAIN_HTTP_HOST}:${fixture.bench.port}/#map`, PHONE);
		await linkIs(page, "Live");
		await cell(page, 3, 3).tap();
		await page.keyboard.type("91");
		await page.getByRole("link", { name: "Share" }).tap();
		await button(page, "Copy the text").tap();
		await page.getByText("Copied").waitFor();
		const mine = await page.getByLabel("The map as text").inputValue();
		const paste = page.getByLabel("Text of a map");
		await paste.focus();
		await page.keyboard.press("Control+V");
		assert.equal(await paste.inputValue(), mine, "it is what was copied");
		await paste.fill(`Try mine: ${mine.slice(0, 50)} ${mine.slice(51)}`);
		await page.getByText("a part is missing, or a character is wrong").waitFor();
		assert.equal(await button(page, "Show the map").isDisabled(), true);
		await paste.fill(mine.replace("OC1", "OC7"));
		await page.getByText("made by a newer version").waitFor();
		await paste.fill(`Try mine:\n${mine.slice(0, 50)}\n${mine.slice(50)}\nBye`);
		await button(page, "Show the map").tap();
		await page.getByText(/1 cell differs from "the map in the controller"/).waitFor();
		await turnTo(page, "share/OC1-nonsense");
		await page.locator(".fault", { hasText: "This text is damaged" }).waitFor();
		assert.deepEqual(problems, []);
	});
});

const MAP = {
	speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 140],
	throttleBins: [0, 5, 10, 20, 40, 60, 80],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, (_, column) => (row * 31 + column * 17) % 101)),
};
/** A code from the day the format was born: what was shared must be readable ever after. */
const CODE = "OC1-AAFBQUFA8KBkRgAKKKKHlAARRM4lUCSRn2EGljHoGMJ9PwDDq5_Qw3RJpW8m3hRsuocyrYcwpdNo9gIVTN5FmqBJI2kWsCJgFpu";

describe("a map as a short text", () => {
	it("never changes its format, and has the length that README.md states", () => {
		assert.equal(codeOf(MAP), CODE);
		assert.deepEqual(mapOf(CODE), MAP);
		assert.equal(CODE.length, 4 + 99);
		assert.match(readFileSync("README.md", "utf8"), new RegExp(`a text\\s+of ${CODE.length} characters`));
	});

	it("is read back as the same map, whatever map it is", () => {
		const { below } = generator(7);
		const whole = (largest: number): number => below(largest + 1);
		const ascending = (count: number, largest: number): number[] => {
			const bins = new Set<number>();
			while (bins.size < count) bins.add(whole(largest));
			return [...bins].sort((a, b) => a - b);
		};
		for (let i = 0; i < 300; i++) {
			const lockTable = Array.from({ length: 7 }, () => Array.from({ length: 9 }, () => whole(100)));
			const map = { speedBins: ascending(9, 511), throttleBins: ascending(7, 100), lockTable };
			assert.deepEqual(mapOf(codeOf(map) ?? ""), map);
		}
	});

	it("detects any wrong, missing or swapped character", () => {
		for (let i = 4; i < CODE.length; i++) {
			const other = CODE[i] === "A" ? "B" : "A";
			assert.equal(mapOf(CODE.slice(0, i) + other + CODE.slice(i + 1)), "damaged", `character ${i}`);
			assert.equal(mapOf(CODE.slice(0, i) + CODE.slice(i + 1)), "damaged", `without character ${i}`);
			if (i > 4 && CODE[i] !== CODE[i - 1])
				assert.equal(mapOf(CODE.slice(0, i - 1) + CODE[i] + CODE[i - 1] + CODE.slice(i + 1)), "damaged", `swapped at ${i}`);
		}
	});

	it("is found in an address and in a wrapped mail; another text, a newer version and invalid values are rejected", () => {
		const rows: [text: string, map: ReturnType<typeof mapOf>][] = [
			[`http://192.168.4.1/#share/${CODE}`, MAP],
			[`Try this:\n ${CODE.slice(0, 40)}\n${CODE.slice(40)}\nThanks!`, MAP],
			["a map", "none"],
			[CODE.replace("OC1", "OC2"), "newer"],
			[codeOf({ ...MAP, speedBins: [0, 5, 10, 20, 20, 60, 80, 100, 140] }) ?? "", "damaged"],
			[codeOf({ ...MAP, throttleBins: [0, 5, 10, 20, 40, 60, 101] }) ?? "", "damaged"],
			[codeOf({ ...MAP, lockTable: MAP.lockTable.map((line) => line.map(() => 101)) }) ?? "", "damaged"],
		];
		for (const [text, map] of rows) assert.deepEqual(mapOf(text), map, text);
		assert.equal(codeOf({ ...MAP, speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 512] }), undefined, "511 km/h at most");
	});
});
