/**
 * Runs a vehicle in real time on two sockets, and records the coupling bus. Simulated time follows the
 * monotonic clock; after a pause of the process (a suspended terminal) it does not catch up with a burst.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { BusLink } from "./bus-link.js";
import { candumpLine } from "./frame.js";
import type { Vehicle } from "./vehicle.js";

const TICK_MS = 2;
const MAX_CATCH_UP_MS = 50;

/** Since this process has started. */
const nowMs = (): number => Math.floor(performance.now());
/** Since 1970. */
const nowUs = (): number => 1000 * (performance.timeOrigin + performance.now());

export class VehicleRunner {
	readonly vehicle: Vehicle;
	readonly chassis: BusLink;
	readonly coupling: BusLink;
	#timer: NodeJS.Timeout | undefined;
	#recordFile: number | undefined;
	#recordText = "";
	/** Where the car's time stands on the clock of this process. */
	#simulatedMs = 0;

	/**
	 * Connects; the car waits for `begin`.
	 * @param recordPath log of what arrives on the coupling bus.
	 * @throws {Error} the record can't be written
	 */
	constructor(vehicle: Vehicle, paths: { chassis: string; coupling: string }, recordPath?: string) {
		this.vehicle = vehicle;
		if (recordPath !== undefined) this.#recordFile = openSync(recordPath, "w");
		// frames that the controller sends back on the chassis bus are for other ECUs
		this.chassis = new BusLink(paths.chassis, () => {});
		this.coupling = new BusLink(paths.coupling, (frame) => {
			vehicle.receiveOnCouplingBus(frame);
			if (this.#recordFile !== undefined) this.#recordText += candumpLine(nowUs(), "can1", frame);
		});
	}

	/** Sets the car in motion; call once, when the buses are connected. */
	begin(): void {
		this.#simulatedMs = nowMs();
		this.#timer = setInterval(() => this.#tick(), TICK_MS);
	}

	/** Stops the car, closes the links, completes the record. Idempotent. */
	close(): void {
		clearInterval(this.#timer);
		this.chassis.close();
		this.coupling.close();
		this.#writeRecord();
		if (this.#recordFile !== undefined) closeSync(this.#recordFile);
		this.#recordFile = undefined;
	}

	#tick(): void {
		const endMs = nowMs();
		this.#simulatedMs = Math.max(this.#simulatedMs, endMs - MAX_CATCH_UP_MS);
		for (; this.#simulatedMs < endMs; this.#simulatedMs += 1) {
			this.vehicle.step(
				(id, extended, data) => this.chassis.send(id, extended, data),
				(id, extended, data) => this.coupling.send(id, extended, data),
			);
		}
		this.chassis.flush();
		this.coupling.flush();
		this.#writeRecord();
	}

	#writeRecord(): void {
		if (this.#recordFile === undefined || this.#recordText === "") return;
		writeSync(this.#recordFile, this.#recordText);
		this.#recordText = "";
	}
}
