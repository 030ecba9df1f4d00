/** Judges what the status and the log say of a drive: it must be what the frames say. */
import { TOLERANCE_PERCENT } from "./demands.js";
import type { Drive } from "./drive.js";

/** The last frame that tells something came so lately. */
const FRESH_MS = 12;
/** After a change of what is asked for, frames and status may still tell of before. */
const SETTLED_MS = 50;

/** The fields of the status that are looked at. */
interface Status {
	readonly mode: string;
	readonly effectiveMode: string;
	readonly controlActive: boolean;
	readonly reason: string;
	readonly telemetry: { readonly spec: number };
	readonly standalone: { readonly generating: boolean; readonly waits: string };
}

/**
 * Asks for the status, and complains of each of its fields that says something else than the frames, or than
 * what must be so now.
 */
export async function judgeStatus(drive: Drive, isAgain = false): Promise<void> {
	const complain = (text: string): void => drive.complain(text);
	const answer = await drive.ask("GET", "/api/status");
	if (answer?.code !== 200) {
		complain(`the status answers ${answer?.code ?? "nothing"} ${answer?.text ?? ""}`);
		return;
	}
	const status = JSON.parse(answer.text) as Status;
	const { generates } = drive.moments;
	if (generates && !isAgain && status.standalone.generating !== drive.isCommanding) {
		// what has just changed shows in the frames first
		await drive.run(2 * SETTLED_MS);
		await judgeStatus(drive, true);
		return;
	}
	const said = `"${status.reason}", ${status.effectiveMode}`;
	if (status.controlActive !== (status.effectiveMode !== "STOCK")) complain(`the status contradicts itself: ${said}`);
	if (generates) judgeGenerating(drive, status);
	const toldMs = generates ? Number.NEGATIVE_INFINITY : Math.max(drive.lastCommandMs, drive.lastStockMs);
	const isSettled = drive.nowMs - toldMs < FRESH_MS && drive.nowMs - drive.changedMs > SETTLED_MS;
	// what the tick of the answer has changed shows in the next frame that tells, which comes within FRESH_MS
	for (let waitedMs = 0; isSettled && status.controlActive !== drive.isCommanding && waitedMs < FRESH_MS; waitedMs++)
		await drive.run(1);
	if (isSettled && status.controlActive !== drive.isCommanding)
		complain(`the status says ${said}, the frames ${drive.isCommanding ? "command" : "are as they came"}`);
	const { most, reasons, because } = drive.demands.demandAt(drive.nowMs);
	if (most === undefined && reasons.length > 0 && !reasons.some((reason) => reason.test(status.reason)))
		complain(`the status says ${said}, but ${because}`);
	if (!status.controlActive && /^control is active/.test(status.reason)) complain(`stock, and the status says ${said}`);
	if (status.controlActive && status.telemetry.spec > (most ?? 0) + TOLERANCE_PERCENT)
		complain(`the status says ${status.telemetry.spec} %, ${most?.toFixed(1) ?? "stock"} at most: ${because}`);
}

function judgeGenerating(drive: Drive, { controlActive, standalone, effectiveMode, reason }: Status): void {
	const { generating, waits } = standalone;
	const said = `"${waits}", ${effectiveMode}, "${reason}"`;
	const flows = drive.isCommanding;
	if (generating !== flows) drive.complain(`frames ${flows ? "" : "do not "}flow, the status says ${said}`);
	if (drive.demands.wishes.isAlone && generating === (waits !== "") && !drive.moments.isOff)
		drive.complain(`the status says ${said}`);
	if (controlActive && !flows) drive.complain(`control without frames: ${said}`);
}

const MODE_LINE = /^\d+\tEVENT\tmode\t/;
const ERROR_LINE = /^\d+\tERROR\t/;
/** A write that is to fail waits for the next one, which may come with a later fault. */
const NOT_STORED = /ERROR\tstorage\t.* can't be stored: /;
/** Lines of a kind that were too many: it keeps some to itself. */
const MORE_LINE = /\tand \d+ more like this$/;
/** It looks at what has happened every 50 ms, and says it this much later at the latest. */
const [LOG_LOOKS_MS, TOLD_LATER_MS, LOOK_AGAIN_MS] = [60, 10_500, 700];

/**
 * The log must say what the status says, and have no error that nothing explains.
 * @param since how many lines there were before
 * @param errors that may be among those that came since
 */
export async function judgeLog(drive: Drive, since: number, errors: readonly RegExp[]): Promise<void> {
	await drive.run(LOG_LOOKS_MS);
	let problem = await contradiction(drive);
	for (let waitedMs = 0; problem !== "" && waitedMs < TOLD_LATER_MS; waitedMs += LOOK_AGAIN_MS) {
		await drive.run(LOOK_AGAIN_MS);
		problem = await contradiction(drive);
	}
	const lines = drive.log.slice(since);
	if (problem !== "" && !lines.some((line) => MORE_LINE.test(line))) drive.complain(problem);
	judgeErrors(drive, lines, [...errors, NOT_STORED]);
}

/** Complains of each line of level ERROR that is none of `allowed`. */
export function judgeErrors(drive: Drive, lines: readonly string[], allowed: readonly RegExp[]): void {
	for (const line of lines)
		if (ERROR_LINE.test(line) && !allowed.some((error) => error.test(line)))
			drive.complain(`the log has an error that nothing explains: ${line.replace(/^\d+\t/, "")}`);
}

async function contradiction(drive: Drive): Promise<string> {
	const answer = await drive.ask("GET", "/api/status");
	const { effectiveMode, reason } = JSON.parse(answer?.text ?? "{}") as Status;
	const said = drive.log.filter((line) => MODE_LINE.test(line)).at(-1);
	if (said !== undefined && MORE_LINE.test(said)) return "";
	if (said?.replace(MODE_LINE, "").startsWith(`${effectiveMode}: ${reason}`)) return "";
	return `the log says "${said}", the status "${effectiveMode}: ${reason}"`;
}
