export const CHECKS: ReadonlyMap<string, readonly string[]>;
export function complaints(name: string): Promise<string>;
