/** Writes a candump log of the simulated car: the same every time. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Generation } from "../../tools/vehicle/chassis.js";
import { CYCLES } from "../../tools/vehicle/cycles.js";
import { candumpLine } from "../../tools/vehicle/frame.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";

const START_US = 1_700_000_000_000_000;

/**
 * @param seconds of simulated time; both buses' frames go in, the coupling's ECU hears none of the
 * controller's
 */
export function writeDriveLog(path: string, generation: Generation, seconds: number, cycle: keyof typeof CYCLES = "city"): void {
	const vehicle = new Vehicle(generation, CYCLES[cycle]);
	const file = openSync(path, "w");
	let lines = "";
	for (let ms = 0; ms < seconds * 1000; ms++) {
		const line = (bus: string) => (id: number, extended: boolean, data: Uint8Array) => {
			lines += candumpLine(START_US + ms * 1000, bus, { id, extended, rtr: false, data });
		};
		vehicle.step(line("can0"), line("can1"));
		if (lines.length > 1 << 16) {
			writeSync(file, lines);
			lines = "";
		}
	}
	writeSync(file, lines);
	closeSync(file);
}
