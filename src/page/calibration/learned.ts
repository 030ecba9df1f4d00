/** A calibration: how it begins, its table, and what the table means. */

import { get, post } from "../net/request";
import type { Learn, LearnResult, LearnTable } from "../net/types";
import { T, valueInOurWords } from "../texts";
import type { Trial } from "./search";

/** The controller wants to hear of the operator every 5 s: of twelve words in a row one arrives. */
export const ALIVE_MS = 400;
/** Progress behind the steps 0 to 100. */
export const DONE = 101;

/** The learned table; generation 0 = none. @throws {ApiError} {LinkError} */
export const learnedTable = (): Promise<LearnTable> => get("/api/learn/table");

/** Says that the operator is there. @returns how far it is, or how it ended @throws {ApiError} {LinkError} */
export async function stayed(): Promise<Learn> {
	await post("/api/learn/alive");
	return get("/api/learn/status");
}

/** Why a calibration gave no table. */
export const whyEnded = ({ problem, problemCode }: Learn): string =>
	problem === "" ? T.calibration.cancelled : valueInOurWords(problemCode, problem);

/** A day of the operator's calendar. */
function dayOf(now: Date): string {
	const two = (number: number): string => String(number).padStart(2, "0");
	return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Makes table and settings of a trial the driver's. @throws {ApiError} {LinkError} */
export const apply = (generation: number, frameProfile: string, trial: Trial, table: readonly number[]): Promise<unknown> =>
	post("/api/learn/table", { generation, frameProfile, ...trial, date: dayOf(new Date()), table, apply: true });

/**
 * The operator has confirmed that the car stands.
 * @param trial in place of the settings
 * @returns "" or why it did not begin @throws {ApiError} {LinkError}
 */
export async function begin(trial?: Trial): Promise<string> {
	const answer = await post<LearnResult>("/api/learn/start", { confirmed: true, date: dayOf(new Date()), ...trial });
	const { ok, error = "", errorCode = "", alreadyActive = false } = answer;
	// what comes of it would be taken for what comes of the trial
	if (alreadyActive && trial !== undefined) return T.reasons.twice;
	return ok ? "" : valueInOurWords(errorCode, error);
}

/** Lock that a coupling with this table reaches. @param factor 0..100 */
export function reached(table: readonly number[], factor: number): number {
	const low = Math.floor(factor);
	const at = table[low] ?? 0;
	return at + ((table[low + 1] ?? at) - at) * (factor - low);
}

/** The smallest factor that reaches a lock, or the most, by a table; undefined = the guess. */
export function factorOf(table: readonly number[] | undefined, lockPercent: number): number {
	if (lockPercent <= 0) return 0;
	if (table === undefined) return lockPercent >= 100 ? 100 : 20 + lockPercent / 2;
	const wantedPercent = Math.min(lockPercent, table[table.length - 1] ?? 0);
	const factor = table.findIndex((engagement) => engagement >= wantedPercent);
	if (factor <= 0) return 0;
	const below = table[factor - 1] ?? 0;
	return factor - 1 + (wantedPercent - below) / ((table[factor] ?? 0) - below);
}

/** Reached against asked, 0..100 in steps of 2. @param by it is asked by this table, undefined = the guess */
export function following(table: readonly number[], by: readonly number[] | undefined): readonly (readonly [number, number])[] {
	return Array.from({ length: 51 }, (_, i) => [2 * i, reached(table, factorOf(by, 2 * i))] as const);
}
