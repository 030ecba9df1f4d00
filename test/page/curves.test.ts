/** Curves: points that are dragged, typed, added and removed. */
import assert from "node:assert/strict";
import type { CDPSession, Page } from "playwright-core";
import { acrossOf, downOf, LEFT, pathOf, RIGHT, reachOf, valuesAt } from "../../src/page/curves/chart-frame.js";
import { moved, withOneMore, withPointAt } from "../../src/page/curves/curves.js";
import type { CurvePoint } from "../../src/page/net/types.js";
import { until } from "../system/wait.js";
import { PHONE, passTime } from "./browser.js";
import { apply, box, button, describePage, middle, saveBar } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

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

/** The text of each point. */
const shown = (page: Page): Promise<(string | null)[]> =>
	page.locator("[data-point]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-valuetext")));
const dot = (page: Page, index: number) => page.locator("[data-point] .chart-dot").nth(index);
const spot = async (page: Page, index: number): Promise<At> => middle(await box(dot(page, index)));

describePage("curves on the page", (fixture) => {
	it("show the value 30 to 60 px from the finger, at every edge of the screen, and undo each drag in one step", async () => {
		const { page } = await fixture.open("curves/speed", PHONE);
		await dot(page, 4).waitFor();
		for (const axis of ["Speed, km/h", "Lock, %"]) await page.locator(".chart text", { hasText: axis }).waitFor();
		const fingers = await Fingers.on(page);
		const number = page.locator(".chart-value");
		const before = await shown(page);
		const chart = await box(page.locator(".curves .chart"));
		const right = chart.x + chart.width;
		for (const [index, x, y] of [
			[2, chart.x + chart.width / 2, chart.y + chart.height * 0.7],
			[2, chart.x + chart.width / 2, chart.y + 4],
			[4, right - 2, chart.y + 30],
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
			await assertAccessible(page, "while it is dragged");
			await fingers.tell("touchEnd");
			await number.waitFor({ state: "detached" });
		}
		assert.equal(await page.evaluate(() => scrollY), 0);
		for (let i = 0; i < 3; i++) await button(page, "Undo").tap();
		assert.deepEqual(await shown(page), before, "each drag is one step, also of the same point");
		await button(page, "Redo").tap();
		assert.notDeepEqual(await shown(page), before);
	});

	it("move a point with the finger that holds it, and with no other", async () => {
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

	it("add a point where an empty place is touched, up to twelve, and none by a swipe", async () => {
		const { page } = await fixture.open("curves/speed", PHONE);
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
	});

	it("save points that were typed, moved by key or removed", async () => {
		const { page } = await fixture.open("curves/throttle", { stopped: true });
		await passTime(page, 0, () => page.getByLabel("Point 2, Lock, %").isVisible());
		await page.getByLabel("Point 2, Lock, %").fill("33");
		// some drawings later it is still what was typed
		await passTime(page, 2000);
		await page.clock.resume();
		await page.keyboard.press("Tab");
		await page.locator('[data-point="2"]').focus();
		await page.keyboard.press("ArrowUp");
		await button(page, "Remove point 1").click();
		await apply(page);
		const { points } = await fixture.get("/api/curve/throttle");
		assert.deepEqual([points[0].lock, points[1].lock], [33, 26]);
	});

	it("undo a change across a save", async () => {
		for (const lock of [41, 42]) await fixture.post("/api/curve/rpm", { points: [{ x: 0, lock }] });
		const { page } = await fixture.open("curves/rpm", PHONE);
		await dot(page, 0).waitFor();
		await button(page, "Undo").tap();
		await saveBar(page).getByText("As it was before the last change").waitFor();
		await page.locator('[data-point][aria-valuetext^="41 %"]').waitFor();
	});
});

const POINTS = [
	{ x: 10, lock: 20 },
	{ x: 50, lock: 60 },
	{ x: 140, lock: 0 },
];

describe("the drawing of a curve", () => {
	it("leaves space for one more point, and has at most eight lines", () => {
		const rows: [last: number, largest: number, span: number, step: number][] = [
			[0, 300, 100, 20],
			[3000, 10_000, 3500, 500],
			[10_000, 10_000, 10_000, 2000],
		];
		for (const [last, largest, span, step] of rows)
			assert.deepEqual(reachOf([{ x: last, lock: 0 }], largest), { span, step }, `${last} of ${largest}`);
	});

	it("converts places back to the values drawn there, and is level before the first point and behind the last", () => {
		for (const { x, lock } of POINTS) {
			const [value, percent] = valuesAt({ across: acrossOf(x, 200), down: downOf(lock) }, 200);
			assert.ok(Math.abs(value - x) < 1e-9 && Math.abs(percent - lock) < 1e-9);
		}
		const path = pathOf([POINTS[0], POINTS[2]], 200);
		assert.ok(path.startsWith(`M${LEFT} ${downOf(20)}L`) && path.endsWith(`L${RIGHT} ${downOf(0)}`), path);
	});
});

describe("the points of a curve", () => {
	it("keep their place if their neighbours leave no whole number", () => {
		const close = [10, 10.5, 11].map((x) => ({ x, lock: 0 }));
		assert.deepEqual(moved(close, 1, 30, 7, 300)[1], { x: 10.5, lock: 7 });
		assert.deepEqual(moved(close.slice(1), 0, -5, 7, 300)[0], { x: 0, lock: 7 });
	});

	it("take a point at a value, unless its neighbours leave no whole number", () => {
		const rows: [x: number, lock: number, index: number | undefined, point?: CurvePoint][] = [
			[30, 40.4, 1, { x: 30, lock: 40 }],
			[-4, 110, 0, { x: 0, lock: 100 }],
			[310, -3, 3, { x: 300, lock: 0 }],
			// straight above a point
			[50, 90, 2, { x: 51, lock: 90 }],
			[49.8, 90, 1, { x: 49, lock: 90 }],
		];
		for (const [x, lock, index, point] of rows) {
			const more = withPointAt(POINTS, x, lock, 300);
			assert.deepEqual([more?.index, more?.points[more.index]], [index, point]);
			assert.deepEqual(
				more?.points.filter((one) => one !== point && POINTS.includes(one)),
				POINTS,
			);
		}
		const full = [0, 1, 300].map((x) => ({ x, lock: 0 }));
		for (const x of [0.4, 300]) assert.equal(withPointAt(full, x, 50, 300), undefined);
	});

	it("stay between their neighbours and within their range", () => {
		const rows: [index: number, x: number, lock: number, expected: [number, number]][] = [
			[0, -5, -5, [0, 0]],
			[0, 70, 50.4, [49, 50]],
			[1, 0, 101, [11, 100]],
			[1, 200, 50, [139, 50]],
			[2, 500, 50, [300, 50]],
		];
		for (const [index, x, lock, expected] of rows) {
			const next = moved(POINTS, index, x, lock, 300);
			assert.deepEqual([next[index].x, next[index].lock], expected);
			assert.equal(next.filter((point, i) => point !== POINTS[i]).length, 1);
		}
	});

	it("take a point in the widest gap or behind the last, up to twelve, no two at one value", () => {
		assert.deepEqual(withOneMore(POINTS, 300)[2], { x: 95, lock: 30 });
		assert.deepEqual(withOneMore([{ x: 10, lock: 20 }], 300)[1], { x: 70, lock: 20 });
		const filledFrom = (x: number) => Array.from({ length: 11 }, (_, i) => ({ x: x + i, lock: 5 * i }));
		for (const points of [[{ x: 100, lock: 20 }], [{ x: 0, lock: 20 }], filledFrom(0), filledFrom(60), filledFrom(90)])
			for (let grown: CurvePoint[] = points; grown.length < 12; ) {
				const before = grown;
				grown = withOneMore(before, 100);
				assert.equal(grown.filter((point) => !before.includes(point)).length, 1);
				assert.equal(grown.length, before.length + 1);
				assert.ok(grown[0].x >= 0 && grown[grown.length - 1].x <= 100, JSON.stringify(grown));
				assert.ok(
					grown.every(({ x }, i) => i === 0 || x > grown[i - 1].x),
					JSON.stringify(grown),
				);
			}
	});
});
