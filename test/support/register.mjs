// Lets Node import the project's TypeScript: `node --import ./test/support/register.mjs file.ts`.
import { register } from "node:module";

register("./compiled.mjs", import.meta.url);

await import("../../tools/natives.ts");
