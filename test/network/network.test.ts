import assert from "node:assert/strict";
import { DEFAULT_WIFI, type WifiPatch, type WifiSettings } from "../../src/network/wifi-settings.js";
import { keyOf, NetworkBench } from "../support/network-bench.js";

const HOME = { ssid: "home", password: "password1" };
const KEY = keyOf("password1", "home");
const JOIN = `connect home "${KEY}"`;

/** A network that has started; `held` holds the turns in which keys are made. */
function started(wifi: Partial<WifiSettings> = {}, { held = false, full = false, makesKey = true } = {}): NetworkBench {
	const bench = new NetworkBench(wifi, { makesKey });
	Object.assign(bench, { held, full });
	bench.network.start();
	return bench;
}

/** A change whose answer has been sent, and what the radio is told within a second. */
function apply(bench: NetworkBench, patch: WifiPatch): string[] {
	const told = bench.radio.told.length;
	bench.change(patch);
	bench.network.answered();
	bench.pass(1000);
	return bench.radio.told.slice(told);
}

/** Takes the turns that were held. */
function takeTurns(bench: NetworkBench): number {
	let turns = 0;
	for (let turn = bench.turns.shift(); turn; turn = bench.turns.shift(), turns++) turn();
	return turns;
}

describe("network/network", () => {
	it("starts the access point, and the station only if it has a network", () => {
		for (const [wifi, told] of [
			[{}, ['ap OpenCoupling ""', "disconnect"]],
			[{ ...HOME, stationEnabled: false }, ['ap OpenCoupling ""', "disconnect"]],
			[{ ...HOME, accessPointPassword: "12345678" }, ['ap OpenCoupling "12345678"', "disconnect", JOIN]],
		] as const) {
			const bench = started(wifi);
			bench.pass(15_000);
			assert.deepEqual(bench.radio.told, told);
		}
	});

	it("tries again after 20 s, then every 5 minutes, and says why once", () => {
		const bench = started(HOME);
		const attempts = () => bench.radio.told.filter((line) => line.startsWith("connect")).length;
		bench.radio.stationProblem = "no such network";
		for (const pauseMs of [20_000, 300_000, 300_000]) {
			const before = attempts();
			bench.pass(pauseMs - 5000);
			assert.equal(attempts(), before);
			bench.pass(6000);
			assert.equal(attempts(), before + 1);
		}
		assert.equal(bench.log.filter((line) => line === "no network: no such network").length, 1);
		bench.radio.stationProblem = "";
		bench.radio.stationIp = "10.0.0.2";
		const before = attempts();
		bench.pass(60_000);
		assert.equal(attempts(), before);
		assert.equal(bench.log.at(-1), "connected to the network, address 10.0.0.2");
	});

	it("leaves the radio to the access point's clients while there are any", () => {
		const bench = started(HOME);
		bench.radio.stationProblem = "no such network";
		bench.clients = 1;
		bench.pass(900_000);
		assert.equal(bench.radio.told.at(-1), JOIN);
		assert.equal(bench.radio.told.filter((line) => line === JOIN).length, 1);
		bench.clients = 0;
		bench.pass(200);
		assert.equal(bench.radio.told.filter((line) => line === JOIN).length, 2);
		bench.clients = 1;
		// what the owner has just entered is tried at once
		assert.match(apply(bench, { ssid: "other", password: "password2" }).at(-1) ?? "", /^connect other /);
	});

	it("connects again after the link was lost", () => {
		const bench = started(HOME);
		bench.radio.stationIp = "10.0.0.2";
		bench.pass(20_000);
		bench.radio.stationIp = "";
		bench.radio.stationProblem = "link lost";
		bench.pass(200);
		assert.equal(bench.radio.told.at(-1), JOIN);
		assert.ok(bench.log.includes("no network: link lost"));
	});

	it("tries again what the radio rejects: an exception would restart the board", () => {
		const bench = new NetworkBench(HOME);
		bench.radio.failing = true;
		bench.network.start();
		bench.pass(15_000);
		assert.deepEqual(bench.radio.told, ["disconnect"]);
		assert.equal(bench.log.filter((line) => line === "no network: esp_wifi_connect failed").length, 1);
		bench.radio.failing = false;
		bench.pass(10_000);
		assert.deepEqual(bench.radio.told.slice(1).sort(), ['ap OpenCoupling ""', JOIN]);
		bench.pass(5000);
		assert.equal(bench.radio.told.length, 3);
	});

	it("stores a change at once and tells the radio half a second after the answer", () => {
		const bench = started();
		assert.equal(bench.change(HOME), "stored");
		assert.deepEqual(bench.stored, [{ ...HOME, key: "", stationEnabled: true, accessPointPassword: "", accessPointOpen: false }]);
		bench.pass(5000);
		assert.equal(bench.radio.told.length, 2, "the answer is still on its way");
		bench.network.answered();
		bench.pass(400);
		assert.equal(bench.radio.told.length, 2);
		bench.pass(200);
		assert.deepEqual(bench.radio.told.slice(2), ["disconnect", JOIN]);
	});

	it("restarts the access point only for another password, the station only for another network, nothing for no change", () => {
		const bench = started(HOME);
		bench.radio.stationIp = "10.0.0.2";
		assert.deepEqual(apply(bench, { accessPointPassword: "87654321" }), ['ap OpenCoupling "87654321"']);
		assert.deepEqual(apply(bench, { stationEnabled: false }), ["disconnect"]);
		const stored = bench.stored.length;
		for (const patch of [{ ssid: "home" }, {}]) assert.equal(bench.change(patch), "unchanged");
		assert.equal(bench.stored.length, stored);
	});

	it("applies several changes once, as they are in the end", () => {
		const bench = started();
		for (const ssid of ["a", "b", "c"]) {
			bench.change({ ssid, password: "password1" });
			bench.network.answered();
			bench.pass(300);
		}
		bench.pass(1000);
		assert.deepEqual(bench.radio.told.slice(2), ["disconnect", `connect c "${keyOf("password1", "c")}"`]);
	});

	it("keeps everything as it was when the change can't be stored", () => {
		const bench = started({}, { full: true });
		assert.equal(bench.change(HOME), "not stored");
		assert.equal(bench.network.wifi.ssid, "");
	});

	it("never writes a password to the log", () => {
		const bench = started({ ...HOME, accessPointPassword: "12345678" });
		apply(bench, { password: "password2", accessPointPassword: "87654321" });
		assert.doesNotMatch(bench.log.join("\n"), /password[12]|12345678|87654321/);
	});

	it("forgets both networks when the key was held, also when that can't be stored", () => {
		for (const full of [false, true]) {
			const bench = started({ ...HOME, accessPointPassword: "12345678", accessPointOpen: true });
			bench.full = full;
			bench.network.reset();
			assert.deepEqual(bench.radio.told.slice(-2), ['ap OpenCoupling ""', "disconnect"]);
			assert.deepEqual(bench.network.wifi, DEFAULT_WIFI);
			assert.deepEqual(bench.stored.slice(1), full ? [] : [DEFAULT_WIFI]);
			bench.pass(30_000);
			assert.equal(bench.radio.told.at(-1), "disconnect", "it connects to nothing any more");
		}
	});

	it("says why it is not connected for as long as it is not", () => {
		const bench = started(HOME);
		assert.equal(bench.network.stationProblem, "");
		bench.radio.stationProblem = "no such network";
		bench.pass(200);
		assert.equal(bench.network.stationProblem, "no such network");
		bench.pass(10_000);
		assert.equal(bench.network.stationProblem, "no such network", "while it tries again");
		bench.radio.stationIp = "10.0.0.2";
		bench.pass(200);
		assert.equal(bench.network.stationProblem, "");
	});

	it("makes a network's key of its password once, in many turns, keeps it, and hands it to the radio", () => {
		const bench = started(HOME, { held: true });
		bench.pass(30_000);
		assert.deepEqual(bench.radio.told, ['ap OpenCoupling ""', "disconnect"]);
		assert.equal(takeTurns(bench), 4);
		assert.equal(bench.radio.told.at(-1), JOIN);
		assert.equal(bench.stored.at(-1)?.key, KEY);
		const again = started(bench.stored.at(-1), { held: true });
		assert.deepEqual([again.radio.told.at(-1), again.turns], [JOIN, []]);
		assert.equal(started(HOME, { full: true }).radio.told.at(-1), JOIN, "even if it can't be stored");
	});

	it("drops a key that is being made for a network that has changed since", () => {
		const bench = started(HOME, { held: true });
		apply(bench, { password: "password2" });
		takeTurns(bench);
		assert.deepEqual(
			bench.radio.told.filter((line) => line.startsWith("connect")),
			[`connect home "${keyOf("password2", "home")}"`],
		);
		assert.equal(bench.network.wifi.key, keyOf("password2", "home"));
	});

	it("makes no key of 64 digits, for an open network, or if the radio makes it without holding up control", () => {
		for (const [password, makesKey] of [
			["0123456789abcdef".repeat(4), true],
			["", true],
			["password1", false],
		] as const) {
			const bench = started({ ssid: "home", password }, { held: true, makesKey });
			assert.deepEqual([bench.radio.told.at(-1), bench.turns, bench.stored], [`connect home "${password}"`, [], []]);
		}
	});

	it("does not start the access point with a password while lock is commanded, says so, and does it afterwards", () => {
		const bench = started();
		bench.locks = true;
		apply(bench, { accessPointPassword: "87654321" });
		bench.pass(60_000);
		assert.equal(bench.radio.told.length, 2);
		assert.equal(bench.network.accessPointPending, true);
		assert.equal(bench.log.filter((line) => line.includes("until no lock is commanded")).length, 1);
		bench.locks = false;
		bench.pass(100);
		assert.equal(bench.radio.told.at(-1), 'ap OpenCoupling "87654321"');
		assert.equal(bench.network.accessPointPending, false);
		bench.locks = true;
		bench.network.reset();
		assert.equal(bench.radio.told.at(-1), 'ap OpenCoupling ""', "an open one needs no key");
	});

	describe("looking for networks", () => {
		const found = (text: string | Buffer, strengthDbm: number, isOpen = false) => ({
			name: Buffer.from(text),
			strengthDbm,
			isOpen,
		});

		it("lists the strongest first, each name once, without names that the settings reject", () => {
			const bench = started();
			const told: unknown[] = [];
			bench.network.scan((networks) => told.push(networks));
			bench.pass(1000);
			assert.deepEqual(told, [], "it still looks");
			const odd = ["", "a\nb", Buffer.from([0xff, 0xfe]), Buffer.from([0xc3]), Buffer.alloc(3)].map((bytes) => found(bytes, -20));
			const longest = "ü".repeat(16);
			bench.radio.found = [...odd, found("home", -70), found("🏠 <script>", -50, true), found("home", -40), found(longest, -90)];
			bench.pass(100);
			assert.deepEqual(told, [
				[
					{ ssid: "home", rssi: -40, open: false },
					{ ssid: "🏠 <script>", rssi: -50, open: true },
					{ ssid: longest, rssi: -90, open: false },
				],
			]);
			const many: unknown[] = [];
			bench.network.scan((networks = []) => many.push(...networks));
			bench.radio.found = Array.from({ length: 64 }, (_, i) => found(`n${i}`, -i));
			bench.pass(100);
			assert.equal(many.length, 32);
		});

		it("is rejected while lock is commanded, while it looks, and if the radio rejects; a radio that never answers ends it", () => {
			const bench = started();
			const told: unknown[] = [];
			const scan = () => bench.network.scan((networks) => told.push(networks));
			bench.locks = true;
			assert.throws(scan, /control is active: select mode STOCK first/);
			bench.locks = false;
			bench.radio.failing = true;
			assert.throws(scan, /the radio is busy/);
			bench.radio.failing = false;
			scan();
			assert.throws(scan, /the radio is busy/);
			bench.locks = true;
			bench.pass(7900);
			assert.deepEqual(told, []);
			bench.pass(200);
			assert.deepEqual(told, [undefined]);
			assert.equal(bench.radio.told.filter((line) => line === "scan").length, 1);
			bench.locks = false;
			scan();
			bench.network.stop();
			assert.deepEqual(told, [undefined, undefined], "the radio is off");
		});

		it("holds the station's attempts and changes back until it has ended", () => {
			const bench = started(HOME);
			bench.radio.stationProblem = "no such network";
			bench.pass(1000);
			bench.network.scan(() => {});
			bench.change({ ssid: "garage", password: "password2" });
			bench.network.answered();
			bench.pass(5000);
			assert.equal(bench.radio.told.at(-1), "scan");
			bench.radio.found = [];
			bench.pass(200);
			assert.ok(bench.radio.told.at(-1)?.startsWith("connect garage"), bench.radio.told.at(-1));
		});
	});
});
