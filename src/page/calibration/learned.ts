/** What a calibration has learned, and how one is begun. */

import { get, post } from "../net/request";

/** `GET /api/learn/table`. */
export interface LearnedTable {
	/** 0 = nothing was learned. */
	readonly generation: number;
	readonly frameProfile: string;
	/** `2026-11-23`, "" = not known. */
	readonly date: string;
	/** Engagement in percent by factor, 101 values that never fall. */
	readonly table: readonly number[];
	readonly inForce: boolean;
}

/** What of `GET /api/learn/status` is shown. */
export interface LearnState {
	readonly active: boolean;
	/** Step 0..100, 101 ended with a table, 102 without. */
	readonly progress: number;
	readonly currentCF: number;
	readonly currentEng: number;
	readonly problem: string;
}

export const learnedTable = (): Promise<LearnedTable> => get("/api/learn/table");
export const learnState = (): Promise<LearnState> => get("/api/learn/status");

/** The operator has confirmed that the car stands. @returns why not, "" = it has begun @throws {ApiError} {LinkError} */
export async function begin(now = new Date()): Promise<string> {
	const two = (number: number): string => String(number).padStart(2, "0");
	const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
	const { ok, error = "" } = await post<{ ok: boolean; error?: string }>("/api/learn/start", { confirmed: true, date });
	return ok ? "" : error;
}
