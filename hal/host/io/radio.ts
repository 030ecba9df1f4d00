/**
 * A simulated Wi-Fi radio; the contract is in hal/network-ports.ts. It finds the networks of --wifi; nothing is
 * sent.
 */
import Timer from "timer";
import { WpaKey } from "../../../modules/sha256/sha256.js";
import type { FoundNetwork, RadioPort } from "../../network-ports.js";

/** What association and DHCP take. A board takes some seconds. */
const CONNECT_MS = 150;
/** What all channels take a board is five times that. */
const SCAN_MS = 500;
const ACCESS_POINT_IP = "192.168.4.1";
const STATION_IP = "192.168.178.50";

/**
 * A radio that takes 150 ms to connect, to a network of `--wifi` only and only with its password. The access
 * point is there at once.
 */
export default class Radio implements RadioPort {
	accessPointIp = "";
	#ssid = "";
	#connected = false;
	#problem = "";
	#timer: Timer | undefined;
	#scan: Timer | undefined;
	#found: FoundNetwork[] | undefined;

	get stationIp(): string {
		if (this.#connected && this.#password() === undefined) {
			this.#connected = false;
			this.#problem = "link lost";
		}
		return this.#connected ? STATION_IP : "";
	}

	get stationProblem(): string {
		return this.stationIp === "" ? this.#problem : "";
	}

	startAccessPoint(_ssid: string, _password: string): void {
		this.accessPointIp = ACCESS_POINT_IP;
	}

	connect(ssid: string, password: string): void {
		this.disconnect();
		this.#ssid = ssid;
		this.#timer = Timer.set(() => {
			this.#timer = undefined;
			const expected = this.#password();
			this.#connected = expected === password || (expected !== undefined && keyOf(expected, ssid) === password);
			if (!this.#connected) this.#problem = expected === undefined ? "no such network" : "wrong password";
		}, CONNECT_MS);
	}

	disconnect(): void {
		Timer.clear(this.#timer);
		this.#timer = undefined;
		this.#connected = false;
		this.#problem = "";
	}

	startScan(): void {
		if (this.accessPointIp === "" || this.#timer !== undefined || this.#scan !== undefined) throw new Error("the radio is busy");
		this.#scan = Timer.set(() => {
			this.#scan = undefined;
			this.#found = networks();
		}, SCAN_MS);
	}

	takeFound(): FoundNetwork[] | undefined {
		const found = this.#found;
		this.#found = undefined;
		return found;
	}

	stop(): void {
		Timer.clear(this.#scan);
		this.#scan = undefined;
		this.disconnect();
		this.accessPointIp = "";
	}

	/** Password of the network; undefined if it is not in reach. */
	#password(): string | undefined {
		return native<string | undefined>("host_radio_find").call(undefined, this.#ssid);
	}
}

/** All in reach, each weaker than the one before. */
function networks(): FoundNetwork[] {
	const found: FoundNetwork[] = [];
	for (;;) {
		const network = native<string | undefined>("host_radio_network").call(undefined, found.length);
		if (network === undefined) return found;
		const [name = "", password = ""] = network.split(":");
		const bytes = new Uint8Array(ArrayBuffer.fromString(name));
		found.push({ name: bytes, strengthDbm: -48 - 12 * found.length, isOpen: password === "" });
	}
}

/** The key that an access point with this password has. */
function keyOf(password: string, ssid: string): string {
	if (password === "" || password.length === 64) return password;
	const making = new WpaKey(new Uint8Array(ArrayBuffer.fromString(password)), new Uint8Array(ArrayBuffer.fromString(ssid)));
	making.add(4096); // all rounds
	return Array.from(new Uint8Array(making.close()), (byte) => (byte + 256).toString(16).slice(1)).join("");
}
