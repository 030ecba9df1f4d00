import type { Plugin } from "esbuild";

export const namelessTexts: Plugin;
