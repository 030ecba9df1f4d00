/**
 * The radio and UDP of hal/network-ports.ts. What every radio does is one list, for the boards' on a `wifi` module
 * that notes what it is told and behaves as Moddable's does on ESP32, and for the host's simulated one. The boards'
 * UDP is on a socket that behaves as Moddable's: it tells how many packets wait, and throws what it can't send.
 */
import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Datagrams, OpenDatagrams, RadioPort } from "../../../hal/network-ports.js";

type Listener = (event: string, reason?: number) => void;

/** What `wifi` and platform.c share with the test. */
interface Air {
	calls: unknown[];
	/** By the names of ESP-IDF's interfaces; none = "". */
	addresses: Record<string, string>;
	tell: Listener;
	/** What a scan has found, as platform.c tells it; undefined while it runs. */
	found: ArrayBuffer[] | undefined;
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

const air: Air = { calls: [], addresses: {}, tell: () => {}, found: undefined };

/**
 * Imports a module of hal/ with a stand-in for the one module of the platform that it imports.
 * @returns its default export
 */
async function importOn<T>(path: string, platformModule: string, contents: string): Promise<T> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL(`../../../${path}`, import.meta.url))],
		bundle: true,
		format: "esm",
		write: false,
		plugins: [
			{
				name: "stand-in",
				setup({ onResolve, onLoad }) {
					onResolve({ filter: new RegExp(`^${platformModule}$`) }, () => ({ path: platformModule, namespace: "stand-in" }));
					onLoad({ filter: /.*/, namespace: "stand-in" }, () => ({ contents }));
				},
			},
		],
	});
	return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)).default;
}

/**
 * Puts what a module looks for into the global object.
 * @returns what takes it away again: other tests have natives of their own
 */
function withGlobals(globals: Record<string, unknown>): () => void {
	const known = globalThis as Record<string, unknown>;
	const before = Object.keys(globals).map((name) => [name, known[name]] as const);
	Object.assign(globalThis, globals);
	return () => {
		for (const [name, value] of before)
			if (value === undefined) delete known[name];
			else known[name] = value;
	};
}

/** @returns the class, and what takes its globals away again */
async function loadBoardRadio(): Promise<{ Radio: new () => RadioPort; restore: () => void }> {
	const native = (name: string) => (key: string) => {
		if (name === "xs_esp32_address") return air.addresses[key] ?? "";
		if (name === "xs_esp32_scan_next") {
			const next = air.found && (air.found.shift() ?? null);
			if (next === null) air.found = undefined;
			return next;
		}
		if (name === "xs_esp32_scan_start" && air.addresses["WIFI_AP_DEF"] === undefined) throw new Error("the radio is busy");
		return air.calls.push([name]);
	};
	const restore = withGlobals({ air, native });
	return { Radio: await importOn("hal/esp32/io/radio.ts", "wifi", FAKE_WIFI), restore };
}

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

/** Whether the station has an address, and its problem. */
const station = ({ stationIp, stationProblem }: RadioPort) => `${stationIp === "" ? "down" : "up"} ${stationProblem}`.trim();

/** @returns what the station says when the attempt has come to its end */
function attempt({ radio, wait }: World, ssid: string, password: string): string {
	radio.connect(ssid, password);
	wait();
	return station(radio);
}

