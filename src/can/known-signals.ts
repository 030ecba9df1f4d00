/**
 * What the layout tables know of a signal of the catalogue: the range of its values, beyond which are codes,
 * and its quality bits.
 */

import type { CatalogueSignal, Network } from "./catalogue.js";
import { MQB_SIGNALS } from "./layouts/mqb.js";
import { PQ_SIGNALS } from "./layouts/pq.js";
import type { RawRow, SignalPlace } from "./signal-layout.js";

/** Of the layout tables. */
const ROWS: Readonly<Record<Network, readonly RawRow[]>> = Object.freeze({
	pq: Object.freeze(Object.values(PQ_SIGNALS).map((row) => Object.freeze(row))),
	mqb: Object.freeze(Object.values(MQB_SIGNALS).map((row) => Object.freeze(row))),
});

/** The row of the same place in the same frame; undefined if there is none. Never throws. */
export function knownRow(network: Network, { frameId, start, length }: CatalogueSignal): RawRow | undefined {
	return ROWS[network].find((row) => row.id === frameId && row.start === start && row.length === length);
}

/**
 * True if a frame has a value in the place of a signal, not a code, and none that its quality bit marks.
 * @param rawOf reads a place in the frame; NaN: the frame is too short @param row what is known of the
 * signal; undefined: nothing. Never throws.
 */
export function hasValue(signal: SignalPlace, row: RawRow | undefined, rawOf: (place: SignalPlace) => number): boolean {
	if (row === undefined) return true;
	const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, qualityBit, qualityBits = 1 } = row;
	const raw = rawOf(signal);
	if (!(raw >= min && raw <= max)) return false;
	return qualityBit === undefined || rawOf({ start: qualityBit, length: qualityBits, littleEndian: true, signed: false }) === 0;
}
