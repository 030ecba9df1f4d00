/** Writes `src/can/generated/catalogue-data.ts` unless it is up to date. @throws {Error} a DBC file is missing or not usable */
export function buildCatalogue(options?: { force?: boolean }): { path: string; bytes: number; built: boolean };
