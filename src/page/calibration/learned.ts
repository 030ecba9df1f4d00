/** What a calibration has learned, and how one is begun. */

import { get, post } from "../net/request";
import type { Learn, LearnResult, LearnTable } from "../net/types";
import { valueInOurWords } from "../said";

/** What was learned; generation 0 = nothing. @throws {ApiError} {LinkError} */
export const learnedTable = (): Promise<LearnTable> => get("/api/learn/table");
/** How far a calibration is, or how the last one ended. @throws {ApiError} {LinkError} */
export const learnState = (): Promise<Learn> => get("/api/learn/status");

/**
 * The operator has confirmed that the car stands.
 * @returns why not, in the driver's words; "" = it has begun
 * @throws {ApiError} {LinkError}
 */
export async function begin(now = new Date()): Promise<string> {
	const two = (number: number): string => String(number).padStart(2, "0");
	const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
	const { ok, error = "", errorCode = "" } = await post<LearnResult>("/api/learn/start", { confirmed: true, date });
	return ok ? "" : valueInOurWords(errorCode, error);
}
