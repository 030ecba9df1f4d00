/** One signature that is being looked at, and who waits for it. */

import type { SignaturePort } from "../../hal/update-port.js";
import type { Signed } from "./image-trailer.js";

/** The check runs in a thread of the platform; call `tick` until the answer is there. */
export class SignatureWatch {
	readonly #begin: (signed: Signed) => SignaturePort;
	readonly #log: (problem: string) => void;
	#check: SignaturePort | undefined;
	#done: ((isRight: boolean) => void) | undefined;

	/** @param begin begins to look. @throws {Error} why it can't, which `log` is told */
	constructor(begin: (signed: Signed) => SignaturePort, log: (problem: string) => void) {
		this.#begin = begin;
		this.#log = log;
	}

	/**
	 * @param done told whether it is right, from `tick`, unless it is dropped; false at once if it can't be
	 * looked at
	 */
	begin(signed: Signed, done: (isRight: boolean) => void): void {
		this.giveUp();
		try {
			this.#check = this.#begin(signed);
			this.#done = done;
		} catch (error) {
			this.#log(`a signature can't be looked at: ${(error as Error).message}`);
			done(false);
		}
	}

	/** Call several times per second. */
	tick(): void {
		const result = this.#check?.result() ?? -1;
		if (result < 0) return;
		const done = this.#done;
		this.giveUp();
		done?.(result === 1);
	}

	/** Idempotent. */
	giveUp(): void {
		this.#check?.close();
		this.#check = this.#done = undefined;
	}
}
