/** Updates of the firmware. */

import { ImageProblem } from "../../update/firmware-image.js";
import { UPDATE_WORDS } from "../words.js";
import { type Endpoints, NOT_APPLIED } from "./route.js";
import { count, flag, named, number, object, oneOf, optional, raw, text } from "./schema.js";

/** The part of the state that changes during an update. */
export const UpdateState = {
	latest: text("Version in the manifest"),
	available: flag("It is newer, for this board, and may replace the running one"),
	lastCheckMs: count("Uptime of the last check, 0 = never"),
	error: text("Why the last check failed"),
	installing: flag(),
	installError: text(),
	bytesTotal: count("0 = unknown"),
	bytesDone: count(),
	speedBps: number("Bytes/s", 0),
	progressMs: count("Uptime of the last progress"),
	stage: oneOf(["", "firmware"]),
	checking: flag(),
	uploading: flag(),
	restarting: flag("Installed; the restart waits while the car moves"),
	installDetail: text("Why the last installation or upload failed, in words"),
	confirmed: flag("False until the running firmware has passed its self-test"),
	rolledBack: flag("The last update did not pass its self-test"),
	refusal: text('Why an update would be rejected now, in words; "" = it may begin'),
	olderAllowed: flag("BOOT was pressed within 10 minutes: an older version may be installed"),
};

export const Update = named(
	"Update",
	object({
		current: text("Running version"),
		url: text("Of the manifest"),
		firmwareUrl: text("Named by the manifest"),
		filesystemUrl: text("The same; never installed, for it would erase maps and logs"),
		...UpdateState,
		updateKey: text('Ed25519 key that images and manifests must be signed with; "" = any image is accepted', {
			pattern: "^([0-9a-f]{64})?$",
		}),
		newestKept: text("With a key: the newest version that ran here; an older image is rejected unless `olderAllowed`"),
	}),
);

const InstallResult = named("InstallResult", object({ started: flag(), error: optional(text("Why not")) }));
const image = { type: "string", contentMediaType: "application/octet-stream" };
const plain = { "text/plain": text() };

const { TOO_LARGE, ...PROBLEMS } = ImageProblem;
const IMAGE_ERRORS = Object.fromEntries(
	Object.values(PROBLEMS).map((problem) => {
		const [words, toGoOn] = UPDATE_WORDS[problem].split(":");
		return [`FAIL: ${words}${toGoOn === undefined ? "" : ": <how to go on>"}`, ""];
	}),
);

export const UPDATE: Endpoints = {
	"GET /api/update": { id: "getUpdate", says: "State of the update", answer: Update, means: "The state", inBootLoop: true },
	"POST /api/update/check": {
		id: "postUpdateCheck",
		says: "Look for an update; the answer does not wait for it",
		answer: Update,
		means: "The state",
		inBootLoop: true,
	},
	"POST /api/update/install": {
		id: "postUpdateInstall",
		says: "Install the update that was found",
		answer: InstallResult,
		means: "Started",
		answerExample: { started: true },
		errors: { 409: { "<why>": "not started" }, 503: { busy: NOT_APPLIED } },
		errorBodies: { 409: InstallResult },
		inBootLoop: true,
	},
	"POST /ota/update": {
		id: "postOtaUpdate",
		says: "Upload a firmware image",
		body: {
			"multipart/form-data": raw({ type: "object", properties: { update: image } }),
			"application/octet-stream": raw({ ...image, minLength: 1 }),
		},
		answer: plain,
		means: "OK: verified, the controller restarts",
		errors: {
			400: IMAGE_ERRORS,
			408: { "request timeout": "the image comes too slowly" },
			409: { "FAIL: busy": "another upload runs", "FAIL: <why>": "the car moves, control is active, ..." },
			413: { "FAIL: too large": "" },
			415: { "FAIL: unsupported media type: <what came>; allowed: <which>": "" },
			500: { FAIL: "the slot could not be written" },
		},
		errorBodies: { 400: plain, 409: plain, 413: plain, 415: plain, 500: plain },
		inBootLoop: true,
	},
};
