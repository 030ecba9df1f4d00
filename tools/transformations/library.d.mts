/** @param code JavaScript module as esbuild bundles it @returns the same module, smaller in flash; see library.mjs */
export function asLibrary(code: string, options?: { readable?: boolean }): Promise<string>;
