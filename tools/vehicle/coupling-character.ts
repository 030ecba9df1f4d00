/**
 * How a coupling answers what is asked of it: how far it closes for each share of full scale, how late, and how much its plates stick.
 * No two are alike, and none is as the reference's line has it; `BENT` is one of them, for calibration to find out.
 */

export interface CouplingCharacter {
	/** Engagement in percent at rest. @param share 0..1 of the full scale of the bytes that ask */
	readonly reaches: (share: number) => number;
	/** Nothing moves before the wanted engagement is so far away, percent. */
	readonly frictionPercent: number;
	/** From a frame to the first movement, ms. */
	readonly delayMs: number;
}

/** Nothing up to 22 %, steep behind that, and never more than 92 %. */
export const BENT: CouplingCharacter = Object.freeze({
	reaches: (share: number) => Math.min(92, 118 * Math.max(0, share - 0.22) ** 0.8),
	frictionPercent: 0.5,
	delayMs: 40,
});

/** A clutch of this character: takes what is asked, millisecond by millisecond, and says where its plates are drawn to. */
export class CharacterfulClutch {
	readonly #character: CouplingCharacter;
	readonly #asked: number[] = [];
	#heldPercent = 0;

	constructor(character: CouplingCharacter) {
		this.#character = character;
	}

	/** Advances by 1 ms. @param share 0..1; undefined = nobody asks @returns percent */
	step(share: number | undefined): number {
		const { reaches, frictionPercent, delayMs } = this.#character;
		this.#asked.push(share === undefined ? 0 : reaches(share));
		const wanted = this.#asked.length > delayMs ? (this.#asked.shift() as number) : 0;
		this.#heldPercent = Math.min(wanted + frictionPercent, Math.max(wanted - frictionPercent, this.#heldPercent));
		return Math.max(0, this.#heldPercent);
	}
}
