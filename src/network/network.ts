/**
 * Access point, on while the controller is awake, and station, connected while it is enabled and has a network.
 * Nothing here waits. Source: docs/api.md, "Network and passwords".
 */

import type { FoundNetwork, RadioPort } from "../../hal/network-ports.js";
import type { NetworkKeyPort } from "../../hal/ports.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import { decodeUtf8, encodeUtf8 } from "../text/bytes.js";
import { hexadecimal } from "../text/hexadecimal.js";
import { changedWifi, DEFAULT_WIFI, isNetworkKey, isSsid, type WifiPatch, type WifiSettings } from "./wifi-settings.js";

/** The name that clients know. Source: docs/api.md, "Names of other firmware". */
export const HOST_NAME = "openhaldex.local";
/** Name of the controller's own network. */
export const ACCESS_POINT_SSID = "OpenCoupling";

/** The client may be on the network that ends. Source: docs/api.md, "Network and passwords". */
const APPLY_AFTER_MS = 500;
/** Between two attempts to start the access point. */
const ACCESS_POINT_RETRY_MS = 10_000;
/**
 * Pauses after the first attempt, the second, and so on: while the station looks for a network, the one radio
 * is not on the access point's channel. Source: docs/api.md, "Network and passwords".
 */
const STATION_RETRY_MS: readonly number[] = Object.freeze([20_000, 300_000]);

/** The radio ends a scan within 4 s, or not at all. */
const SCAN_MS_MAX = 8000;

/** Rounds of a network's key in a turn: 0.2 M instructions of the C6, so no control tick waits. */
const KEY_ROUNDS = 32;

/** More than a street has; an answer of 2 KB. */
const NETWORKS_MAX = 32;

/** Found by a scan, as the interface tells it. */
interface NetworkInReach {
	readonly ssid: string;
	/** dBm. */
	readonly rssi: number;
	readonly open: boolean;
}

/** Result of a change of the credentials. */
export type WifiOutcome = "stored" | "unchanged" | "not stored";

interface NetworkPorts {
	readonly radio: RadioPort;
	readonly clock: { readonly ticks: number };
	/** undefined: the radio makes a network's key of its password without holding up control. */
	readonly newKey: ((passphrase: Uint8Array, ssid: Uint8Array) => NetworkKeyPort) | undefined;
	readonly later: (callback: () => void, delayMs: number) => void;
	/** No lock is commanded, so that control may stand still for a second. */
	readonly mayPause: () => boolean;
	/** Connections to the server: while there is no link, all of them come by the access point. */
	readonly clients: () => number;
	/** On flash after the last step. @throws {Error} why not */
	readonly store: (wifi: WifiSettings) => Steps;
	readonly writes: WriteQueue;
	readonly log: (level: "EVENT" | "WARN", message: string) => void;
}

/** The key that is made, and for which settings. */
interface MakingKey {
	readonly wifi: WifiSettings;
	readonly making: NetworkKeyPort;
}

/** The access point and the station. If the radio rejects one, it is asked again after a pause. */
export class Network {
	/** Changes of names or passwords of the networks. */
	changes = 0;
	wifi: WifiSettings;
	/** A new password of the access point waits while lock is commanded: it holds up control for 1 s. */
	accessPointPending = false;
	/** The credentials with which the radio runs. */
	#applied: WifiSettings | undefined;
	readonly #ports: NetworkPorts;
	/** When the answer to the request for the pending change was sent; undefined = no change is pending. */
	#changedMs: number | undefined;
	/** Password of the access point that runs. */
	#accessPointPassword: string | undefined;
	#accessPointMs = 0;
	#attemptMs = 0;
	/** Counts attempts since the settings were applied, or the link was lost. */
	#attempts = 0;
	#connected = false;
	#told = "";
	#makingKey: MakingKey | undefined;
	#scan: { readonly sinceMs: number; readonly done: (found: NetworkInReach[] | undefined) => void } | undefined;

	constructor(wifi: WifiSettings, ports: NetworkPorts) {
		this.wifi = wifi;
		this.#ports = ports;
	}

	get stationIp(): string {
		return this.#ports.radio.stationIp;
	}

	/** "wrong password", "no such network", "link lost", or the radio's words; "" = no problem. */
	get stationProblem(): string {
		return this.stationIp === "" ? this.#told : "";
	}

