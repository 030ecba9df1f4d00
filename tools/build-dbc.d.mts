/** Signals that the files do not have: they lie on bits of others. */
export const LEFT_OUT: readonly string[];
/** The DBC file of a network, as the firmware serves it. @throws {Error} the catalogue's sources can't be read */
export function dbcText(network: "pq" | "mqb"): string;
/** Writes `src/api/generated/dbc-assets.ts` unless it is up to date. @throws {Error} as `dbcText` */
export function buildDbc(): { path: string; bytes: number; built: boolean };
