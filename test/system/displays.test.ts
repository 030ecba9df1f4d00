/** Displays that exist, as they speak, and the status frame that they read. */
import assert from "node:assert/strict";
import { STATUS_ID } from "../../tools/campaign/tables.js";
import { type Bench, withBench } from "./bench-car.js";
import { hex } from "./car-rows.js";
import { until } from "./wait.js";

/** As `HTTPClient` of the displays asks, under the controller's address as their sketches have it. */
const HEADERS = {
	Host: "192.168.4.1",
	"User-Agent": "ESP32HTTPClient",
	Connection: "keep-alive",
	"Accept-Encoding": "identity;q=1,chunked;q=0.1,*;q=0",
};

const read = async (bench: Bench, path: string): Promise<string> => (await bench.ask("GET", path, "", HEADERS)).text;
const select = async (bench: Bench, body: string): Promise<void> =>
	assert.equal((await bench.ask("POST", "/api/mode", body, HEADERS)).code, 200, body);

/** What follows the first `"key":"`, up to the next quotation mark. */
const firstText = (json: string, key: string): string | undefined => json.split(`"${key}":"`)[1]?.split('"')[0];

/** The digits, and a sign, that follow the first `"key":`, blanks skipped. */
const firstNumber = (json: string, key: string): number => Number(/^[ \t]*(-?\d+)/.exec(json.split(`"${key}":`)[1] ?? "")?.[1]);

describe("displays that exist", () => {
	const driving = (test: (bench: Bench) => Promise<void>): Promise<void> =>
		withBench({}, async (bench) => {
			bench.show(40, 40);
			await bench.untilStatus(({ controlActive }) => controlActive, 8000, "control");
			await test(bench);
		});

	it("the touch display for OpenHaldex-S3 selects modes and reads what is active", () =>
		driving(async (bench) => {
			for (const [asked, canonical] of [
				["FWD", "FWD"],
				["STOCK", "STOCK"],
				["90:10", "9010"],
				["8020", "8020"],
				["70:30", "7030"],
				["6040", "6040"],
				["50:50", "5050"],
			] as const) {
				await select(bench, `{"mode":"${asked}"}`);
				const status = await read(bench, "/api/status");
				assert.deepEqual([firstText(status, "mode"), firstText(status, "effectiveMode")], [canonical, canonical]);
			}
			for (const row of bench.chassisRows) row.silent = true;
			await bench.untilStatus(({ effectiveMode }) => effectiveMode === "STOCK", 4000, "stock");
			const status = await read(bench, "/api/status");
			assert.deepEqual([firstText(status, "mode"), firstText(status, "effectiveMode")], ["5050", "STOCK"]);
		}));

	it("the sketch for OpenHaldex-C6 selects modes by number, and reads -1 for one that it does not have", () =>
		driving(async (bench) => {
			for (const [number, canonical] of ["STOCK", "FWD", "5050", "6040", "7030", "MAP"].entries()) {
				await select(bench, `{"mode":${number}}`);
				assert.equal(firstNumber(await read(bench, "/api/dashboard"), "mode"), number, canonical);
				assert.equal((await bench.status()).mode, canonical);
			}
			// a mode that it does not have: the sketch takes 0 to 5 only, and shows what it showed before
			await bench.mode("8020");
			assert.equal(firstNumber(await read(bench, "/api/dashboard"), "mode"), -1);
		}));
});

describe("system: status frame", () => {
	it("sends 0x6B0 every 200 ms with the specified bytes", () =>
		withBench({ settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
			const broadcasts = () => bench.chassis.arrived.filter((frame) => frame.id === STATUS_ID);
			bench.show(30, 30);
			await bench.untilCommand();
			await until(() => broadcasts().length >= 16, 9000, "16 broadcasts");
			const frames = broadcasts();
			const last = frames[frames.length - 1];
			// 0, not standalone, raw engagement, lock, speed, no override, MAP, pedal
			assert.equal(hex(last.data), "000064141e00091e");
			assert.ok(!last.extended && !last.rtr);
			const meanMs = (last.at - frames[0].at) / (frames.length - 1);
			assert.ok(Math.abs(meanMs - 200) <= 4, `every ${meanMs} ms`);
		}));
});
