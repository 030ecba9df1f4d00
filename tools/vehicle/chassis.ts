/**
 * The chassis bus: each control unit hands over its frames together, and the bus passes them as fast as it
 * can, lower identifiers first, so that they come in bursts, as in a car. With the ignition off only the
 * gateway's frames remain. Knows no sockets and no clock.
 */
import type { Generation as SettableGeneration } from "../../src/coupling/couplings/couplings.js";
import type { Car } from "./car.js";
import type { SendFrame } from "./frame.js";
import { type FrameRow, MQB_FRAMES, PQ_FRAMES } from "./frames.js";
import { Protection } from "./integrity.js";
import { MQB_SIGNALS, PQ_SIGNALS, type Signal, writeSignal } from "./signals.js";

export type Generation = Exclude<SettableGeneration, 0>;

/** Frames of 8 bytes that 500 kbit/s pass in a millisecond. */
const FRAMES_PER_MS = 4;
const SECOND_MS = 1000;

/** Changes a frame that is about to be on the bus, also its length; `undefined`: it is not sent. */
export type Meddle = (frame: Outgoing) => Uint8Array | undefined;

/** Of the chassis bus, or the coupling's report. */
export interface Outgoing {
	readonly id: number;
	readonly timeMs: number;
	readonly data: Uint8Array;
	/** Frames of this identifier sent before. */
	readonly count: number;
	/** Undefined: it neither counts nor checks itself. */
	readonly protection?: Protection | undefined;
}

interface Sender {
	readonly row: FrameRow;
	readonly protection: Protection;
	readonly data: Uint8Array;
	readonly signals: readonly Signal[];
	count: number;
}

export class ChassisBus {
	/** The car's faults; undefined: none. */
	meddle: Meddle | undefined;
	/** Senders by the millisecond of a second, the longest period, in which they are due. */
	readonly #due: readonly (readonly Sender[])[];
	#waiting: Sender[] = [];

	constructor(generation: Generation) {
		const [rows, signals] = generation === 5 ? [MQB_FRAMES, MQB_SIGNALS] : [PQ_FRAMES, PQ_SIGNALS];
		const senders = rows.map((row): Sender => {
			const protection = new Protection(row);
			return { row, protection, data: protection.payload, signals: signals.filter(([id]) => id === row.id), count: 0 };
		});
		const dueAt = (ms: number) => senders.filter(({ row }) => ms % row.periodMs === row.phaseMs);
		this.#due = Array.from({ length: SECOND_MS }, (_, ms) => dueAt(ms));
	}

	/** Sends what the bus passes in this millisecond of the car's time. */
	step(car: Car, send: SendFrame): void {
		const due = this.#due[car.timeMs % SECOND_MS].filter(({ row }) => car.ignitionOn || row.awake === true);
		if (due.length > 0) this.#waiting = [...this.#waiting, ...due].sort((a, b) => a.row.id - b.row.id);
		for (const sender of this.#waiting.splice(0, FRAMES_PER_MS)) {
			const { row, data, protection } = sender;
			for (const signal of sender.signals) writeSignal(data, signal, car);
			protection.count(data, sender.count);
			protection.seal(data);
			const frame = { id: row.id, timeMs: car.timeMs, data: new Uint8Array(data), count: sender.count, protection };
			sender.count += 1;
			const sent = this.meddle === undefined ? frame.data : this.meddle(frame);
			if (sent !== undefined) send(row.id, row.id > 0x7ff, sent);
		}
	}
}
