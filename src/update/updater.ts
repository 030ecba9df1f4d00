/**
 * The update's state machine: check, download, verify, install, restart, self-test.
 *
 * One thing at a time. Until an image is complete and verified only the slot that is not running has changed.
 * From the first byte until the restart the gateway forwards unmodified. A car that moves ends the update; a
 * restart that waits for the car to stand leaves control to the driver. Source: docs/api.md, "Updates".
 */

import type { Download, FetchPort, SignaturePort } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { StoredDocument } from "../storage/stored-document.js";
import {
	FirmwareImage,
	type ImageClaims,
	type ImagePorts,
	ImageProblem,
	type ImageRules,
	NO_CLAIMS,
	type Signed,
} from "./firmware-image.js";
import { type Manifest, manifestDownload, NEWEST_VERSION_DOCUMENT, type NewestVersion } from "./manifest.js";
import { motionRejection, RestartGate, UpdateProblem, updateRejection } from "./rejection.js";
import { SelfTest, type SelfTestOptions } from "./self-test.js";
import { compareVersions, isVersion } from "./version.js";

/** After the end of an image. Assumed: the client has read by then how it ended. */
const RESTART_AFTER_MS = 500;
/** Assumed: the gateway has gone stock by then. */
const INSTALL_AFTER_MS = 100;
/*
 * Pauses between checks while there is a network: after a good one, after a failure, after it has come. Source:
 * docs/api.md, "Updates".
 */
const CHECK_EVERY_MS = 6 * 3600_000;
const CHECK_AGAIN_MS = 600_000;
const CHECK_FIRST_MS = 5000;
/** Assumed: a shorter span shows the pauses between two packets. */
const SPEED_EVERY_MS = 250;
/**
 * For the way from the board to the page, and an upload of 20 s. `REPLAYED` and `OLDER` name it, too. Source:
 * docs/api.md, "Updates".
 */
const OLDER_ALLOWED_MS = 600_000;
const HTTP_OK = 200;

type UpdatePhase = "idle" | "checking" | "installing" | "uploading" | "restarting";

const BUSY: Readonly<Record<UpdatePhase, UpdateProblem | "">> = Object.freeze({
	idle: "",
	checking: "",
	installing: UpdateProblem.INSTALLING,
	uploading: UpdateProblem.UPLOADING,
	restarting: UpdateProblem.RESTARTING,
});

interface UpdaterOptions extends SelfTestOptions, Pick<ImagePorts, "newDigest"> {
	readonly car: SelfTestOptions["car"] & {
		/** ms since the start. */
		readonly nowMs: number;
		/** True: frames are forwarded unmodified until it is false. */
		setUpdating(updating: boolean): void;
	};
	/** Manifests must be signed with the same key. */
	readonly rules: Omit<ImageRules, "newestVersion">;
	/** Begins to check a signature of the key of the rules. @throws {Error} no memory */
	readonly newSignatureCheck: (signed: Signed) => SignaturePort;
	readonly newest: Pick<StoredDocument<NewestVersion>, "load" | "save" | "flush">;
	readonly version: string;
	/** Address of the manifest; "" = updates come from the page only. */
	readonly manifestUrl: string;
	readonly fetch: FetchPort;
	readonly online: () => boolean;
	/** Whether it looks for updates without being asked. */
	readonly checksByItself: boolean;
	/** Never throws. */
	readonly storeAll: () => void;
	/** Words of a problem, for the log. */
	readonly inWords: (problem: string) => string;
}

