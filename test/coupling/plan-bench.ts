// A frame plan behind the interpreter: hex frames in, hex frames out.
import { commandFactor } from "../../src/controller/lock-factor.js";
import type { FrameProfile, Generation } from "../../src/coupling/couplings/couplings.js";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { ALL_GROUPS } from "../../src/coupling/plan-format.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";

export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.split(" ").map((byte) => Number.parseInt(byte, 16)));
export const hexOf = (bytes: Uint8Array): string =>
	[...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");

export class PlanBench {
	readonly #interpreter = new PlanInterpreter();
	readonly #profile: FrameProfile;

	constructor(plan: Uint8Array, profile: FrameProfile) {
		this.#profile = profile;
		this.#interpreter.load(plan);
	}

	static of(generation: Exclude<Generation, 0>, profile: FrameProfile, mode = 9): PlanBench {
		return new PlanBench(framePlan(generation, profile, mode), profile);
	}

	/** The frame that leaves at a lock percentage. Counters go on from call to call. */
	rewrite(lockPercent: number, id: number, hex: string, groups = ALL_GROUPS): string {
		return this.pass(commandFactor(lockPercent, null, this.#profile), id, hex, groups);
	}

	/** The frame as a car sends it: with the checksums that the plan demands. */
	sealed(id: number, hex: string): string {
		const data = bytesOf(hex);
		this.#interpreter.commit(0, ALL_GROUPS);
		return hexOf(this.#interpreter.sealed(0, id, data.length, data));
	}

	/** The same for a factor. */
	pass(factor: number, id: number, hex: string, groups = ALL_GROUPS): string {
		const data = bytesOf(hex);
		this.#interpreter.commit(factor, groups);
		return hexOf(this.#interpreter.pass(0, id, data.length, data));
	}
}
