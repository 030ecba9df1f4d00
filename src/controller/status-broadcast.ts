/**
 * The status frame for displays: whether it is sent, and its bytes. The layout is in `can/layouts/status.ts`.
 * The control loop sends it. Source: docs/control-and-can.md 4.3.
 */

import type { Bus, DiagnosisPort } from "../../hal/ports.js";
import { CHASSIS, COUPLING, isRunning } from "../can/bus.js";
import { STATUS_BYTES, STATUS_FRAME } from "../can/layouts/status.js";
import { formerNumberOf, type ModeNumber } from "../lock/modes.js";

/** Period of `update`: four times in the frame's period. Source: docs/control-and-can.md 4.3. */
export const STATUS_UPDATE_MS = 50;
/**
 * Two senders of one identifier are a hazard: the status frame waits until no other has sent it for this long
 * on a chassis bus that runs, fifteen of its periods. Source: docs/control-and-can.md 4.3.
 */
const LISTEN_MS = 3000;

/** What the status frame says of the controller. */
interface StatusValues {
	readonly settings: { readonly standalone: boolean; readonly c6ModeNumbers: boolean };
	/** Engagement 0..255, speed in km/h, pedal in percent. */
	readonly vehicle: { readonly engagementRaw: number; readonly speedKmh: number; readonly pedalPercent: number };
	readonly lockPercent: number;
	readonly effectiveMode: ModeNumber;
}

interface StatusSource extends StatusValues {
	readonly effectiveBroadcastOverCan: boolean;
	readonly sample: { readonly chassisState: number };
}

/** Decides whether the status frame is sent. */
export class StatusBroadcast {
	/** Written when `update` returns true. */
	readonly payload = new Uint8Array(STATUS_FRAME.dlc);
	/** Another node sends the status frame. */
	isElsewhere = false;
	/** The status frame is kept back: it would keep a bus awake. */
	silent = false;
	/** How long the chassis bus has been heard, at most LISTEN_MS. */
	#listenedMs = 0;

	/**
	 * Call every STATUS_UPDATE_MS. Allocates nothing.
	 * @returns true if `payload` is to be sent until the next call
	 */
	update(source: StatusSource, gateway: Pick<DiagnosisPort, "receivedAgeMs">): boolean {
		if (!isRunning(source.sample.chassisState)) this.#listenedMs = 0;
		else if (this.#listenedMs < LISTEN_MS) this.#listenedMs += STATUS_UPDATE_MS;
		// from the coupling's bus it reaches the car, too
		this.isElsewhere = isRecent(gateway, CHASSIS) || isRecent(gateway, COUPLING);
		const mayBegin = this.#listenedMs >= LISTEN_MS && !this.isElsewhere;
		if (!source.effectiveBroadcastOverCan || this.silent || !mayBegin) return false;
		writeStatus(this.payload, source);
		return true;
	}
}

function isRecent(gateway: Pick<DiagnosisPort, "receivedAgeMs">, bus: Bus): boolean {
	return gateway.receivedAgeMs(bus, STATUS_FRAME.id, STATUS_FRAME.id) < LISTEN_MS;
}

/**
 * Writes the status frame; speed and pedal saturate at 255. Source: docs/control-and-can.md 4.3,
 * docs/decisions.md 8.
 */
export function writeStatus(into: Uint8Array, { settings, vehicle, lockPercent, effectiveMode }: StatusValues): void {
	const { engagementRaw, speedKmh, pedalPercent } = vehicle;
	into[STATUS_BYTES.unused.at] = 0;
	into[STATUS_BYTES.standalone.at] = settings.standalone ? 1 : 0;
	into[STATUS_BYTES.engagement.at] = engagementRaw;
	into[STATUS_BYTES.lock.at] = lockPercent;
	into[STATUS_BYTES.speed.at] = speedKmh > 255 ? 255 : speedKmh;
	into[STATUS_BYTES.modeOverride.at] = 0;
	// in a byte, -1 is 255
	into[STATUS_BYTES.mode.at] = settings.c6ModeNumbers ? formerNumberOf(effectiveMode) : effectiveMode;
	into[STATUS_BYTES.pedal.at] = pedalPercent > 255 ? 255 : pedalPercent;
}
