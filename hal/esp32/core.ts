/** What Moddable's linker puts into flash: everything but `main.ts`. */
export { start } from "../../src/app.js";
export { mount } from "./io/files.js";
