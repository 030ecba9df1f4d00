export function romTraps(code: string): string[];
