// Lets Node import the project's TypeScript: `node --import ./test/support/register.mjs file.ts`.
import { register } from "node:module";

register("ts-node/esm/transpile-only", import.meta.url);

await import("./natives.ts");
