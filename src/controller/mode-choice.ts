/** What stands against choosing a mode, whoever chooses it. */

import { type ModeNumber, STOCK } from "../lock/modes.js";
import { isVerboseLogging } from "../settings/settings.js";
import type { ControllerView } from "./view.js";

/** Why `mode` can't be selected now, in the words of the error catalogue; "" = it can. Pure. */
export function modeRefusal({ supervisor, settings }: Pick<ControllerView, "supervisor" | "settings">, mode: ModeNumber): string {
	if (mode === STOCK) return "";
	if (supervisor.captureActive) return "canview capture mode active";
	return isVerboseLogging(settings.logging) ? "debug capture active" : "";
}