/** Call `tick` several times a second. */
export class Updater {
	phase: UpdatePhase = "idle";
	/** The newest version, as the last check that succeeded has found it. */
	manifest: Manifest | undefined;
	/** Uptime of the last check; 0 = never. */
	lastCheckMs = 0;
	/** Why the last check failed: "", "offline", "begin failed", "invalid json", "http <code>", or an `UpdateProblem`. */
	error = "";
	/** Why the last installation failed: "", "offline", "firmware update failed". */
	installError = "";
	/** "begin failed", "http <code>", an `UpdateProblem` or `ImageProblem`. */
	installDetail = "";
	/** The server answered the last check. */
	reachedInternet = false;
	/** 0 = unknown. */
	bytesTotal = 0;
	bytesDone = 0;
	bytesPerS = 0;
	/** Uptime of the last progress; 0 = idle. */
	progressMs = 0;
	readonly options: UpdaterOptions;
	/** The image that is received, or has been received whole. */
	#image: FirmwareImage | undefined;
	/** undefined: no new firmware has to prove itself. */
	#selfTest: SelfTest | undefined;
	#newest: NewestVersion;
	/** When the owner has allowed an older version; undefined = it is not allowed. */
	#olderSinceMs: number | undefined;
	#phaseMs = 0;
	/** Told why an upload ends because the car moves. */
	#onBrokenOff: ((problem: string) => void) | undefined;
	/** Checked in a thread of the platform. */
	#signature: { readonly check: SignaturePort; readonly done: (isRight: boolean) => void } | undefined;
	#wasOnline = false;
	#nextCheckMs = 0;
	#nextCheckAfterMs = CHECK_FIRST_MS;
	#speedMs = 0;
	#speedBytes = 0;
	#restartAsked = false;
	#restartPostponed = false;
	readonly #restartGate = new RestartGate();

