/**
 * Takes an image piece by piece, checks it and writes it to the slot. The slot is not touched before the
 * image's head is known to be ours, and what boots next does not change before `activate`.
 */

import type { DigestPort, FirmwarePort, SlotWriter } from "../../hal/update-port.js";
import { copyBytes } from "../text/bytes.js";
import { FirmwareImage, HEAD_BYTES, IMAGE_PROBLEM, type ImageClaims, type ImageRules, type Signed } from "./firmware-image.js";

/** The slot could not be written; the platform's message is in the log. */
export const SLOT_FAILED = "the update could not be stored";

/** For one image after the other. What goes wrong is returned in words, "" = nothing did. */
export class ImageInstaller {
	readonly #firmware: FirmwarePort;
	readonly #newDigest: () => DigestPort;
	readonly #log: (message: string) => void;
	readonly #head = new Uint8Array(HEAD_BYTES);
	#headFilled = 0;
	#image: FirmwareImage | undefined;
	#slot: SlotWriter | undefined;

	constructor(firmware: FirmwarePort, newDigest: () => DigestPort, log: (message: string) => void) {
		this.#firmware = firmware;
		this.#newDigest = newDigest;
		this.#log = log;
	}

	/** Version of the image that is coming in, "" before it is known. */
	get version(): string {
		return this.#image?.version ?? "";
	}

	/** What the controller's key has still to be held against after `end`; undefined if it has none. */
	get signed(): Signed | undefined {
		return this.#image?.signed;
	}

	/** Begins a new image; one that was under way is dropped. */
	begin(rules: ImageRules, claims: ImageClaims): void {
		this.abort();
		this.#headFilled = 0;
		this.#image = new FirmwareImage(rules, claims, this.#newDigest);
	}

	/**
	 * Takes `bytes[start, end)`.
	 * @returns what is wrong, one of `IMAGE_PROBLEM` or `SLOT_FAILED`; then nothing more may come
	 */
	write(bytes: Uint8Array, start: number, end: number): string {
		const image = this.#image;
		if (image === undefined) return SLOT_FAILED;
		let at = start;
		if (this.#headFilled < HEAD_BYTES) {
			const count = Math.min(HEAD_BYTES - this.#headFilled, end - start);
			copyBytes(bytes, at, at + count, this.#head, this.#headFilled);
			this.#headFilled += count;
			at += count;
			if (this.#headFilled < HEAD_BYTES) return IMAGE_PROBLEM.NONE;
			const problem = image.write(this.#head) || this.#try(this.#open);
			if (problem !== "") return problem;
		}
		if (at === end) return IMAGE_PROBLEM.NONE;
		const stored = image.imageBytes;
		const problem = image.write(bytes.subarray(at, end));
		if (problem !== "") return problem;
		const count = image.imageBytes - stored;
		if (count === 0) return "";
		try {
			this.#slot?.write(bytes.subarray(at, at + count));
			return "";
		} catch (error) {
			return this.#onFailure(error);
		}
	}

	/** All bytes have come. @returns what is wrong with the image */
	end(): string {
		const image = this.#image;
		if (image === undefined) return SLOT_FAILED;
		// an image that ends within its head was not looked at yet
		if (this.#headFilled < HEAD_BYTES) image.write(this.#head.subarray(0, this.#headFilled));
		return image.end();
	}

	/**
	 * Has the platform check the slot and start it next. After `end` without a problem.
	 * @returns "" or `SLOT_FAILED`
	 */
	activate(): string {
		const slot = this.#slot;
		this.#slot = undefined;
		return this.#try(() => slot?.complete());
	}

	/** Gives the image up. Idempotent. */
	abort(): void {
		const slot = this.#slot;
		this.#slot = this.#image = undefined;
		this.#try(() => slot?.close());
	}

	#open(): void {
		this.#slot = this.#firmware.begin();
		this.#slot.write(this.#head);
	}

	#try(step: () => void): string {
		try {
			step.call(this);
			return "";
		} catch (error) {
			return this.#onFailure(error);
		}
	}

	#onFailure(error: unknown): string {
		this.#log((error as Error).message);
		return SLOT_FAILED;
	}
}
