/** Wi-Fi over real sockets with the simulated radio: what is stored when, and what the radio makes of it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, type BenchOptions, withBench, withFlash } from "./bench-car.js";
import { sleep, until } from "./wait.js";

const WIFI = ["--wifi", "home:password1", "--wifi", "open"];
const HOME = '{"ssid":"home","password":"password1"}';

const controller = (args: readonly string[], flash?: string): BenchOptions => ({
	settings: null,
	connected: false,
	args,
	...(flash === undefined ? {} : { flash }),
});

async function get(bench: Bench, path: string): Promise<Record<string, unknown>> {
	return JSON.parse((await bench.ask("GET", path)).text);
}

const untilConnected = (bench: Bench, connected: boolean) =>
	until(async () => (await get(bench, "/api/network"))["staConnected"] === connected, 15_000, `staConnected ${connected}`);

describe("system: network", () => {
	it("stores the credentials before it answers, connects, and connects again after SIGKILL", () =>
		withFlash(async (flash) => {
			await withBench(controller(WIFI, flash), async (bench) => {
				assert.deepEqual(await bench.ask("POST", "/api/wifi", HOME), { code: 200, text: '{"ok":true}' });
				await bench.cutPower();
			});
			await withBench(controller(WIFI, flash), async (bench) => {
				assert.deepEqual(await get(bench, "/api/wifi"), { ssid: "home", staEnabled: true, apPasswordSet: false, apOpen: false });
				await untilConnected(bench, true);
				const network = await get(bench, "/api/network");
				assert.deepEqual(network, {
					staConnected: true,
					staIp: "192.168.178.50",
					staProblem: "",
					ap: true,
					apIp: "192.168.4.1",
					apSsid: "OpenCoupling",
					apPending: false,
					hostname: "openhaldex.local",
					internet: false,
				});
			});
		}));

	it("leaves the old network at once, for an open one without the old password", () =>
		withBench(controller(WIFI), async (bench) => {
			await bench.ask("POST", "/api/wifi", HOME);
			await untilConnected(bench, true);
			await bench.ask("POST", "/api/wifi", '{"ssid":"open"}');
			await until(() => /"password":""/.test(readFileSync(join(bench.flash, "wifi.json"), "utf8")), 1000, "no password");
			await sleep(700);
			await untilConnected(bench, true);
			await bench.ask("POST", "/api/wifi", '{"ssid":"","password":"","staEnabled":false}');
			await untilConnected(bench, false);
		}));

	it("reconnects after the link was lost", () =>
		withBench(controller([...WIFI, "--fault", "wifi-lost=6000:3000"]), async (bench) => {
			await bench.ask("POST", "/api/wifi", HOME);
			await untilConnected(bench, true);
			await untilConnected(bench, false);
			// nobody is connected meanwhile
			await sleep(35_000);
			await until(async () => (await get(bench, "/api/network"))["staConnected"], 5000, "the link again");
		}));

	it("forgets the networks and the owner's password, and nothing else, when BOOT is held for 10 s in a car that stands", () =>
		withFlash((flash) =>
			withBench({ flash, args: ["--fault", "boot-key"] }, async (bench) => {
				bench.show(40, 40);
				const password = '{"apPassword":"long enough","ssid":"home","password":"password1"}';
				assert.equal((await bench.ask("POST", "/api/wifi", password)).code, 200);
				assert.equal((await bench.ask("POST", "/api/owner", '{"password":"correct horse"}')).code, 200);
				await sleep(11_000);
				assert.equal((await get(bench, "/api/wifi"))["apPasswordSet"], true, "the car moves");
				assert.equal((await get(bench, "/api/owner"))["passwordSet"], true, "the car moves");
				bench.show(0, 0);
				const forgotten = async () => (await get(bench, "/api/wifi"))["apPasswordSet"] === false;
				await until(forgotten, 15_000, "the password is forgotten");
				const wifi = await get(bench, "/api/wifi");
				assert.deepEqual(wifi, { ssid: "", staEnabled: true, apPasswordSet: false, apOpen: false });
				assert.doesNotMatch(readFileSync(join(flash, "wifi.json"), "utf8"), /long enough|password1/);
				assert.equal((await get(bench, "/api/owner"))["passwordSet"], false);
				assert.match(readFileSync(join(flash, "owner.json"), "utf8"), /"proof":""/);
				assert.equal((await bench.ask("POST", "/api/learn/cancel")).code, 200);
				const { mode, couplingGeneration } = await get(bench, "/api/status");
				assert.deepEqual([mode, couplingGeneration], ["MAP", bench.generation]);
			}),
		));

	it("changes nothing when the flash is full", () =>
		withBench(controller([...WIFI, "--fault", "flash-full=0"]), async (bench) => {
			const { code, text } = await bench.ask("POST", "/api/wifi", HOME);
			assert.deepEqual([code, JSON.parse(text).error], [500, "save failed"]);
			assert.equal((await get(bench, "/api/wifi"))["ssid"], "");
		}));
});
