/**
 * GET /api/update, POST /api/update/check, POST /api/update/install. Source: docs/api.md, "Updates".
 * What follows `stage` is ours.
 */

import { figure } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { hexadecimal } from "../text/hexadecimal.js";
import type { Updater } from "../update/updater.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";

/** Answers with the update's state; always 200. */
export function getUpdate(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const { updater } = context;
	const { manifest, options } = updater;
	const answer = {
		current: options.version,
		...findings(updater),
		url: options.manifestUrl,
		firmwareUrl: manifest?.firmwareUrl ?? "",
		filesystemUrl: manifest?.filesystemUrl ?? "",
		...progress(updater),
		updateKey: hexadecimal(options.rules.updateKey),
		newestKept: updater.newestKept,
	};
	response.json(200, answer);
}

/** Begins a check and answers at once with the update's state; the client polls until `checking` is false. */
export function postUpdateCheck(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	context.updater.check();
	getUpdate(context, request, response);
}

/** Answers `{"started":true}` once the car is stock, or 409 `{"started":false,"error":why}`. */
export function postUpdateInstall(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const { updater, log } = context;
	const error = updater.install();
	if (error === "") answerOnceActive(context, response, () => response.json(200, { started: true }));
	else {
		log.write("WARN", "ota", `update refused: ${error}`);
		response.json(409, { started: false, error });
	}
}

function findings({ manifest, available, lastCheckMs, error }: Updater) {
	return { latest: manifest?.version ?? "", available, lastCheckMs, error };
}

function progress(updater: Updater) {
	const { phase } = updater;
	return {
		installing: updater.installing,
		installError: updater.installError,
		bytesTotal: updater.bytesTotal,
		bytesDone: updater.bytesDone,
		speedBps: figure(updater.bytesPerS),
		progressMs: updater.progressMs,
		stage: updater.stage,
		checking: phase === "checking",
		uploading: phase === "uploading",
		restarting: phase === "restarting",
		installDetail: updater.installDetail,
		confirmed: updater.confirmed,
		rolledBack: updater.options.firmware.rolledBack,
		refusal: updater.refusal,
		olderAllowed: updater.olderAllowed,
	};
}

/**
 * What the event stream tells: everything that changes but the addresses and what holds until the next start.
 */
export function updateChanges(updater: Updater) {
	return { ...findings(updater), ...progress(updater) };
}

/**
 * With another text, something of it has changed. The progress is renewed 4 times a second while something
 * moves.
 */
export function updateState({ phase, progressMs, lastCheckMs, installError, confirmed, refusal, olderAllowed }: Updater): string {
	return [phase, progressMs, lastCheckMs, installError, confirmed, refusal, olderAllowed].join();
}
