/** What runs at start: everything else is library code, preloaded. */

import { start } from "opencoupling";

start();
