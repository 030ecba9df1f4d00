/**
 * The owner's password: its slow hash, the key that it opens, attempts one after the other. What is kept is
 * enough to tell whether a text is the password or the key, and neither of the two.
 */

import type { SlowHashPort } from "../../hal/ports.js";
import type { DigestPort } from "../../hal/update-port.js";
import type { DocumentForm } from "../storage/stored-document.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf, LOWER_HEX } from "../text/characters.js";
import { bytesOfHexadecimal, hexadecimal } from "../text/hexadecimal.js";

/** As it lies on flash. */
export interface OwnerRecord {
	/**
	 * Makes equal passwords of two controllers unequal, and the old key of a password worthless; "" = there
	 * is no password.
	 */
	readonly salt: string;
	/** Rounds of the slow hash. */
	readonly rounds: number;
	/** SHA-256 of the key, lower-case hexadecimal. */
	readonly proof: string;
}

/** There is no password. */
export const NO_OWNER: OwnerRecord = Object.freeze({ salt: "", rounds: 0, proof: "" });

/** Hexadecimal digits of the salt: 128 bits. */
const SALT_DIGITS = 32;
const PROOF_DIGITS = 64;
/** 130 s of a C6 (hal/esp32/README.md, "The owner's password"): a file with more is not ours. */
const ROUNDS_MAX = 1_000_000;

/** The file of the owner's record. An incomplete record can't be used. */
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

/** Length of a password in UTF-8. Shorter ones are guessed, longer ones are not typed. */
export const PASSWORD_BYTES_MIN = 8;
export const PASSWORD_BYTES_MAX = 64;
/** Hexadecimal digits of a key: 128 bits. */
export const KEY_DIGITS = 32;

/** Rounds of the slow hash: 1.3 s of a C6 (`hal/esp32/README.md`, "The owner's password"). */
export const ROUNDS = 10_000;
/** Rounds in one turn of the event loop, so that a control tick waits for 1 ms at the most. */
export const ROUNDS_PER_TURN = 8;
/**
 * Pause after a wrong password: seven guesses take 16 s, so the owner is answered within `answerTimeoutMs`.
 */
export const PAUSE_MS = 1000;

interface OwnerPorts {
	/** On flash after the last step. @throws {Error} why not */
	readonly store: (owner: OwnerRecord) => Steps;
	readonly writes: WriteQueue;
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly newHash: (password: Uint8Array, salt: Uint8Array) => SlowHashPort;
	readonly newDigest: () => DigestPort;
	/** Bytes that nobody can guess. */
	readonly random: (count: number) => Uint8Array;
	readonly log: (level: "EVENT" | "WARN", message: string) => void;
}

/** A password that waits for its slow hash. */
interface Attempt {
	readonly password: Uint8Array;
	/** False once no client waits for it. */
	readonly isWanted: () => boolean;
	readonly salt: string;
	readonly rounds: number;
	/** @returns false if it was wrong */
	readonly done: (key: string) => boolean;
}

/** One for the controller. Answers come in callbacks, for a hash takes many turns. */
export class Owner {
	/** How often a password was set or removed: who may change something when it is 3 may until it is 4. */
	changes = 0;
	#record: OwnerRecord;
	#proof: Uint8Array;
	readonly #ports: OwnerPorts;
	/** The first one is being worked on. */
	#attempts: readonly Attempt[] = [];
	#hash: SlowHashPort | undefined;
	#roundsLeft = 0;
	#turnIsDue = false;
	readonly #onTurn = (): void => this.#turn();

	constructor(record: OwnerRecord, ports: OwnerPorts) {
		this.#record = record;
		this.#proof = bytesOfHexadecimal(record.proof);
		this.#ports = ports;
	}

	/** There is a password: a client that changes something needs its key. */
	get passwordSet(): boolean {
		return this.#record.salt !== "";
	}

	/** Whether `bytes[start, end)` are the key. Takes as long for a wrong one as for the right one. */
	accepts(bytes: Uint8Array, start: number, end: number): boolean {
		return this.passwordSet && end - start === KEY_DIGITS && this.#isProvenBy(bytes.slice(start, end));
	}

