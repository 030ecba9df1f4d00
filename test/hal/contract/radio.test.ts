/**
 * What every radio does (hal/network-ports.ts): one list for the boards' on a stand-in of Moddable's `wifi`,
 * and for the host's simulated one; and what only the boards' does.
 */
import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import type { RadioPort } from "../../../hal/network-ports.js";
import { air, importOn, loadBoardRadio, withGlobals } from "../esp32/board-radio.js";

/** A radio, and the networks around it. */
interface World {
	readonly radio: RadioPort;
	/** Whatever is under way comes to its end. */
	wait(): void;
	/** The networks in reach are gone. */
	lose(): void;
}

/** Passwords of the networks in reach. */
const NETWORKS: Readonly<Record<string, string>> = { home: "password1", cafe: "" };

interface Behaviour {
	/** Reads on after "a radio". */
	readonly name: string;
	act(world: World): readonly unknown[];
	readonly tells: readonly unknown[];
}

const station = ({ stationIp, stationProblem }: RadioPort) => [stationIp !== "", stationProblem];

/** @returns what the station says when the attempt has come to its end */
function attempt({ radio, wait }: World, ssid: string, password: string): unknown[] {
	radio.connect(ssid, password);
	wait();
	return station(radio);
}

const BEHAVIOURS: readonly Behaviour[] = [
	{
		name: "has no addresses and no problems before it is told to do something",
		act: ({ radio }) => [radio.accessPointIp, ...station(radio)],
		tells: ["", false, ""],
	},
	{
		name: "keeps its access point's address until it is switched off, whatever its station does",
		act(world) {
			const { radio } = world;
			radio.startAccessPoint("OpenCoupling", "12345678");
			world.wait();
			const first = radio.accessPointIp;
			radio.startAccessPoint("OpenCoupling", "");
			const connected = attempt(world, "home", "password1");
			const both = radio.accessPointIp;
			radio.stop();
			world.wait();
			return [first, connected, both, radio.accessPointIp, station(radio)];
		},
		tells: ["192.168.4.1", [true, ""], "192.168.4.1", "", [false, ""]],
	},
	{
		name: "connects to a network with its password, and to an open one without",
		act: (world) => [attempt(world, "home", "password1"), attempt(world, "cafe", "")],
		tells: [
			[true, ""],
			[true, ""],
		],
	},
	{
		name: "says that a password is wrong, or that there is no such network, until the next attempt begins",
		act(world) {
			const problems = [attempt(world, "home", "password2"), attempt(world, "none", "password2")];
			world.radio.connect("home", "password1");
			const meanwhile = station(world.radio);
			world.wait();
			return [...problems, meanwhile, station(world.radio)];
		},
		tells: [
			[false, "wrong password"],
			[false, "no such network"],
			[false, ""],
			[true, ""],
		],
	},
	{
		name: "looks for networks once it is on, and tells them once: name, strength, whether it is open",
		act(world) {
			const { radio } = world;
			let refusal = "";
			try {
				radio.startScan();
			} catch (error) {
				refusal = (error as Error).message;
			}
			radio.startAccessPoint("OpenCoupling", "");
			world.wait();
			const before = radio.takeFound();
			radio.startScan();
			const meanwhile = radio.takeFound();
			world.wait();
			const found = radio
				.takeFound()
				?.map(({ name, isOpen, strengthDbm }) => [Buffer.from(name).toString(), isOpen, strengthDbm < 0]);
			return [refusal, before, meanwhile, found, radio.takeFound()];
		},
		tells: [
			"the radio is busy",
			undefined,
			undefined,
			[
				["home", false, true],
				["cafe", true, true],
			],
			undefined,
		],
	},
	{
		name: "says that a link was lost, and not that it was ended",
		act(world) {
			attempt(world, "home", "password1");
			world.lose();
			const lost = station(world.radio);
			world.radio.disconnect();
			world.radio.disconnect();
			world.wait();
			return [lost, station(world.radio)];
		},
		tells: [
			[false, "link lost"],
			[false, ""],
		],
	},
];

