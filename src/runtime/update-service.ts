/**
 * Updates on the controller's own parts: who may update when, what is stored before a restart, what the new firmware has to prove.
 * Glue only: the states are those of `src/update/`.
 */

import type { FilePort } from "../../hal/file-port.js";
import type { DigestPort, FetchPort, FirmwarePort } from "../../hal/update-port.js";
import type { Controller } from "../controller/controller.js";
import type { Log } from "../logs/log.js";
import { isFull, replaceFile } from "../storage/whole-file.js";
import type { ImageRules } from "../update/firmware-image.js";
import { ImageInstaller } from "../update/image-installer.js";
import { motionRefusal, updateRefusal } from "../update/refusal.js";
import { SelfTest } from "../update/self-test.js";
import { Updater } from "../update/updater.js";
import { TICK_MS } from "./control-loop.js";

const LOG_TAG = "ota";
/** Written and deleted by the self-test; a power cut in between leaves nothing that matters. */
const PROBE_PATH = "self-test";
const PROBE = new Uint8Array(16);

export interface UpdateServiceOptions {
	readonly controller: Controller;
	readonly log: Log;
	readonly files: FilePort;
	readonly clock: { readonly ticks: number };
	readonly firmware: FirmwarePort;
	readonly newDigest: () => DigestPort;
	readonly rules: ImageRules;
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
	/** Puts on flash what is pending. Never throws. */
	readonly storeAll: () => void;
}

export class UpdateService {
	readonly updater: Updater;
	readonly #selfTest: SelfTest;

	constructor(options: UpdateServiceOptions) {
		const { controller, log, clock, firmware, rules } = options;
		const note = (level: "EVENT" | "WARN" | "ERROR", message: string): void => log.write(level, LOG_TAG, message);
		const restartRefusal = (): string => motionRefusal(controller);
		const restart = (): void => {
			note("EVENT", "restart");
			options.storeAll();
			firmware.restart();
		};
		if (firmware.rolledBack) note("ERROR", "the last update did not pass its self-test: the firmware before it runs again");
		this.updater = new Updater({
			fetch: options.fetch,
			firmware,
			installer: new ImageInstaller(firmware, rules, options.newDigest, (message) => note("WARN", message)),
			version: options.version,
			manifestUrl: options.manifestUrl,
			projectName: rules.projectName,
			clock,
			uptimeMs: () => controller.uptimeMs,
			online: options.online,
			refusal: () => updateRefusal(controller),
			restartRefusal,
			setUpdating: (updating) => controller.setUpdating(updating),
			restart,
			log: note,
		});
		this.#selfTest = new SelfTest({
			firmware,
			fetch: options.ownFetch,
			ownUrl: options.ownUrl,
			clock,
			controlTicks: () => controller.loop.ticks,
			tickMs: TICK_MS,
			probeStorage: () => probe(options.files),
			restartRefusal,
			restart,
			log: note,
		});
	}

	/** Call several times per second. */
	tick(): void {
		this.updater.tick();
		this.#selfTest.tick();
	}
}

/** @throws {Error} files can't be written; a full file system is not the firmware's fault */
function probe(files: FilePort): void {
	try {
		replaceFile(files, PROBE_PATH, PROBE);
		files.delete(PROBE_PATH);
	} catch (error) {
		if (!isFull(error)) throw error;
	}
}
