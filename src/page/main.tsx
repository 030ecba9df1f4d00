/** Where the page begins. */

import "./app.css";
import { render } from "preact";
import { followController } from "./net/live";
import { leadToStart } from "./start/lead";
import { followTheme } from "./state/theme";
import { Shell } from "./ui/shell";

followTheme();
followController();
leadToStart();
render(<Shell />, document.getElementById("app") as HTMLElement);
