/** Firmware images that the soak uploads: a right one, and those that the controller must not take. */
import type { Random } from "../../test/support/random.js";
import { anImage, OTHER_KEY, OWN_KEY } from "../../test/support/update-bench.js";
import { signImage } from "../device/sign.mjs";

/** The last two only a controller with a key rejects. */
export const IMAGES = ["whole", "a wrong bit", "unsigned", "another's signature"] as const;
/** Answers that say that it is not the owner's, or too old. */
export const NOT_OURS = /signed|signature|older|not an image/;

/** @param isKeyed the controller takes only what its owner has signed */
export function imageOf(kind: (typeof IMAGES)[number], version: string, isKeyed: boolean, random: Random): Buffer {
	const image = anImage({ version, segments: [600, 40, 3000] });
	const key = kind === "another's signature" ? OTHER_KEY : OWN_KEY;
	const isSigned = isKeyed && kind !== "unsigned";
	const sent = isSigned ? signImage(image, { projectName: "opencoupling-host", version }, key) : image;
	// behind the description, in code, data, digest or trailer
	if (kind === "a wrong bit") sent[300 + random.below(sent.length - 300)] ^= 1 << random.below(8);
	return sent;
}
