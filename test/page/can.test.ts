/** Frames on the buses, the log, SavvyCAN, and what may be shared of them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { COUPLINGS, FRAME_PROFILES } from "../../src/coupling/couplings/couplings.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { MODES } from "../../src/lock/modes.js";
import { mayStay, withoutIdentity } from "../../src/page/can/identity.js";
import { unitText, valueText } from "../../src/page/can/units.js";
import { frameLine } from "../support/frame-lines.js";
import { FOREIGN_EXTENDED_ID } from "../system/car-rows.js";
import { SavvyCan } from "../system/savvycan.js";
import { until } from "../system/wait.js";
import { IN_GERMAN, PHONE } from "./browser.js";
import { button, describePage, downloaded } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

describePage("the page for CAN frames and logs", (fixture) => {
	it("downloads a dump in the chosen format, and the signals as a DBC file", async () => {
		const { page } = await fixture.open("can");
		await page.getByLabel("How far back").selectOption("10");
		await page.getByLabel("Format").selectOption({ label: "SavvyCAN CSV" });
		const { name, text } = await downloaded(page, page.getByRole("link", { name: "Download" }));
		assert.match(name, /\.csv$/);
		assert.match(text, /^Time Stamp,ID,Extended,/);
		assert.ok(text.split("\n").length > 100, `${text.split("\n").length} lines`);
		const dbc = await downloaded(page, page.getByRole("link", { name: "DBC" }));
		assert.equal(dbc.name, "opencoupling-mqb.dbc");
		assert.match(dbc.text, /^BO_ 1712 OpenCoupling_Status: 8 /m);
	});

	it("downloads dump and log without the car's identity", async () => {
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

	it("shows each frame of the chosen bus once, filters by identifier, and sends no request while paused", async () => {
		const { page } = await fixture.open("can", { stopped: true });
		await page.clock.resume();
		await page.getByLabel("Bus").selectOption({ label: "coupling" });
		await button(page, "Raw").click();
		const rows = () => page.locator("tbody tr").allInnerTexts();
		await until(
			async () => (await rows()).length > 0 && (await rows()).every((row) => /\tcoupling/.test(row)),
			30_000,
			"one bus",
		);
		const frames = (await rows()).map((row) =>
			row
				.split("\t")
				.filter((_, column) => column !== 1 && column !== 3)
				.join(),
		);
		assert.equal(new Set(frames).size, frames.length);
		await page.getByLabel("Filter").fill("0x118");
		await until(
			async () => (await rows()).length > 0 && (await rows()).every((row) => row.startsWith("0x118")),
			30_000,
			"one frame",
		);
		await button(page, "Pause").click();
		// the pause takes effect once the page is drawn: a request that is due before that still leaves
		await page.clock.runFor(1000);
		let asked = 0;
		page.on("request", (request) => request.url().includes("/api/canview") && asked++);
		// longer than any period in which it asks otherwise
		await page.clock.runFor(10_000);
		assert.equal(asked, 0);
	});

	it("shows log lines with the time of day, filters and downloads them, deletes a file, and clears all", async () => {
		await fixture.bench.mode("FWD");
		await fixture.bench.mode("5050");
		const { page } = await fixture.open("logs");
		const lines = page.locator(".log p");
		await until(async () => /^\d\d:\d\d:\d\d/.test((await lines.last().innerText()).trim()), 90_000, "a time of day");
		const [hours, minutes, seconds] = (await lines.last().innerText()).trim().slice(0, 8).split(":").map(Number);
		const told = new Date();
		told.setHours(hours, minutes, seconds);
		assert.ok(Math.abs(Date.now() - told.getTime()) < 120_000, String(told));
		const { name, text } = await downloaded(page, page.getByRole("link", { name: "Download" }));
		assert.equal(name, "all.txt");
		assert.ok(text.split("\n").length > 1);
		await page.getByLabel("Filter").fill("no line has this");
		await page.getByText("0 lines").waitFor();
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

	it("starts and ends a capture", async () => {
		const { page } = await fixture.open("can");
		await page.getByRole("button", { name: "Start the capture" }).click();
		await page.getByRole("button", { name: "End the capture" }).waitFor();
		assert.equal((await fixture.get("/api/canview/capture")).active, true);
		await page.getByRole("button", { name: "End the capture" }).click();
		await page.getByRole("button", { name: "Start the capture" }).waitFor();
	});

	it("shows all columns on a phone in German, and breaks no value in the middle of a word", async () => {
		const { page } = await fixture.open("can", IN_GERMAN);
		await page.locator("td.value", { hasText: "(None)" }).first().waitFor();
		const high = await page.locator("thead th, td.value").evaluateAll((cells) =>
			cells
				// a value and its unit, or two words of a heading
				.filter((cell) => cell.clientHeight > 2 * 1.4 * Number.parseFloat(getComputedStyle(cell).fontSize) + 12)
				.filter((cell) => cell.matches("thead *") || (cell.parentElement?.children[0].clientHeight ?? 0) < cell.clientHeight)
				.map((cell) => cell.textContent),
		);
		assert.deepEqual(high, []);
		assert.equal(await page.locator(".scroll").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
	});

	it("shows some hundred rows, and the others on request", async () => {
		const { page } = await fixture.open("can", PHONE);
		const rows = page.locator("tbody tr");
		await rows.first().waitFor();
		const status = page.locator("section.card > [role=status]");
		const value = (await page.locator("td.value").first().boundingBox()) ?? assert.fail();
		assert.ok(value.width > 30, `a value has ${value.width} px: a number needs no line for each digit`);
		const more = button(page, "Show more rows");
		await until(async () => /rows/.test(await status.innerText()), 30_000, "how many");
		while ((await more.count()) > 0) await more.tap();
		await until(async () => (await status.innerText()) === `${await rows.count()} rows`, 30_000, "all of them");
	});
});

describePage("SavvyCAN on the page", (fixture) => {
	let client: SavvyCan | undefined;
	afterEach(async () => {
		client?.close();
		await fixture.post("/api/wifi", { apPassword: "", apOpen: false });
		await fixture.post("/api/analyzer", { enabled: false, maySend: false });
	});

	it("connects once it is switched on, and may send once networks have passwords and the car stands in STOCK", async () => {
		const { page } = await fixture.open("can", PHONE);
		const facts = page.locator('[data-test="analyzer"]');
		const fact = (name: string) => facts.locator(`dt:has-text("${name}") + dd`);
		const listen = page.getByLabel("Let SavvyCAN connect");
		const maySend = page.getByLabel("It may send frames to the car");
		// the table beside it is not looked at: hundreds of rows take seconds of `assertAccessible`
		await button(page, "Pause").tap();
		await page.getByLabel("Filter").fill("no frame has this");
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
		await assertAccessible(page);
		await fixture.post("/api/wifi", { apPassword: "long enough" });
		await page.getByText("Not now: select mode STOCK first").waitFor();
		await fixture.bench.mode("STOCK");
		await page.getByText("Not now: the car must stand").waitFor();
		fixture.bench.show(0, 0);
		await page.getByText("All conditions hold").waitFor();
		await maySend.tap();
		await until(async () => (await fixture.get("/api/analyzer")).maySend, 30_000, "the permission");
		client.sendFrame(0, FOREIGN_EXTENDED_ID, [1, 2], true);
		await fact("Frames sent").filter({ hasText: "1" }).waitFor();
		fixture.bench.show(5, 0);
		await page.getByText("Not now: the car must stand").waitFor();
		await until(async () => !(await maySend.isChecked()), 30_000, "its end by itself");
		await listen.tap();
		await facts.waitFor({ state: "detached" });
	});
});

/** The controller rewrites them in profile `reference`, but they tell odometer, date or equipment: Systeminfo_01, Diagnose_01,
 * Kombi_02, and 0x65D, which is ESP_20 in an MQB car and the odometer on the comfort bus of a PQ car. */
