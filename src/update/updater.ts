/**
 * The update's state machine: check, download, verify, install, restart. No I/O, no clock: ports and time
 * come in.
 *
 * One thing at a time: a check, an installation or an upload. Until an image is complete and verified nothing
 * has changed but the slot that is not running. From the first byte until the restart, or until it failed,
 * the gateway forwards unmodified; it fails when the car moves, and a restart that has to wait for the car to
 * stand leaves control to the driver. Source: docs/api.md, "Updates".
 */

import type { Download } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import { IMAGE_PROBLEM, NO_CLAIMS } from "./firmware-image.js";
import { SLOT_FAILED } from "./image-installer.js";
import { type Manifest, manifestDownload } from "./manifest.js";
import { busyRefusal, RestartGate } from "./refusal.js";
import { SignatureWatch } from "./signature-watch.js";
import type { UpdateFacts, UpdatePhase, UpdatePorts } from "./update-ports.js";
import { compareVersions } from "./version.js";

/**
 * After the answer to an upload, or after the last byte of a download: the client reads how it ended. As long
 * as the reference takes to restart after an update. Source: docs/api.md, "Updates".
 */
const RESTART_AFTER_MS = 500;
/** The gateway has gone stock by then. */
const INSTALL_AFTER_MS = 100;
/** While there is a network, it looks for a new version by itself this often. */
const CHECK_EVERY_MS = 6 * 3600_000;
/** The same after a look that failed. */
const CHECK_AGAIN_MS = 600_000;
/** Pause after the network is up, before the server is asked. */
const CHECK_FIRST_MS = 5000;
/**
 * How often the rate of a download is computed. A shorter span would show the pauses between two packets.
 * Source: docs/api.md, "Updates".
 */
const SPEED_EVERY_MS = 250;
const HTTP_OK = 200;

/** Of a check that found a manifest, and no signature of the controller's key under it. */
const NOT_SIGNED = "not signed with this controller's key";
/** Of one that the key has signed, and that hides what came after it. */
const REPLAYED = "older than what was announced or runs here: press BOOT at the board for 2 s, and look again within 10 minutes";

/** One for the controller. Call `tick` several times a second. */
export class Updater {
	phase: UpdatePhase = "idle";
	/** Of the last good check. */
	manifest: Manifest | undefined;
	/** Uptime of the last check, ms, 0 = never. */
	lastCheckMs = 0;
	/**
	 * How the last check failed: "", "offline", "begin failed", "invalid json", "http <code>", `NOT_SIGNED`,
	 * `REPLAYED`.
	 */
	error = "";
	/** How the last installation failed: "", "offline", "firmware update failed". */
	installError = "";
	/** Why, in words. */
	installDetail = "";
	/** "" or "firmware". */
	stage: "" | "firmware" = "";
	/** The last check was answered. */
	reachedInternet = false;
	/** 0 = unknown. */
	bytesTotal = 0;
	bytesDone = 0;
	bytesPerS = 0;
	/** Uptime of the last progress, ms; 0 when idle. */
	progressMs = 0;
	readonly #ports: UpdatePorts;
	#phaseMs = 0;
	/** Whoever uploads. */
	#onBrokenOff: ((problem: string) => void) | undefined;
	readonly #signature: SignatureWatch;
	#wasOnline = false;
	#nextCheckMs = 0;
	#nextCheckAfterMs = CHECK_FIRST_MS;
	#speedMs = 0;
	#speedBytes = 0;
	#restartAsked = false;
	#restartPostponed = false;
	readonly #restartGate = new RestartGate();

