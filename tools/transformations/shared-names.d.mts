/** @param code JavaScript module @returns the same with other names for all that nobody else sees; see shared-names.mjs */
export function withSharedNames(code: string): Promise<string>;
