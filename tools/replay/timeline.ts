/**
 * When the frames of a recording are played: in the order of the file, at the times that it says. Pauses
 * above 2 s have 2 s. A time that runs back does not. More frames at one time than two buses carry are played
 * one after the other.
 */

/** Longer than anything that the controller waits for. */
const LONGEST_PAUSE_US = 2_000_000;
/** Frames that one time stamp may have: two buses carry 20 in a millisecond. Loggers hand over bundles. */
const FRAMES_AT_ONCE = 50;
/** From then on each comes this much later. Source: some 1,900 frames a second on a real bus. */
const SPREAD_US = 500;

/** Gives each frame its time of play. */
export class Timeline {
	/** Pauses that were shortened, and what they had together. */
	pauses = 0;
	#cutUs = 0;
	/** Lines whose time is before the one of the line above. */
	runsBack = 0;
	/** Frames that came at one time with too many others. */
	spread = 0;
	readonly #fromZero: boolean;
	#lastUs: number | undefined;
	/** To be added to what the recording says. */
	#offsetUs = 0;
	#firstUs = 0;
	#playedUs = 0;
	#atOnce = 0;

	/** @param fromZero the first frame is at 0 s, else at its time, but not below 0 */
	constructor(fromZero = false) {
		this.#fromZero = fromZero;
	}

	/** @param timeUs as recorded. @returns microseconds, never less than before */
	play(timeUs: number): number {
		if (this.#lastUs === undefined) {
			this.#firstUs = this.#fromZero ? 0 : Math.max(0, timeUs);
			this.#playedUs = this.#firstUs;
			this.#offsetUs = this.#firstUs - timeUs;
		} else this.#goOn(timeUs);
		this.#lastUs = timeUs;
		return this.#playedUs;
	}

	#goOn(timeUs: number): void {
		if (timeUs < this.#lastUs!) this.runsBack++;
		const aheadUs = timeUs + this.#offsetUs - this.#playedUs;
		if (aheadUs > LONGEST_PAUSE_US) {
			this.pauses++;
			this.#cutUs += aheadUs - LONGEST_PAUSE_US;
			this.#offsetUs -= aheadUs - LONGEST_PAUSE_US;
		}
		// a clock that was set back, or another recording behind the first
		if (aheadUs < -LONGEST_PAUSE_US) this.#offsetUs -= aheadUs;
		const nextUs = timeUs + this.#offsetUs;
		if (nextUs > this.#playedUs) {
			this.#playedUs = nextUs;
			this.#atOnce = 0;
		} else if (++this.#atOnce >= FRAMES_AT_ONCE) {
			this.#playedUs += SPREAD_US;
			this.spread++;
		}
	}

	/** Time of the first frame. */
	get beginsAtS(): number {
		return this.#firstUs / 1e6;
	}

	/** How long it plays. */
	get seconds(): number {
		return (this.#playedUs - this.#firstUs) / 1e6;
	}

	/** A sentence for each kind of change. */
	said(): string[] {
		const said: string[] = [];
		if (this.pauses > 0)
			said.push(`${this.pauses} pauses above 2 s have 2 s now, ${(this.#cutUs / 1e6).toFixed(1)} s less together`);
		if (this.runsBack > 0) said.push(`the time runs back ${this.runsBack} times: the order of the file counts`);
		if (this.spread > 0)
			said.push(`${this.spread} frames stand at one time with too many others: they come every ${SPREAD_US / 1000} ms`);
		return said;
	}
}
