/** Judges what the log says of a drive. */
import type { Drive } from "./drive.js";
import type { Status } from "./status-judge.js";

const MODE_LINE = /^\d+\tEVENT\tmode\t/;
const ERROR_LINE = /^\d+\tERROR\t/;
/** Lines of a kind that were too many. */
const MORE_LINE = /\tand \d+ more like this$/;
/** How often it looks at what has happened. */
export const LOG_LOOKS_MS = 50;
const STEP_MS = 10;
const TOLD_LATER_MS = 10_500;

/**
 * The log must say what happened, and what the status says.
 * @param since how many lines there were before @param must a line of those that came since
 * @param errors lines of level ERROR that may be among them
 */
export async function judgeLog(drive: Drive, since: number, must: RegExp | undefined, errors: readonly RegExp[]): Promise<void> {
	await drive.run(LOG_LOOKS_MS + STEP_MS);
	const problems = async (): Promise<string[]> => [...unsaid(drive, since, must), ...(await contradictions(drive))];
	// what changes just now it may say later, and of many lines of a kind it keeps some to itself
	if ((await problems()).length > 0) await drive.run(TOLD_LATER_MS);
	const lines = drive.log.slice(since);
	if (!lines.some((line) => MORE_LINE.test(line))) for (const problem of await problems()) drive.complain(problem);
	for (const line of lines)
		if (ERROR_LINE.test(line) && !errors.some((allowed) => allowed.test(line)))
			drive.complain(`the log has an error that nothing explains: ${line.replace(/^\d+\t/, "")}`);
}

function unsaid(drive: Drive, since: number, must: RegExp | undefined): string[] {
	if (must === undefined || drive.log.slice(since).some((line) => must.test(line))) return [];
	return [`the log does not say ${must}`];
}

async function contradictions(drive: Drive): Promise<string[]> {
	const answer = await drive.ask("GET", "/api/status");
	const { effectiveMode, reason } = JSON.parse(answer?.text ?? "{}") as Status;
	const said = drive.log.filter((line) => MODE_LINE.test(line)).at(-1);
	if (said !== undefined && MORE_LINE.test(said)) return [];
	if (said?.replace(MODE_LINE, "").startsWith(`${effectiveMode}: ${reason}`)) return [];
	return [`the log says "${said}", the status "${effectiveMode}: ${reason}"`];
}
