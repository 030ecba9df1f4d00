/** The firmware's version, its commit, and what it may replace. */

/** This one; a test holds it equal to package.json. */
export const VERSION = "v0.1.0";

declare const COMMIT: string | undefined;
/**
 * The commit that it was built from, `1a2b3c4d`, with a `+` where sources differed from it; "" = nobody
 * knows. The bundler puts it in.
 */
export const BUILT_FROM: string = typeof COMMIT === "undefined" ? "" : COMMIT;

/** Older firmware would misread what this one leaves on flash: it can't be installed over it. */
export const MINIMUM_VERSION = "v0.1.0";
