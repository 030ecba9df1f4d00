/**
 * The coupling's control unit on the bench: answers diagnosis that arrives on the coupling bus. Of its other
 * frames the bench has better ones.
 */
import { CouplingEcu } from "../../tools/vehicle/coupling-ecu.js";
import type { Bench } from "./bench-car.js";
import type { Generation } from "./car-rows.js";
import { every, now } from "./wait.js";

const STEP_MS = 5;
export const UDS_RESPONSE = 0x779;

const isDiagnosis = (id: number): boolean => id === UDS_RESPONSE || id === 0x20a || id === 0x300;

export class ControlUnitPeer {
	readonly ecu: CouplingEcu;
	readonly #bench: Bench;
	#read = 0;
	#nowMs = now();
	readonly #stop: () => void;

	/** @param generation of the control unit; default: the car's */
	constructor(bench: Bench, generation: Generation = bench.generation) {
		this.#bench = bench;
		this.ecu = new CouplingEcu(generation);
		this.#read = bench.coupling.arrived.length;
		this.#stop = every(STEP_MS, () => this.#step());
	}

	end(): void {
		this.#stop();
	}

	#step(): void {
		const { arrived } = this.#bench.coupling;
		for (; this.#read < arrived.length; this.#read++) this.ecu.receive(arrived[this.#read], this.#nowMs);
		while (this.#nowMs < now())
			this.ecu.step(++this.#nowMs, true, (id, extended, data) => {
				if (isDiagnosis(id)) this.#bench.coupling.send([{ id, extended, rtr: false, data: Uint8Array.from(data) }]);
			});
	}
}
