/** Where the page begins. */

import { render } from "preact";
import { feelModes } from "./drive/modes";
import { followController, modeState, whenLive } from "./net/live";
import { speakLanguage } from "./state/language";
import { tellOfOtherMap } from "./state/map-name";
import { followAddress } from "./state/route";
import { status } from "./state/status";
import { followTheme } from "./state/theme";
import { loadPages, Shell } from "./ui/shell";

/** The first view loads first. */
const SETTLE_MS = 2000;

/** The plain address leads to the update in a boot loop, and to the first start until that is finished. */
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
followAddress();
leadToStart();
feelModes(modeState);
tellOfOtherMap();
// what the car does is asked for while the words are still underway
followController();
await speakLanguage();
whenLive(() => setTimeout(loadPages, SETTLE_MS));
render(<Shell />, document.getElementById("app") as HTMLElement);
