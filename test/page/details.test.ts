/** Small things that a driver would curse, each found by walking the pages on a phone. */
import assert from "node:assert/strict";
import { until } from "../system/wait.js";
import { answerWith, linkIs, PHONE, questionsOf } from "./browser.js";
import { button, cell, describePage, saveBar, turnTo } from "./page-fixture.js";

describePage("small things on the page", (fixture) => {
	it("moves nothing in the first start while one presses the pedal", async () => {
		const { page } = await fixture.open("start/2", PHONE);
		const places = () =>
			page.evaluate(() =>
				[...document.querySelectorAll("main button, main a")].map((element) => {
					const { x, y, width, height } = element.getBoundingClientRect();
					return [x, y, width, height].map(Math.round).join();
				}),
			);
		await page.locator(".signal b", { hasText: "40 %" }).waitFor();
		const before = await places();
		for (const pedal of [0, 9, 100]) {
			fixture.bench.show(40, pedal);
			await page
				.locator(".signal b", { hasText: `${pedal} %` })
				.first()
				.waitFor();
			assert.deepEqual(await places(), before, `${pedal} %`);
		}
		const rows = fixture.bench.chassisRows;
		for (const row of rows) row.silent = true;
		try {
			await page.locator(".signal b", { hasText: "no valid value" }).first().waitFor();
			assert.deepEqual(await places(), before, "no values");
		} finally {
			for (const row of rows) row.silent = false;
		}
	});

	it("asks in the first start which frame profile to use, with what speaks for each, and keeps the default", async () => {
		const profile = async () => (await fixture.json<{ frameProfile: string }>("/api/status")).frameProfile;
		const { page } = await fixture.open("start/3", PHONE);
		await page.getByText("its checksums verify in no car").waitFor();
		await page.getByText("nobody has seen a coupling close with it").waitFor();
		const choice = page.getByLabel("Frame profile");
		assert.equal(await choice.inputValue(), "reference");
		await button(page, "Next").tap();
		await page.getByLabel("New password").waitFor();
		assert.equal(await profile(), "reference");
		await page.getByRole("link", { name: "Back" }).tap();
		await choice.selectOption("corrected");
		await button(page, "Next").tap();
		await page.getByLabel("New password").waitFor();
		assert.equal(await profile(), "corrected");
		await fixture.post("/api/settings", { frameProfile: "reference" });
	});

	it("tells which frame the car marks as invalid, and that somebody else sends the status frame, while it is so", async () => {
		const { page } = await fixture.open("about", PHONE);
		await page.getByText("Up for").waitFor();
		assert.equal(await page.getByText("marks it as invalid").count(), 0);
		assert.equal(await page.getByText("another device sends it").count(), 0);
		const status = await fixture.json<object>("/api/status");
		const json = { ...status, invalidFrame: "0x4A0", statusFrameElsewhere: true };
		await page.route("**/api/status", (route) => route.fulfill({ json }));
		await page.locator("dt", { hasText: "marks it as invalid" }).waitFor();
		await page.locator("dd", { hasText: "0x4A0" }).waitFor();
		await page.locator("dd", { hasText: "another device sends it" }).waitFor();
	});

	it("shows the operating point as a ring, through which its number is read and touched, and crosses out none by the way", async () => {
		const { page } = await fixture.open("map", PHONE);
		await page.locator(".point:not(.old)").waitFor();
		const style = await page.locator(".point").evaluate((point) => {
			const { backgroundColor, backgroundImage, pointerEvents, transitionDuration } = getComputedStyle(point);
			return [backgroundColor, backgroundImage, pointerEvents, transitionDuration];
		});
		// a transition draws sixty times a second what is told ten times
		assert.deepEqual(style, ["rgba(0, 0, 0, 0)", "none", "none", "0s"]);
		await page.locator(".heat-trail .trail").first().waitFor({ state: "attached" });
		const top = await page.evaluate(() => {
			const [trail] = document.querySelectorAll<SVGElement>(".heat-trail");
			const [number] = document.querySelectorAll('[data-cell="40"] b');
			trail.style.pointerEvents = "all";
			const { x, y, width, height } = number.getBoundingClientRect();
			return document.elementFromPoint(x + width / 2, y + height / 2)?.tagName;
		});
		assert.equal(top, "B");
	});

	it("breaks no value of the buses in the midst of a word, in German too", async () => {
		const { page } = await fixture.open("can", { ...PHONE, locale: "de-DE" });
		await page.locator("td.value", { hasText: "(None)" }).first().waitFor();
		const high = await page.locator("thead th, td.value").evaluateAll((cells) =>
			cells
				// a value and its unit, or two words of a heading
				.filter((cell) => cell.clientHeight > 2 * 1.4 * Number.parseFloat(getComputedStyle(cell).fontSize) + 12)
				.filter((cell) => cell.matches("thead *") || (cell.parentElement?.children[0].clientHeight ?? 0) < cell.clientHeight)
				.map((cell) => cell.textContent),
		);
		const beyond = await page.locator(".scroll").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
		assert.equal(beyond, 0, "all columns are in sight");
		assert.deepEqual(high, []);
	});

	it("has a curve's chart and its points in one look on a phone that lies on its side", async () => {
		const { page } = await fixture.open("curves/speed", { ...PHONE, viewport: { width: 844, height: 390 }, locale: "de-DE" });
		// what is above the bar has come by then
		await page.locator(".points td").first().waitFor();
		const bar = (await saveBar(page).boundingBox()) ?? assert.fail();
		for (const part of [page.locator(".chart"), page.locator(".points td").first(), page.locator(".choice")]) {
			const { x, y, width, height } = (await part.boundingBox()) ?? assert.fail();
			assert.ok(y >= 48 && y + height <= bar.y && x + width <= 844, `${part}: ${[x, y, width, height]}, bar at ${bar.y}`);
		}
	});

	it("shows the way on in the first start without scrolling", async () => {
		const { page } = await fixture.open("start", PHONE);
		// what was heard stands above the way on
		await page.locator(".heard .good").waitFor();
		const { y, height } = (await button(page, "Next").boundingBox()) ?? assert.fail();
		const { y: bottom } = (await page.locator(".pages").boundingBox()) ?? assert.fail();
		assert.ok(y + height <= bottom, `Next ends at ${y + height} of ${bottom}`);
		const shapes = await page.locator(".silhouette path").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
		assert.equal(new Set(shapes.filter((shape) => shape !== null)).size, 4, "each coupling has its picture");
		await page.locator(".generation", { hasText: "Golf IV" }).waitFor();
	});

	it("says in the driver's words how two phones' settings differ", async () => {
		const { page } = await fixture.open("gates", PHONE);
		await page.getByLabel("Map: open below").fill("12");
		await page.keyboard.press("Tab");
		const theirs = { disengageUnderSpeed: { map: 20 }, frameProfile: "corrected" };
		assert.equal(await fixture.post("/api/settings", theirs), 200);
		try {
			await saveBar(page).getByText("Changed by another device").waitFor();
			await saveBar(page).getByRole("button", { name: "Apply" }).tap();
			const dialog = page.getByRole("dialog");
			await dialog.getByRole("button", { name: "Compare" }).tap();
			const facts = await dialog.locator("dl").innerText();
			for (const words of [/Map: open below\s+yours 12 km\/h, theirs 20 km\/h/, /yours Reference, theirs Corrected/])
				assert.match(facts, words);
			assert.doesNotMatch(facts, /[a-z][A-Z]/, "a name of the interface");
			await dialog.getByRole("button", { name: "Take theirs" }).tap();
		} finally {
			const before = {
				frameProfile: "reference",
				disengageUnderSpeed: { map: 0 },
			};
			await fixture.post("/api/settings", before);
		}
	});

	it("finds German signals by English words", async () => {
		const { page } = await fixture.open("inputs", PHONE);
		for (const [label, words, name] of [
			["Vehicle speed", "speed", "ESP v Signal"],
			["Engine speed", "engine speed", "MO Drehzahl 01"],
			["Pedal", "throttle", "MO Fahrpedalrohwert 01"],
		] as const) {
			await page
				.locator("button.signal")
				.and(page.getByRole("button", { name: new RegExp(`^${label}`) }))
				.tap();
			await page.getByRole("searchbox").fill(words);
			await page
				.locator(".picks span", { hasText: new RegExp(`^${name}$`) })
				.first()
				.waitFor();
			await button(page, "Cancel").tap();
		}
	});

	it("does not let a map have a preset's name: there would be two of it in the list", async () => {
		const { page } = await fixture.open("library", PHONE);
		await page.locator(".library li").first().waitFor();
		await page.getByLabel("Name", { exact: true }).fill("aggressive");
		let posts = 0;
		page.on("request", (request) => request.method() === "POST" && posts++);
		await button(page, "Save as").tap();
		await page.locator(".notice.bad", { hasText: "the name of a preset" }).waitFor();
		assert.equal(posts, 0);
	});

	it("opens pages that were never opened while nobody answers", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		const loaded = () =>
			page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /\/pages-\w+\.js/.test(name)));
		await until(loaded, 20_000, "the other pages");
		await page.context().setOffline(true);
		await turnTo(page, "about");
		await page.getByText("You are responsible for your car").waitFor();
		await turnTo(page, "can");
		await page.getByRole("heading", { name: "Capture" }).waitFor();
	});

	it("asks before it changes the generation while control is active, and leaves it alone if the driver says no", async () => {
		const { page } = await fixture.open("coupling", PHONE);
		await answerWith(page, false);
		await page.getByText("Unit 1K0 907 554:").tap();
		const save = saveBar(page).getByRole("button", { name: "Apply" });
		await save.tap();
		await until(
			async () => /With another generation it is stock at once/.test((await questionsOf(page))[0] ?? ""),
			30_000,
			"the question",
		);
		const generation = async () => (await fixture.json<{ couplingGeneration: number }>("/api/status")).couplingGeneration;
		assert.equal(await generation(), 5);
		await answerWith(page, true);
		await save.tap();
		await until(async () => (await generation()) === 2, 30_000, "the other generation");
		assert.equal(await fixture.post("/api/settings", { couplingGeneration: 5 }), 200);
	});

	it("shows all rows of the buses, some hundred at a time", async () => {
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

	it("gives log lines the time of day", async () => {
		const { page } = await fixture.open("logs", PHONE);
		// which of them it is, and how old, depends on how much the tests before have filled the log
		const line = page.locator(".log p").last();
		await until(async () => /^\d\d:\d\d:\d\d/.test((await line.innerText()).trim()), 90_000, "a time of day");
		const [hours, minutes, seconds] = (await line.innerText()).trim().slice(0, 8).split(":").map(Number);
		const told = new Date();
		told.setHours(hours, minutes, seconds);
		assert.ok(Math.abs(Date.now() - told.getTime()) < 120_000, String(told));
	});

	it("is one tab from the content to the map's first cell, and its axes are reached by arrow keys", async () => {
		const { page } = await fixture.open("map");
		await cell(page, 0, 0).waitFor();
		const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
		await page.locator("#content").focus();
		await page.keyboard.press("Tab");
		assert.match(String(await focused()), /lock at 0 km\/h and 0 % pedal/);
		await page.keyboard.press("ArrowUp");
		await page.keyboard.press("ArrowRight");
		assert.equal(await focused(), "Change speed 5 km/h");
		await page.keyboard.press("ArrowDown");
		assert.match(String(await focused()), /lock at 5 km\/h and 0 % pedal/);
		await page.keyboard.press("ArrowLeft");
		await page.keyboard.press("ArrowLeft");
		assert.equal(await focused(), "Change pedal 0 %");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByLabel("Pedal, %").waitFor();
	});
});
