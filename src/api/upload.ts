/**
 * POST /ota/update: a firmware image from the browser, streamed into the update slot. Answers in plain text, as the reference's page shows it.
 * Source: docs/http-api.md 3.19, W-2, W-17, W-32.
 */

import { HEADER } from "../http/header-names.js";
import { type FileReceiver, MultipartFile, multipartBoundary } from "../http/multipart.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink } from "../http/router.js";
import { encodeUtf8 } from "../text/utf8.js";
import { IMAGE_PROBLEM } from "../update/firmware-image.js";
import { SLOT_FAILED } from "../update/image-installer.js";
import type { Updater } from "../update/updater.js";
import type { ApiContext } from "./context.js";

const OCTET_STREAM = encodeUtf8("application/octet-stream");
/** What multipart adds to a file. */
const ENVELOPE_BYTES = 8192;

/** Begins the upload, or refuses it: 409 `FAIL: busy` or `FAIL: <why the car forbids it>`, 413 `FAIL: too large`, 415. */
export function openUpload({ updater, log }: ApiContext, request: HttpRequest, response: HttpResponse): BodySink | undefined {
	const { head } = request;
	const isRaw = !head.has(HEADER.CONTENT_TYPE) || request.headerIs(HEADER.CONTENT_TYPE, OCTET_STREAM);
	const boundary = isRaw
		? undefined
		: multipartBoundary(head.bytes, head.start(HEADER.CONTENT_TYPE), head.end(HEADER.CONTENT_TYPE));
	const tooLarge = head.contentLength > updater.slotBytes + (isRaw ? 0 : ENVELOPE_BYTES);
	if (tooLarge || (!isRaw && boundary === undefined)) {
		response.text(tooLarge ? 413 : 415, tooLarge ? `FAIL: ${IMAGE_PROBLEM.TOO_LARGE}` : "FAIL: unsupported media type");
		return undefined;
	}
	const busy = updater.installing || updater.phase === "uploading";
	const refusal = updater.beginUpload(isRaw ? Math.max(0, head.contentLength) : 0);
	const upload = new Upload(updater, response, boundary);
	if (refusal !== "") {
		log.write("WARN", "ota", `upload refused: ${refusal}`);
		upload.refuse(`FAIL: ${busy ? "busy" : refusal}`);
		// who asks before sending is told at once
		if (head.expectsContinue) upload.end();
	}
	return head.expectsContinue && refusal !== "" ? undefined : upload;
}

/**
 * The body of an upload. What is wrong with it is answered at its end: a browser that is still sending would see a broken connection instead.
 */
class Upload implements BodySink, FileReceiver {
	readonly #updater: Updater;
	readonly #response: HttpResponse;
	readonly #multipart: MultipartFile | undefined;
	/** The answer, 0 = none yet. */
	#status = 0;
	#text = "";
	#ignoredBytes = 0;

	/** @param boundary undefined = the body is the image */
	constructor(updater: Updater, response: HttpResponse, boundary: Uint8Array | undefined) {
		this.#updater = updater;
		this.#response = response;
		this.#multipart = boundary === undefined ? undefined : new MultipartFile(boundary, this);
	}

	/** The upload does not begin: its body is thrown away. */
	refuse(text: string): void {
		this.#conclude(409, text);
	}

	#conclude(status: number, text: string): void {
		this.#status = status;
		this.#text = text;
	}

	write(bytes: Uint8Array, start: number, end: number): void {
		const multipart = this.#multipart;
		if (this.#status !== 0) {
			this.#ignoredBytes += end - start;
			if (this.#ignoredBytes > this.#updater.slotBytes) this.end();
		} else if (multipart === undefined) this.data(bytes, start, end);
		else if (!multipart.write(bytes, start, end) && this.#status === 0) this.#fail(IMAGE_PROBLEM.NOT_AN_IMAGE);
	}

	end(): void {
		const multipart = this.#multipart;
		if (this.#status === 0) {
			if (multipart !== undefined && !multipart.found)
				this.#fail(multipart.broken ? IMAGE_PROBLEM.NOT_AN_IMAGE : IMAGE_PROBLEM.NO_IMAGE);
			else if (multipart !== undefined && (!multipart.complete || multipart.ambiguous)) this.#fail(IMAGE_PROBLEM.NOT_AN_IMAGE);
			else this.#finish();
		}
		// whoever is not there any more to read "OK" sent a good image all the same
		const onClose = this.#status === 200 ? () => this.#updater.restart() : undefined;
		this.#response.text(this.#status, this.#text, onClose);
	}

	abort(): void {
		if (this.#status === 0) this.#updater.abortUpload("the upload was broken off");
	}

	/** The next bytes of the image. */
	data(bytes: Uint8Array, start: number, end: number): boolean {
		const problem = this.#updater.writeUpload(bytes, start, end);
		if (problem !== "") this.#fail(problem);
		return problem === "";
	}

	#finish(): void {
		const problem = this.#updater.endUpload();
		if (problem !== "") this.#fail(problem);
		else this.#conclude(200, "OK");
	}

	#fail(problem: string): void {
		this.#updater.abortUpload(problem);
		if (problem === SLOT_FAILED) this.#conclude(500, "FAIL");
		else this.#conclude(problem === IMAGE_PROBLEM.TOO_LARGE ? 413 : 400, `FAIL: ${problem}`);
	}
}
