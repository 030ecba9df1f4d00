/** What runs at start on a board: everything else is library code, preloaded. */

import files from "embedded:storage/files";
import { mount, start } from "opencoupling";

mount(files);
start();
