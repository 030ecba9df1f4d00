/**
 * What handlers get: the parts of the controller that the interface may see and change.
 */

import type { ControllerView } from "../controller/view.js";

export interface ApiContext {
	readonly controller: ControllerView;
	/** Firmware version, e.g. "v0.1.0". */
	readonly version: string;
	/** Host names of ours beside the usual ones, lower case. */
	readonly hostNames: readonly string[];
}
