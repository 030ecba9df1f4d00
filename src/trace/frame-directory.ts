/**
 * Which frames of the catalogue the gateway has seen, on which bus, and how often they come. The gateway numbers identifiers in the order
 * in which it sees them; here they are found by their place in the catalogue.
 */

import { countSignals, listIdentifiers, type Network } from "../can/catalogue.js";
import { couplingStatusOf } from "../vehicle/coupling-status.js";
import { LatestFrames, type LatestFramesPort } from "../vehicle/latest-frames.js";

/** New identifiers that one `update` takes in; the rest follow in the next. A car has fewer than that. */
const IDENTIFIERS_AT_ONCE = 256;
/** Rates are counted over at least so long, ms. */
const RATE_WINDOW_MS = 1000;
/** A count that is older says nothing about now, ms. */
const RATE_EXPIRES_MS = 10000;
/** Rates are kept in tenths of 1/s. */
const RATE_SCALE = 10;

export class FrameDirectory {
	readonly network: Network;
	/** Frames are numbered 0..frameCount - 1 in the order of the catalogue. */
	readonly frameCount: number;
	/** Number of the coupling's status frame; it may be frameCount, where no signals are known. */
	readonly statusFrame: number;
	readonly #latest: LatestFrames;
	readonly #identifiers: Uint32Array;
	readonly #signalCounts: Uint8Array;
	/** The gateway's index of a frame received on a bus + 1, at 2 * frame + bus; 0 = not seen yet. */
	readonly #places: Uint16Array;
	/** Frames counted at `#countedMs`, modulo 2^16, and rate, at 2 * (2 * frame + bus) + sent. */
	readonly #counts: Uint16Array;
	readonly #rates: Uint16Array;
	#known = 0;
	#countedMs = -1;

	constructor(port: LatestFramesPort, network: Network) {
		this.network = network;
		this.#latest = new LatestFrames(port);
		const identifiers = listIdentifiers(network);
		this.frameCount = identifiers.length;
		const status = couplingStatusOf(network === "mqb" ? 5 : 4)?.frameId ?? 0;
		const listed = identifiers.indexOf(status);
		this.statusFrame = listed < 0 ? this.frameCount : listed;
		this.#identifiers = new Uint32Array(this.frameCount + 1);
		this.#identifiers.set(identifiers);
		this.#identifiers[this.statusFrame] = status;
		this.#signalCounts = countSignals(network);
		this.#places = new Uint16Array(2 * this.#identifiers.length);
		this.#counts = new Uint16Array(4 * this.#identifiers.length);
		this.#rates = new Uint16Array(4 * this.#identifiers.length);
	}

	/** Takes in what is new. Call at the beginning of a request. */
	update(): void {
		const latest = this.#latest;
		for (let n = 0; n < IDENTIFIERS_AT_ONCE && latest.read(this.#known); n++) {
			const frame = this.#identifiers.indexOf(latest.identifier);
			this.#known++;
			if (frame >= 0) this.#places[2 * frame + latest.bus] = this.#known;
		}
		if (latest.read(0)) this.#count(latest.nowMs);
	}

	/** Reads the latest frames that were received on a bus and sent on the other. @returns false if there were none yet */
	read(frame: number, bus: number, into: LatestFrames): boolean {
		const place = this.#places[2 * frame + bus];
		return place > 0 && into.read(place - 1);
	}

	/** Number of signals that the catalogue has of a frame. */
	signalCount(frame: number): number {
		return this.#signalCounts[frame];
	}

	/** Frames in 1/s as received on a bus, or as sent on the other; 0 until it is known. */
	hz(frame: number, bus: number, sent: boolean): number {
		return this.#rates[2 * (2 * frame + bus) + Number(sent)] / RATE_SCALE;
	}

	#count(nowMs: number): void {
		const elapsedMs = this.#countedMs < 0 ? RATE_EXPIRES_MS + 1 : (nowMs - this.#countedMs) >>> 0;
		if (elapsedMs < RATE_WINDOW_MS) return;
		const factor = elapsedMs > RATE_EXPIRES_MS ? 0 : (1000 * RATE_SCALE) / elapsedMs;
		this.#countedMs = nowMs;
		for (let place = 0; place < this.#places.length; place++) {
			if (this.#places[place] === 0 || !this.#latest.read(this.#places[place] - 1)) continue;
			this.#countOne(2 * place, this.#latest.received.count, factor);
			this.#countOne(2 * place + 1, this.#latest.sent.count, factor);
		}
	}

	#countOne(at: number, count: number, factor: number): void {
		this.#rates[at] = Math.round(((count - this.#counts[at]) & 0xffff) * factor);
		this.#counts[at] = count;
	}
}
