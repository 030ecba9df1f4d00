/** What a scan of the radio found, as a driver chooses from it. */

import type { FoundNetwork } from "../../hal/radio-port.js";
import { decodeUtf8 } from "../text/bytes.js";
import { isSsid } from "./wifi-settings.js";

/** More than a street has; an answer of 2 KB. */
const NETWORKS_MAX = 32;

/** As the interface tells it. */
export interface NetworkInReach {
	readonly ssid: string;
	/** dBm. */
	readonly rssi: number;
	readonly open: boolean;
}

/**
 * The strongest first, each name once. A name that the settings do not accept is left out: hidden, no UTF-8,
 * or with control characters. Never throws.
 */
export function networksInReach(found: readonly FoundNetwork[]): NetworkInReach[] {
	const strongest: NetworkInReach[] = [];
	for (const { name, strengthDbm, isOpen } of [...found].sort((a, b) => b.strengthDbm - a.strengthDbm)) {
		const ssid = decodeUtf8(name, 0, name.length) ?? "";
		if (ssid === "" || !isSsid(ssid) || strongest.some((other) => other.ssid === ssid)) continue;
		strongest.push({ ssid, rssi: strengthDbm, open: isOpen });
		if (strongest.length === NETWORKS_MAX) break;
	}
	return strongest;
}
