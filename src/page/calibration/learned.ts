/** What a calibration has learned, and how one is begun. */

import { get, post } from "../net/request";
import type { Learn, LearnResult, LearnTable } from "../net/types";
import { valueInOurWords } from "../said";
import { T } from "../texts";
import type { Trial } from "./search";

/**
 * Much oftener than the controller wants it, every 5 s, so that it hears of twelve words in a row at least
 * one.
 */
export const ALIVE_MS = 400;
/** Of its progress: the steps 0 to 100 are over. */
export const DONE = 101;

/** What was learned; generation 0 = nothing. @throws {ApiError} {LinkError} */
export const learnedTable = (): Promise<LearnTable> => get("/api/learn/table");

/** The operator is still there. @returns how far it is, or how it ended @throws {ApiError} {LinkError} */
export async function stayed(): Promise<Learn> {
	await post("/api/learn/alive");
	return get("/api/learn/status");
}

/** Of a calibration that gave no table, in the driver's words. */
export const whyEnded = ({ problem, problemCode }: Learn): string =>
	problem === "" ? T.calibration.cancelled : valueInOurWords(problemCode, problem);

/** A day of the operator's calendar. */
function dayOf(now: Date): string {
	const two = (number: number): string => String(number).padStart(2, "0");
	return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** What a trial has found becomes the driver's, with its settings. @throws {ApiError} {LinkError} */
export const apply = (generation: number, frameProfile: string, trial: Trial, table: readonly number[]): Promise<unknown> =>
	post("/api/learn/table", { generation, frameProfile, ...trial, date: dayOf(new Date()), table, apply: true });

/**
 * The operator has confirmed that the car stands.
 * @param trial in the place of the settings
 * @returns why not, in the driver's words; "" = it has begun
 * @throws {ApiError} {LinkError}
 */
export async function begin(trial?: Trial): Promise<string> {
	const answer = await post<LearnResult>("/api/learn/start", { confirmed: true, date: dayOf(new Date()), ...trial });
	const { ok, error = "", errorCode = "", alreadyActive = false } = answer;
	// what comes of it would be taken for what comes of the trial
	if (alreadyActive && trial !== undefined) return T.reasons.twice;
	return ok ? "" : valueInOurWords(errorCode, error);
}
