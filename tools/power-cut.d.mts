export interface Figures {
	readonly name: string;
	/** Storage operations of the scenario without a cut. */
	readonly operations: number;
	readonly cuts: number;
	/** Cuts that were not reached: the run made fewer operations than the first. */
	readonly missed: number;
	/** What was wrong, a sentence each. */
	readonly wrong: readonly string[];
}
export function campaign(options?: { readonly every?: number; readonly grep?: string }): Promise<Figures[]>;
