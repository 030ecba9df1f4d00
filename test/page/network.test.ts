/** The network page: the controller's own network, the home network, and the owner's password. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { ReleaseServer } from "../../tools/device/release-server.js";
import { anImage } from "../../tools/device/sample-image.js";
import { Bench } from "../system/bench-car.js";
import { freePort } from "../system/update-peers.js";
import { until } from "../system/wait.js";
import { describeInBrowser, IN_GERMAN, launch, leave, linkIs, PHONE, visit } from "./browser.js";
import { applyButton, button, openFile, saveBar, scanned, turnTo } from "./page-fixture.js";
import { assertAccessible, misfitsOf } from "./page-problems.js";

const SECRET = "password1";
const RESTART_MS = 60_000;
/** All that the browser keeps. */
const keptIn = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));

describeInBrowser("the network page in a browser", () => {
	let bench: Bench;
	let browser: Browser;
	let releases: ReleaseServer;

	before(async () => {
		releases = await ReleaseServer.start();
		// a port that it keeps over a restart, and no car: an update may begin
		const args = ["--http", await freePort(), "--wifi", `home:${SECRET}`, "--update-url", releases.url];
		bench = await Bench.start({ paced: true, settings: null, connected: false, args });
		browser = await launch();
	});
	after(async () => {
		await bench?.end();
		releases?.close();
	});
	afterEach(leave);
	const wifi = () => bench.get("/api/wifi");
	const setWifi = async (body: object): Promise<void> => assert.equal((await bench.post("/api/wifi", body)).code, 200);

	it("sets and removes the password of the controller's network, and says how to reconnect", async () => {
		const { page } = await visit(browser, bench.port, "network", PHONE);
		await page.getByText("It has no password").waitFor();
		const address = page.locator("dt:text-is('Address') + dd");
		assert.equal(await address.innerText(), `http://127.0.0.1:${bench.port}`, "a computer answers to no name");
		const network = (await bench.get("/api/network")) as object;
		await page.route("**/api/network", (route) => route.fulfill({ json: { ...network, apIp: "127.0.0.1" } }));
		await address.getByText("http://opencoupling.local").waitFor();
		const password = page.getByLabel("New password");
		await password.fill("short");
		await button(page, "Set the password").click();
		assert.equal((await wifi()).apPasswordSet, false, "a short one is not sent");
		await password.fill('long; "enough"');
		assert.equal(await password.getAttribute("type"), "text", "what is typed once can be read");
		await button(page, "Hide").tap();
		assert.equal(await password.getAttribute("type"), "password");
		await button(page, "Set the password").click();
		const card = page.locator('[data-test="way-back"]');
		await card.getByText("OpenCoupling", { exact: true }).waitFor();
		await card.getByText('long; "enough"').waitFor();
		await card.getByText("Hold the board's BOOT key").waitFor();
		assert.equal(await scanned(page, card.locator(".qr svg")), 'WIFI:T:WPA;S:OpenCoupling;P:long\\; \\"enough\\";;');
		await assertAccessible(page);
		assert.equal((await wifi()).apPasswordSet, true);
		assert.doesNotMatch(await keptIn(page), /enough/);
		await page.reload();
		await page.getByText("It has a password").waitFor();
		await button(page, "Remove the password").click();
		await page.getByText("It has no password: everybody near").waitFor();
		assert.deepEqual([(await wifi()).apPasswordSet, (await wifi()).apOpen], [false, true]);
		// the one setting of this page
		await page.getByLabel("Allowed origin").fill("Capacitor://localhost");
		assert.deepEqual((await misfitsOf(page)).primary, [], "one main thing while a setting waits");
		await applyButton(page).click();
		await saveBar(page).waitFor({ state: "detached" });
		assert.equal(await page.getByLabel("Allowed origin").inputValue(), "capacitor://localhost");
	});

	it("ends the first start only with a password, or if the network may stay open", async () => {
		await setWifi({ apOpen: false });
		const { page } = await visit(browser, bench.port, "start/4", PHONE);
		await page.getByText("or allow it to stay open").waitFor();
		assert.equal(await page.getByText("until then the car stays stock").count(), 0, "on a computer nothing waits for it");
		assert.equal(await button(page, "Start driving").count(), 0);
		await button(page, "Leave it open").click();
		await page.locator('[data-test="reason"]').waitFor();
		assert.equal((await wifi()).apOpen, true);
		await turnTo(page, "start/4");
		await page.getByRole("link", { name: "Back" }).click();
		await page.getByLabel("Frame profile").waitFor();
		await button(page, "Next").click();
		await button(page, "Start driving").waitFor();
	});

	it("says how to reconnect though the controller is out of reach after the first start", async () => {
		const { page } = await visit(browser, bench.port, "start/4", PHONE);
		await page.getByLabel("New password").fill("long enough");
		let set = false;
		await page.route("**/api/**", async (route) => {
			if (set) return route.abort();
			set = route.request().url().endsWith("/api/wifi") && route.request().method() === "POST";
			return route.continue();
		});
		await button(page, "Set the password").click();
		const card = page.locator('[data-test="way-back"]');
		await card.getByText("long enough").waitFor();
		assert.equal(await scanned(page, card.locator(".qr svg")), "WIFI:T:WPA;S:OpenCoupling;P:long enough;;");
		assert.equal((await bench.get("/api/status"))["setupDone"], true);
		await card.getByRole("link", { name: "Start driving" }).click();
		await page.locator('[data-test="reason"]').waitFor();
		await setWifi({ apPassword: "", apOpen: true });
	});

	it("says that no network with the home network's name is in reach", async () => {
		await setWifi({ ssid: "nobody has this", password: SECRET, staEnabled: true });
		const { page } = await visit(browser, bench.port, "network", PHONE);
		await page.locator("dt:has-text('Home network') + dd", { hasText: "no such network in reach" }).waitFor();
		await setWifi({ ssid: "" });
	});

	it("keeps a typed name across a reload, never a password, and connects", async () => {
		const { page } = await visit(browser, bench.port, "network", PHONE);
		const station = page.locator("form", { hasText: "Connect to it" });
		await station.getByLabel("Name of the network").fill("home");
		await station.getByLabel("Connect to it").check();
		await station.getByLabel(/^Password/).fill(SECRET);
		await page.reload();
		await station.getByText("Not applied yet").waitFor();
		assert.deepEqual(
			[await station.getByLabel("Name of the network").inputValue(), await station.getByLabel(/^Password/).inputValue()],
			["home", ""],
		);
		assert.doesNotMatch(await keptIn(page), new RegExp(SECRET));
		await page.route("**/api/wifi", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
		await station.getByLabel(/^Password/).fill(SECRET);
		await station.getByRole("button", { name: "Apply" }).click();
		await page.getByText("No answer from the controller").waitFor();
		assert.equal(await station.getByLabel("Name of the network").inputValue(), "home", "the draft is kept");
		await page.unroute("**/api/wifi");
		await station.getByRole("button", { name: "Apply" }).click();
		await until(async () => (await wifi())["ssid"] === "home", 30_000, "the name in the controller");
		await station.locator('[data-test="station"].good').waitFor();
		await station.getByLabel(/^Password/).fill("not that one");
		await station.getByRole("button", { name: "Apply" }).tap();
		await station.locator('[data-test="station"].bad', { hasText: "home: wrong password" }).waitFor();
		await station.getByLabel(/^Password/).fill(SECRET);
		await station.getByRole("button", { name: "Apply" }).tap();
		await page.locator("dd", { hasText: "192.168.178.50" }).waitFor();
		await station.getByText("Not applied yet").waitFor({ state: "detached" });
	});

	it("offers the networks in reach, and asks for the password of the one that is touched", async () => {
		const { page, problems } = await visit(browser, bench.port, "network", PHONE);
		const station = page.locator("form", { hasText: "Connect to it" });
		await station.getByLabel("Name of the network").fill("typed");
		await button(page, "Look for networks").tap();
		await station.getByText("1 in reach").waitFor();
		const row = station.getByRole("button", { name: "strong home with a password" });
		await row.tap();
		assert.equal(await station.getByLabel("Name of the network").inputValue(), "home");
		assert.equal(await row.getAttribute("aria-pressed"), "true");
		assert.equal(await station.getByLabel("Connect to it").isChecked(), true);
		const focused = await page.evaluate(() => document.activeElement?.closest("label")?.textContent);
		assert.match(focused ?? "", /^Password/, "what is missing comes next");
		await assertAccessible(page, "with a choice");
		assert.deepEqual(problems, []);
	});

	it("sends an open network no password that was typed for another one", async () => {
		const { page } = await visit(browser, bench.port, "network", PHONE);
		const station = page.locator("form", { hasText: "Connect to it" });
		await page.route("**/api/wifi/scan", (route) =>
			route.fulfill({ json: { networks: [{ ssid: "open", rssi: -50, open: true }] } }),
		);
		await page.route("**/api/wifi", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
		await station.getByLabel(/^Password/).fill(SECRET);
		await button(page, "Look for networks").tap();
		await station.getByRole("listitem").getByRole("button").tap();
		const saving = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/wifi"));
		await station.getByRole("button", { name: "Apply" }).tap();
		assert.deepEqual((await saving).postDataJSON(), { staEnabled: true, ssid: "open", password: "" });
	});

	it("shows odd names as they are, and says in German why a scan failed", async () => {
		const { page } = await visit(browser, bench.port, "network", IN_GERMAN);
		const names = ["<script>alert(1)</script>", "🏠🏠🏠🏠🏠🏠🏠🏠", "W".repeat(32), "  ", "\u202egnp.exe", "a\u0085b"];
		const many = [...names, ...Array.from({ length: 26 }, (_, i) => `Nachbar ${i}`)];
		const networks = many.map((ssid, i) => ({ ssid, rssi: -40 - 2 * i, open: i === 1 }));
		const busy = { status: 409, json: { error: "scan refused", detail: "the radio is busy" } };
		const answers = [{ json: { networks } }, { json: { networks: [] } }, busy];
		await page.route("**/api/wifi/scan", (route) => route.fulfill(answers.shift()));
		const look = button(page, "WLANs suchen");
		await look.tap();
		await page.getByText("32 in Reichweite").waitFor();
		const rows = page.locator(".networks li");
		assert.equal(await rows.count(), 6, "the strongest first");
		assert.deepEqual((await rows.locator("bdi").allTextContents()).slice(0, 4), [names[0], names[1], names[2], '"  "']);
		await assertAccessible(page, "with odd names");
		await button(page, "26 weitere zeigen").tap();
		assert.equal(await rows.count(), 32);
		for (const words of ["Kein WLAN ist in Reichweite", "Jetzt nicht: das Funkmodul ist beschäftigt"]) {
			await look.tap();
			await page.locator(".networks p", { hasText: words }).waitFor();
			assert.equal(await rows.count(), 0, words);
		}
		await assertAccessible(page, "with a problem");
	});

	it("finds and installs an update, and shows the new version", async () => {
		const { page } = await visit(browser, bench.port, "update");
		const running = page.locator("dt:has-text('Running') + dd");
		await running.filter({ hasText: "v0.1.0" }).waitFor();
		await button(page, "Check for an update").click();
		await page.getByText("v0.2.0 can be installed").waitFor();
		await page.locator('[data-test="safe"]', { hasText: "An update may start now" }).waitFor();
		const polls: string[] = [];
		page.on("request", (request) => request.url().endsWith("/api/update") && polls.push(request.url()));
		await button(page, "Install").click();
		await page
			.getByText(/Installing|The controller restarts/)
			.first()
			.waitFor();
		assert.deepEqual(polls, [], "events tell the progress");
		await running.filter({ hasText: "v0.2.0" }).waitFor({ timeout: RESTART_MS });
		await linkIs(page, "Live");
	});
});

const PASSWORD = "correct horse";

describeInBrowser("the owner's password in a browser", () => {
	let bench: Bench;
	let browser: Browser;

	before(async () => {
		bench = await Bench.start({ paced: true, connected: false });
		browser = await launch();
	});
	after(async () => {
		await bench?.end();
	});
	afterEach(leave);

	const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Owner's password" });
	const answer = async (page: Page, password: string): Promise<void> => {
		await dialogOf(page).getByLabel("Password").fill(password);
		await button(page, "Continue").click();
	};

	it("is set on the network page, and asked for once on each other device", async () => {
		const { page } = await visit(browser, bench.port, "network", PHONE);
		const card = page.locator('[data-test="owner"]');
		await card.getByText("everybody in this network can change everything").waitFor();
		await card.getByLabel("New owner's password").fill(PASSWORD);
		await button(page, "Set the owner's password").click();
		await card.getByText("Everybody in the network can read").waitFor();
		assert.ok(!(await keptIn(page)).includes(PASSWORD), "the page keeps no password");
		// this device has the key already
		await turnTo(page, "update");
		await button(page, "Check for an update").click();
		assert.equal(await dialogOf(page).count(), 0);

		const { page: other } = await visit(browser, bench.port, "update", PHONE);
		await button(other, "Check for an update").click();
		const password = dialogOf(other).getByLabel("Password");
		await password.fill("what I type");
		await button(other, "Show").tap();
		assert.equal(await password.getAttribute("type"), "text", "what is typed can be read");
		await assertAccessible(other);
		await answer(other, "wrong horse");
		await dialogOf(other).getByText("That is not the owner's password", { exact: true }).waitFor();
		await answer(other, PASSWORD);
		await dialogOf(other).waitFor({ state: "detached" });
		await other.reload();
		await button(other, "Check for an update").click();
		await turnTo(other, "network");
		await button(other, "Forget it on this device").click();
		assert.equal(await dialogOf(other).count(), 0, "once");
		await turnTo(other, "update");
		await button(other, "Check for an update").click();
		await dialogOf(other).getByRole("button", { name: "Cancel" }).click();
		await other.getByText("Rejected: The owner's password is needed for that", { exact: true }).waitFor();
	});

	it("is asked for before an upload, and can be removed", async () => {
		const { page } = await visit(browser, bench.port, "update", PHONE);
		await openFile(page, "firmware.bin", Buffer.from(anImage({ projectName: "other" })));
		await answer(page, PASSWORD);
		await page.getByText("Rejected: image is for another board").waitFor();
		await turnTo(page, "network");
		await button(page, "Remove the owner's password").click();
		await page.getByText("everybody in this network can change everything").waitFor();
		assert.equal((await bench.ask("POST", "/api/learn/cancel")).code, 200);
	});
});
