/** The car's end of one bus, and a log of all that was sent and that arrived. */
import assert from "node:assert/strict";
import { EXTENDED, REMOTE } from "../../tools/campaign/frame-judge.js";
import type { Bus, Lockstep, Output } from "../../tools/campaign/lockstep.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { now } from "./wait.js";

/** A frame with the time it was handed over or came in, ms of the test's clock. */
export interface TimedFrame extends CanFrame {
	readonly at: number;
}

/**
 * What became of a frame on its way through the controller. `sentAt` is never later than the moment the
 * gateway had it.
 */
export interface Passage {
	readonly sentAt: number;
	readonly at: number;
	readonly sent: Uint8Array;
	readonly data: Uint8Array;
	readonly rewritten: boolean;
}

export class BusPeer {
	sent: TimedFrame[] = [];
	arrived: TimedFrame[] = [];
	/** As the program takes it at its start. */
	connected = true;
	readonly #bus: Bus;
	readonly #lockstep: Lockstep;
	readonly #programMs: (ms: number) => number;

	/** @param programMs the program's time of a time of the test */
	constructor(bus: Bus, lockstep: Lockstep, programMs: (ms: number) => number) {
		this.#bus = bus;
		this.#lockstep = lockstep;
		this.#programMs = programMs;
	}

	connect(): void {
		this.#plug("connect");
	}

	/** Hangs up at once. */
	disconnect(): void {
		this.#plug("disconnect");
	}

	#plug(command: "connect" | "disconnect"): void {
		this.connected = command === "connect";
		this.#lockstep.command(`${command} ${this.#bus === 0 ? "chassis" : "coupling"}`);
	}

	/** Sends frames, at a time that is not past; nothing while not connected. */
	send(frames: readonly CanFrame[], at = now()): void {
		if (!this.connected) return;
		for (const frame of frames) {
			const data = Uint8Array.from(frame.data);
			this.sent.push({ id: frame.id, extended: frame.extended, rtr: frame.rtr, data, at });
			const flags = (frame.extended ? EXTENDED : 0) + (frame.rtr ? REMOTE : 0);
			this.#lockstep.arrive(this.#programMs(at), this.#bus, { id: frame.id, flags, data });
		}
	}

	/** Takes what has left the controller. @param at time of the test */
	take(output: Output, at: number): void {
		if (output.kind !== "frame" || output.bus !== this.#bus) return;
		const { id, flags, data } = output.frame;
		this.arrived.push({ id, extended: (flags & EXTENDED) !== 0, rtr: (flags & REMOTE) !== 0, data, at });
	}
}

/**
 * Pairs the frames of one identifier that entered on `from` with those that left on `to`, the n-th with the
 * n-th. Holds as long as none is lost, which tests of loss must not assume. Frames still on their way are
 * left out.
 */
export function passages(from: BusPeer, to: BusPeer, id: number, sinceMs = 0, extended = false, rtr = false): Passage[] {
	const fits = (frame: CanFrame) => frame.id === id && frame.extended === extended && frame.rtr === rtr;
	const sent = from.sent.filter(fits);
	const arrived = to.arrived.filter(fits);
	const found: Passage[] = [];
	arrived.forEach((frame, i) => {
		const origin = sent[i];
		if (origin !== undefined && frame.at < origin.at)
			throw new Error(
				`0x${id.toString(16)} number ${i} left at ${frame.at} ms and was sent at ${origin.at} ms: some were lost or sent twice`,
			);
		if (origin !== undefined && origin.at >= sinceMs)
			found.push({
				sentAt: origin.at,
				at: frame.at,
				sent: origin.data,
				data: frame.data,
				rewritten: !Buffer.from(frame.data).equals(origin.data),
			});
	});
	return found;
}

/** Numbers of the numbered frames with this identifier. */
export const numbersOf = (frames: readonly CanFrame[], id: number): number[] =>
	frames.filter((frame) => frame.id === id).map(({ data }) => new DataView(data.buffer, data.byteOffset).getUint32(0, true));

/** No numbered frame is missing or out of order, and there are more than so many. */
export function assertNoneLost(frames: readonly CanFrame[], id: number, least = 50): void {
	const numbers = numbersOf(frames, id);
	assert.ok(numbers.length > least, `${numbers.length} frames 0x${id.toString(16)}`);
	assert.deepEqual(
		numbers,
		numbers.map((_, i) => numbers[0] + i),
	);
}
