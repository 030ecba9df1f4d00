/**
 * Access point and station on Moddable's `wifi`; the contract is in hal/network-ports.ts.
 *
 * The order matters there: its access point sets the mode "access point and station" only if the radio runs
 * as a station before, and only then does ESP-IDF start the DHCP server.
 */
import WiFi from "wifi";
import type { FoundNetwork, RadioPort } from "../../network-ports.js";

/** ESP-IDF's names of the interfaces. */
const ACCESS_POINT = "WIFI_AP_DEF";
const STATION = "WIFI_STA_DEF";
/** What `wifi` says of a link that ended in the handshake. */
const REJECTED = -1;

const address = (key: string): string => native<string>("xs_esp32_address").call(undefined, key);

/**
 * The chip's radio. Its driver is started by the constructor, before any socket is opened. State is asked of
 * ESP-IDF each time, not kept.
 */
export default class Radio implements RadioPort {
	#wanted = false;
	/** The link was up since the last `connect`. */
	#wasConnected = false;
	#problem = "";
	#isOff = false;

	constructor() {
		WiFi.mode = WiFi.Mode.station; // starts the radio, and lwIP, which sockets need
		new WiFi(undefined, (event, reason) => {
			if (event === WiFi.disconnected) this.#onDisconnected(reason);
		});
	}

	get accessPointIp(): string {
		return address(ACCESS_POINT);
	}

	get stationIp(): string {
		const ip = this.#wanted ? address(STATION) : "";
		if (ip !== "") {
			this.#wasConnected = true;
			this.#problem = "";
		}
		return ip;
	}

	get stationProblem(): string {
		return this.stationIp === "" ? this.#problem : "";
	}

	startAccessPoint(ssid: string, password: string): void {
		if (this.#isOff) WiFi.mode = WiFi.Mode.station;
		this.#isOff = false;
		// `wifi` rejects an empty password
		WiFi.accessPoint(password === "" ? { ssid, station: true } : { ssid, password, station: true });
		if (password !== "") native("xs_esp32_wpa2_only").call(undefined);
	}

	connect(ssid: string, password: string): void {
		this.#wanted = true;
		this.#wasConnected = false;
		this.#problem = "";
		WiFi.connect(password === "" ? { ssid } : { ssid, password });
	}

	disconnect(): void {
		this.#wanted = false;
		this.#problem = "";
		WiFi.disconnect();
	}

	startScan(): void {
		native("xs_esp32_scan_start").call(undefined);
	}

	takeFound(): FoundNetwork[] | undefined {
		const next = native<ArrayBuffer | null | undefined>("xs_esp32_scan_next");
		const all: FoundNetwork[] = [];
		for (let found = next.call(undefined); found !== undefined; found = next.call(undefined)) {
			if (found === null) return all;
			const bytes = new Uint8Array(found);
			all.push({ name: bytes.subarray(2), strengthDbm: bytes[0] - 256, isOpen: bytes[1] !== 0 });
		}
		return undefined;
	}

	stop(): void {
		this.#wanted = false;
		this.#isOff = true;
		native("xs_esp32_wifi_off").call(undefined);
	}

	/**
	 * Comes once `wifi` has stopped after its attempts (`manifest.json`), or when a link that was up has
	 * ended.
	 */
	#onDisconnected(reason: number | undefined): void {
		if (!this.#wanted) return;
		if (this.#wasConnected) this.#problem = "link lost";
		else this.#problem = reason === REJECTED ? "wrong password" : "no such network";
	}
}