	get accessPointIp(): string {
		return this.#ports.radio.accessPointIp;
	}

	/** Starts the radio: before control begins, and after `stop`. */
	start(): void {
		this.#apply();
	}

	/** Switches the radio off, until `start`. */
	stop(): void {
		this.#endScan(undefined);
		this.#applied = this.#accessPointPassword = undefined;
		this.#ports.radio.stop();
	}

	/** Stores a checked change. The radio follows `APPLY_AFTER_MS` after `answered`. */
	change(patch: WifiPatch, done: (outcome: WifiOutcome) => void): void {
		this.#ports.writes.add(this.#changing(patch, done));
	}

	*#changing(patch: WifiPatch, done: (outcome: WifiOutcome) => void): Steps {
		const { store, log } = this.#ports;
		const wifi = changedWifi(this.wifi, patch);
		let outcome: WifiOutcome = "unchanged";
		if (!isSame(wifi, this.wifi))
			try {
				yield* store(wifi);
				this.wifi = wifi;
				this.changes++;
				log("EVENT", "Wi-Fi settings changed");
				outcome = "stored";
			} catch {
				outcome = "not stored";
			}
		done(outcome);
	}

	/** Forgets both networks and their passwords, even if that can't be stored. Never throws. */
	reset(): void {
		this.#ports.writes.add(this.#resetting());
	}

	*#resetting(): Steps {
		const { store, log } = this.#ports;
		log("EVENT", "the BOOT key was held: networks and passwords are forgotten");
		this.wifi = DEFAULT_WIFI;
		this.changes++;
		this.#apply();
		try {
			yield* store(DEFAULT_WIFI);
		} catch (error) {
			log("WARN", `that is forgotten at the next start: ${(error as Error).message}`);
		}
	}

	/** The change was answered. */
	answered(): void {
		this.#changedMs = this.#ports.clock.ticks;
	}

	/**
	 * Looks for networks in reach, one scan at a time. The station waits meanwhile.
	 * @param done undefined = the radio did not say
	 * @throws {Error} why not now
	 */
	scan(done: (found: NetworkInReach[] | undefined) => void): void {
		const { radio, clock, mayPause } = this.#ports;
		if (!mayPause()) throw new Error("control is active: select mode STOCK first");
		if (this.#scan !== undefined) throw new Error("the radio is busy");
		radio.startScan();
		this.#scan = { sinceMs: clock.ticks, done };
	}

	#endScan(found: NetworkInReach[] | undefined): void {
		const scan = this.#scan;
		this.#scan = undefined;
		scan?.done(found);
	}

	/** Call several times per second. */
	tick(): void {
		const nowMs = this.#ports.clock.ticks;
		if (this.#scan !== undefined) {
			const found = this.#ports.radio.takeFound();
			if (found !== undefined) this.#endScan(networksInReach(found));
			else if (elapsedMs(this.#scan.sinceMs, nowMs) >= SCAN_MS_MAX) this.#endScan(undefined);
			else return;
		}
		if (this.accessPointPending || elapsedMs(this.#accessPointMs, nowMs) >= ACCESS_POINT_RETRY_MS) this.#startAccessPoint();
		if (this.#changedMs !== undefined && elapsedMs(this.#changedMs, nowMs) >= APPLY_AFTER_MS) this.#apply();
		this.#watchStation(nowMs);
	}

	#apply(): void {
		const { radio } = this.#ports;
		const { wifi } = this;
		const applied = this.#applied;
		this.#applied = wifi;
		this.#changedMs = undefined;
		this.#startAccessPoint();
		if (applied !== undefined && isSameStation(wifi, applied)) return;
		radio.disconnect();
		this.#attempts = 0;
		this.#told = "";
		if (isWanted(wifi)) this.#connect();
	}

	#startAccessPoint(): void {
		const password = this.#applied?.accessPointPassword;
		if (password === undefined || password === this.#accessPointPassword) return;
		const { radio, clock, log, mayPause } = this.#ports;
		const waits = password !== "" && !mayPause();
		if (waits && !this.accessPointPending) log("EVENT", "the access point keeps its password until no lock is commanded");
		this.accessPointPending = waits;
		if (waits) return;
		this.#accessPointMs = clock.ticks;
		try {
			radio.startAccessPoint(ACCESS_POINT_SSID, password);
			this.#accessPointPassword = password;
			log("EVENT", `access point ${ACCESS_POINT_SSID} started, ${password === "" ? "without" : "with a"} password`);
		} catch (error) {
			log("WARN", `no access point: ${(error as Error).message}`);
		}
	}

	#connect(): void {
		const { radio, clock, newKey } = this.#ports;
		const wifi = this.#applied;
		this.#attemptMs = clock.ticks;
		if (wifi === undefined) return;
		const { ssid, password } = wifi;
		const key = newKey === undefined || password === "" || isNetworkKey(password) ? password : wifi.key;
		try {
			if (newKey === undefined || key !== "" || password === "") {
				this.#attempts++;
				radio.connect(ssid, key);
			} else if (this.#makingKey?.wifi !== wifi) {
				this.#makingKey?.making.close();
				this.#makingKey = { wifi, making: newKey(encodeUtf8(password), encodeUtf8(ssid)) };
				this.#makeKey(this.#makingKey);
			}
		} catch (error) {
			this.#attempts ||= 1;
			this.#tell((error as Error).message);
		}
	}

	/** In many turns: the radio would hold up control for a second. */
	#makeKey(current: MakingKey): void {
		const { later, writes } = this.#ports;
		later(() => {
			if (current !== this.#makingKey) return;
			if (!current.making.add(KEY_ROUNDS)) {
				this.#makeKey(current);
				return;
			}
			this.#makingKey = undefined;
			const key = hexadecimal(new Uint8Array(current.making.close()));
			if (this.#applied !== undefined && isSameStation(current.wifi, this.#applied)) {
				this.#applied = { ...this.#applied, key };
				this.#connect();
			}
			writes.add(this.#keepingKey(current.wifi, key));
		}, 0);
	}

	*#keepingKey(madeFor: WifiSettings, key: string): Steps {
		if (!isSameStation(madeFor, this.wifi)) return;
		this.wifi = { ...this.wifi, key };
		try {
			yield* this.#ports.store(this.wifi);
		} catch {
			// the storage reports it
		}
	}

	#tell(problem: string): void {
		if (problem === this.#told) return;
		this.#told = problem;
		this.#ports.log("WARN", `no network: ${problem}`);
	}

	#watchStation(nowMs: number): void {
		const { stationIp, stationProblem } = this.#ports.radio;
		const connected = stationIp !== "";
		if (connected !== this.#connected) {
			this.#connected = connected;
			this.#attempts = 0;
			if (connected) this.#told = "";
			this.#ports.log(
				"EVENT",
				connected ? `connected to the network, address ${stationIp}` : "no longer connected to the network",
			);
		}
		if (stationProblem !== "") this.#tell(stationProblem);
		if (connected || this.#applied === undefined || !isWanted(this.#applied)) return;
		// a client that is connected came by the access point, and would lose it for seconds
		if (this.#ports.clients() > 0) return;
		const pauseMs = this.#attempts === 0 ? 0 : STATION_RETRY_MS[Math.min(this.#attempts, STATION_RETRY_MS.length) - 1];
		if (elapsedMs(this.#attemptMs, nowMs) >= pauseMs) this.#connect();
	}
}

function isWanted(wifi: WifiSettings): boolean {
	return wifi.stationEnabled && wifi.ssid !== "";
}

function isSameStation(a: WifiSettings, b: WifiSettings): boolean {
	return a.ssid === b.ssid && a.password === b.password && a.stationEnabled === b.stationEnabled;
}

function isSame(a: WifiSettings, b: WifiSettings): boolean {
	return isSameStation(a, b) && a.accessPointPassword === b.accessPointPassword && a.accessPointOpen === b.accessPointOpen;
}

/** The strongest first, each name once, without names that the settings reject. Never throws. */
function networksInReach(found: readonly FoundNetwork[]): NetworkInReach[] {
	const strongest: NetworkInReach[] = [];
	for (const { name, strengthDbm, isOpen } of [...found].sort((a, b) => b.strengthDbm - a.strengthDbm)) {
		const ssid = decodeUtf8(name, 0, name.length) ?? "";
		if (ssid === "" || !isSsid(ssid) || strongest.some((other) => other.ssid === ssid)) continue;
		strongest.push({ ssid, rssi: strengthDbm, open: isOpen });
		if (strongest.length === NETWORKS_MAX) break;
	}
	return strongest;
}
