/** Judges what the status says of a drive: it must be what the frames say. */
import { TOLERANCE_PERCENT } from "./demand.js";
import type { Drive } from "./drive.js";

/** The last frame that tells something came so lately. */
const FRESH_MS = 12;
/** After a change of what is asked for, frames and status may still tell of before. */
const SETTLED_MS = 50;

/** The fields of the status that are looked at. */
export interface Status {
	readonly mode: string;
	readonly effectiveMode: string;
	readonly controlActive: boolean;
	readonly reason: string;
	readonly telemetry: { readonly spec: number };
}

/** Asks for the status, and complains of each of its fields that says something else than the frames, or than what must be so now. */
export async function judgeStatus(drive: Drive): Promise<void> {
	const complain = (text: string): void => drive.complain(text);
	const answer = await drive.askStatus();
	if (answer?.code !== 200) {
		complain(`the status answers ${answer?.code ?? "nothing"} ${answer?.text ?? ""}`);
		return;
	}
	const status = JSON.parse(answer.text) as Status;
	const said = `"${status.reason}", ${status.effectiveMode}`;
	if (status.controlActive !== (status.effectiveMode !== "STOCK")) complain(`the status contradicts itself: ${said}`);
	const toldMs = Math.max(drive.lastCommandMs, drive.lastStockMs);
	const isSettled = drive.nowMs - toldMs < FRESH_MS && drive.nowMs - drive.changedMs > SETTLED_MS;
	// what the tick of the answer has changed shows in the next frame that tells, which comes within FRESH_MS
	for (let waitedMs = 0; isSettled && status.controlActive !== drive.isCommanding && waitedMs < FRESH_MS; waitedMs++)
		await drive.run(1);
	if (isSettled && status.controlActive !== drive.isCommanding)
		complain(`the status says ${said}, the frames ${drive.isCommanding ? "command" : "are as they came"}`);
	const { most, reasons, because } = drive.judge.demandAt(drive.nowMs);
	if (most === undefined && reasons.length > 0 && !reasons.some((reason) => reason.test(status.reason)))
		complain(`the status says ${said}, but ${because}`);
	if (!status.controlActive && /^control is active/.test(status.reason)) complain(`stock, and the status says ${said}`);
	if (status.controlActive && status.telemetry.spec > (most ?? 0) + TOLERANCE_PERCENT)
		complain(`the status says ${status.telemetry.spec} %, ${most?.toFixed(1) ?? "stock"} at most: ${because}`);
}
