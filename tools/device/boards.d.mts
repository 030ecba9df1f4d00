export class DeviceError extends Error {}
export const ROOT: string;
export const BOARDS: readonly string[];
export interface Board {
	name: string;
	folder: string;
	chip: string;
	projectName: string;
	chipId: number;
	updateUrl: string;
}
export function findBoard(name: string | undefined): Board;
export function partitionsOf(folder: string): { name: string; type: string; subtype: string; offset: number; size: number }[];
export function sdkEnvironment(): Record<string, string>;
export function writeCompilerOptions(path: string, name: string, idf: string): void;
