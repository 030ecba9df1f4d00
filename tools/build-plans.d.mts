/** Writes `src/coupling/generated/frame-plans.ts` unless it is up to date. @throws {RangeError} a row of a profile makes no sense */
export function buildPlans(): Promise<void>;