const BEHAVIOURS: readonly Behaviour[] = [
	{
		name: "has no addresses and no problems before it is told to do something",
		act: ({ radio }) => [radio.accessPointIp, station(radio)],
		tells: ["", "down"],
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
		tells: ["192.168.4.1", "up", "192.168.4.1", "", "down"],
	},
	{
		name: "connects to a network with its password, and to an open one without",
		act: (world) => [attempt(world, "home", "password1"), attempt(world, "cafe", "")],
		tells: ["up", "up"],
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
		tells: ["down wrong password", "down no such network", "down", "up"],
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
				?.map(
					({ name, isOpen, strengthDbm }) => `${Buffer.from(name)}, ${isOpen ? "open" : "closed"}, ${Math.sign(strengthDbm)}`,
				);
			return [refusal, before, meanwhile, found, radio.takeFound()];
		},
		tells: ["the radio is busy", undefined, undefined, ["home, closed, -1", "cafe, open, -1"], undefined],
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
		tells: ["down link lost", "down"],
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

		it("reports no problem when a link ends that nobody wanted", () => {
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

const FAKE_UDP = `
export default class UDP {
	constructor(options) {
		if (options.port === 53) throw new Error("port taken");
		Object.assign(globalThis.wire, { options, socket: this });
	}
	add(group) { globalThis.wire.groups.push(group); }
	read() {
		if (globalThis.wire.closed > 0) throw new Error("closed");
		return globalThis.wire.waiting.shift();
	}
	write(bytes, address, port) {
		if (globalThis.wire.full) throw new Error("no memory");
		globalThis.wire.sent.push([[...new Uint8Array(bytes)], address, port]);
	}
	close() { globalThis.wire.closed++; }
}`;

type Packet = ArrayBuffer & { address: string; port: number };
const packet = (address: string, port: number, ...bytes: number[]): Packet =>
	Object.assign(Uint8Array.from(bytes).buffer, { address, port });

describe("hal/esp32/io/datagrams", () => {
	const wire = {
		options: { port: 0, onReadable(_packets: number): void {} },
		socket: undefined as unknown,
		groups: [] as string[],
		waiting: [] as (Packet | undefined)[],
		sent: [] as unknown[],
		closed: 0,
		full: false,
	};
	const arrive = (...packets: (Packet | undefined)[]): void => {
		wire.waiting.push(...packets);
		wire.options.onReadable.call(wire.socket, packets.length);
	};
	let open: OpenDatagrams;
	let restore: () => void;
	before(async () => {
		restore = withGlobals({ wire });
		open = await importOn("hal/esp32/io/datagrams.ts", "embedded:io/socket/udp", FAKE_UDP);
	});
	beforeEach(() => Object.assign(wire, { groups: [], waiting: [], sent: [], closed: 0, full: false }));
	after(() => restore());

	it("opens the port, and joins the multicast group if there is one", () => {
		open({ port: 5353, group: "224.0.0.251", onReadable: () => {} });
		open({ port: 5354, group: "", onReadable: () => {} });
		assert.deepEqual([wire.options.port, wire.groups], [5354, ["224.0.0.251"]]);
		assert.throws(() => open({ port: 53, group: "", onReadable: () => {} }), /port taken/);
	});

	it("tells how many packets wait, and gives each with its sender when it is read", () => {
		const told: unknown[] = [];
		const socket: Datagrams = open({ port: 5353, group: "", onReadable: (waiting) => told.push(waiting) });
		arrive(packet("192.168.4.2", 5353, 1, 2), packet("192.168.4.3", 1024));
		for (const _ of "123") {
			const read = socket.read();
			told.push(read && [[...read.bytes], read.address, read.port]);
		}
		assert.deepEqual(told, [2, [[1, 2], "192.168.4.2", 5353], [[], "192.168.4.3", 1024], undefined]);
	});

	it("gives nothing once it is closed, and closes once", () => {
		const socket: Datagrams = open({ port: 5353, group: "", onReadable: () => {} });
		arrive(packet("192.168.4.2", 5353, 1));
		socket.close();
		socket.close();
		assert.deepEqual([socket.read(), wire.closed], [undefined, 1]);
	});

	it("sends at once or not at all, and nothing when it is closed", () => {
		const socket = open({ port: 5353, group: "", onReadable: () => {} });
		socket.send(Uint8Array.of(1), "192.168.4.2", 5353);
		wire.full = true;
		socket.send(Uint8Array.of(2), "192.168.4.2", 5353);
		wire.full = false;
		socket.close();
		socket.send(Uint8Array.of(3), "192.168.4.2", 5353);
		assert.deepEqual(wire.sent, [[[1], "192.168.4.2", 5353]]);
	});
});
