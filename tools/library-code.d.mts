/** How esbuild compiles classes; see library-code.mjs. */
export const COMPILER_OPTIONS: Readonly<{ useDefineForClassFields: false; verbatimModuleSyntax: true }>;
/** @param code JavaScript module as esbuild bundles it @returns the same module, smaller in flash */
export function asLibrary(code: string): string;
