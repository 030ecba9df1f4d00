// An updater on simulated slots, network and car. Everything goes through the real state machines.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import type { DigestPort, Download, FetchPort, FirmwarePort, SignaturePort, SlotWriter } from "../../hal/update-port.js";
import { updateInWords } from "../../src/api/words.js";
import { atOnce, type WriteQueue } from "../../src/storage/write-queue.js";
import { FirmwareImage, type ImageRules, NO_CLAIMS, type Signed } from "../../src/update/firmware-image.js";
import type { NewestVersion } from "../../src/update/manifest.js";
import { Updater } from "../../src/update/updater.js";
import { anImage, type ImageOptions, sha256 } from "../../tools/device/sample-image.js";
import { publicKeyOf, signImage } from "../../tools/device/sign.mjs";
import { MemoryFiles } from "./memory-files.js";

export const RULES: ImageRules = {
	chipId: 0xffff,
	projectName: "opencoupling-host",
	minimumVersion: "v0.1.0",
	maxBytes: 0x10000,
	updateKey: new Uint8Array(0),
	newestVersion: "",
};

/** The owner's, of these tests. */
export const OWN_KEY = generateKeyPairSync("ed25519").privateKey;
export const OTHER_KEY = generateKeyPairSync("ed25519").privateKey;
export const bytesOfKey = (key: KeyObject): Uint8Array => new Uint8Array(Buffer.from(publicKeyOf(key), "hex"));

/** An image with its trailer, as a release has it. */
export function aSignedImage(options: ImageOptions = {}, key = OWN_KEY): Buffer {
	const { version = "v0.2.0", projectName = "opencoupling-host" } = options;
	return signImage(anImage(options), { version, projectName }, key);
}

const DIGEST_BYTES = 32;

function aDigest(): DigestPort {
	const hash = createHash("sha256");
	return {
		write: (data) => {
			hash.update(data);
		},
		close: () => new Uint8Array(hash.digest()).buffer,
	};
}

/** Node's check of what `OWN_KEY` has signed, which has its result after `looks`. */
class FakeCheck implements SignaturePort {
	closed = false;
	#looks: number;
	readonly #isRight: boolean;
	constructor({ message, signature }: Signed, looks: number) {
		this.#looks = looks;
		this.#isRight = verify(null, message, createPublicKey(OWN_KEY), signature);
	}
	result(): number {
		if (this.closed) throw new Error("signature: closed");
		return this.#looks-- > 0 ? -1 : Number(this.#isRight);
	}
	close(): void {
		this.closed = true;
	}
}

/** Of a stored image, in its first segment. */
const FLIPPED_AT = 300;

/** As ESP-IDF checks an image: its last bytes are the digest of all bytes before them. */
function isWhole(image: Buffer): boolean {
	return image.subarray(-DIGEST_BYTES).toString("hex") === sha256(image.subarray(0, -DIGEST_BYTES));
}

/** Slots of a board: what was written, what boots next. */
export class FakeFirmware implements FirmwarePort {
	pendingVerify = false;
	rolledBack = false;
	slotBytes = RULES.maxBytes;
	/** Content of the other slot. */
	slot = Buffer.alloc(0);
	/** True once the other slot boots next. */
	activated = false;
	confirmed = 0;
	restarts = 0;
	begun = 0;
	/** Flips a bit of the stored image. */
	isCorrupting = false;
	/** Name of the call that throws. */
	failing: "begin" | "write" | "complete" | "confirm" | "" = "";

	#fail(step: string): void {
		if (this.failing === step) throw new Error(`${step} failed`);
	}

	begin(): SlotWriter {
		this.#fail("begin");
		this.begun++;
		this.slot = Buffer.alloc(0);
		this.activated = false;
		let open = true;
		return {
			write: (data) => {
				this.#fail("write");
				if (!open) throw new Error("closed");
				if (data.length === 0) throw new Error("nothing to write");
				if (data.length > this.slotBytes - this.slot.length) throw new Error("write failed");
				this.slot = Buffer.concat([this.slot, Buffer.from(data)]);
			},
			complete: () => {
				this.#fail("complete");
				if (!open) throw new Error("closed");
				open = false;
				if (this.isCorrupting) this.slot[FLIPPED_AT] ^= 1;
				if (!isWhole(this.slot)) throw new Error("end failed");
				this.activated = true;
			},
			close: () => {
				open = false;
			},
		};
	}

	confirm(): void {
		this.#fail("confirm");
		this.confirmed++;
		this.pendingVerify = false;
	}

	restart(): void {
		this.restarts++;
	}
}

/** The check of one image. */
export function anImageCheck(rules = RULES, claims = NO_CLAIMS, firmware = new FakeFirmware()): FirmwareImage {
	return new FirmwareImage(rules, claims, { firmware, newDigest: aDigest, log: () => {} });
}

