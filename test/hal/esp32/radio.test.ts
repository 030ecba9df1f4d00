/** The boards' radio, on a `wifi` module that notes what it is told and behaves as Moddable's does on ESP32. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { RadioPort } from "../../../hal/radio-port.js";

type Listener = (event: string, reason?: number) => void;

/** What `wifi` and platform.c share with the test. */
interface Air {
	calls: unknown[];
	addresses: Record<string, string>;
	tell: Listener;
}

const FAKE_WIFI = `
const air = globalThis.air;
export default class WiFi {
	static Mode = Object.freeze({ none: 0, station: 1, accessPoint: 2 });
	static disconnected = "disconnect";
	constructor(options, onNotify) { air.tell = onNotify; }
	static set mode(mode) { air.calls.push(["mode", mode]); }
	static accessPoint(options) {
		if (options.password !== undefined && options.password.length < 8) throw new Error("password too short");
		air.calls.push(["accessPoint", options]);
	}
	static connect(options) { air.calls.push(["connect", options]); }
	static disconnect() { air.calls.push(["disconnect"]); }
}`;

describe("hal/esp32/io/radio.ts", () => {
	let Radio: new () => RadioPort;
	let air: Air;
	let radio: RadioPort;

	let others: unknown;

	before(async () => {
		const { outputFiles } = await build({
			entryPoints: [fileURLToPath(new URL("../../../hal/esp32/io/radio.ts", import.meta.url))],
			bundle: true,
			format: "esm",
			write: false,
			plugins: [
				{
					name: "fake-wifi",
					setup({ onResolve, onLoad }) {
						onResolve({ filter: /^wifi$/ }, () => ({ path: "wifi", namespace: "fake" }));
						onLoad({ filter: /.*/, namespace: "fake" }, () => ({ contents: FAKE_WIFI }));
					},
				},
			],
		});
		air = { calls: [], addresses: {}, tell: () => {} };
		const native = (name: string) => (key: string) =>
			name === "xs_esp32_address" ? (air.addresses[key] ?? "") : air.calls.push([name]);
		const known = globalThis as Record<string, unknown>;
		others = known["native"];
		Object.assign(globalThis, { air, native });
		Radio = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)).default;
	});

	after(() => {
		// other tests have natives of their own
		Object.assign(globalThis, { native: others });
		delete (globalThis as Record<string, unknown>)["air"];
	});

	beforeEach(() => {
		air.calls = [];
		air.addresses = {};
		radio = new Radio();
	});

	it("starts the radio as a station before the access point: only then do both work, and clients of ours get addresses", () => {
		radio.startAccessPoint("OpenCoupling", "");
		radio.startAccessPoint("OpenCoupling", "12345678");
		assert.deepEqual(air.calls, [
			["mode", 1],
			["accessPoint", { ssid: "OpenCoupling", station: true }],
			["accessPoint", { ssid: "OpenCoupling", password: "12345678", station: true }],
			["xs_esp32_wpa2_only"],
		]);
	});

	it("tells the addresses that the interfaces have", () => {
		assert.deepEqual([radio.accessPointIp, radio.stationIp], ["", ""]);
		air.addresses = { WIFI_AP_DEF: "192.168.4.1", WIFI_STA_DEF: "192.168.178.50" };
		assert.deepEqual([radio.accessPointIp, radio.stationIp], ["192.168.4.1", ""]);
		radio.connect("home", "password1");
		assert.equal(radio.stationIp, "192.168.178.50");
		radio.disconnect();
		assert.equal(radio.stationIp, "");
		assert.deepEqual(air.calls.slice(1), [["connect", { ssid: "home", password: "password1" }], ["disconnect"]]);
	});

	it("connects to an open network without a password", () => {
		radio.connect("cafe", "");
		assert.deepEqual(air.calls.at(-1), ["connect", { ssid: "cafe" }]);
	});

	it("says why there is no link", () => {
		air.tell("disconnect", 0);
		assert.equal(radio.stationProblem, "", "nobody wants one");
		radio.connect("home", "password1");
		assert.equal(radio.stationProblem, "");
		air.tell("disconnect", -1);
		assert.equal(radio.stationProblem, "wrong password");
		radio.connect("home", "password2");
		assert.equal(radio.stationProblem, "", "a new attempt");
		air.tell("disconnect", 0);
		assert.equal(radio.stationProblem, "no such network");
		radio.connect("home", "password2");
		air.addresses = { WIFI_STA_DEF: "192.168.178.50" };
		assert.equal(radio.stationIp, "192.168.178.50");
		assert.equal(radio.stationProblem, "");
		air.addresses = {};
		air.tell("disconnect", 0);
		assert.deepEqual([radio.stationIp, radio.stationProblem], ["", "link lost"]);
		radio.disconnect();
		air.tell("disconnect", 0);
		assert.equal(radio.stationProblem, "");
	});
});
