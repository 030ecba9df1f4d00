/** Something that goes wrong for a while. */
import type { Drive } from "./drive.js";

export interface Fault {
	readonly name: string;
	readonly ms: number;
	/** For so long nothing need be noticed. Default: 0. */
	readonly toleratedMs?: number;
	/** From its end until all is as before, at most. */
	readonly backMs: number;
	/** The controller ends by it, or never recovers until it restarts. */
	readonly fatal?: true;
	/** What the log must say of it, and errors that it may have beside. */
	readonly logged?: RegExp | undefined;
	readonly errors?: RegExp;
	/** It has started the controller anew; or the controller itself has, which counts as a crash. */
	readonly boots?: true | "as a crash";
	readonly begin: (drive: Drive) => Promise<void> | void;
	readonly end?: (drive: Drive) => Promise<void> | void;
}

/** A bus has come back, or an intervention is over: the same or 1 s, then 25 % in 100 ms. */
export const BACK_SLOWLY_MS = 1500;
