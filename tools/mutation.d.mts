import type { Mutant } from "./mutation/mutants.mjs";

export interface MutationOptions {
	every?: number;
	part?: [n: number, m: number];
	grep?: string;
	sideBySide?: number;
}
export interface MutationResult {
	mutants: number;
	explained: number;
	unexplained: Mutant[];
	/** Explained, but killed. */
	stale: string[];
}
export function mutation(options?: MutationOptions): Promise<MutationResult>;
