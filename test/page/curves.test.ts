/** Curves under a finger, on the smallest phone. */
import assert from "node:assert/strict";
import type { CDPSession, Page } from "playwright-core";
import { until } from "../system/wait.js";
import { PHONE } from "./browser.js";
import { box, button, describePage, middle, saveBar } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

type At = readonly [x: number, y: number];

/** Fingers on the screen, as it tells of them. */
class Fingers {
	readonly #session: CDPSession;

	constructor(session: CDPSession) {
		this.#session = session;
	}

	static async on(page: Page): Promise<Fingers> {
		return new Fingers(await page.context().newCDPSession(page));
	}

	/** Each number is one finger. */
	async tell(type: "touchStart" | "touchMove" | "touchEnd", ...points: readonly At[]): Promise<void> {
		await this.#session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
	}

	/** One goes down, moves in steps and stays. */
	async carry([fromX, fromY]: At, [toX, toY]: At): Promise<void> {
		await this.tell("touchStart", [fromX, fromY]);
		for (let i = 1; i <= 5; i++) await this.tell("touchMove", [fromX + ((toX - fromX) * i) / 5, fromY + ((toY - fromY) * i) / 5]);
	}

	async drag(from: At, to: At): Promise<void> {
		await this.carry(from, to);
		await this.tell("touchEnd");
	}
}

/** What each point says of itself. */
const shown = (page: Page): Promise<(string | null)[]> =>
	page.locator("[data-point]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-valuetext")));
const dot = (page: Page, index: number) => page.locator("[data-point] .chart-dot").nth(index);
const spot = async (page: Page, index: number): Promise<At> => middle(await box(dot(page, index)));

describePage("curves under a finger", (fixture) => {
	it("follow it with its number beside it at every edge, while the page stays where it is, in one step of undo each", async () => {
		const { page, problems } = await fixture.open("curves/speed", PHONE);
		await dot(page, 4).waitFor();
		for (const axis of ["Speed, km/h", "Lock, %"]) await page.locator(".chart text", { hasText: axis }).waitFor();
		const fingers = await Fingers.on(page);
		const number = page.locator(".chart-value");
		const before = await shown(page);
		const chart = await box(page.locator(".curves .chart"));
		const right = chart.x + chart.width;
		await loadAxe(page);
		for (const [index, x, y] of [
			[2, chart.x + chart.width / 2, chart.y + chart.height * 0.7],
			[2, chart.x + chart.width / 2, chart.y + 4],
			[0, chart.x + 2, chart.y + 30],
			[4, right - 2, chart.y + 30],
			[4, right - 2, chart.y + chart.height - 20],
		] as const) {
			await fingers.carry(await spot(page, index), [x, y]);
			await number.waitFor();
			const label = await box(number);
			assert.ok(label.x >= 0 && label.x + label.width <= 390 && label.y >= chart.y - 1, `in sight: ${JSON.stringify(label)}`);
			const away = Math.hypot(
				Math.max(label.x - x, 0, x - label.x - label.width),
				Math.max(label.y - y, 0, y - label.y - label.height),
			);
			assert.ok(away >= 30 && away <= 60, `${away} px from the finger`);
			const [lock, speed] = [await number.locator("b").innerText(), await number.locator("small").innerText()];
			assert.equal((await shown(page))[index], `${lock} lock at ${speed}`);
			assert.deepEqual(await problemsOf(page), NO_PROBLEMS, "while it is dragged");
			await fingers.tell("touchEnd");
			await number.waitFor({ state: "detached" });
		}
		assert.equal(await page.evaluate(() => scrollY), 0);
		for (let i = 0; i < 5; i++) await button(page, "Undo").tap();
		assert.deepEqual(await shown(page), before, "each drag is one step, also of the same point");
		await button(page, "Redo").tap();
		assert.notDeepEqual(await shown(page), before);
		assert.deepEqual(problems, []);
	});

	it("move with the finger that holds a point, from where it holds it, and with no other one", async () => {
		const { page } = await fixture.open("curves/speed", PHONE);
		await dot(page, 2).waitFor();
		const fingers = await Fingers.on(page);
		const before = await shown(page);
		const [[x, y], other] = [await spot(page, 2), await spot(page, 0)];
		const one: At = [x + 12, y + 8];
		await fingers.tell("touchStart", one);
		await fingers.tell("touchMove", one);
		assert.deepEqual(await shown(page), before, "a touch beside its middle");
		await fingers.tell("touchStart", one, other);
		await fingers.tell("touchMove", one, [other[0] + 30, other[1] - 60]);
		assert.deepEqual(await shown(page), before, "by the second finger");
		await fingers.tell("touchMove", [one[0], one[1] - 60], [other[0] + 30, other[1] - 60]);
		await fingers.tell("touchEnd");
		await until(async () => (await shown(page))[2] !== before[2], 30_000, "the point that is held");
		const others = (all: readonly unknown[]) => all.filter((_, index) => index !== 2);
		assert.deepEqual(others(await shown(page)), others(before));
	});

	it("get a point where an empty place is touched, up to twelve, and none from a swipe", async () => {
		const { page, problems } = await fixture.open("curves/speed", PHONE);
		await dot(page, 4).waitFor();
		const fingers = await Fingers.on(page);
		const before = await shown(page);
		const chart = await box(page.locator(".curves .chart"));
		const [[left], [right]] = [await spot(page, 3), await spot(page, 4)];
		// between the last two, at the top
		const [x, y] = [(left + right) / 2, chart.y + 30];
		await page.touchscreen.tap(x, y);
		await until(async () => (await shown(page)).length === 6, 30_000, "one point more");
		const added = await spot(page, 4);
		assert.ok(Math.hypot(added[0] - x, added[1] - y) < 4, `touched at ${x}, ${y}, added at ${added}`);
		assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-point")), "4", "keys move it on");
		await page.locator(".chart-value").waitFor();
		await page.keyboard.press("ArrowDown");
		await fingers.drag(await spot(page, 4), [x, y + 40]);
		assert.equal(await page.locator("[data-point]").count(), 6);
		for (let i = 0; i < 3; i++) await button(page, "Undo").tap();
		assert.deepEqual(await shown(page), before);

		// fingers that scroll, and fingers on the numbers
		await fingers.drag([x, y], [x, y - 120]);
		await fingers.drag([x, y], [x - 60, y]);
		await page.touchscreen.tap(chart.x + 4, chart.y + chart.height / 2);
		await page.evaluate(() => scrollTo(0, 0));
		assert.deepEqual(await shown(page), before);

		for (let i = 0; i < 7; i++) await button(page, "Add a point").tap();
		await page.evaluate(() => scrollTo(0, 0));
		await page.touchscreen.tap(x, chart.y + 26);
		await page.locator(".notice.bad", { hasText: "12 points at most" }).waitFor();
		assert.equal(await page.locator("[data-point]").count(), 12);
		await page.getByRole("button", { name: "12 points at most", disabled: true }).waitFor();
		await button(page, "Discard").tap();
		await saveBar(page).getByText("As in the controller").waitFor();
		assert.deepEqual(problems, []);
	});
});
