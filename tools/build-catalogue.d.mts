/** Writes `modules/frame-text/generated/catalogue_data.c` unless it is up to date. @throws {Error} a DBC file is missing or not usable */
export function buildCatalogue(options?: { force?: boolean }): { path: string; bytes: number; built: boolean };

/** The same as texts: units by number, and for PQ and MQB the frames. @throws {Error} as above */
export function catalogueTexts(): { units: string[]; networks: string[][] };
