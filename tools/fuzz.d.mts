export const TARGETS: readonly string[];
export function build(source: string, parts: readonly string[], program: string, guided: boolean): void;
export function runSeeded(program: string, runs: number, seed: number): { status: number | null; output: string };
export function buildSeeded(name: string): string;
