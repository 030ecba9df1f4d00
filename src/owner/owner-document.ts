/**
 * What is kept of the owner's password: enough to tell whether a text is the password or the key that it opens, and neither of the two.
 */

import type { DocumentForm } from "../storage/stored-document.js";
import { consistsOf, LOWER_HEX } from "../text/characters.js";

/** As it lies on flash. */
export interface OwnerRecord {
	/** Makes equal passwords of two controllers unequal, and the old key of a password that is set once more worthless; "" = there is no password. */
	readonly salt: string;
	/** Of the slow hash. */
	readonly rounds: number;
	/** SHA-256 of the key, lower-case hexadecimal. */
	readonly proof: string;
}

/** There is no password. */
export const NO_OWNER: OwnerRecord = Object.freeze({ salt: "", rounds: 0, proof: "" });

/** Hexadecimal digits of the salt: 128 bits. */
export const SALT_DIGITS = 32;
const PROOF_DIGITS = 64;
/**
 * Chosen: 130 s of a C6, by the 1.3 s that 10,000 take (hal/esp32/README.md, "The owner's password"). Nobody waits for more, so that twice is of no
 * use; half would still be 50 times as many as we take, and a file with more is none of ours.
 */
const ROUNDS_MAX = 1_000_000;

/** Its file. A record that is not whole can't be used. */
export const OWNER_DOCUMENT: DocumentForm<OwnerRecord> = Object.freeze({
	path: "owner.json",
	format: 1,
	maxBytes: 512,
	fallback: NO_OWNER,
	read(fields) {
		const digits = (name: string, length: number): string => {
			const value = fields[name];
			if (typeof value === "string" && value.length === length && consistsOf(value, LOWER_HEX)) return value;
			// what stands there may be worth guessing at: it is not told
			throw new RangeError(`${name} is not allowed; allowed: ${length} hexadecimal digits`);
		};
		const { salt, rounds } = fields;
		if (salt === "") return NO_OWNER;
		if (typeof rounds !== "number" || !Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX)
			throw new RangeError(`rounds is not allowed; allowed: 1..${ROUNDS_MAX}`);
		return { salt: digits("salt", SALT_DIGITS), rounds, proof: digits("proof", PROOF_DIGITS) };
	},
	write: (owner) => ({ ...owner }),
} satisfies DocumentForm<OwnerRecord>);
