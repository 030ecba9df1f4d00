// Lets Node import the project's TypeScript: `node --import ./test/support/register.mjs file.ts`.
import { register } from "tsx/esm/api";

register();

await import("./natives.ts");
