/** A request's changes of the settings, all at once. */
import { atOnce } from "../../src/clock/turns.js";
import { patching } from "../../src/settings/patch.js";

export const patchSettings = (...request: Parameters<typeof patching>) => atOnce(patching(...request));