function check(make: () => World): void {
	for (const { name, act, tells } of BEHAVIOURS) it(name, () => assert.deepEqual(act(make()), tells));
}

describe("the contract of hal/network-ports.ts: the boards' radio", () => {
	let Radio: new () => RadioPort;
	let restore: () => void;

	before(async () => {
		({ Radio, restore } = await loadBoardRadio());
	});

	after(() => restore());

	/** As Moddable's: it tells of the end of an attempt or a link, -1 = rejected in the handshake. */
	check(() => {
		air.calls = [];
		air.addresses = {};
		air.found = undefined;
		const end = (reason: number) => {
			delete air.addresses["WIFI_STA_DEF"];
			air.tell("disconnect", reason);
		};
		const radio = new Radio();
		const wait = () => {
			for (const [call, options] of air.calls.splice(0) as [string, { ssid: string; password?: string }][]) {
				const password = NETWORKS[options?.ssid];
				if (call === "accessPoint") air.addresses["WIFI_AP_DEF"] = "192.168.4.1";
				else if (call === "xs_esp32_wifi_off") air.addresses = {};
				else if (call === "xs_esp32_scan_start")
					air.found = Object.entries(NETWORKS).map(
						([name, key]) => new Uint8Array([200, key === "" ? 1 : 0, ...Buffer.from(name)]).buffer,
					);
				else if (call === "disconnect") end(0);
				else if (call === "connect" && password === (options.password ?? "")) air.addresses["WIFI_STA_DEF"] = "192.168.178.50";
				else if (call === "connect") end(password === undefined ? 0 : -1);
			}
		};
		const lose = () => {
			station(radio); // what is polled has been seen connected
			end(0);
		};
		return { radio, wait, lose };
	});

	describe("and what is its own", () => {
		let radio: RadioPort;

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

		it("tells no problem when a link ends without a wish to connect", () => {
			air.tell("disconnect", 0);
			assert.equal(radio.stationProblem, "");
		});
	});
});

/** The host's \`timer\`, whose time is the test's. */
const TIMER = `
export default class Timer {
	static set(callback) { return timers[timers.push(callback) - 1]; }
	static clear(timer) { if (timer) timers.splice(timers.indexOf(timer), 1); }
}`;

describe("the contract of hal/network-ports.ts: the host's simulated radio", () => {
	const timers: (() => void)[] = [];
	let networks: Readonly<Record<string, string>>;
	let Radio: new () => RadioPort;
	let restore: () => void;
	const bytes = ArrayBuffer as unknown as Record<string, unknown>;

	before(async () => {
		class Making {
			key = new ArrayBuffer(0);
		}
		const natives: Readonly<Record<string, (this: Making, ...values: never[]) => unknown>> = {
			host_radio_find: (ssid: string) => networks[ssid],
			host_radio_network: (index: number) => Object.entries(networks).map(([name, key]) => `${name}:${key}`)[index],
			xs_wpa_key_construct(passphrase: Uint8Array, ssid: Uint8Array) {
				this.key = new Uint8Array(pbkdf2Sync(passphrase, ssid, 4096, 32, "sha1")).buffer;
			},
			xs_wpa_key_add: () => true,
			xs_wpa_key_close() {
				return this.key;
			},
		};
		restore = withGlobals({ timers, native: (name: string) => natives[name], Native: () => Making });
		// XS has it
		bytes["fromString"] = (text: string) => new TextEncoder().encode(text).buffer;
		Radio = await importOn("hal/host/io/radio.ts", "timer", TIMER);
	});

	after(() => {
		delete bytes["fromString"];
		restore();
	});

	check(() => {
		networks = NETWORKS;
		timers.length = 0;
		const lose = () => {
			networks = {};
		};
		const wait = () => {
			for (const callback of timers.splice(0)) callback();
		};
		return { radio: new Radio(), wait, lose };
	});
});
