/** /api/update/... and POST /ota/update. Source: docs/api.md, "Updates". What follows `stage` is ours. */

import { MultipartFile, mediaTypeOf, multipartBoundary } from "../http/multipart.js";
import { figure } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { Header } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink } from "../http/router.js";
import { hexadecimal } from "../text/hexadecimal.js";
import { ImageProblem } from "../update/firmware-image.js";
import { UpdateProblem } from "../update/rejection.js";
import type { Updater } from "../update/updater.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { mayChange } from "./guards.js";
import { shown } from "./problem.js";
import { UPDATE_WORDS, updateInWords } from "./words.js";

/** The update's state. */
export function getUpdate({ updater }: ApiContext): object {
	const { manifest, options } = updater;
	return {
		current: options.version,
		...findings(updater),
		url: options.manifestUrl,
		firmwareUrl: manifest?.firmwareUrl ?? "",
		filesystemUrl: manifest?.filesystemUrl ?? "",
		...progress(updater),
		updateKey: hexadecimal(options.rules.updateKey),
		newestKept: updater.newestKept,
	};
}

/** Begins a check and answers at once; the client polls until `checking` is false. */
export function postUpdateCheck(context: ApiContext): object {
	context.updater.check();
	return getUpdate(context);
}

/** Answers once the car is stock. */
export function postUpdateInstall(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const { updater, log } = context;
	const error = updateInWords(updater.install());
	if (error === "") answerOnceActive(context, response, () => ({ started: true }));
	else {
		log.write("WARN", "ota", `update rejected: ${error}`);
		response.json(409, { started: false, error });
	}
}

function findings({ manifest, available, lastCheckMs, error }: Updater) {
	return { latest: manifest?.version ?? "", available, lastCheckMs, error: updateInWords(error) };
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
		installDetail: updateInWords(updater.installDetail),
		confirmed: updater.confirmed,
		rolledBack: updater.options.firmware.rolledBack,
		refusal: updateInWords(updater.rejection),
		olderAllowed: updater.olderAllowed,
	};
}

/** For the event stream: everything that changes but the addresses. */
export function updateChanges(updater: Updater) {
	return { ...findings(updater), ...progress(updater) };
}

/** Another text: something of it has changed. The progress is renewed 4 times a second. */
export function updateState({
	phase,
	progressMs,
	lastCheckMs,
	installError,
	confirmed,
	rejection,
	olderAllowed,
}: Updater): string {
	return [phase, progressMs, lastCheckMs, installError, confirmed, rejection, olderAllowed].join();
}

const IMAGE_PROBLEMS: readonly string[] = Object.freeze(Object.values(ImageProblem));
const OCTETS = "application/octet-stream";
const TYPES = `${OCTETS}, multipart/form-data with a boundary of 1 to 70 characters`;
/** Around a file, by multipart. */
const ENVELOPE_BYTES = 8192;

/**
 * Begins the upload of a firmware image into the update slot, or rejects it without reading it. Answers in
 * plain text, as the reference's page shows it.
 */
export function openUpload(
	{ updater, owner, log }: ApiContext,
	request: HttpRequest,
	response: HttpResponse,
): BodySink | undefined {
	const type = request.header(Header.CONTENT_TYPE);
	const isRaw = type === undefined || mediaTypeOf(type) === OCTETS;
	const boundary = isRaw ? "" : multipartBoundary(type);
	const tooLarge = request.contentLength > updater.options.firmware.slotBytes + (isRaw ? 0 : ENVELOPE_BYTES);
	if (tooLarge || (!isRaw && boundary === "")) {
		const words = tooLarge ? UPDATE_WORDS[ImageProblem.TOO_LARGE] : `unsupported media type: ${shown(type)}; allowed: ${TYPES}`;
		response.text(tooLarge ? 413 : 415, `FAIL: ${words}`);
		return undefined;
	}
	const busy = updater.installing || updater.phase === "uploading";
	const upload = new Upload(updater, response, boundary, request.contentLength, () => mayChange(owner, request, response));
	const rejection = updater.beginUpload(isRaw ? request.contentLength : 0, (problem) => upload.answer(problem));
	if (rejection === "") return upload;
	const words = UPDATE_WORDS[rejection];
	log.write("WARN", "ota", `upload rejected: ${words}`);
	response.text(409, `FAIL: ${busy ? "busy" : words}`);
	return undefined;
}

class Upload implements BodySink {
	readonly #updater: Updater;
	readonly #response: HttpResponse;
	readonly #multipart: MultipartFile | undefined;
	readonly #isPermitted: () => boolean;
	#answered = false;

	/**
	 * @param boundary "" = the body is the image
	 * @param isPermitted false after it has answered that another password was set meanwhile
	 */
	constructor(updater: Updater, response: HttpResponse, boundary: string, bodyBytes: number, isPermitted: () => boolean) {
		this.#updater = updater;
		this.#response = response;
		this.#isPermitted = isPermitted;
		const receive = (bytes: Uint8Array, start: number, end: number): boolean => this.#data(bytes, start, end);
		this.#multipart = boundary === "" ? undefined : new MultipartFile(boundary, bodyBytes, receive);
	}

	write(bytes: Uint8Array, start: number, end: number): void {
		const multipart = this.#multipart;
		if (multipart === undefined) this.#data(bytes, start, end);
		else if (!multipart.write(bytes, start, end) && !this.#answered) this.#abandon(ImageProblem.INVALID_FORM);
	}

	end(): void {
		const multipart = this.#multipart;
		const isWhole = multipart === undefined || multipart.end();
		if (this.#answered) return; // the last bytes of the form were wrong
		if (!isWhole) this.#abandon(multipart.found ? ImageProblem.INVALID_FORM : ImageProblem.NO_IMAGE);
		else if (!this.#isPermitted()) {
			this.#answered = true;
			this.#updater.abortUpload(UpdateProblem.OTHER_PASSWORD);
		} else this.#updater.endUpload((problem) => this.answer(problem));
	}

	abort(): void {
		if (!this.#answered) this.#updater.abortUpload(UpdateProblem.BROKEN_OFF);
	}

	#data(bytes: Uint8Array, start: number, end: number): boolean {
		const problem = this.#updater.writeUpload(bytes, start, end);
		if (problem !== "") this.answer(problem);
		return problem === "";
	}

	#abandon(problem: string): void {
		this.#updater.abortUpload(problem);
		this.answer(problem);
	}

	/** The upload is over. @param problem "" = the image starts next */
	answer(problem: string): void {
		this.#answered = true;
		// a client that has gone before it reads "OK" sent a good image all the same
		if (problem === "") {
			this.#response.text(200, "OK");
			this.#response.onEnd(() => this.#updater.restart());
		} else if (problem === UpdateProblem.SLOT_FAILED) this.#response.text(500, "FAIL");
		else this.#response.text(statusOf(problem), `FAIL: ${updateInWords(problem)}`);
	}
}

/** A wrong image is the client's fault, anything else the car's. */
function statusOf(problem: string): number {
	if (problem === ImageProblem.TOO_LARGE) return 413;
	return IMAGE_PROBLEMS.includes(problem) ? 400 : 409;
}
