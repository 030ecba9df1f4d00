/** Where the page begins. */

import "./app.css";
import { render } from "preact";
import { feelModes } from "./drive/feel";
import { followController, modeState, whenLive } from "./net/live";
import { leadToStart } from "./start/lead";
import { speakLanguage } from "./state/language";
import { tellOfOtherMap } from "./state/map-name";
import { followTheme } from "./state/theme";
import { loadPages, Shell } from "./ui/shell";

/** What the first view needs comes first. */
const SETTLE_MS = 2000;

followTheme();
leadToStart();
feelModes(modeState);
tellOfOtherMap();
// what the car does is asked for while the words are still underway
followController();
await speakLanguage();
whenLive(() => setTimeout(loadPages, SETTLE_MS));
render(<Shell />, document.getElementById("app") as HTMLElement);
