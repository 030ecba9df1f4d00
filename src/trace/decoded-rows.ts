/**
 * The decoded rows of the CAN view: every signal of the catalogue in a frame that is not stale. Source: docs/http-api.md 3.20.
 *
 * Order as in the reference: coupling bus before chassis, received before sent, signals in the catalogue's order. With both buses and a
 * limit, the coupling bus leaves half of it to the chassis, or as much as the chassis needs: what is forwarded to the coupling would
 * otherwise push the chassis out.
 */

import { FrameSignals, MUX_NONE } from "../can/catalogue.js";
import { couplingSignalsOf, couplingStateText } from "../vehicle/coupling-status.js";
import { type LatestFrame, LatestFrames, type LatestFramesPort } from "../vehicle/latest-frames.js";
import { type BusFilter, CHASSIS, COUPLING } from "./bus-filter.js";
import type { FrameDirectory } from "./frame-directory.js";

/** A car whose generation is not set is shown as one of this. */
const UNCONFIGURED_AS = 4;
/** A frame that is older is not shown, ms. */
const STALE_MS = 1500;

/** Frames and signals passed over without a row before the others get their turn. */
const STEPS_AT_ONCE = 128;

/** Lists of rows, in order; each goes through all frames. Even: as received; odd: as sent. */
const COUPLING_LIST = 0;
const CHASSIS_LIST = 2;
const LISTS = 4;
/** Two rows on the coupling's state for each direction come before all others. */
const STATE_ROWS = 4;

/** Walks through the rows; one is in hand at a time. */
export class DecodedRows {
	/** The row in hand. */
	bus = 0;
	sent = false;
	frameId = 0;
	name = "";
	/** Shown with three decimals if it is a number, unless `whole`. */
	value: number | string = 0;
	whole = false;
	unit = "";
	generated = false;
	ageMs = 0;
	/** Time of the frame, ms of the gateway's clock modulo 2^32. */
	ts = 0;
	hz = 0;
	/** Counts frames: what belongs to the frame of the row in hand is as before while it stays the same. */
	frameNumber = 0;
	/** There is a row in hand. */
	ready = false;

	readonly #directory: FrameDirectory;
	readonly #generation: number;
	readonly #latest: LatestFrames;
	#seen: LatestFrame;
	#list: number;
	readonly #endList: number;
	#frame = 0;
	#stateRow: number;
	/** Signals of the frame in hand; undefined: go to the next frame. */
	#signals: FrameSignals | undefined = undefined;
	#signal = 0;
	/** Value of the frame's selector. */
	#selected = 0;
	/** Rows still allowed: in all, and of the coupling bus. */
	#left: number;
	#couplingLeft: number;

	/** @param directory of the generation's network, up to date @param filter undefined: no rows @param limit 0.. */
	constructor(
		port: LatestFramesPort,
		directory: FrameDirectory,
		generation: number,
		filter: BusFilter | undefined,
		limit: number,
	) {
		this.#directory = directory;
		this.#generation = generation === 0 ? UNCONFIGURED_AS : generation;
		this.#latest = new LatestFrames(port);
		this.#seen = this.#latest.received;
		this.#list = filter?.coupling ? COUPLING_LIST : CHASSIS_LIST;
		this.#endList = filter?.chassis ? LISTS : CHASSIS_LIST;
		this.#stateRow = filter?.coupling ? 0 : STATE_ROWS;
		this.#left = limit;
		const both = filter?.chassis === true && filter.coupling;
		this.#couplingLeft = both ? limit - this.#countChassis(Math.trunc(limit / 2)) : limit;
	}

