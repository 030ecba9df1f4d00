/** Writes `src/api/generated/openapi-asset.ts` unless it is up to date. @throws {Error} the description is missing or no JSON */
export function buildOpenapi(): { path: string; bytes: number; built: boolean };
