/** What the updater needs of its surroundings. Types only. */

import type { FetchPort, FirmwarePort, SignaturePort } from "../../hal/update-port.js";
import type { ImageInstaller } from "./image-installer.js";
import type { Signed } from "./image-trailer.js";

/** What is under way. */
export type UpdatePhase = "idle" | "checking" | "installing" | "uploading" | "restarting";

/** What is known of the running firmware, and of which updates it takes. */
export interface UpdateFacts {
	readonly firmware: Pick<FirmwarePort, "rolledBack" | "slotBytes">;
	/** Running version. */
	readonly version: string;
	/** Where manifests come from; "" = nowhere: updates come from the page. */
	readonly manifestUrl: string;
	/**
	 * Ed25519 key that manifests must be signed with, and images (`ImageRules`), 32 bytes; empty = there is
	 * none.
	 */
	readonly updateKey: Uint8Array;
	/**
	 * The newest version that was kept: an older one needs the owner at the board. "" = any version may be
	 * installed.
	 */
	readonly newestVersion: string;
	/** True while the owner has said at the board that an older version may be installed. */
	readonly olderAllowed: boolean;
}

/** None of them blocks; what fails says so in words or throws where it is said. */
export interface UpdatePorts extends UpdateFacts {
	readonly fetch: FetchPort;
	readonly firmware: FirmwarePort;
	readonly installer: ImageInstaller;
	/** Names the board. */
	readonly projectName: string;
	/** Begins to look at a signature. @throws {Error} it can't be looked at */
	newSignatureCheck(signed: Signed): SignaturePort;
	/** The newest version that a signed manifest for this board has announced; "" = none has. */
	readonly newestAnnounced: string;
	/** Stores that a newer one was announced. */
	noteAnnounced(version: string): void;
	/** ms, modulo 2^31 or 2^32: only differences mean something. */
	readonly clock: { readonly ticks: number };
	/** ms since start, for what is shown. */
	uptimeMs(): number;
	/** True while there is a network with a way to the world. */
	online(): boolean;
	/** It may look for a new version without being asked. */
	readonly checksByItself: boolean;
	/** Why no update may begin now; "" = it may. */
	refusal(): string;
	/** Why it must not restart now; "" = it may. */
	restartRefusal(): string;
	/** True while the car is known to move. */
	carMoves(): boolean;
	/** From now on, or no longer, frames are forwarded unmodified. */
	setUpdating(updating: boolean): void;
	/** Stores what is pending, then starts the firmware anew. */
	restart(): void;
	log(level: "EVENT" | "WARN", message: string): void;
}