	constructor(options: UpdaterOptions) {
		const { firmware, log, newest, rules } = options;
		this.options = options;
		this.#newest = rules.updateKey.length > 0 ? newest.load() : NEWEST_VERSION_DOCUMENT.fallback;
		if (firmware.rolledBack) log("ERROR", "the last update did not pass its self-test: the firmware before it runs again");
		if (firmware.pendingVerify)
			this.#selfTest = new SelfTest(
				options,
				() => this.#noteKept(),
				() => this.#restart(),
			);
		else this.#noteKept();
	}

	/** The running firmware has passed its self-test; until then the old one must stay in its slot. */
	get confirmed(): boolean {
		return !this.options.firmware.pendingVerify;
	}

	/** An older version needs the owner at the board; "" = any may be installed. */
	get newestKept(): string {
		return this.#newest.version;
	}

	get olderAllowed(): boolean {
		return this.#olderSinceMs !== undefined;
	}

	/** Why no update may begin now; "" = it may. */
	get rejection(): UpdateProblem | "" {
		return this.#busy || updateRejection(this.options.car);
	}

	get #busy(): UpdateProblem | "" {
		return BUSY[this.phase] || (this.confirmed ? "" : UpdateProblem.SELF_TEST);
	}

	/** The manifest's version is newer, for this board, and may be installed over the running one. */
	get available(): boolean {
		const { manifest } = this;
		if (manifest === undefined || manifest.firmwareUrl === "") return false;
		const { version, rules } = this.options;
		if (compareVersions(manifest.version, version) <= 0) return false;
		if (manifest.board !== "" && manifest.board !== rules.projectName) return false;
		return manifest.minVersion === "" || compareVersions(version, manifest.minVersion) >= 0;
	}

	/** A download goes on, or the restart is due. */
	get installing(): boolean {
		return this.phase === "installing" || this.phase === "restarting";
	}

	/** Begun part of the firmware. */
	get stage(): "" | "firmware" {
		return this.#image === undefined ? "" : "firmware";
	}

	/** Begins a check unless something is under way. */
	check(): void {
		if (this.phase !== "idle") return;
		const { car, clock, manifestUrl, online } = this.options;
		this.lastCheckMs = Math.max(1, car.nowMs);
		this.#nextCheckMs = clock.ticks;
		this.#nextCheckAfterMs = CHECK_AGAIN_MS;
		if (!online()) this.#endCheck("offline");
		else {
			this.#enter("checking");
			const download = manifestDownload(manifestUrl, (answered, manifest, error) => {
				this.reachedInternet = answered;
				if (manifest === undefined) this.#endCheck(error);
				else this.#onManifest(manifest);
			});
			if (!this.#fetch(manifestUrl, download)) this.#endCheck("begin failed");
		}
	}

	/** Begins to install the manifest's firmware. @returns "" or why not */
	install(): UpdateProblem | "" {
		const { manifest } = this;
		const isKnown = manifest !== undefined && manifest.firmwareUrl !== "";
		const unavailable = isKnown ? UpdateProblem.NOT_NEWER : UpdateProblem.NO_URL;
		const problem = this.#busy || (this.available ? this.rejection : unavailable);
		if (problem === "") this.#begin("installing", `update to ${manifest?.version} begins`);
		return problem;
	}

	/**
	 * Begins an upload.
	 * @param bytesTotal 0 = unknown
	 * @param onBrokenOff told why the car has ended it
	 * @returns "" or why not
	 */
	beginUpload(bytesTotal: number, onBrokenOff?: (problem: string) => void): UpdateProblem | "" {
		const problem = this.rejection;
		if (problem !== "") return problem;
		this.#onBrokenOff = onBrokenOff;
		this.#begin("uploading", "upload of a firmware image begins");
		this.bytesTotal = bytesTotal;
		this.#beginImage({ ...NO_CLAIMS, sizeBytes: bytesTotal });
		return "";
	}

	/** Takes `bytes[start, end)` of the image. @returns what is wrong; then the upload is over */
	writeUpload(bytes: Uint8Array, start: number, end: number): string {
		const problem = this.phase === "uploading" ? this.#writeImage(bytes.subarray(start, end)) : UpdateProblem.SLOT_FAILED;
		if (problem !== "") this.abortUpload(problem);
		return problem;
	}

	/** The upload is complete. @param done told what is wrong, "" = it starts next, after `restart` */
	endUpload(done: (problem: string) => void): void {
		if (this.phase !== "uploading") {
			done(UpdateProblem.SLOT_FAILED);
			return;
		}
		this.#finish((problem) => {
			if (problem !== "") this.abortUpload(problem);
			done(problem);
		});
	}

	/** Aborts the upload. Idempotent. */
	abortUpload(reason: string): void {
		if (this.phase === "uploading") this.#fail(reason);
	}

	/** Restarts soon, and not while the car moves. */
	restart(): void {
		if (this.phase !== "restarting" || this.#restartAsked) return;
		this.#restartAsked = true;
		this.#phaseMs = this.options.clock.ticks;
	}

	/** The owner stands at the board. */
	allowOlder(): void {
		const { clock, log, rules } = this.options;
		if (rules.updateKey.length === 0) return;
		this.#olderSinceMs = clock.ticks;
		log("EVENT", "the BOOT key was pressed: an older version may be installed within 10 minutes");
	}

	/** Call several times per second. */
	tick(): void {
		const { car, checksByItself, clock } = this.options;
		const nowMs = clock.ticks;
		if (this.#olderSinceMs !== undefined && elapsedMs(this.#olderSinceMs, nowMs) >= OLDER_ALLOWED_MS)
			this.#olderSinceMs = undefined;
		this.#selfTest?.tick();
		if (car.vehicle.motion === "moves") this.#onMotion();
		this.#lookAtSignature();
		if (this.phase === "idle") {
			if (checksByItself) this.#checkByItself(nowMs);
			return;
		}
		const inPhaseMs = elapsedMs(this.#phaseMs, nowMs);
		const rejection = this.phase === "restarting" ? motionRejection(car) : "";
		const mayRestart = this.#restartGate.look(rejection, nowMs);
		if (this.phase === "installing" && this.#image === undefined && inPhaseMs >= INSTALL_AFTER_MS) this.#startDownload();
		else if (this.phase === "restarting" && this.#restartAsked && inPhaseMs >= RESTART_AFTER_MS) {
			if (rejection !== "") this.#postponeRestart(rejection);
			else if (mayRestart) this.#restart();
		}
		if (this.#image !== undefined) this.#measure(nowMs);
	}

	#enter(phase: UpdatePhase): void {
		this.phase = phase;
		this.#phaseMs = this.options.clock.ticks;
	}

	#begin(phase: UpdatePhase, event: string): void {
		const { car, fetch, log } = this.options;
		fetch.cancel();
		this.#dropSignature();
		this.#enter(phase);
		this.installError = this.installDetail = "";
		this.bytesDone = this.bytesTotal = this.bytesPerS = 0;
		this.#speedMs = this.#phaseMs;
		this.#speedBytes = 0;
		this.#restartAsked = this.#restartPostponed = false;
		car.setUpdating(true);
		log("EVENT", event);
	}

	#beginImage(claims: ImageClaims): void {
		const rules = { ...this.options.rules, newestVersion: this.olderAllowed ? "" : this.newestKept };
		this.#image = new FirmwareImage(rules, claims, this.options);
	}

	#writeImage(bytes: Uint8Array): string {
		this.bytesDone += bytes.length;
		return this.#image?.write(bytes) ?? UpdateProblem.SLOT_FAILED;
	}

	#fetch(url: string, download: Download): boolean {
		try {
			this.options.fetch.open(url, download);
			return true;
		} catch (error) {
			this.options.log("WARN", `${url} can't be fetched: ${(error as Error).message}`);
			return false;
		}
	}

	#checkByItself(nowMs: number): void {
		const online = this.options.manifestUrl !== "" && this.options.online();
		if (online && !this.#wasOnline) {
			this.#nextCheckMs = nowMs;
			this.#nextCheckAfterMs = CHECK_FIRST_MS;
		}
		this.#wasOnline = online;
		if (online && elapsedMs(this.#nextCheckMs, nowMs) >= this.#nextCheckAfterMs) this.check();
	}

	#onManifest(manifest: Manifest): void {
		const take = (problem: string): void => {
			if (problem === "") this.manifest = manifest;
			this.#endCheck(problem);
		};
		if (this.options.rules.updateKey.length === 0) take("");
		else if (manifest.signed === undefined) take(UpdateProblem.NOT_SIGNED);
		else
			this.#checkSignature(manifest.signed, (isSigned) => take(isSigned ? this.#replayed(manifest) : UpdateProblem.NOT_SIGNED));
	}

	/** A stranger on the way to the server can send any manifest that the key has ever signed. */
	#replayed({ version, board }: Manifest): UpdateProblem | "" {
		const { newest, rules, version: running } = this.options;
		const { announced, version: kept } = this.#newest;
		const isOlderThan = (other: string): boolean => other !== "" && compareVersions(version, other) < 0;
		if (!this.olderAllowed && [announced, kept, running].some(isOlderThan)) return UpdateProblem.REPLAYED;
		// one for another board says nothing of this board's
		if (board === rules.projectName && (announced === "" || compareVersions(version, announced) > 0)) {
			this.#newest = { ...this.#newest, announced: version };
			newest.save(this.#newest);
		}
		return "";
	}

	/** Keeps this version as the newest, if there is a key: without one a version proves nothing. */
	#noteKept(): void {
		const { newest, rules, version } = this.options;
		const { version: kept } = this.#newest;
		if (rules.updateKey.length === 0 || !isVersion(version) || (kept !== "" && compareVersions(version, kept) <= 0)) return;
		this.#newest = { ...this.#newest, version };
		newest.save(this.#newest);
	}

	/** @param done told from `tick`, unless the check is dropped */
	#checkSignature(signed: Signed, done: (isRight: boolean) => void): void {
		this.#dropSignature();
		try {
			this.#signature = { check: this.options.newSignatureCheck(signed), done };
		} catch (error) {
			this.options.log("WARN", `a signature can't be looked at: ${(error as Error).message}`);
			done(false);
		}
	}

	#lookAtSignature(): void {
		const signature = this.#signature;
		const result = signature?.check.result() ?? -1;
		if (result < 0) return;
		this.#dropSignature();
		signature?.done(result === 1);
	}

	#dropSignature(): void {
		this.#signature?.check.close();
		this.#signature = undefined;
	}

	#endCheck(error: string): void {
		const { clock, inWords, log } = this.options;
		this.error = error;
		if (error === "offline" || error === "begin failed") this.reachedInternet = false;
		if (this.phase === "checking") this.#enter("idle");
		this.#nextCheckMs = clock.ticks;
		if (error === "") this.#nextCheckAfterMs = CHECK_EVERY_MS;
		if (error !== "") log("WARN", `update check: ${inWords(error)}`);
		else log("EVENT", `update check: ${this.manifest?.version} is ${this.available ? "available" : "known, nothing to install"}`);
	}

	#startDownload(): void {
		const { manifest } = this;
		if (manifest === undefined) return;
		if (!this.options.online()) this.#fail("offline", "offline");
		else {
			this.#beginImage(manifest);
			if (!this.#fetch(manifest.firmwareUrl, this.#imageDownload(manifest.sizeBytes))) this.#fail("begin failed");
		}
	}

	#imageDownload(sizeBytes: number): Download {
		return {
			onHead: (status, lengthBytes) => {
				this.bytesTotal = Math.max(lengthBytes, 0) || sizeBytes;
				if (status !== HTTP_OK) this.#fail(`http ${status}`);
				else if (sizeBytes > 0 && lengthBytes >= 0 && lengthBytes !== sizeBytes) this.#fail(ImageProblem.DAMAGED);
			},
			onData: (bytes) => {
				const problem = this.#writeImage(bytes);
				if (problem !== "") this.#fail(problem);
			},
			onEnd: (code) => {
				if (code !== 0) this.#fail(`http ${code}`);
				else
					this.#finish((problem) => {
						if (problem !== "") this.#fail(problem);
						else this.restart();
					});
			},
		};
	}

	/** All of the image has come. @param done told what is wrong, unless the check is dropped */
	#finish(done: (problem: string) => void): void {
		const image = this.#image;
		const problem = image?.end() ?? UpdateProblem.SLOT_FAILED;
		if (image === undefined || problem !== "") done(problem);
		else if (image.signed === undefined) done(this.#activate(image));
		else this.#checkSignature(image.signed, (isRight) => done(isRight ? this.#activate(image) : ImageProblem.WRONG_SIGNATURE));
	}

	/** The image is complete, its signature verified if needed. Only here what boots next changes. */
	#activate(image: FirmwareImage): string {
		const problem = motionRejection(this.options.car) || image.activate();
		if (problem !== "") return problem;
		this.options.log("EVENT", `firmware ${image.version} is installed and starts with the next restart`);
		this.#enter("restarting");
		this.bytesPerS = 0;
		return "";
	}

	#fail(detail: string, error = "firmware update failed"): void {
		const { car, fetch, inWords, log } = this.options;
		fetch.cancel();
		this.#image?.close();
		this.#image = undefined;
		this.#dropSignature();
		this.installError = error;
		this.installDetail = detail;
		this.bytesDone = this.bytesTotal = this.bytesPerS = this.progressMs = 0;
		this.#enter("idle");
		car.setUpdating(false);
		log("WARN", `${error}: ${inWords(detail)}`);
	}

	/** No image, however slowly it comes, and no restart that is due keeps a car stock that moves. */
	#onMotion(): void {
		const { phase } = this;
		if (phase === "restarting") this.#postponeRestart(UpdateProblem.CAR_MOVES);
		if (phase === "installing" || phase === "uploading") this.#fail(UpdateProblem.CAR_MOVES);
		if (phase === "uploading") this.#onBrokenOff?.(UpdateProblem.CAR_MOVES);
	}

	#restart(): void {
		const { firmware, log, newest, storeAll } = this.options;
		this.#restartAsked = false;
		log("EVENT", "restart");
		newest.flush();
		storeAll();
		firmware.restart();
	}

	/** Until the car stands control is the driver's. */
	#postponeRestart(reason: UpdateProblem): void {
		if (this.#restartPostponed) return;
		this.#restartPostponed = true;
		const { car, inWords, log } = this.options;
		log("WARN", `the restart waits: ${inWords(reason)}`);
		car.setUpdating(false);
	}

	#measure(nowMs: number): void {
		const spanMs = elapsedMs(this.#speedMs, nowMs);
		if (spanMs < SPEED_EVERY_MS) return;
		if (this.phase !== "restarting") this.bytesPerS = Math.round(((this.bytesDone - this.#speedBytes) * 1000) / spanMs);
		this.progressMs = this.options.car.nowMs;
		this.#speedMs = nowMs;
		this.#speedBytes = this.bytesDone;
	}
}
