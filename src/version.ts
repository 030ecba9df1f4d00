/** The firmware's version; a test holds it equal to package.json. */
export const VERSION = "v0.1.0";

/** Older firmware would misread what this one leaves on flash: it can't be installed over it. */
export const MINIMUM_VERSION = "v0.1.0";
