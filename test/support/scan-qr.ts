/** Reads QR codes as a phone does: another implementation than the one that draws them. */
import jsqr from "jsqr";

/** The package is CommonJS, and its types don't say so. */
const scan = jsqr as unknown as (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null;

/**
 * @param pixels red, green, blue and alpha of each.
 * @returns the text of the code that is seen, undefined if there is none
 */
export function scanQr(pixels: Uint8ClampedArray, width: number, height: number): string | undefined {
	return scan(pixels, width, height)?.data;
}