	constructor(ports: UpdatePorts) {
		this.#ports = ports;
		this.#signature = new SignatureWatch(
			(signed) => ports.newSignatureCheck(signed),
			(problem) => ports.log("WARN", problem),
		);
	}

	/** False until the running firmware has passed its self-test: the old one must stay in its slot. */
	get confirmed(): boolean {
		return !this.#ports.firmware.pendingVerify;
	}

	/** For whoever shows it. */
	get facts(): UpdateFacts {
		return this.#ports;
	}

	/** Why no update may begin now, in words; "" = it may. */
	get refusal(): string {
		return busyRefusal(this.phase, this.confirmed) || this.#ports.refusal();
	}

	/**
	 * True if the manifest's version is newer, is for this board and may be installed over the running one.
	 */
	get available(): boolean {
		const { manifest } = this;
		if (manifest === undefined || manifest.firmwareUrl === "") return false;
		const { version, projectName } = this.#ports;
		if (compareVersions(manifest.version, version) <= 0) return false;
		if (manifest.board !== "" && manifest.board !== projectName) return false;
		return manifest.minVersion === "" || compareVersions(version, manifest.minVersion) >= 0;
	}

	/** True while an image comes in, or the restart into it is due. */
	get installing(): boolean {
		return this.phase === "installing" || this.phase === "restarting";
	}

	/** Begins a check unless something is under way. */
	check(): void {
		if (this.phase !== "idle") return;
		const ports = this.#ports;
		this.lastCheckMs = Math.max(1, ports.uptimeMs());
		this.#nextCheckMs = ports.clock.ticks;
		this.#nextCheckAfterMs = CHECK_AGAIN_MS;
		if (!ports.online()) this.#endCheck("offline");
		else {
			this.#enter("checking");
			const download = manifestDownload(ports.manifestUrl, (answered, manifest, error) => {
				this.reachedInternet = answered;
				if (manifest === undefined) this.#endCheck(error);
				else this.#onManifest(manifest);
			});
			if (!this.#fetch(ports.manifestUrl, download)) this.#endCheck("begin failed");
		}
	}

	/** Begins to install the manifest's firmware. @returns "" or why not */
	install(): string {
		const problem = busyRefusal(this.phase, this.confirmed) || (this.available ? this.#ports.refusal() : this.#unavailable());
		if (problem !== "") return problem;
		this.#ports.fetch.cancel();
		this.#begin("installing");
		this.stage = "";
		this.#ports.log("EVENT", `update to ${this.manifest?.version} begins`);
		return "";
	}

	/**
	 * Begins an upload.
	 * @param bytesTotal 0 = unknown
	 * @param onBrokenOff told why, if it ends because the car moves
	 * @returns "" or why not
	 */
	beginUpload(bytesTotal: number, onBrokenOff?: (problem: string) => void): string {
		const problem = this.refusal;
		if (problem !== "") return problem;
		this.#onBrokenOff = onBrokenOff;
		this.#ports.fetch.cancel();
		this.#begin("uploading");
		this.bytesTotal = bytesTotal;
		this.#ports.installer.begin({ ...NO_CLAIMS, sizeBytes: bytesTotal });
		this.#ports.log("EVENT", "upload of a firmware image begins");
		return "";
	}

	/** Takes `bytes[start, end)` of the uploaded image. @returns what is wrong; then the upload is over */
	writeUpload(bytes: Uint8Array, start: number, end: number): string {
		const problem = this.phase === "uploading" ? this.#ports.installer.write(bytes, start, end) : SLOT_FAILED;
		this.bytesDone += end - start;
		if (problem !== "") this.abortUpload(problem);
		return problem;
	}

	/**
	 * The upload is complete.
	 * @param done told what is wrong, now or later, unless it ends before; "" = it starts next, after
	 * `restart`
	 */
	endUpload(done: (problem: string) => void): void {
		if (this.phase !== "uploading") {
			done(SLOT_FAILED);
			return;
		}
		this.#finish((problem) => {
			if (problem !== "") this.abortUpload(problem);
			done(problem);
		});
	}

	/** Gives the upload up. Idempotent. */
	abortUpload(reason: string): void {
		if (this.phase === "uploading") this.#fail(reason);
	}

	/** Restarts soon, and not while the car moves. */
	restart(): void {
		if (this.phase !== "restarting" || this.#restartAsked) return;
		this.#restartAsked = true;
		this.#phaseMs = this.#ports.clock.ticks;
	}

	/** Call several times per second. */
	tick(): void {
		const nowMs = this.#ports.clock.ticks;
		if (this.phase !== "idle" && this.#ports.carMoves()) this.#onMotion("the car is moving");
		this.#signature.tick();
		if (this.phase === "idle") {
			if (this.#ports.checksByItself) this.#checkByItself(nowMs);
			return;
		}
		const inPhaseMs = elapsedMs(this.#phaseMs, nowMs);
		const refusal = this.phase === "restarting" ? this.#ports.restartRefusal() : "";
		const mayRestart = this.#restartGate.look(refusal, nowMs);
		if (this.phase === "installing" && this.stage === "" && inPhaseMs >= INSTALL_AFTER_MS) this.#startDownload();
		else if (this.phase === "restarting" && this.#restartAsked && inPhaseMs >= RESTART_AFTER_MS) {
			if (refusal !== "") this.#postponeRestart(refusal);
			else if (mayRestart) this.#restart();
		}
		if (this.stage !== "") this.#measure(nowMs);
	}

	#unavailable(): string {
		return this.manifest === undefined || this.manifest.firmwareUrl === ""
			? "missing firmware url"
			: "no newer firmware for this board";
	}

	#enter(phase: UpdatePhase): void {
		this.phase = phase;
		this.#phaseMs = this.#ports.clock.ticks;
	}

	#begin(phase: UpdatePhase): void {
		this.#signature.giveUp();
		this.#enter(phase);
		this.installError = this.installDetail = "";
		this.stage = "firmware";
		this.bytesDone = this.bytesTotal = this.bytesPerS = 0;
		this.#speedMs = this.#phaseMs;
		this.#speedBytes = 0;
		this.#restartAsked = this.#restartPostponed = false;
		this.#ports.setUpdating(true);
	}

	#fetch(url: string, download: Download): boolean {
		try {
			this.#ports.fetch.open(url, download);
			return true;
		} catch (error) {
			this.#ports.log("WARN", `${url} can't be fetched: ${(error as Error).message}`);
			return false;
		}
	}

	#checkByItself(nowMs: number): void {
		const online = this.#ports.manifestUrl !== "" && this.#ports.online();
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
		if (this.#ports.updateKey.length === 0) take("");
		else if (manifest.signed === undefined) take(NOT_SIGNED);
		else this.#signature.begin(manifest.signed, (isSigned) => take(isSigned ? this.#replayed(manifest) : NOT_SIGNED));
	}

	/**
	 * Whoever is on the way to the server can send any manifest that the key has ever signed.
	 * @returns "" or `REPLAYED`
	 */
	#replayed({ version, board }: Manifest): string {
		const ports = this.#ports;
		const isOlderThan = (other: string): boolean => other !== "" && compareVersions(version, other) < 0;
		const { newestAnnounced, newestVersion } = ports;
		if (!ports.olderAllowed && [newestAnnounced, newestVersion, ports.version].some(isOlderThan)) return REPLAYED;
		// one for another board says nothing of this one's
		if (board === ports.projectName && (newestAnnounced === "" || compareVersions(version, newestAnnounced) > 0))
			ports.noteAnnounced(version);
		return "";
	}

	#endCheck(error: string): void {
		const ports = this.#ports;
		this.error = error;
		if (error === "offline" || error === "begin failed") this.reachedInternet = false;
		if (this.phase === "checking") this.#enter("idle");
		this.#nextCheckMs = ports.clock.ticks;
		if (error === "") this.#nextCheckAfterMs = CHECK_EVERY_MS;
		if (error !== "") ports.log("WARN", `update check: ${error}`);
		else
			ports.log(
				"EVENT",
				`update check: ${this.manifest?.version} is ${this.available ? "available" : "known, nothing to install"}`,
			);
	}

	#startDownload(): void {
		const { manifest } = this;
		if (manifest === undefined) return;
		this.stage = "firmware";
		if (!this.#ports.online()) this.#fail("offline", "offline");
		else {
			const { version, sizeBytes, sha256 } = manifest;
			this.#ports.installer.begin({ version, sizeBytes, sha256 });
			if (!this.#fetch(manifest.firmwareUrl, this.#imageDownload(sizeBytes))) this.#fail("begin failed");
		}
	}

	#imageDownload(sizeBytes: number): Download {
		return {
			onHead: (status, lengthBytes) => {
				this.bytesTotal = Math.max(lengthBytes, 0) || sizeBytes;
				if (status !== HTTP_OK) this.#fail(`http ${status}`);
				else if (sizeBytes > 0 && lengthBytes >= 0 && lengthBytes !== sizeBytes) this.#fail(IMAGE_PROBLEM.DAMAGED);
			},
			onData: (bytes) => {
				const problem = this.#ports.installer.write(bytes, 0, bytes.length);
				this.bytesDone += bytes.length;
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

	/**
	 * All of the image has come.
	 * @param done told what is wrong, now or later; "" = it starts next. Not told if it is dropped before
	 */
	#finish(done: (problem: string) => void): void {
		const { installer } = this.#ports;
		const problem = installer.end();
		if (problem !== "") done(problem);
		else if (installer.signed === undefined) done(this.#activate());
		else this.#signature.begin(installer.signed, (isRight) => done(isRight ? this.#activate() : IMAGE_PROBLEM.WRONG_SIGNATURE));
	}

	/**
	 * The image is complete, and signed by whom it has to be. What boots next changes here and nowhere else.
	 */
	#activate(): string {
		const ports = this.#ports;
		const { installer } = ports;
		const problem = ports.restartRefusal() || installer.activate();
		if (problem !== IMAGE_PROBLEM.NONE) return problem;
		ports.log("EVENT", `firmware ${installer.version} is installed and starts with the next restart`);
		this.#enter("restarting");
		this.bytesPerS = 0;
		return "";
	}

	#fail(detail: string, error = "firmware update failed"): void {
		const ports = this.#ports;
		ports.fetch.cancel();
		ports.installer.abort();
		this.#signature.giveUp();
		this.installError = error;
		this.installDetail = detail;
		this.stage = "";
		this.bytesDone = this.bytesTotal = this.bytesPerS = this.progressMs = 0;
		this.#enter("idle");
		ports.setUpdating(false);
		ports.log("WARN", `${error}: ${detail}`);
	}

	/** No image, however slowly it comes, and no restart that is due keeps a car stock that moves. */
	#onMotion(reason: string): void {
		if (this.phase === "restarting") this.#postponeRestart(reason);
		else if (this.phase === "installing") this.#fail(reason);
		else if (this.phase === "uploading") {
			this.#fail(reason);
			this.#onBrokenOff?.(reason);
		}
	}

	#restart(): void {
		this.#restartAsked = false;
		this.#ports.restart();
	}

	/** Until the car stands control is the driver's. */
	#postponeRestart(reason: string): void {
		if (this.#restartPostponed) return;
		this.#restartPostponed = true;
		this.#ports.log("WARN", `the restart waits: ${reason}`);
		this.#ports.setUpdating(false);
	}

	#measure(nowMs: number): void {
		const spanMs = elapsedMs(this.#speedMs, nowMs);
		if (spanMs < SPEED_EVERY_MS) return;
		if (this.phase !== "restarting") this.bytesPerS = Math.round(((this.bytesDone - this.#speedBytes) * 1000) / spanMs);
		this.progressMs = this.#ports.uptimeMs();
		this.#speedMs = nowMs;
		this.#speedBytes = this.bytesDone;
	}
}
