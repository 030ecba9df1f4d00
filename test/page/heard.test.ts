/** The generation found and not asked: what the buses tell, and what contradicts a choice. */
import assert from "node:assert/strict";
import { COUPLINGS } from "../../src/coupling/couplings/couplings.js";
import { contradictions, type Frame, hear } from "../../src/page/start/heard.js";
import { PHONE } from "./browser.js";
import { describePage, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const frames = (bus: string, ...ids: number[]): Frame[] => ids.map((id) => ({ bus, id, dlc: 8 }));
const report = (id: number, dlc: number, bus = "haldex"): Frame => ({ bus, id, dlc });
const PQ = frames("chassis", 0x280, 0x1a0, 0x320);
const MQB = frames("chassis", 0x0a7, 0x121);

describe("what the buses tell of the coupling", () => {
	it("is its generation by car, report and length, and which others look like it", () => {
		const rows: [what: string, heard: Frame[], fits: number[], alike: number[]][] = [
			["nothing", [], [], []],
			["frames that tell nothing", frames("chassis", 0x7ff), [], []],
			["a PQ car alone", PQ, [1, 2, 4, 51, 53], []],
			["an MQB car alone", MQB, [5], []],
			["four bytes", [...PQ, report(0x2c0, 4)], [2], [1, 4, 51]],
			["eight bytes", [...PQ, report(0x2c0, 8)], [1, 4, 51], [2]],
			["a length that is none of them", [...PQ, report(0x2c0, 6)], [1, 2, 4, 51], []],
			["a coupling without a car", [report(0x118, 4)], [5, 53], []],
			["a swap", [...PQ, report(0x118, 4)], [53], []],
			["two cars at once", [...PQ, ...MQB], [1, 2, 4, 5, 51, 53], []],
		];
		for (const [what, heard, fits, alike] of rows) {
			const told = hear(heard);
			assert.deepEqual([told.fits, told.alike], [fits, alike], what);
		}
	});

	it("is a frame that comes from the wrong side", () => {
		assert.equal(hear([...PQ, report(0x2c0, 4)]).swapped, undefined);
		assert.equal(hear([...PQ, report(0x2c0, 4, "chassis")]).swapped, 0x2c0, "the coupling on the car's bus");
		assert.equal(hear([...frames("haldex", 0x280), report(0x2c0, 4, "chassis")]).swapped, 0x280, "the car on the coupling's");
		assert.equal(hear([...PQ, ...frames("haldex", 0x280), report(0x2c0, 4)]).swapped, undefined);
	});

	it("contradicts a choice by report, length or car, and a fitting one by nothing", () => {
		const gen2 = hear([...PQ, report(0x2c0, 4)]);
		assert.deepEqual(
			[0, 1, 2, 4, 5, 99].map((generation) => contradictions(gen2, generation)),
			[[], ["length"], [], ["length"], ["report", "car"], []],
		);
		assert.deepEqual(contradictions(hear([]), 5), [], "silence contradicts nothing");
		for (const { generation, car, status } of COUPLINGS) {
			const own = car.readings.flatMap(({ signals }) => frames("chassis", ...signals.map(({ id }) => id)));
			const heard = hear([...own, report(status.engagement.id, status.bytes)]);
			assert.deepEqual(contradictions(heard, generation), []);
			assert.ok(heard.fits.includes(generation));
		}
	});
});

describePage("the generation on the page", (fixture) => {
	it("is proposed in the first start, and a choice that the buses contradict is told", async () => {
		const { page, problems } = await fixture.open("start/1", PHONE);
		await page.getByText("From the car: 0x0").waitFor();
		await page.getByText("From the coupling: 0x118 with 4 bytes.").waitFor();
		await page.getByText("This fits generation 5.").waitFor();
		const marked = page.locator(".generation", { hasText: "fits what is heard" });
		assert.deepEqual(await marked.locator("b").allInnerTexts(), ["5"]);
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS, "with a proposal");
		const contradiction = page.locator('[data-test="contradiction"]');
		assert.equal(await contradiction.count(), 0);
		await page.locator(".generation", { hasText: "Unit 1K0" }).tap();
		await contradiction.getByText("Its coupling reports in 0x2C0, but 0x118 comes.").waitFor();
		await contradiction.getByText("Its car sends 0x1A0, 0x280, 0x4A0, but 0x0").waitFor();
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS, "with a contradiction");

		// in the draft only, which is left as it was
		await page.locator(".generation", { hasText: "MQB cars" }).tap();
		await contradiction.waitFor({ state: "detached" });
		assert.deepEqual(problems, []);
	});

	it("is told in German as the ignition is switched on, and contradicted on the page of the car, too", async () => {
		const { page, problems } = await fixture.open("about", { ...PHONE, locale: "de-DE" });
		let heard: Frame[] = [];
		await page.route("**/api/canview*", (route) =>
			route.fulfill({ json: { decoded: [], raw: heard.map((row) => ({ ...row, dir: "RX", ageMs: 5, data: "", ts: 0 })) } }),
		);
		await turnTo(page, "start/1");
		await page.getByText("Noch nichts gehört: schalte die Zündung ein.").waitFor();
		assert.equal(await page.locator(".generation").count(), COUPLINGS.length, "the list is there as ever");
		heard = PQ;
		await page.getByText("Die Haldex hat noch nichts gemeldet.").waitFor();
		await page.getByText("Das passt zu Generation 1, 2, 4, 0AY, 5 Umbau.").waitFor();
		heard = [...PQ, report(0x2c0, 4)];
		await page.getByText("Das passt zu Generation 2.").waitFor();
		await page.getByText("Dieselbe Botschaft, aber mit 8 Byte: Generation 1, 4, 0AY.").waitFor();
		await turnTo(page, "coupling");
		await page.locator('[data-test="contradiction"]', { hasText: "Das widerspricht Generation 5" }).waitFor();
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS, "on the page of the car");
		assert.deepEqual(problems, []);
	});
});
