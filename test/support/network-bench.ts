// A network on a radio that the test moves.

import type { FoundNetwork, RadioPort } from "../../hal/network-ports.js";
import type { NetworkKeyPort } from "../../hal/ports.js";
import { Network, type WifiOutcome } from "../../src/network/network.js";
import { DEFAULT_WIFI, type WifiPatch, type WifiSettings } from "../../src/network/wifi-settings.js";
import { anEagerQueue } from "./memory-files.js";

class FakeRadio implements RadioPort {
	accessPointIp = "";
	stationIp = "";
	stationProblem = "";
	/** It rejects to do anything. */
	failing = false;
	/** What it was told, in words. */
	readonly told: string[] = [];
	startAccessPoint(ssid: string, password: string): void {
		if (this.failing) throw new Error("esp_wifi_set_config failed");
		this.told.push(`ap ${ssid} "${password}"`);
		this.accessPointIp = "192.168.4.1";
	}
	connect(ssid: string, key: string): void {
		if (this.failing) throw new Error("esp_wifi_connect failed");
		this.told.push(`connect ${ssid} "${key}"`);
		this.stationIp = this.stationProblem = "";
	}
	disconnect(): void {
		this.told.push("disconnect");
		this.stationIp = this.stationProblem = "";
	}
	found: FoundNetwork[] | undefined;
	startScan(): void {
		if (this.failing) throw new Error("the radio is busy");
		this.told.push("scan");
	}
	takeFound(): FoundNetwork[] | undefined {
		const { found } = this;
		this.found = undefined;
		return found;
	}
	stop(): void {
		this.told.push("stop");
		this.accessPointIp = this.stationIp = "";
	}
}

/** Hexadecimal digits of a key that stands for a passphrase: its bytes, the network's, and zeros. */
export const keyOf = (passphrase: string, ssid: string): string =>
	Buffer.alloc(32, 0)
		.fill(`${passphrase}@${ssid}`, 0, passphrase.length + 1 + ssid.length)
		.toString("hex");

/** Takes four calls for a key. */
class FakeKey implements NetworkKeyPort {
	#calls = 0;
	#isClosed = false;
	readonly #key: string;
	constructor(passphrase: Uint8Array, ssid: Uint8Array) {
		this.#key = keyOf(Buffer.from(passphrase).toString(), Buffer.from(ssid).toString());
	}
	add(): boolean {
		if (this.#isClosed) throw new Error("closed");
		return ++this.#calls === 4;
	}
	close(): ArrayBuffer {
		this.#isClosed = true;
		return new Uint8Array(Buffer.from(this.#key, "hex")).buffer;
	}
}

export class NetworkBench {
	readonly radio = new FakeRadio();
	readonly network: Network;
	readonly log: string[] = [];
	readonly stored: WifiSettings[] = [];
	nowMs = 1000;
	full = false;
	/** A lock is commanded. */
	locks = false;
	/** Connections to the server. */
	clients = 0;
	/** Turns of the event loop that are still to come, while it is held. */
	turns: (() => void)[] = [];
	held = false;

	constructor(wifi: Partial<WifiSettings> = {}, { makesKey = true } = {}) {
		const bench = this;
		this.network = new Network(
			{ ...DEFAULT_WIFI, ...wifi },
			{
				radio: this.radio,
				clock: {
					get ticks() {
						return bench.nowMs;
					},
				},
				newKey: makesKey ? (passphrase, ssid) => new FakeKey(passphrase, ssid) : undefined,
				later: (turn) => {
					if (this.held) this.turns.push(turn);
					else turn();
				},
				mayPause: () => !this.locks,
				clients: () => this.clients,
				*store(changed) {
					if (bench.full) throw new Error("no space");
					bench.stored.push(changed);
					yield;
				},
				writes: anEagerQueue(),
				log: (_level, message) => this.log.push(message),
			},
		);
	}

	/** @returns how it ended */
	change(patch: WifiPatch): WifiOutcome | undefined {
		let ended: WifiOutcome | undefined;
		this.network.change(patch, (outcome) => {
			ended = outcome;
		});
		return ended;
	}

	pass(ms: number): void {
		for (let left = ms; left > 0; left -= 100) {
			this.nowMs += Math.min(left, 100);
			this.network.tick();
		}
	}
}
