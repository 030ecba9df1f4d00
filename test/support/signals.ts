/** The signals of a frame as the catalogue lists them. */
import { type CatalogueSignal, isExtended, type Network, networkNumber, parseSignal } from "../../src/can/catalogue.js";
import { catalogueTexts } from "../../tools/build-catalogue.mjs";

let networks: string[][] | undefined;

/**
 * The signals of a frame in the order of the DBC file.
 * @returns [] for a frame that the catalogue does not have
 */
export function listSignals(network: Network, frameId: number): CatalogueSignal[] {
	networks ??= catalogueTexts().networks;
	const text = networks[networkNumber(network)]?.find((one) => Number.parseInt(one, 16) === frameId);
	if (text === undefined) return [];
	const parts = text.split("|").slice(1, -1);
	return parts.map((part) => parseSignal(part, frameId, isExtended(text)));
}
