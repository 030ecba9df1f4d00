/**
 * Updates on the controller's own parts: who may update when, what is stored before a restart, what the new
 * firmware has to prove. Glue only: the states are those of `src/update/`.
 */

import type { FilePort } from "../../hal/file-port.js";
import type { DigestPort, FetchPort, FirmwarePort, SignaturePort } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { Controller } from "../controller/controller.js";
import type { Log } from "../logs/log.js";
import type { StoredDocument } from "../storage/stored-document.js";
import { isFull, replacingFile } from "../storage/whole-file.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import type { ImageRules } from "../update/firmware-image.js";
import { ImageInstaller } from "../update/image-installer.js";
import type { Signed } from "../update/image-trailer.js";
import { NEWEST_VERSION_DOCUMENT, type NewestVersion } from "../update/manifest.js";
import { motionRefusal, moves, updateRefusal } from "../update/refusal.js";
import { SelfTest } from "../update/self-test.js";
import type { UpdatePorts } from "../update/update-ports.js";
import { Updater } from "../update/updater.js";
import { compareVersions, isVersion } from "../update/version.js";
import { TICK_MS } from "./control-loop.js";

const LOG_TAG = "ota";
/** Written and deleted by the self-test; a power cut in between leaves nothing that matters. */
const PROBE_PATH = "self-test";
const PROBE_BYTES = 16;
/**
 * How long after a press of BOOT an older image is accepted: the way to the page, and an upload of 20 s.
 * `REPLAYED` in updater.ts names it, too.
 */
const OLDER_ALLOWED_MS = 600_000;

/** The parts that an update has to ask or to stop. */
export interface UpdateServiceOptions {
	readonly controller: Controller;
	readonly log: Log;
	readonly files: FilePort;
	/** Where writes wait for each other. */
	readonly writes: WriteQueue;
	readonly clock: { readonly ticks: number };
	readonly firmware: FirmwarePort;
	readonly newDigest: () => DigestPort;
	readonly rules: Omit<ImageRules, "newestVersion">;
	/** Begins to look whether the key of the rules has signed it. @throws {Error} no memory */
	readonly newSignatureCheck: (signed: Signed) => SignaturePort;
	/** Of the newest versions that were kept and announced. */
	readonly newest: StoredDocument<NewestVersion>;
	/** Running version. */
	readonly version: string;
	readonly manifestUrl: string;
	/** For the world. */
	readonly fetch: FetchPort;
	/** For the controller's own server. */
	readonly ownFetch: FetchPort;
	/** Of something that the controller's own server answers with 200. */
	readonly ownUrl: () => string;
	/** True while there is a network with a way to the world. */
	readonly online: () => boolean;
	readonly checksByItself: boolean;
	/** Puts on flash what is pending. Never throws. */
	readonly storeAll: () => void;
}

/**
 * It is the updater's surroundings itself: methods take none of the heap, closures would take 200 of its 5632
 * slots.
 */
export class UpdateService implements UpdatePorts {
	readonly updater: Updater;
	readonly installer: ImageInstaller;
	readonly #options: UpdateServiceOptions;
	/** Only while the firmware has to prove itself. */
	#selfTest: SelfTest | undefined;
	#newest: NewestVersion;
	/** When the owner has allowed an older version; undefined = he has not, or it was too long ago. */
	#olderSinceMs: number | undefined;

	constructor(options: UpdateServiceOptions) {
		this.#options = options;
		const { firmware, rules, newDigest, newest } = options;
		this.#newest = rules.updateKey.length > 0 ? newest.load() : NEWEST_VERSION_DOCUMENT.fallback;
		if (firmware.rolledBack) this.log("ERROR", "the last update did not pass its self-test: the firmware before it runs again");
		const service = this;
		const allRules: ImageRules = {
			...rules,
			get newestVersion() {
				return service.olderAllowed ? "" : service.newestVersion;
			},
		};
		this.installer = new ImageInstaller(firmware, allRules, newDigest, (message) => this.log("WARN", message));
		this.updater = new Updater(this);
		if (firmware.pendingVerify) this.#selfTest = this.#newSelfTest();
		else this.#noteKept();
	}

