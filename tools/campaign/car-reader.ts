/** Reads out of the car's frames what the judge of commands looks at, from `docs/control-and-can.md` 2; shares no code with `src/`. */
import type { Bus } from "./lockstep.js";
import type { Generation } from "./tables.js";

/** What a frame told; each frame may tell several things. */
export interface Listener {
	speed(ms: number, kmh: number): void;
	pedal(ms: number, percent: number): void;
	engine(ms: number, rpm: number): void;
	/** Of ABS and ESP. */
	flags(ms: number, set: boolean): void;
	/** Whether the driver has switched ESP or ASR off: the signal of the recommended trigger. */
	trigger(ms: number, on: boolean): void;
	hazardLights(ms: number, on: boolean): void;
	/** Magnitude of the steering wheel's angle, where it is valid. */
	steering(ms: number, deg: number): void;
	/** A frame of the angle does not verify. */
	steeringDoubted(ms: number): void;
	/** The coupling reports. @param hot it is too hot, or faulty */
	feedback(ms: number, hot: boolean): void;
}

/** Where the hazard lights' switch is said, which the recommended condition looks at, and its name in the settings. */
export const HAZARD = {
	pq: { id: 0x390, byte: 6, mask: 0x80, key: "chassis|0x390|gk1 hazard light status|" },
	mqb: { id: 0x366, byte: 2, mask: 0x10, key: "chassis|0x366|hazard switch|" },
} as const;
type Hazard = (typeof HAZARD)[keyof typeof HAZARD];

/** Identifiers that are read below. */
const SIGNALS_TOLD = [0x086, 0x0b2, 0x0c2, 0x0fd, 0x121, 0x0a8, 0x1a0, 0x280, 0x118, 0x2c0];
const TOLD = new Set<number>([...SIGNALS_TOLD, HAZARD.pq.id, HAZARD.mqb.id]);

/** @returns false if such a frame tells nothing */
export function readFrame(
	listener: Listener,
	generation: Generation,
	ms: number,
	bus: Bus,
	id: number,
	data: Uint8Array,
): boolean {
	if (!TOLD.has(id)) return false;
	if (bus === 1) readCoupling(listener, generation, ms, id, data);
	else if (generation === 5) readMqb(listener, ms, id, data);
	else readPq(listener, ms, id, data);
	return true;
}

const wordOf = (data: Uint8Array, at: number): number => data[at] | (data[at + 1] << 8);

function readMqb(listener: Listener, ms: number, id: number, data: Uint8Array): void {
	if (id === 0x0b2 && data.length === 8) {
		const wheels = [0, 2, 4, 6].map((at) => wordOf(data, at));
		if (wheels.every((raw) => raw < 0xfffd)) listener.speed(ms, wheels.reduce((sum, raw) => sum + raw, 0) * 0.001875);
	}
	if (id === 0x0fd && data.length === 8) {
		listener.flags(ms, (data[7] & 0b0011_0101) !== 0);
		if (wordOf(data, 4) < 0xfffd && (data[6] & 0x80) === 0) listener.speed(ms, wordOf(data, 4) * 0.01);
		listener.trigger(ms, (data[6] & 0x02) !== 0);
	}
	if (id === 0x121 && data.length >= 3) {
		const raw = (data[1] >> 4) | ((data[2] & 0x0f) << 4);
		if (raw < 0xfe && (data[2] & 0x10) === 0) listener.pedal(ms, raw * 0.4);
	}
	if (id === 0x0a8 && data.length === 8 && wordOf(data, 6) < 0xfffd && (data[5] & 0x80) === 0)
		listener.engine(ms, wordOf(data, 6) * 0.25);
	if (id === 0x086 && data.length >= 4 && (data[1] & 0x80) === 0) {
		const raw = wordOf(data, 2) & 0x1fff;
		if (raw <= 8000) listener.steering(ms, raw * 0.1);
	}
	readHazard(listener, HAZARD.mqb, ms, id, data);
}

function readPq(listener: Listener, ms: number, id: number, data: Uint8Array): void {
	if (id === 0x1a0 && data.length >= 4) {
		listener.flags(ms, (data[0] & 0b0001_1110) !== 0);
		if (wordOf(data, 2) >> 1 <= 0x7f7f) listener.speed(ms, (wordOf(data, 2) >> 1) * 0.01);
		if (data.length === 8) listener.trigger(ms, (data[7] & 0x20) !== 0);
	}
	if (id === 0x280 && data.length >= 6) {
		if (data[5] < 0xfe) listener.pedal(ms, data[5] * 0.4);
		if (wordOf(data, 2) <= 0xfe00) listener.engine(ms, wordOf(data, 2) * 0.25);
	}
	if (id === 0x0c2 && data.length >= 6 && (data[5] & 0x06) === 0) {
		const raw = wordOf(data, 0) & 0x7fff;
		if (raw <= 0x7f7f) listener.steering(ms, raw * 0.04375);
		const sum = data[0] + data[1] + data[2] + data[3] + data[5];
		if (data.length === 8 && data[7] !== ((0xff - sum) & 0xff)) listener.steeringDoubted(ms);
	}
	readHazard(listener, HAZARD.pq, ms, id, data);
}

function readHazard(listener: Listener, hazard: Hazard, ms: number, id: number, data: Uint8Array): void {
	if (id === hazard.id && data.length > hazard.byte) listener.hazardLights(ms, (data[hazard.byte] & hazard.mask) !== 0);
}

function readCoupling(listener: Listener, generation: Generation, ms: number, id: number, data: Uint8Array): void {
	const isMqb = generation === 5;
	if (id !== (isMqb ? 0x118 : 0x2c0) || data.length < (isMqb ? 3 : 2)) return;
	const raw = isMqb ? data[2] : data[1];
	// codes: initialising and "open at once", and error; none in 0x118 but FF
	if (raw === 0xff || (!isMqb && raw === 0x7f)) return;
	listener.feedback(ms, !isMqb && (data[0] & 0b0001_0111) !== 0);
}
