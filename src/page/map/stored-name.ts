/** The name under which the controller stores a map: what it makes of the one that was asked for. */

/** As `pathForName` of the controller's `map-path.ts` has it, which the page can't import: a test compares the two. */
export function storedName(text: string): string {
	// each byte of a character that is not kept becomes one "_"
	const bytesOf = (character: string): number => new TextEncoder().encode(character).length;
	return text
		.replace(/^ +| +$/g, "")
		.replace(/[^\w .-]/gu, (character) => "_".repeat(bytesOf(character)))
		.replace(/\.json$/, "");
}
