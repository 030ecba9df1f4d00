// Both buses of a car full of frames, as a log for --replay: the car's own, and fillers that tell when they
// came.
import { readFileSync, writeFileSync } from "node:fs";
import { EXTENDED } from "../../tools/campaign/frame-judge.js";
import { HostileCar } from "../../tools/campaign/hostile-car.js";

/** Frames a second on each bus: 500 kbit/s hold no more of 8 bytes. */
const FULL_BUS = 4504;
const FILLER_ID = 0x7a0;

const stamp = (us: number): string => `(${String(Math.floor(us / 1e6)).padStart(4, "0")}.${String(us % 1e6).padStart(6, "0")})`;
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");

/** Writes such a log of a car of generation 5 at this speed. @returns how many frames each bus has */
export function writeFullBuses(path: string, seconds: number, kmh: number): [number, number] {
	const car = new HostileCar(5);
	car.speedKmh = kmh;
	const count: [number, number] = [0, 0];
	const lines: string[] = [];
	for (let ms = 0; ms < seconds * 1000; ms++) {
		car.step(ms, (bus, { id, flags, data }) => {
			lines.push(`${stamp(ms * 1000)} can${bus} ${hex(id, flags & EXTENDED ? 8 : 3)}#${Buffer.from(data).toString("hex")}\n`);
			count[bus]++;
		});
		const full = Math.floor(((ms + 1) * FULL_BUS) / 1000);
		// the rest of the millisecond, one after the other
		for (const bus of [0, 1] as const)
			for (let us = ms * 1000 + 111 * (bus + 1); count[bus] < full; count[bus]++, us += 222)
				lines.push(`${stamp(us)} can${bus} ${hex(FILLER_ID, 3)}#${hex(us, 16)}\n`);
	}
	lines.sort();
	writeFileSync(path, lines.join(""));
	return count;
}

/**
 * Of a recording of what left on the coupling bus: how many there were, and how old the oldest filler was,
 * ms.
 */
export function readFillers(path: string): { count: number; oldestMs: number } {
	const fillers = [...readFileSync(path, "utf8").matchAll(/^\((\d+)\.(\d{6})\) \w+ 7A0#(\w{16})$/gm)];
	const ages = fillers.map(([, s, us, cameUs]) => Number(s) * 1e6 + Number(us) - Number.parseInt(cameUs, 16));
	return { count: fillers.length, oldestMs: ages.reduce((most, age) => Math.max(most, age), 0) / 1000 };
}
