export interface Row {
	readonly name: string;
	readonly per: string;
	readonly instructions: number;
	readonly turnInstructions: number;
	readonly bytecodes: number;
	readonly turnHeapBytes: number;
	readonly collections: number;
}
export interface Baseline {
	readonly madeWith: Readonly<Record<string, string>>;
	/** Instructions, and those of the dearest turn. */
	readonly counts: Readonly<Record<string, readonly [number, number]>>;
}
export const TURN_INSTRUCTIONS: number;
export function toolsOf(program: Uint8Array): Record<string, string>;
export function readBaseline(): Baseline;
export function compare(
	rows: readonly Row[],
	baseline: Baseline,
	options: { isWhole: boolean },
): { grown: string[]; fallen: string[] };
