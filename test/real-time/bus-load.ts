/**
 * A full bus on both sides of a gateway. Each side sends frames, evenly spaced, and checks that those of the
 * other side arrive in order. The buses carry what a generation 5 controller needs to be active, and frames that
 * it then rewrites. All others carry their number and must arrive unchanged. When this process does not get its
 * turn, the buses pause with it.
 */
import { BusLink } from "../../tools/vehicle/bus-link.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { milliseconds, until } from "../hal/host/gateway-program.js";

/** Of each side: chassis, coupling. */
type Side = 0 | 1;

const TURN_MS = 2;
/** For the last frames to arrive. */
const SETTLE_MS = 200;
/** Identifiers of a side, and the first of those whose frames carry their number. */
const IDS = 40;
const NUMBERED_ID = 0x400;
/** The controller's own status. */
const STATUS_ID = 0x6b0;

/** Frames of fixed content, by side: each has its place in a round of `IDS` frames. */
const FIXED: readonly (readonly (readonly [id: number, data: string])[])[] = [
	[
		[0x0fd, "0000000088130000"], // 50 km/h
		[0x121, "00D3070000000000"], // pedal 50 %
		[0x0a8, "000000000000401F"], // 2000 1/min; it is rewritten itself, as are those below
		...[0x0a7, 0x08a, 0x116, 0x106, 0x30b, 0x5be, 0x3be, 0x392].map((id) => [id, "0000000000000000"] as const),
	],
	[[0x118, "0000642200000000"]], // 40 % engaged: without that nothing is controlled
];

/** The frame of a number. */
function frameOf(side: Side, number: number): { id: number; data: Buffer; isFixed: boolean } {
	const fixed = FIXED[side]![number % IDS];
	if (fixed !== undefined) return { id: fixed[0], data: Buffer.from(fixed[1], "hex"), isFixed: true };
	const data = Buffer.alloc(8, side);
	data.writeUInt32LE(number);
	return { id: NUMBERED_ID + (number % IDS), data, isFixed: false };
}

export interface LoadResult {
	readonly lost: number;
	/** Out of order, or changed without being of those that are rewritten. */
	readonly wrong: number;
	readonly rewritten: number;
	/** The longest that this process was kept from its turn. */
	readonly longestHeldUpMs: number;
}

/** @param paths of the gateway's sockets: chassis, coupling */
export async function loadBuses(paths: readonly [string, string], perSecond: number, seconds: number): Promise<LoadResult> {
	const next = [0, 0];
	const counted = { received: 0, wrong: 0, rewritten: 0 };
	const receive = (from: Side) => (frame: CanFrame) => {
		if (frame.id === STATUS_ID) return;
		counted.received++;
		const { id, data, isFixed } = frameOf(from, next[from]!);
		const isChanged = data.compare(frame.data) !== 0;
		if (frame.id === id && isFixed && isChanged) counted.rewritten++;
		else if (frame.id !== id || isChanged) {
			counted.wrong++;
			// what lies between is lost
			if (frame.id >= NUMBERED_ID && frame.id < NUMBERED_ID + IDS) next[from] = Buffer.from(frame.data).readUInt32LE();
		}
		next[from]!++;
	};
	const links = [new BusLink(paths[0], receive(1)), new BusLink(paths[1], receive(0))];
	await until(() => links.every(({ connected }) => connected));
	await milliseconds(100); // the gateway knows both before the first frame
	const sent = [0, 0];
	let startMs = performance.now();
	let beforeMs = startMs;
	let longestHeldUpMs = 0;
	for (let nowMs = startMs; nowMs < startMs + 1000 * seconds + SETTLE_MS; nowMs = performance.now()) {
		const heldUpMs = nowMs - beforeMs - 2 * TURN_MS;
		if (heldUpMs > 0) startMs += heldUpMs;
		longestHeldUpMs = Math.max(longestHeldUpMs, heldUpMs);
		beforeMs = nowMs;
		for (const side of [0, 1] as const) {
			const due = Math.min(seconds * perSecond, Math.floor(((nowMs - startMs) * perSecond) / 1000));
			for (; sent[side]! < due; sent[side]!++) {
				const { id, data } = frameOf(side, sent[side]!);
				links[side]!.send(id, false, data);
			}
			links[side]!.flush();
		}
		await milliseconds(TURN_MS);
	}
	for (const link of links) link.close();
	const { received, ...rest } = counted;
	return { lost: 2 * seconds * perSecond - received, ...rest, longestHeldUpMs };
}
