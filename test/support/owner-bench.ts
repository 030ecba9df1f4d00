/** An owner on Node's cryptography, in a time that the test lets pass. */
import { createHash, pbkdf2Sync } from "node:crypto";
import type { SlowHashPort } from "../../hal/ports.js";
import { NO_OWNER, Owner, type OwnerRecord } from "../../src/owner/owner.js";
import type { Steps, WriteQueue } from "../../src/storage/write-queue.js";
import { anEagerQueue, ManualTime } from "./memory-files.js";

export class OwnerBench extends ManualTime {
	readonly owner: Owner;
	readonly stored: OwnerRecord[] = [];
	readonly told: string[] = [];
	/** Storing fails. */
	full = false;
	/** Rounds that one turn did at the most, and passwords that were begun. */
	mostRounds = 0;
	hashed: string[] = [];
	#salts = 0;

	/** @param waiting takes what is to be written, instead of its being written at once */
	constructor(record: OwnerRecord = NO_OWNER, waiting?: Steps[]) {
		super();
		const bench = this;
		this.owner = new Owner(record, {
			*store(owner) {
				if (bench.full) throw new Error("no space");
				bench.stored.push(owner);
				yield;
			},
			writes: waiting === undefined ? anEagerQueue() : ({ add: (job: Steps) => void waiting.push(job) } as unknown as WriteQueue),
			later: this.later,
			newHash: (password, salt) => this.#newHash(password, salt),
			newDigest: () => {
				const hash = createHash("sha256");
				return { write: (data) => void hash.update(data), close: () => Uint8Array.from(hash.digest()).buffer };
			},
			random: (count) => new Uint8Array(count).fill(++this.#salts),
			log: (level, message) => this.told.push(`${level} ${message}`),
		});
	}

	get nowMs(): number {
		return this.ticks;
	}

	/** The key that this password opens; undefined if it is wrong. */
	signIn(password: string): string | undefined {
		let found: string | undefined;
		this.owner.signIn(
			password,
			() => true,
			(key) => {
				found = key;
			},
		);
		this.pass(1500);
		return found;
	}

	/** The new password's key. */
	set(password: string): string | undefined {
		let found: string | undefined;
		this.owner.setPassword(
			password,
			() => true,
			(key) => {
				found = key;
			},
		);
		this.pass(0);
		return found;
	}

	/** @returns whether that could be stored */
	remove(): boolean {
		let ended = false;
		this.owner.removePassword((isStored) => {
			ended = isStored;
		});
		return ended;
	}

	#newHash(password: Uint8Array, salt: Uint8Array): SlowHashPort {
		this.hashed.push(Buffer.from(password).toString());
		let total = 1;
		return {
			add: (rounds) => {
				total += rounds;
				this.mostRounds = Math.max(this.mostRounds, rounds);
			},
			close: () => Uint8Array.from(pbkdf2Sync(password, salt, total, 32, "sha256")).buffer,
		};
	}
}
