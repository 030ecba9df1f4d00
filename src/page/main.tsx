/** Where the page begins. */

import "./app.css";
import { render } from "preact";
import { feelModes } from "./drive/feel";
import { followController, modeState, whenLive } from "./net/live";
import { speakLanguage } from "./state/language";
import { tellOfOtherMap } from "./state/map-name";
import { status } from "./state/status";
import { followTheme } from "./state/theme";
import { loadPages, Shell } from "./ui/shell";

/** What the first view needs comes first. */
const SETTLE_MS = 2000;

/**
 * Whoever opens the page itself is led to the update in a boot loop, or through the first start until
 * somebody has finished it.
 */
function leadToStart(): void {
	if (location.hash !== "") return;
	const end = status.follow(() => {
		end();
		const { bootLoop, setupDone } = status.value ?? {};
		const lead = bootLoop ? "#update" : setupDone === false ? "#start" : "";
		if (lead !== "" && location.hash === "") location.replace(lead);
	});
}

followTheme();
leadToStart();
feelModes(modeState);
tellOfOtherMap();
// what the car does is asked for while the words are still underway
followController();
await speakLanguage();
whenLive(() => setTimeout(loadPages, SETTLE_MS));
render(<Shell />, document.getElementById("app") as HTMLElement);
