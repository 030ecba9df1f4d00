/** What is the boards' own of their radio. What every radio does is in test/hal/contract/radio.test.ts. */
import assert from "node:assert/strict";
import type { RadioPort } from "../../../hal/radio-port.js";
import { air, loadBoardRadio } from "./board-radio.js";

describe("hal/esp32/io/radio.ts", () => {
	let Radio: new () => RadioPort;
	let restore: () => void;
	let radio: RadioPort;

	before(async () => {
		({ Radio, restore } = await loadBoardRadio());
	});

	after(() => restore());

	beforeEach(() => {
		air.calls = [];
		air.addresses = {};
		radio = new Radio();
	});

	it("starts the radio as a station before the access point, so that both run and clients of ours get addresses", () => {
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

	it("has no problem with a link that nobody wants", () => {
		air.tell("disconnect", 0);
		assert.equal(radio.stationProblem, "");
	});
});
