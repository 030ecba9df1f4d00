/**
 * /api/learn/...: calibration, which lasts as long as the page that began it says that it is still there.
 * Source: docs/api.md, "Calibration"; `confirmed`, `date`, `problem`, keep-alive and the table as an object
 * are ours.
 */

import { DAY_ALLOWED, isDay, type LearnedTable, learnedTableFrom, NOTHING_LEARNED, trialFrom } from "../calibration/learning.js";
import type { Trial } from "../coupling/frame-plan.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem, reject } from "./problem.js";
import { flagIn, type JsonObject, jsonObject } from "./request-values.js";
import { inWords } from "./words.js";

const TRIAL_NAMES = Object.freeze(["torqueModel", "torqueCeilingNm", "framesOff"]);
const START_NAMES = "confirmed date torqueModel torqueCeilingNm framesOff";
const TABLE_NAMES = "apply generation frameProfile torqueModel torqueCeilingNm framesOff date table oilC";
const NOT_CONFIRMED = 'confirm that the car stands, with its engine running and its brake set: {"confirmed":true}';

/** Also in the status. */
export function learnState({ controller }: ApiContext) {
	const { sweep } = controller.calibration;
	return {
		active: sweep.phase === "running",
		tableValid: controller.factors.table !== null,
		tableDiffers: controller.factors.differs,
		progress: sweep.progress,
		currentCF: sweep.factorPercent,
	};
}

/** State, and the table that is active. */
export function getLearnStatus(context: ApiContext): object {
	const { controller } = context;
	const { table } = controller.factors;
	const { sweep } = controller.calibration;
	const state = {
		...learnState(context),
		currentEng: Math.round(controller.vehicle.engagementPercent),
		problem: inWords(sweep.problem),
		problemCode: sweep.problem,
		measured: [...sweep.measured],
		unsteady: [...sweep.unsteady],
	};
	return table === null ? state : { ...state, table: table.map(Math.round) };
}

/** Answers 200 also where it does not begin, with the reason. Clients of the reference send no body. */
export function postLearnStart(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = request.body.length === 0 ? {} : jsonObject(request, START_NAMES);
	const confirmed = flagIn(body, "confirmed", false);
	const { date = "" }: JsonObject = body;
	if (!isDay(date)) reject(400, "invalid date", { field: "date", value: date, allowed: DAY_ALLOWED });
	let trial: Trial | undefined;
	try {
		if (TRIAL_NAMES.some((name) => name in body)) trial = trialFrom(body);
	} catch (error) {
		reject(400, "invalid trial", { detail: (error as Error).message });
	}
	const { controller, learning, log } = context;
	if (controller.calibration.sweep.phase === "running") {
		response.json(200, { ok: true, alreadyActive: true });
		return;
	}
	// words of their own are not looked up: each text that is looked up becomes a name of the engine
	const words = whyNot(context) || (confirmed ? "" : NOT_CONFIRMED);
	const problem = words !== "" ? undefined : learning.start(date, trial);
	if (words !== "" || problem !== undefined) {
		const error = words || inWords(problem ?? "");
		log.write("WARN", "learn", `calibration rejected: ${error}`);
		response.json(200, { ok: false, error, ...(problem === undefined ? {} : { errorCode: problem }) });
	} else answerOnceActive(context, response);
}

/** In the reference's words, which clients know. */
function whyNot({ controller }: ApiContext): string {
	if (controller.supervisor.captureActive) return "CAN View capture is active";
	return controller.vehicle.engagementValid ? "" : "No Haldex CAN data available";
}

/** The operator's page is still there. */
export function postLearnAlive({ controller }: ApiContext): object {
	const { sweep } = controller.calibration;
	sweep.heard(controller.nowMs);
	return { ok: true, active: sweep.phase === "running" };
}

/** Restores the table that was active before. */
export function postLearnCancel(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	context.learning.cancel();
	answerOnceActive(context, response);
}

/** Ends a running sweep and forgets what was learned, unless the flash can't. */
export function postLearnClear(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	context.controller.calibration.sweep.clear();
	replace(context, response, NOTHING_LEARNED);
}

/** The table that is kept, for any coupling; `inForce`: it is active. */
export function getLearnTable({ controller: { factors }, learning: { learned } }: ApiContext): object {
	// lists in ROM can't be written as JSON
	return {
		...learned,
		table: [...learned.table],
		oilC: [...learned.oilC],
		inForce: factors.table !== null,
		differs: factors.differs,
	};
}

/** Applies a table of a backup, or of trials with the settings that it was measured with. */
export function postLearnTable(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, TABLE_NAMES);
	const apply = flagIn(body, "apply", false);
	const { controller } = context;
	let table: LearnedTable;
	try {
		table = learnedTableFrom(body);
		const { generation, frameProfile } = controller.settings;
		if (apply && (table.generation !== generation || table.frameProfile !== frameProfile))
			throw new RangeError("generation and frameProfile are not those of the settings");
	} catch (error) {
		reject(400, "invalid table", { detail: (error as Error).message });
	}
	const { torqueModel, torqueCeilingNm, framesOff } = table;
	replace(context, response, table, () => {
		if (apply) controller.applySettings({ ...controller.settings, torqueModel, torqueCeilingNm, framesOff });
	});
}

/** Answers when the table is on flash and active. */
function replace(context: ApiContext, response: HttpResponse, learned: LearnedTable, then?: () => void): void {
	context.learning.replace(learned, (detail) => {
		if (detail !== "") problem(response, 500, "save failed", { detail });
		else {
			then?.();
			answerOnceActive(context, response);
		}
	});
}
