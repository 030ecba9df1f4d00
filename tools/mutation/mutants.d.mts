export interface Mutant {
	file: string;
	/** The whole source. */
	text: string;
	line: number;
	was: string;
	is: string;
}
export function mutantsOf(file: string, source: string): Generator<Mutant>;
