/** The firmware's version; a test holds it equal to package.json. */
export const VERSION = "v0.1.0";