	/** Call several times per second. */
	tick(): void {
		this.updater.tick();
		if (this.#olderSinceMs !== undefined && elapsedMs(this.#olderSinceMs, this.clock.ticks) >= OLDER_ALLOWED_MS)
			this.#olderSinceMs = undefined;
		if (this.#selfTest === undefined) return;
		this.#selfTest.tick();
		if (!this.#selfTest.pending) this.#selfTest = undefined;
	}

	/** The owner stands at the board: an older version may be installed for a while. */
	allowOlder(): void {
		if (this.updateKey.length === 0) return;
		this.#olderSinceMs = this.clock.ticks;
		this.log("EVENT", "the BOOT key was pressed: an older version may be installed within 10 minutes");
	}

	/** What runs is kept. Without a key a version proves nothing, and none is held against the next. */
	#noteKept(): void {
		if (this.updateKey.length === 0 || !isVersion(this.version)) return;
		const { version } = this.#newest;
		if (version === "" || compareVersions(this.version, version) > 0) this.#note({ version: this.version });
	}

	noteAnnounced(version: string): void {
		this.#note({ announced: version });
	}

	#note(news: Partial<NewestVersion>): void {
		this.#newest = { ...this.#newest, ...news };
		this.#options.newest.save(this.#newest);
	}

	#newSelfTest(): SelfTest {
		const { firmware, ownFetch, ownUrl, clock, controller, files, writes } = this.#options;
		return new SelfTest({
			firmware,
			fetch: ownFetch,
			ownUrl,
			clock,
			controlTicks: () => controller.loop.ticks,
			tickMs: TICK_MS,
			probeStorage: (done) => writes.add(probing(files, done)),
			restartRefusal: () => this.restartRefusal(),
			restart: () => this.restart(),
			onKept: () => this.#noteKept(),
			log: (level, message) => this.log(level, message),
		});
	}

	get fetch(): FetchPort {
		return this.#options.fetch;
	}
	get firmware(): FirmwarePort {
		return this.#options.firmware;
	}
	get version(): string {
		return this.#options.version;
	}
	get manifestUrl(): string {
		return this.#options.manifestUrl;
	}
	get projectName(): string {
		return this.#options.rules.projectName;
	}
	get updateKey(): Uint8Array {
		return this.#options.rules.updateKey;
	}
	get newestVersion(): string {
		return this.#newest.version;
	}
	get newestAnnounced(): string {
		return this.#newest.announced;
	}
	get olderAllowed(): boolean {
		return this.#olderSinceMs !== undefined;
	}
	newSignatureCheck(signed: Signed): SignaturePort {
		return this.#options.newSignatureCheck(signed);
	}
	get clock(): UpdateServiceOptions["clock"] {
		return this.#options.clock;
	}

	get checksByItself(): boolean {
		return this.#options.checksByItself;
	}

	uptimeMs(): number {
		return this.#options.controller.nowMs;
	}

	online(): boolean {
		return this.#options.online();
	}

	refusal(): string {
		return updateRefusal(this.#options.controller);
	}

	restartRefusal(): string {
		return motionRefusal(this.#options.controller);
	}

	carMoves(): boolean {
		return moves(this.#options.controller);
	}

	setUpdating(updating: boolean): void {
		this.#options.controller.setUpdating(updating);
	}

	restart(): void {
		this.log("EVENT", "restart");
		this.#options.newest.flush();
		this.#options.storeAll();
		this.#options.firmware.restart();
	}

	log(level: "EVENT" | "WARN" | "ERROR", message: string): void {
		this.#options.log.write(level, LOG_TAG, message);
	}
}

/**
 * @param done told why files can't be written; "" = they can, or the file system is full, which is not the
 * firmware's fault
 */
function* probing(files: FilePort, done: (problem: string) => void): Steps {
	let problem = "";
	try {
		yield* replacingFile(files, PROBE_PATH, new Uint8Array(PROBE_BYTES));
		yield;
		files.delete(PROBE_PATH);
	} catch (error) {
		if (!isFull(error)) problem = (error as Error).message;
	}
	done(problem);
}
