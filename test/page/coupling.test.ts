/** Rewritten frames by choice: the list of a plan, what is wrong with a choice, and the page with it. */
import assert from "node:assert/strict";
import { planFrames, strangers, switched, warningOf } from "../../src/page/coupling/frames.js";
import { until } from "../system/wait.js";
import { answerWith, PHONE, questionsOf, untilAsked } from "./browser.js";
import { apply, applyButton, button, describePage } from "./page-fixture.js";

const GEN5 = { couplingGeneration: 5, frameProfile: "corrected", isStandalone: false, framesOff: "" };

describe("the frames of a plan", () => {
	it("are listed by identifier, with those that carry the lock", () => {
		const list = planFrames({ ...GEN5, framesOff: "0x08A" });
		assert.deepEqual(
			list.map(({ id, name, purpose, carriesLock, isOn }) => [id, name, purpose, carriesLock, isOn]),
			[
				["0x08A", "ESP_14", "request", true, false],
				["0x0A7", "Motor_11", "torque", true, true],
				["0x0B2", "ESP_19", "wheels", true, true],
			],
		);
		assert.equal(planFrames({ ...GEN5, frameProfile: "reference" }).length, 21);
		assert.equal(planFrames({ ...GEN5, isStandalone: true }).length, 25);
		assert.deepEqual(planFrames({ ...GEN5, couplingGeneration: 0 }), []);
	});

	it("are stored in the order of their identifiers, beside those of other plans", () => {
		assert.equal(switched("0x392", "0x0A7", false), "0x0A7 0x392");
		assert.equal(switched("0x0A7 0x392", "0x0A7", true), "0x392");
		assert.deepEqual(strangers("0x0A7 0x392", planFrames(GEN5)), ["0x392"]);
	});

	it("give one warning of a choice without effect, the worst", () => {
		const told = (framesOff: string, others = {}) => {
			const settings = { ...GEN5, ...others, framesOff };
			return warningOf(planFrames(settings), settings.isStandalone);
		};
		assert.equal(told(""), "");
		assert.equal(told("0x08A"), "");
		assert.equal(told("0x0A7"), "noTorque");
		assert.equal(told("0x08A 0x0A7 0x0B2"), "stock");
		const reference = { frameProfile: "reference" };
		assert.equal(told("0x08A 0x0A7 0x0A8 0x0B2 0x116", reference), "noLock");
		assert.equal(told("0x1A0", { ...reference, couplingGeneration: 2 }), "speeds");
		assert.equal(told("0x1A0 0x4A0", { ...reference, couplingGeneration: 2 }), "");
		assert.equal(told("0x1A0", { ...reference, couplingGeneration: 4 }), "", "no byte of it is a speed");
		assert.equal(told("0x392", { isStandalone: true }), "missing");
	});
});

describePage("the page of the coupling", (fixture) => {
	afterEach(async () => {
		await fixture.set({ framesOff: "" });
	});

	it("switches frames off in a draft, with a warning, and on again", async () => {
		const { page } = await fixture.open("coupling", PHONE);
		await answerWith(page, true);
		const row = (name: string) => page.locator("label.check", { hasText: name });
		await button(page, "Rewritten frames").tap();
		const top = await page.locator("#section-rewritten").evaluate((section) => section.getBoundingClientRect().top);
		assert.ok(top >= 0 && top < PHONE.viewport.height / 2, `the list of contents leads there: ${top} px`);
		await page.locator("summary", { hasText: "All 21 are on." }).tap();
		await row("0x0A7 Motor_11").tap();
		await row("0x392 ESP_07").tap();
		await page.getByText("Without the engine's torque expect little lock, or none.").waitFor();
		const off = async () => (await fixture.get("/api/status")).framesOff;
		assert.equal(await off(), "", "a draft");
		await apply(page);
		assert.equal(await off(), "0x0A7 0x392");
		assert.match((await questionsOf(page)).join(), /^Without the engine's torque/);
		await button(page, "All on").tap();
		await page.locator("summary", { hasText: "All 21 are on." }).waitFor();
		await apply(page);
		assert.equal(await off(), "");
	});

	it("asks before it changes the generation while control is active", async () => {
		const { page } = await fixture.open("coupling", PHONE);
		await answerWith(page, false);
		await page.getByText("Unit 1K0 907 554:").tap();
		const save = applyButton(page);
		await save.tap();
		await untilAsked(page, /With another generation it is stock at once/);
		const generation = async () => (await fixture.get("/api/status")).couplingGeneration;
		assert.equal(await generation(), 5);
		await answerWith(page, true);
		await save.tap();
		await until(async () => (await generation()) === 2, 30_000, "the other generation");
		await fixture.set({ couplingGeneration: 5 });
	});
});