/** A network whose answers the test gives. */
export class FakeFetch implements FetchPort {
	url = "";
	download: Download | undefined;
	/** All sockets are in use. */
	failing = false;
	open(url: string, download: Download): void {
		if (this.failing) throw new Error("no socket");
		if (!url.startsWith("http:")) throw new RangeError("only http:");
		this.url = url;
		this.download = download;
	}
	cancel(): void {
		this.download = undefined;
	}
	/**
	 * Answers what was asked for, in pieces.
	 * @param lengthBytes what the head says
	 * @param code how it ends
	 */
	answer(body: Uint8Array, { status = 200, lengthBytes = body.length, code = 0, pieceBytes = 100 } = {}): void {
		this.download?.onHead(status, lengthBytes);
		for (let at = 0; at < body.length; at += pieceBytes) this.download?.onData(body.subarray(at, at + pieceBytes));
		const { download } = this;
		this.download = undefined;
		download?.onEnd(code);
	}
}

/** An updater with everything that it needs; `pass` and `step` move its time on. */
export class UpdateBench {
	readonly fetch = new FakeFetch();
	/** For requests to its own server. */
	readonly ownFetch = new FakeFetch();
	readonly files = new MemoryFiles();
	readonly writes: Pick<WriteQueue, "add"> = { add: atOnce };
	readonly updater: Updater;
	readonly log: string[] = [];
	nowMs = 1000;
	online = true;
	checksByItself = true;
	/** The controller. */
	readonly car = {
		controlActive: false,
		supervisor: { disabled: false },
		vehicle: { motion: "stands" as "unknown" | "stands" | "moves" },
		sample: { chassisAgeMs: 5 },
		nowMs: 0,
		loop: { ticks: 0 },
		setUpdating: (updating: boolean): void => {
			this.updating = updating;
		},
	};
	updating = false;
	/** Looks that a signature takes. */
	looks = 1;
	/** There is no memory for a check. */
	checksFail = false;
	readonly checks: FakeCheck[] = [];
	/** How often `newest` was stored. */
	saves = 0;

	/**
	 * @param key that updates must be signed with
	 * @param newest as it lies on flash
	 */
	constructor(
		manifestUrl = "http://127.0.0.1/release/version.json",
		key?: KeyObject,
		public newest: NewestVersion = { version: "", announced: "" },
		readonly firmware = new FakeFirmware(),
	) {
		const bench = this;
		const updateKey = key === undefined ? RULES.updateKey : bytesOfKey(key);
		Object.defineProperty(this.car, "nowMs", { get: () => this.nowMs });
		this.updater = new Updater({
			car: this.car,
			files: this.files,
			writes: this.writes,
			fetch: this.fetch,
			ownFetch: this.ownFetch,
			ownUrl: () => "http://127.0.0.1/",
			firmware: this.firmware,
			newDigest: aDigest,
			rules: { ...RULES, updateKey },
			version: "v0.1.0",
			manifestUrl,
			newest: {
				load: () => this.newest,
				save: (newest) => {
					this.newest = newest;
					this.saves++;
				},
				flush: () => {},
			},
			newSignatureCheck: (signed) => {
				if (this.checksFail) throw new Error("no memory");
				const check = new FakeCheck(signed, this.looks);
				this.checks.push(check);
				return check;
			},
			clock: {
				get ticks() {
					return bench.nowMs;
				},
			},
			online: () => this.online,
			get checksByItself() {
				return bench.checksByItself;
			},
			storeAll: () => this.log.push(`stored before restart ${this.firmware.restarts + 1}`),
			inWords: updateInWords,
			log: (_level, message) => this.log.push(message),
		});
	}

	/** Lets time pass, in steps of 100 ms. */
	pass(ms: number): void {
		for (let left = ms; left > 0; left -= 100) {
			this.nowMs += Math.min(left, 100);
			this.updater.tick();
		}
	}

	/** Lets time pass in one step. */
	step(ms: number): void {
		this.nowMs += ms;
		this.updater.tick();
	}

	/** A check that finds `manifest`. */
	check(manifest: object): void {
		this.updater.check();
		this.fetch.answer(Buffer.from(JSON.stringify(manifest)));
	}

	/** Uploads `image`. @returns what is wrong with it */
	upload(image: Uint8Array, pieceBytes = 100): string {
		let problem: string = this.updater.beginUpload(image.length);
		for (let at = 0; at < image.length && problem === ""; at += pieceBytes)
			problem = this.updater.writeUpload(image, at, Math.min(image.length, at + pieceBytes));
		if (problem !== "") return problem;
		let ended: string | undefined;
		this.updater.endUpload((outcome) => (ended = outcome));
		if (ended === undefined) this.pass(100 * (this.looks + 1));
		return ended ?? "no answer";
	}
}
