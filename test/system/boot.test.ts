/** The controller starts in stock and says why. docs/decisions.md 2 and 4. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { anImage } from "../../tools/device/sample-image.js";
import { type Bench, crashInARow, type Status, withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { freePort, untilUpdate, upload } from "./update-peers.js";
import { now, sleep, until } from "./wait.js";

/** The whole settling time, less what the tick may round off. */
const SETTLED_MS = 1000 - 10;

/** A flash folder with a driver's settings, on which the controller has crashed three times in a row. */
const withCrashedFlash = (test: (flash: string) => Promise<void>): Promise<void> =>
	withFlash(
		async (flash) => {
			await crashInARow(flash, 3);
			await test(flash);
		},
		{
			"settings.json": '{"format":1,"generation":5,"mode":"MAP"}',
			"logs/all.txt": "1\tERROR\tloop\tthe last words\n",
		},
	);

describe("system: boot", () => {
	it("leaves every frame as it is until all inputs have been valid for 1 s", () =>
		withBench({}, async (bench) => {
			bench.show(30, 50);
			bench.row(0x121).silent = true;
			const early = await bench.untilStatus((status) => status.telemetry["speed"] === 30, 2000, "speed of 30 km/h");
			assert.equal(early.effectiveMode, "STOCK");
			await sleep(600);
			assert.equal((await bench.status()).reason, "no valid pedal position");
			const pedalFrom = now();
			bench.row(0x121).silent = false;
			await bench.untilStatus((status) => status.reason.startsWith("starting: "), 500, "the reason to be starting");
			await bench.untilCommand();
			const passages = bench.passed(marker(5).id);
			const first = passages.findIndex((passage) => passage.rewritten);
			assert.ok(passages[first].at - pedalFrom >= SETTLED_MS, `rewritten after ${passages[first].at - pedalFrom} ms`);
			assert.ok(passages[first].sentAt - pedalFrom <= 1200, `rewritten only after ${passages[first].sentAt - pedalFrom} ms`);
			assert.ok(passages.slice(first).every((passage) => passage.rewritten));
			const active = await bench.status();
			assert.deepEqual([active.effectiveMode, active.reason, active.controlActive], ["MAP", "control is active", true]);
		}));

	it("controls the car before the server can listen", () =>
		withBench({ args: ["--fault", "listener-fails=1"] }, async (bench) => {
			const { loop } = await bench.status();
			assert.ok(loop["ticks"] + loop["overruns"] > 400, `the control loop ran meanwhile: ${loop["ticks"]} ticks`);
			assert.match(bench.stdout, /\tERROR\thttp\tError: Cannot allocate memory\n[\s\S]*listening on/);
			bench.show(30, 50);
			await bench.untilCommand();
		}));

	it("a gateway that hangs is started anew, forwards then, and says why it started", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			const hungAt = bench.fault("gateway-stalled=0");
			const ports = () => [...bench.stdout.matchAll(/listening on http:\/\/127\.0\.0\.1:(\d+)/g)].map((match) => match[1]);
			await until(() => ports().length > 1, 10_000, "another start");
			const tookMs = now() - hungAt;
			const before = bench.coupling.arrived.length;
			await until(() => bench.coupling.arrived.length > before + 100, 5000, "frames that are forwarded");
			const status = (await (await fetch(`http://127.0.0.1:${ports()[1]}/api/status`)).json()) as Status;
			assert.deepEqual([status.bootReason, status.bootLoop], ["watchdog", false]);
			console.log(`      started anew after ${tookMs.toFixed(0)} ms`);
		}));

	it("after three crashes in a row stays in stock, serves status and logs, and writes nothing; a clean start controls again", () =>
		withCrashedFlash(async (flash) => {
			const start = (use: (bench: Bench) => Promise<void>) => withBench({ flash, settings: null }, use);
			const files = () => ["settings.json", "logs/all.txt"].map((path) => readFileSync(join(flash, path), "utf8"));
			const before = files();
			await start(async (bench) => {
				bench.show(30, 50);
				const reason = "the controller restarted too often: stock until the next clean start";
				const status = await bench.untilStatus((now) => now.reason === reason, 2000, reason);
				assert.deepEqual([status.mode, status.effectiveMode], ["MAP", "STOCK"]);
				assert.deepEqual([status.bootReason, status.bootLoop], ["crash", true]);
				for (const [method, path, body] of [
					["POST", "/api/mode", '{"mode":"5050"}'],
					["POST", "/api/settings", '{"couplingGeneration":1}'],
					["POST", "/api/wifi", '{"apOpen":true}'],
					["GET", "/api/events", ""],
					["GET", "/api/canview/dump", ""],
				] as const) {
					const { code, text } = await bench.ask(method, path, body);
					assert.deepEqual([code, JSON.parse(text).error], [503, "boot loop"], path);
				}
				const { text } = await bench.ask("GET", "/api/logs/read?path=/logs/all.txt");
				assert.equal(text, "1\tERROR\tloop\tthe last words\n");
				await until(() => bench.passed(marker(5).id).length > 130, 4000, "1.3 s of frames");
				assert.equal((await bench.status()).gateway["rewritten"], 0);
				assert.deepEqual(files(), before, "nothing was written");
				assert.match(bench.stdout, /\tERROR\tboot\tboot loop: /);
			});
			await start(async (bench) => {
				bench.show(30, 50);
				await bench.untilCommand();
				const { bootReason, bootLoop } = await bench.status();
				assert.deepEqual([bootReason, bootLoop], ["power on", false]);
			});
		}));

	it("accepts an update in a boot loop, in a standing car, and ends the loop", () =>
		withCrashedFlash((flash) =>
			freePort().then((port) =>
				withBench({ flash, settings: null, args: ["--http", port] }, async (bench) => {
					bench.show(30, 50);
					await untilUpdate(bench, ({ refusal }) => refusal === "the car is moving", "the speed to be known");
					bench.show(0, 0);
					await untilUpdate(bench, ({ refusal }) => refusal === "", "the car to stand");
					assert.equal(await upload(bench, anImage({ version: "v0.2.0" })), "200 OK");
					await untilUpdate(bench, ({ current }) => current === "v0.2.0", "the new version");
					const { bootReason, bootLoop } = await bench.status();
					assert.deepEqual([bootReason, bootLoop], ["restart", false]);
				}),
			),
		));

	it("controls nothing through an open network until it has a password, or its owner says that it may stay open", () =>
		withBench({ args: ["--guard-open-network"] }, async (bench) => {
			bench.show(30, 50);
			const reason = "the controller's network has no password: set one, or say that it may stay open";
			const status = await bench.untilStatus((now) => now.reason === reason, 4000, reason);
			assert.equal(status.effectiveMode, "STOCK");
			const wifi = async (patch: object) => assert.equal((await bench.post("/api/wifi", patch)).code, 200);
			await wifi({ apOpen: true });
			await bench.untilCommand();
			await wifi({ apOpen: false });
			await bench.untilStatus((now) => now.effectiveMode === "STOCK", 4000, "stock again");
			await wifi({ apPassword: "12345678" });
			await bench.untilStatus((now) => now.controlActive === true, 4000, "control");
		}));
});
