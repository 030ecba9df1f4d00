/**
 * A QR code as a drawing. A file of its own, loaded when the first code is shown: of the library it takes
 * along only what it calls.
 */

import { encode } from "uqr";

/** Light modules around the code: phones need them. */
const BORDER = 4;

/** A square of `size` x `size`. */
export interface QrPath {
	readonly size: number;
	/** One square of 1 x 1 for each dark module, as the `d` of a path. */
	readonly path: string;
}

/** @throws {RangeError} if the text is too long for a code, which holds 2,953 bytes */
export function qrPathOf(text: string): QrPath {
	const { data, size } = encode(text, { border: BORDER });
	const squares = data.flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
	return { size, path: squares.join("") };
}