	/**
	 * Looks for the key of a password.
	 * @param done told the key, or undefined for a wrong password; not told if nobody wants it any more
	 */
	signIn(password: string, isWanted: () => boolean, done: (key: string | undefined) => void): void {
		const { salt, rounds } = this.#record;
		this.#begin(password, salt, rounds, isWanted, (key) => {
			// another password may have been set since it was asked
			const isRight = this.#record.salt === salt && this.#isProvenBy(encodeUtf8(key));
			done(isRight ? key : undefined);
			return isRight;
		});
	}

	/**
	 * Sets the password; every key of the one before is worthless then.
	 * @param done told the new key, or undefined: it could not be stored, or another password was set
	 * meanwhile
	 */
	setPassword(password: string, isWanted: () => boolean, done: (key: string | undefined) => void): void {
		const salt = hexadecimal(this.#ports.random(SALT_DIGITS / 2));
		const asked = this.#record;
		this.#begin(password, salt, ROUNDS, isWanted, (key) => {
			const record = { salt, rounds: ROUNDS, proof: hexadecimal(this.#proofOf(encodeUtf8(key))) };
			this.#store(record, "was set", asked, (isStored) => done(isStored ? key : undefined));
			return true;
		});
	}

	/** @param done told false if that could not be stored, or if another password was set meanwhile */
	removePassword(done: (isStored: boolean) => void): void {
		this.#store(NO_OWNER, "was removed", this.#record, done);
	}

	/** The BOOT key was held: forgets the password at once, also if that can't be stored. */
	reset(): void {
		if (!this.passwordSet) return;
		this.#take(NO_OWNER);
		this.#store(NO_OWNER, "was removed", undefined, (isStored) => {
			// another one may just have been on its way to the flash
			this.#take(NO_OWNER);
			if (!isStored)
				this.#ports.log("WARN", "the owner's password is forgotten, but back at the next start: it could not be stored");
		});
	}

	/** @param asked what must still be active, for a client that had its key; undefined = any */
	#store(record: OwnerRecord, what: string, asked: OwnerRecord | undefined, done: (isStored: boolean) => void): void {
		this.#ports.writes.add(this.#storing(record, what, asked, done));
	}

	*#storing(record: OwnerRecord, what: string, asked: OwnerRecord | undefined, done: (isStored: boolean) => void): Steps {
		const { salt } = this.#record;
		const isAllowed = asked === undefined || asked.salt === salt || record.salt === salt;
		let isStored = false;
		try {
			if (isAllowed) yield* this.#ports.store(record);
			isStored = isAllowed;
		} catch {
			// its caller answers
		}
		if (isStored) {
			this.#take(record);
			this.#ports.log("EVENT", `the owner's password ${what}`);
		}
		done(isStored);
	}

	#take(record: OwnerRecord): void {
		this.changes++;
		this.#record = record;
		this.#proof = bytesOfHexadecimal(record.proof);
	}

	#proofOf(key: Uint8Array): Uint8Array {
		const digest = this.#ports.newDigest();
		digest.write(key);
		return new Uint8Array(digest.close());
	}

	/** Looks at every byte, whatever the first ones are. */
	#isProvenBy(key: Uint8Array): boolean {
		const proof = this.#proofOf(key);
		const stored = this.#proof;
		let difference = 0;
		for (let i = 0; i < proof.length; i++) difference |= proof[i] ^ stored[i];
		return difference === 0;
	}

	#begin(password: string, salt: string, rounds: number, isWanted: () => boolean, done: (key: string) => boolean): void {
		// attempts of clients that have gone are dropped, except for the running one
		const waiting = this.#attempts.filter((attempt, i) => i === 0 || attempt.isWanted());
		this.#attempts = [...waiting, { password: encodeUtf8(password), isWanted, salt, rounds, done }];
		this.#takeTurn(0);
	}

	#takeTurn(delayMs: number): void {
		if (this.#turnIsDue) return;
		this.#turnIsDue = true;
		this.#ports.later(this.#onTurn, delayMs);
	}

	/** Computes `ROUNDS_PER_TURN` more rounds for the first attempt. */
	#turn(): void {
		this.#turnIsDue = false;
		const attempt = this.#attempts[0];
		if (attempt === undefined) return;
		if (!attempt.isWanted()) this.#next(0);
		else if (this.#hash === undefined) {
			this.#hash = this.#ports.newHash(attempt.password, encodeUtf8(attempt.salt));
			this.#roundsLeft = attempt.rounds - 1;
			this.#takeTurn(0);
		} else if (this.#roundsLeft > 0) {
			const rounds = Math.min(this.#roundsLeft, ROUNDS_PER_TURN);
			this.#hash.add(rounds);
			this.#roundsLeft -= rounds;
			this.#takeTurn(0);
		} else {
			const key = hexadecimal(new Uint8Array(this.#hash.close(), 0, KEY_DIGITS / 2));
			this.#hash = undefined;
			this.#next(attempt.done(key) ? 0 : PAUSE_MS);
		}
	}

	#next(delayMs: number): void {
		this.#hash?.close();
		this.#hash = undefined;
		this.#attempts = this.#attempts.slice(1);
		if (this.#attempts.length > 0 || delayMs > 0) this.#takeTurn(delayMs);
	}
}

/** 8 to 64 bytes of text without control characters. */
export function isOwnerPassword(text: string): boolean {
	const bytes = encodeUtf8(text);
	if (bytes.length < PASSWORD_BYTES_MIN || bytes.length > PASSWORD_BYTES_MAX) return false;
	return bytes.every((byte) => byte >= 0x20 && byte !== 0x7f);
}
