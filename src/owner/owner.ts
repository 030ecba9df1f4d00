/**
 * The owner's password: its slow hash, the key that it opens, attempts one after the other. The record proves
 * a password or key, and contains neither.
 */

import type { SlowHashPort } from "../../hal/ports.js";
import type { DigestPort } from "../../hal/update-port.js";
import type { DocumentForm } from "../storage/stored-document.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf, LOWER_HEX } from "../text/characters.js";
import { bytesOfHexadecimal, hexadecimal } from "../text/hexadecimal.js";

/** The owner's password, as it lies on flash. */
export interface OwnerRecord {
	/** Makes equal passwords unequal, and old keys worthless; "" = there is no password. */
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

/** An incomplete record can't be used. */
export const OWNER_DOCUMENT: DocumentForm<OwnerRecord> = Object.freeze({
	path: "owner.json",
	format: 1,
	maxBytes: 512,
	fallback: NO_OWNER,
	read(fields) {
		const digits = (name: string, length: number): string => {
			const value = fields[name];
			if (typeof value === "string" && value.length === length && consistsOf(value, LOWER_HEX)) return value;
			// the value is a secret
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

/** In UTF-8. Shorter ones are guessed, longer ones are not typed. */
export const PASSWORD_BYTES_MIN = 8;
export const PASSWORD_BYTES_MAX = 64;
/** Hexadecimal digits of a key: 128 bits. */
export const KEY_DIGITS = 32;

/** Rounds of the slow hash: 1.3 s of a C6 (`hal/esp32/README.md`, "The owner's password"). */
export const ROUNDS = 10_000;
/** Rounds in a turn of the event loop: a control tick waits for 1 ms at most. */
export const ROUNDS_PER_TURN = 8;
/** After a wrong password: seven guesses take 16 s, so the owner is answered within `answerTimeoutMs`. */
export const PAUSE_MS = 1000;

interface OwnerPorts {
	/** On flash after the last step. @throws {Error} why not */
	readonly store: (owner: OwnerRecord) => Steps;
	readonly writes: WriteQueue;
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly newHash: (password: Uint8Array, salt: Uint8Array) => SlowHashPort;
	readonly newDigest: () => DigestPort;
	readonly random: (count: number) => Uint8Array;
	readonly log: (level: "EVENT" | "WARN", message: string) => void;
}

/** A password that waits for its slow hash. */
interface Attempt {
	readonly password: Uint8Array;
	/** False once the client has gone. */
	readonly isWanted: () => boolean;
	readonly salt: string;
	readonly rounds: number;
	/** @returns false if it was wrong */
	readonly done: (key: string) => boolean;
}

/** Answers come in callbacks, for a hash takes many turns. */
export class Owner {
	/** Rises when a password is set or removed. */
	changes = 0;
	#record: OwnerRecord;
	#proof: Uint8Array;
	readonly #ports: OwnerPorts;
	/** The first one runs. */
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

	/** A client that changes something needs the key. */
	get passwordSet(): boolean {
		return this.#record.salt !== "";
	}

	/** Whether it is the key, in the same time for a wrong one. */
	accepts(key: string): boolean {
		return this.passwordSet && key.length === KEY_DIGITS && this.#isProvenBy(key);
	}

	/** @param done gets the key, undefined = the password is wrong; not called once `isWanted` is false */
	signIn(password: string, isWanted: () => boolean, done: (key: string | undefined) => void): void {
		const { salt, rounds } = this.#record;
		this.#begin(password, salt, rounds, isWanted, (key) => {
			// another password may have been set meanwhile
			const isRight = this.#record.salt === salt && this.#isProvenBy(key);
			done(isRight ? key : undefined);
			return isRight;
		});
	}

	/**
	 * Makes every old key worthless.
	 * @param done the new key; undefined = it could not be stored, or another password was set meanwhile
	 */
	setPassword(password: string, isWanted: () => boolean, done: (key: string | undefined) => void): void {
		const salt = hexadecimal(this.#ports.random(SALT_DIGITS / 2));
		const asked = this.#record;
		this.#begin(password, salt, ROUNDS, isWanted, (key) => {
			const record = { salt, rounds: ROUNDS, proof: hexadecimal(this.#proofOf(key)) };
			this.#ports.writes.add(this.#storing(record, "was set", asked, (isStored) => done(isStored ? key : undefined)));
			return true;
		});
	}

	/** @param done false = it could not be stored, or another password was set meanwhile */
	removePassword(done: (isStored: boolean) => void): void {
		this.#ports.writes.add(this.#storing(NO_OWNER, "was removed", this.#record, done));
	}

	/** The BOOT key was held: forgets the password at once, even if that can't be stored. */
	reset(): void {
		if (!this.passwordSet) return;
		this.#take(NO_OWNER);
		const { log, writes } = this.#ports;
		const done = (isStored: boolean): void => {
			// another one may just have been stored
			this.#take(NO_OWNER);
			if (!isStored) log("WARN", "the owner's password is forgotten, but back at the next start: it could not be stored");
		};
		writes.add(this.#storing(NO_OWNER, "was removed", undefined, done));
	}

	/** @param asked must still be active; undefined = any */
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

	#proofOf(key: string): Uint8Array {
		const digest = this.#ports.newDigest();
		digest.write(encodeUtf8(key));
		return new Uint8Array(digest.close());
	}

	/** Compares every byte. */
	#isProvenBy(key: string): boolean {
		const proof = this.#proofOf(key);
		const stored = this.#proof;
		let difference = 0;
		for (let i = 0; i < proof.length; i++) difference |= proof[i] ^ stored[i];
		return difference === 0;
	}

	#begin(password: string, salt: string, rounds: number, isWanted: () => boolean, done: (key: string) => boolean): void {
		// drop attempts of clients that have gone, except for the running one
		const waiting = this.#attempts.filter((attempt, i) => i === 0 || attempt.isWanted());
		this.#attempts = [...waiting, { password: encodeUtf8(password), isWanted, salt, rounds, done }];
		this.#takeTurn(0);
	}

	#takeTurn(delayMs: number): void {
		if (this.#turnIsDue) return;
		this.#turnIsDue = true;
		this.#ports.later(this.#onTurn, delayMs);
	}

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
