import assert from "node:assert/strict";
import type { Network } from "../../src/network/network.js";
import { request } from "../support/api-client.js";
import { keyOf, NetworkBench } from "../support/network-bench.js";
import { UpdateBench } from "../support/update-bench.js";

const HOME = { ssid: "home", password: "password1" };

function post(bench: NetworkBench, body: object | string) {
	const answer = request({ network: bench.network }, "POST", "/api/wifi", typeof body === "string" ? body : JSON.stringify(body));
	return { status: answer.status, ...answer.json() } as Record<string, unknown>;
}

describe("api/wifi", () => {
	it("changes the radio only after the answer has been taken", () => {
		const bench = new NetworkBench();
		bench.network.start();
		post(bench, HOME);
		bench.pass(600);
		assert.equal(bench.radio.told.at(-1), `connect home "${keyOf("password1", "home")}"`);
	});

	it("rejects the whole request for one wrong key, and repeats no password", () => {
		const bench = new NetworkBench(HOME);
		for (const [body, error] of [
			[{ ssid: "new", password: "password2", apPassword: "1234567" }, "ap password must be 8..63 chars or empty"],
			[{ ssid: "new", password: "1234567" }, "invalid password"],
			[{ ssid: "new", password: 12345678 }, "invalid password"],
			[{ ssid: "new", staEnabled: "true" }, "invalid staEnabled"],
		] as const) {
			const answer = post(bench, body);
			assert.deepEqual([answer["status"], answer["error"]], [400, error]);
			assert.doesNotMatch(JSON.stringify(answer), /1234567|password2/);
		}
		assert.deepEqual([bench.network.wifi.ssid, bench.stored.length], ["home", 0]);
	});

	it("answers 500 and changes nothing when it can't be stored", () => {
		const bench = new NetworkBench();
		bench.network.start();
		bench.full = true;
		assert.deepEqual(post(bench, HOME), { status: 500, error: "save failed" });
		bench.pass(1000);
		assert.deepEqual([bench.network.wifi.ssid, bench.radio.told.length], ["", 2]);
	});
});

describe("api/wifi: postWifiScan", () => {
	/** @param scan as the network does it */
	function ask(scan: Network["scan"]) {
		const answer = request({ network: { scan } as Network }, "POST", "/api/wifi/scan");
		return [answer.status, answer.json()];
	}

	it("answers with the networks found, why the radio does not look, or 503", () => {
		const home = { ssid: "home", rssi: -60, open: false };
		assert.deepEqual(
			ask((done) => done([home])),
			[200, { networks: [home] }],
		);
		assert.deepEqual(
			ask((done) => done(undefined)),
			[503, { error: "busy" }],
		);
		const refuse = () => {
			throw new Error("the radio is busy");
		};
		assert.deepEqual(ask(refuse), [409, { error: "scan refused", detail: "the radio is busy" }]);
	});
});

describe("api/wifi: getNetwork", () => {
	it("tells the live state", () => {
		const bench = new NetworkBench(HOME);
		const updates = new UpdateBench();
		const read = () => request({ network: bench.network, updater: updates.updater }, "GET", "/api/network").json();
		const names = { apSsid: "OpenCoupling", apPending: false, hostname: "openhaldex.local", staProblem: "" };
		assert.deepEqual(read(), { ...names, staConnected: false, staIp: "", ap: false, apIp: "", internet: false });
		bench.network.start();
		bench.radio.stationIp = "10.0.0.2";
		const connected = { ...names, staConnected: true, staIp: "10.0.0.2", ap: true, apIp: "192.168.4.1" };
		assert.deepEqual(read(), { ...connected, internet: false });
		updates.check({ version: "v0.1.0" });
		assert.deepEqual(read(), { ...connected, internet: true });
		bench.radio.stationIp = "";
		assert.equal(read()["internet"], false);
	});
});