	/**
	 * Goes to the next row, unless the one in hand was not taken yet. It gives up for now, without a row, after STEPS_AT_ONCE.
	 * @returns false after the last one
	 */
	advance(): boolean {
		for (let steps = 0; !this.ready && steps < STEPS_AT_ONCE; steps++) {
			if (this.#list < CHASSIS_LIST && this.#couplingLeft === 0) this.#skipToChassis();
			if (this.#left === 0) return false;
			if (this.#stateRow < STATE_ROWS) this.ready = this.#showState(this.#stateRow++);
			else if (this.#signals !== undefined) this.ready = this.#showSignal(this.#signals);
			else if (this.#list >= this.#endList) return false;
			else this.#nextFrame();
		}
		return true;
	}

	#skipToChassis(): void {
		this.#stateRow = STATE_ROWS;
		this.#signals = undefined;
		this.#list = CHASSIS_LIST;
		this.#frame = 0;
	}

	/** The row in hand has been listed. */
	take(): void {
		this.ready = false;
		this.#left--;
		if (this.#list < CHASSIS_LIST) this.#couplingLeft--;
	}

	/** Reads a frame as it was seen on a bus. @returns false if there was none, or it is stale */
	#read(frame: number, bus: number, sent: boolean): boolean {
		this.#seen = sent ? this.#latest.sent : this.#latest.received;
		// what is sent on a bus was received on the other
		return this.#directory.read(frame, sent ? bus ^ 1 : bus, this.#latest) && this.#seen.ageMs <= STALE_MS;
	}

	/** Rows that the chassis bus could fill, up to `most`. */
	#countChassis(most: number): number {
		let count = 0;
		for (let frame = 0; frame < this.#directory.frameCount && count < most; frame++) {
			const received = this.#read(frame, CHASSIS, false);
			const sent = this.#read(frame, CHASSIS, true);
			if (!received && !sent) continue;
			count += (Number(received) + Number(sent)) * this.#directory.signalCount(frame);
		}
		return Math.min(count, most);
	}

	#nextFrame(): void {
		if (this.#frame >= this.#directory.frameCount) {
			this.#frame = 0;
			this.#list++;
			return;
		}
		const sent = (this.#list & 1) !== 0;
		const bus = this.#list < CHASSIS_LIST ? COUPLING : CHASSIS;
		const frame = this.#frame++;
		if (!this.#read(frame, bus, sent)) return;
		const signals = new FrameSignals(this.#directory.network, frame);
		const { selector } = signals;
		this.#selected = selector === undefined ? MUX_NONE : this.#seen.raw(selector);
		this.#signals = signals;
		this.#signal = 0;
		this.#showFrame(frame, bus, sent);
	}

	#showFrame(frame: number, bus: number, sent: boolean): void {
		this.frameNumber++;
		this.bus = bus;
		this.sent = sent;
		this.frameId = this.#latest.frameId;
		this.generated = sent && bus === COUPLING && this.#seen.generated;
		this.ageMs = this.#seen.ageMs;
		this.ts = (this.#latest.nowMs - this.ageMs) >>> 0;
		this.hz = this.#directory.hz(frame, sent ? bus ^ 1 : bus, sent);
	}

	/** @returns false if the frame does not carry the signal */
	#showSignal(signals: FrameSignals): boolean {
		if (this.#signal === signals.count) {
			this.#signals = undefined;
			return false;
		}
		const n = this.#signal++;
		if (signals.selector !== undefined) {
			const mux = signals.mux(n);
			if (mux !== MUX_NONE && mux !== this.#selected) return false;
		}
		const signal = signals.at(n);
		const value = this.#seen.physical(signal);
		if (!Number.isFinite(value)) return false;
		this.name = signal.name;
		this.value = value;
		this.whole = false;
		this.unit = signal.unit;
		return true;
	}

	/** State and engagement that the coupling reports. @returns false if it does not */
	#showState(row: number): boolean {
		const sent = row >= 2;
		const frame = this.#directory.statusFrame;
		if (!this.#read(frame, COUPLING, sent)) return false;
		this.#showFrame(frame, COUPLING, sent);
		const coupling = couplingSignalsOf(this.#generation);
		if (coupling === undefined) return false;
		const { state, engagement, rearEngagement } = coupling;
		const isState = row % 2 === 0;
		let value = this.#seen.raw(isState ? state : engagement);
		if (!isState && rearEngagement !== undefined) value += this.#seen.raw(rearEngagement);
		if (Number.isNaN(value)) return false;
		this.name = isState ? "Haldex state" : "Engagement";
		this.value = isState ? couplingStateText(value, this.#generation) : value;
		this.whole = true;
		this.unit = "";
		return true;
	}
}