const TELLING = [0x585, 0x65d, 0x6b2, 0x6b7];
/** The controller's own status frame. */
const STATUS = 0x6b0;

/** Identifiers that the controller reads or rewrites in a car, with 11 bits. */
function neededOf(generation: number): Set<number> {
	const { car, status } = COUPLINGS.find((coupling) => coupling.generation === generation)!;
	const keys = [...Object.values(car.recommended.inputs), car.recommended.steering, ...Object.values(car.recommended.conditions)];
	const plans = FRAME_PROFILES.flatMap((profile) => MODES.map((_, mode) => PLANS[generation as 1].inline[profile](mode as 0)));
	return new Set([
		...car.readings.flatMap(({ signals }) => signals.map(({ id }) => id)),
		...[...car.interventions, ...car.checks, car.selector.position, status.engagement].map(({ id }) => id),
		...car.ignition.map(({ signal }) => signal.id),
		...keys.filter((key) => key !== "").map((key) => Number.parseInt(key.split("|")[1]!, 16)),
		...plans.flatMap(({ frames }) => frames.map(({ id }) => id)),
	]);
}

describe("frames without the car's identity", () => {
	it("are those that the controller reads, rewrites or sends, and never tell whose car it is", () => {
		const needed = new Set([STATUS, ...[1, 2, 4, 5].flatMap((generation) => [...neededOf(generation)])]);
		const right = [...needed].filter((id) => id <= 0x7ff && !TELLING.includes(id)).sort((a, b) => a - b);
		const stay = Array.from({ length: 0x800 }, (_, id) => id).filter((id) => mayStay(id, false));
		assert.deepEqual(stay, right);
		assert.equal(mayStay(0x280, true), false, "none with 29 bits");
		// number, immobiliser, odometer, date and diagnosis
		for (const id of [0x5d2, 0x65f, 0x65d, 0x520, 0x200, 0x300, 0x6b4, 0x6b2, 0x6b7, 0x585, 0x779]) assert.ok(!stay.includes(id));
		assert.ok(stay.every((id) => id < 0x700));
	});

	it("are filtered line by line from a dump and a log", () => {
		const [kept, gone, extended] = [0x280, 0x5d2, 0x80000280].map((id) => ({ timeUs: 5, id, bus: 0 as const, received: [1] }));
		for (const format of [0, 1, 2, 3]) {
			const text = [kept!, gone!].map((row) => frameLine(format, row, false)).join("");
			assert.equal(withoutIdentity(text), frameLine(format, kept!, false), `format ${format}`);
		}
		for (const format of [1, 2]) assert.equal(withoutIdentity(frameLine(format, extended!, false)), "");
		const heads = "OpenHaldex CAN dump\nwindow_ms=30000 bus=all\nts_ms\tbus\tdir\tgen\tid\tdlc\tdata\n";
		assert.equal(withoutIdentity(heads), heads);
		const log =
			"5\tEVENT\tmode\tMAP: 5 km/h\n6\tEVENT\twifi\tjoined HomeOfSmith\n7\tWARN\trequest\t/api/x 400\n8\tWARN\tcan\tchassis bus: bus-off\nrubbish\n";
		assert.equal(withoutIdentity(log), "5\tEVENT\tmode\tMAP: 5 km/h\n8\tWARN\tcan\tchassis bus: bus-off\n");
	});
});

const ROOT = new URL("../../", import.meta.url);
/** All units of the DBC files: `[min|max] "unit"`. */
const units = ["mqb", "pq"].flatMap((name) =>
	[...readFileSync(new URL(`src/can/dbc/${name}.dbc`, ROOT), "latin1").matchAll(/\] "([^"]*)"/g)].map(
		([, unit]) => unit as string,
	),
);

describe("units on the page", () => {
	it("are written as people write them", () => {
		assert.ok(new Set(units).size > 40);
		assert.deepEqual(
			[...new Set(units)].map(unitText).filter((text) => /unit|newto|degre|secon\b|force|percent/i.test(text)),
			[],
		);
	});

	it("round values where a fraction is of no use", () => {
		assert.deepEqual(
			(
				[
					[40.27, "Unit_KiloMeterPerHour"],
					[1040.25, "Unit_MinutInver"],
					[6.201, "Unit_PerCent"],
					[-7.968, "Unit_MeterPerSeconSquar"],
					["18 (None)", ""],
				] as const
			).map(([value, unit]) => valueText(value, unit)),
			["40 km/h", "1040 rpm", "6 %", "-7.968 m/s²", "18 (None)"],
		);
	});
});
