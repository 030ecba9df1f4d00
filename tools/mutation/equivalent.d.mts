export const EQUIVALENT: Readonly<Record<string, readonly (readonly [line: string, why: string])[]>>;
