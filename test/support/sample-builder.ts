/**
 * Makes the samples that the gateway would make: feed it frames, take the bytes. Pure; runs in Node and on
 * XS. Byte layout: `modules/can-gateway/README.md`, "Watched frames".
 */

import { ENTRY_DATA, ENTRY_DLC, ENTRY_SEQUENCE, NEVER_RECEIVED, SAMPLE_ENTRY, SAMPLE_HEADER } from "../../src/vehicle/sample.js";

const LIST_ENTRY = 8;
const EXTENDED_BIT = 0x80000000;
const AGE_LIMIT = 65535;

/** A gateway reduced to its samples. */
export class SampleBuilder {
	readonly #list: DataView;
	readonly #count: number;
	readonly #sample: Uint8Array;
	readonly #receivedMs: number[];
	/** True from a sample on until the next frame. */
	readonly #taken: boolean[];

	/** @param watchList as for `GatewayPort.watch` */
	constructor(watchList: Uint8Array) {
		this.#list = new DataView(watchList.buffer, watchList.byteOffset, watchList.length);
		this.#count = watchList.length / LIST_ENTRY;
		this.#sample = new Uint8Array(SAMPLE_HEADER + SAMPLE_ENTRY * this.#count);
		this.#receivedMs = new Array(this.#count).fill(0);
		this.#taken = new Array(this.#count).fill(true);
		for (let index = 0; index < this.#count; index++)
			this.#sample[SAMPLE_HEADER + SAMPLE_ENTRY * index + ENTRY_DLC] = NEVER_RECEIVED;
	}

	/**
	 * Receives a frame.
	 * @param bus 0 or 1
	 * @param id without bit 31
	 * @param data at least `dlc` bytes
	 * @returns true if the frame is watched and fits
	 */
	frame(bus: number, id: number, ext: boolean, rtr: boolean, dlc: number, data: Uint8Array, nowMs: number): boolean {
		const wireId = ext ? id + EXTENDED_BIT : id;
		let fits = false;
		for (let index = 0; index < this.#count; index++) {
			const entry = index * LIST_ENTRY;
			if (this.#list.getUint32(entry, true) !== wireId || this.#list.getUint8(entry + 4) !== bus) continue;
			if (rtr || dlc < this.#list.getUint8(entry + 5)) continue;
			const at = SAMPLE_HEADER + SAMPLE_ENTRY * index;
			const received = this.#sample.subarray(at + ENTRY_DATA, at + SAMPLE_ENTRY);
			this.#sample[at + ENTRY_SEQUENCE]++;
			this.#sample[at + ENTRY_DLC] = dlc;
			// an entry that collects has the bits of all frames since the last sample
			const collects = this.#collects(index) && !this.#taken[index];
			for (let i = 0; i < received.length; i++) received[i] = (collects ? received[i] : 0) | (i < dlc ? data[i] : 0);
			this.#taken[index] = false;
			this.#receivedMs[index] = nowMs;
			fits = true;
		}
		return fits;
	}

	/** The sample at a time; the same buffer each time. Bus states are 1 (error-active), bus ages 0. */
	bytes(nowMs: number): Uint8Array {
		const view = new DataView(this.#sample.buffer);
		view.setUint32(0, nowMs >>> 0, true);
		this.#sample[4] = 1;
		this.#sample[5] = 1;
		for (let index = 0; index < this.#count; index++) {
			const at = SAMPLE_HEADER + SAMPLE_ENTRY * index;
			const never = (this.#sample[at + ENTRY_DLC] & NEVER_RECEIVED) !== 0;
			const age = (nowMs - this.#receivedMs[index]) >>> 0;
			view.setUint16(at, never || age > AGE_LIMIT ? AGE_LIMIT : age, true);
			if (this.#collects(index) && this.#taken[index]) this.#sample.fill(0, at + ENTRY_DATA, at + SAMPLE_ENTRY);
			this.#taken[index] = true;
		}
		return this.#sample;
	}

	#collects(index: number): boolean {
		return this.#list.getUint8(index * LIST_ENTRY + 6) === 1;
	}
}
