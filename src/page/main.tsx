/** Where the page begins. */

import "./app.css";
import { render } from "preact";
import { feelModes } from "./drive/feel";
import { followController } from "./net/live";
import { leadToStart } from "./start/lead";
import { speakLanguage } from "./state/language";
import { followTheme } from "./state/theme";
import { Shell } from "./ui/shell";

followTheme();
await speakLanguage();
followController();
feelModes();
leadToStart();
render(<Shell />, document.getElementById("app") as HTMLElement);
