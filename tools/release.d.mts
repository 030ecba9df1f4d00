export function makeRelease(name: string, linked: string, target?: string): string;
