/**
 * The chassis bus: sends every frame of the platform's table at its period, filled with what the car does, counted and protected.
 * With the ignition off only the gateway's frames remain. Knows no sockets and no clock.
 */
import type { Generation as SettableGeneration } from "../../src/coupling/generation.js";
import type { Car } from "./car.js";
import type { SendFrame } from "./frame.js";
import { type FrameRow, MQB_FRAMES, PQ_FRAMES } from "./frames.js";
import { protectMqb, protectPq } from "./integrity.js";
import { MQB_SIGNALS, PQ_SIGNALS, type Signal, writeSignal } from "./signals.js";

export type Generation = Exclude<SettableGeneration, 0>;

interface Sender {
	readonly row: FrameRow;
	readonly phaseMs: number;
	readonly data: Uint8Array;
	readonly signals: readonly Signal[];
	count: number;
}

export class ChassisBus {
	readonly #senders: readonly Sender[];
	readonly #protect: typeof protectMqb;

	constructor(generation: Generation) {
		const [rows, signals] = generation === 5 ? [MQB_FRAMES, MQB_SIGNALS] : [PQ_FRAMES, PQ_SIGNALS];
		this.#protect = generation === 5 ? protectMqb : protectPq;
		this.#senders = rows.map((row, index) => ({
			row,
			// Spread over the period: real ECUs are not in step, and a burst of everything at once is no real load.
			phaseMs: (index * 7) % row.periodMs,
			data: Uint8Array.from(Buffer.from(row.payload, "hex")),
			signals: signals.filter(([id]) => id === row.id),
			count: 0,
		}));
	}

	/** Sends what is due in this millisecond of the car's time. */
	step(car: Car, send: SendFrame): void {
		for (const sender of this.#senders) {
			const { row, data } = sender;
			if (car.timeMs % row.periodMs !== sender.phaseMs) continue;
			if (!car.ignitionOn && !row.awake) continue;
			for (const signal of sender.signals) writeSignal(data, signal, car);
			this.#protect(row.id, data, sender.count);
			sender.count += 1;
			send(row.id, row.id > 0x7ff, data);
		}
	}
}
