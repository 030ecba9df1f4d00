/**
 * A signal that was just picked is shown with its own value: before it is saved, while it is saved, and after
 * that.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PHONE } from "./browser.js";
import { button, describePage, saveBar } from "./page-fixture.js";

const PEDAL = 45;

interface Row {
	readonly bus: string;
	readonly dir: string;
	readonly name: string;
	readonly value: number | string;
}

describePage("a signal that was just picked", (fixture) => {
	beforeEach(() => fixture.bench.show(40, PEDAL));
	afterEach(async () => {
		await fixture.post("/api/settings", { inputMappings: { throttle: "" } });
	});

	/** A signal of the car that is 0 now, in the words of the page. */
	async function zero(): Promise<string> {
		const { decoded } = await fixture.json<{ decoded: readonly Row[] }>("/api/canview?decoded=2000&raw=0&bus=chassis");
		const found = decoded.find(({ dir, name, value }) => dir === "RX" && value === 0 && /accel|pedal|fahr/i.test(name));
		const any = found ?? decoded.find(({ dir, value }) => dir === "RX" && value === 0);
		assert.ok(any !== undefined, "a signal that is 0");
		return any.name.replaceAll("_", " ");
	}

	const pedal = (page: Page) => page.locator("button.signal", { has: page.locator("b") }).nth(1);

	/** Picks it, and keeps all that the button shows from then on. */
	async function pick(page: Page, name: string): Promise<() => Promise<string[]>> {
		await pedal(page)
			.locator("b", { hasText: `${PEDAL} %` })
			.waitFor();
		await pedal(page).evaluate((element) => {
			const shown: string[] = [];
			Object.assign(globalThis, { shown });
			new MutationObserver(() => shown.push(element.textContent ?? "")).observe(element, {
				subtree: true,
				childList: true,
				characterData: true,
			});
		});
		await pedal(page).click();
		await page.getByRole("searchbox").fill(name);
		await page.locator(".picks button", { hasText: name }).first().click();
		await pedal(page).locator("span", { hasText: name }).waitFor();
		return () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
	}

	for (const hash of ["start/2", "inputs"])
		it(`is shown with its own value, and in no colour that says that it counts: ${hash}`, async () => {
			const name = await zero();
			const { page, problems } = await fixture.open(hash, PHONE);
			const shown = await pick(page, name);
			await pedal(page)
				.locator("b.muted", { hasText: /^0( |$)/ })
				.waitFor();
			if (hash === "inputs") {
				await saveBar(page).getByRole("button", { name: "Apply" }).click();
				await saveBar(page).getByText("As in the controller").waitFor();
			} else {
				assert.equal(await page.getByText("All three are there").count(), 0, "said of other signals");
				await button(page, "Next").click();
				await page.getByLabel("Frame profile").waitFor();
				await page.getByRole("link", { name: "Back" }).click();
			}
			await pedal(page).locator("b.good", { hasText: "0 %" }).waitFor();
			const wrong = (await shown()).filter((text) => text.includes(name) && text.includes(`${PEDAL} %`));
			assert.deepEqual(wrong, []);
			assert.deepEqual(problems, []);
		});
});
