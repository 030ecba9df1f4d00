/** Diagnosis on a phone, with the simulated control unit at the other end of the coupling bus. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { KWP_VALUES, MEASURED } from "../../src/can/layouts/diagnosis-data.js";
import { ENGLISH } from "../../src/page/texts/english.js";
import type { Generation } from "../system/car-rows.js";
import { ControlUnitPeer } from "../system/control-unit-peer.js";
import { until } from "../system/wait.js";
import { answerWith, PHONE, untilAsked } from "./browser.js";
import { button, describePage, downloaded } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

/** A card, by its heading. */
const card = (page: Page, title: string): Locator =>
	page.locator("section.card", { has: page.getByRole("heading", { name: title, exact: true }) });
const row = (page: Page, id: string): Locator => page.locator(`[data-reading="${id}"]`);
const read = (page: Page, title: string): Promise<void> =>
	card(page, title).getByRole("button", { name: "Read", exact: true }).tap();

describePage("diagnosis on the page", (fixture) => {
	let peer: ControlUnitPeer | undefined;
	const connect = (generation: Generation = 5): ControlUnitPeer => (peer = new ControlUnitPeer(fixture.bench, generation));
	beforeEach(() => {
		fixture.bench.show(0, 0);
	});
	afterEach(async () => {
		// what a visitor has begun goes on without them, and keeps the next one out
		const active = async () => (await fixture.get("/api/uds/status")).active;
		await until(async () => !(await active()), 30_000, "the end of the last job");
		peer?.end();
		peer = undefined;
	});

	it("names each value of the interface, and no other", () => {
		const known = MEASURED.map(({ did }) => `0x${did.toString(16).toUpperCase().padStart(4, "0")}`);
		assert.deepEqual(Object.keys(ENGLISH.diagnosis.values).sort(), known.sort());
		const labels = new Set(KWP_VALUES.map(({ label }) => label));
		assert.deepEqual(Object.keys(ENGLISH.diagnosis.blockValues).sort(), [...labels].sort());
	});

	it("asks the car only on request, and shows each value with its raw bytes and age", async () => {
		connect();
		const { page } = await fixture.open("diagnosis", PHONE);
		await row(page, "0x1005").waitFor();
		const asked: string[] = [];
		page.on("request", (request) => /uds|diag\//.test(request.url()) && asked.push(request.url()));
		await page.locator('[data-test="link"]', { hasText: "Live" }).waitFor();
		assert.deepEqual([asked, fixture.bench.coupling.arrived.filter(({ id }) => id === 0x70f)], [[], []]);
		await button(page, "Keep reading").tap();
		await read(page, "Stored faults");
		await read(page, "Control unit");
		const voltage = row(page, "0x0286");
		await voltage.locator("b", { hasText: "13.8 V" }).waitFor();
		assert.equal(await voltage.locator(".raw").innerText(), "8A");
		assert.equal(await voltage.getByText("not verified").count(), 0);
		await row(page, "0x2BF1").getByText("not verified").waitFor();
		await page.getByText("U0101-00").waitFor();
		await page.getByText("Active", { exact: true }).waitFor();
		await page.getByText("fails now, confirmed, raw C1 01 00, status 09").waitFor();
		await page.getByText("Sporadic", { exact: true }).waitFor();
		await page.getByText("WVWZZZAUZ00000000").waitFor();
		const before = asked.length;
		await until(() => asked.length > before + 1, 30_000, "that it is read again and again");
		await assertAccessible(page);
		const { name, text } = await downloaded(page, button(page, "Save the report"));
		assert.match(name, /^diagnosis-\d{4}-\d\d-\d\dT[\d-]+\.txt$/);
		for (const line of [
			/^OpenCoupling \S+, Diagnosis, /m,
			/^Generation: 5$/m,
			/^VIN: WVWZZZAUZ00000000$/m,
			/^U0101-00 {2}Active: fails now, confirmed, raw C1 01 00, status 09$/m,
			/^Supply voltage: 13\.8 V, 0x0286 = 8A, \d+ s$/m,
			/^Clutch temperature: [\d.]+ °C, 0x2BF1 = .. .., \d+ s, not verified$/m,
		])
			assert.match(text, line);
	});

	it("says what the control unit rejects, and keeps old values with their age", async () => {
		const { ecu } = connect();
		const { page } = await fixture.open("diagnosis", PHONE);
		await button(page, "Keep reading").tap();
		const voltage = row(page, "0x0286");
		await voltage.getByText("13.8 V").waitFor();
		ecu.diagnosisFaults.negativeCode = 0x22;
		await read(page, "Stored faults");
		await card(page, "Stored faults").getByText("The control unit rejects the request: conditions not correct").waitFor();
		assert.equal(await page.getByText("No faults are stored").count(), 0);
		ecu.diagnosisFaults.negativeCode = -1;
		ecu.diagnosisFaults.silent = true;
		await card(page, "Measured values")
			.getByText(/does not answer|no control unit answers/)
			.first()
			.waitFor();
		await until(async () => Number.parseInt(await voltage.locator("td").nth(1).innerText(), 10) > 1, 30_000, "that it ages");
		assert.match(await voltage.innerText(), /13\.8 V/);
		ecu.diagnosisFaults.silent = false;
	});

	it("clears faults only after a question and in a standing car", async () => {
		const { ecu } = connect();
		const { page } = await fixture.open("diagnosis", PHONE);
		await answerWith(page, false);
		const clear = button(page, "Clear all faults");
		await until(() => clear.isEnabled(), 30_000, "a car that stands");
		await clear.tap();
		await untilAsked(page, /./);
		fixture.bench.show(5, 0);
		await until(() => clear.isDisabled(), 30_000, "a car that rolls");
		await page.getByText("Faults can be cleared only while the car stands and its speed is known").waitFor();
		assert.equal(ecu.controlUnit.faults.length, 2);
		fixture.bench.show(0, 0);
		await until(() => clear.isEnabled(), 30_000, "a car that stands again");
		await answerWith(page, true);
		await clear.tap();
		await page.getByText("The faults are cleared").waitFor();
		await page.getByText("No faults are stored").waitFor();
		assert.deepEqual(ecu.controlUnit.faults, []);
	});

	it("speaks KWP2000 with generation 2, and asks nothing of generation 1", async () => {
		connect(2);
		try {
			await fixture.set({ couplingGeneration: 2 });
			const { page } = await fixture.open("diagnosis", PHONE);
			await read(page, "Stored faults");
			const fault = page.locator(".rows li", { hasText: "21045" });
			await fault.getByText("raw 52 35").waitFor();
			assert.doesNotMatch(await fault.innerText(), /fails now|confirmed|Active|Sporadic/, "KWP's status is no UDS status");
			await button(page, "Keep reading").tap();
			await row(page, "04.1").getByText("Group 04.1").waitFor();
			assert.match(await row(page, "01.2").innerText(), /Supply voltage\s+1\d(\.\d)? V\s/);
			assert.match(await row(page, "02.1").innerText(), /Oil temperature\s+\d+ °C\s/);
			assert.match(await row(page, "02.2").locator(".raw").innerText(), /^0E C8 06$/);
			await page.getByText("Generations 2 and 4 do not report it").waitFor();
			await fixture.set({ couplingGeneration: 1 });
			await page.reload();
			await page.getByText("Only the control units of generations 2, 4 and 5 can be asked").waitFor();
		} finally {
			await fixture.set({ couplingGeneration: 5 });
		}
	});
});
