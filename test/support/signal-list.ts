import { type CatalogueSignal, frameText, isExtended, type Network, parseSignal } from "../../src/can/catalogue.js";

/** The signals of a frame in the order of the DBC file. @returns [] for a frame that the catalogue does not have */
export function listSignals(network: Network, frameId: number): CatalogueSignal[] {
	const text = frameText(network, frameId);
	if (text === undefined) return [];
	const parts = text.split("|").slice(1, -1);
	return parts.map((part) => parseSignal(part, frameId, isExtended(text)));
}
