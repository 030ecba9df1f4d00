/** `uds`, `frameDiag` and `learn` of the status. Source: docs/http-api.md 3.1, 4.1, 4.2. */

import { type JsonWriter, jsonKeys } from "../../http/json-writer.js";
import { LOWER_HEX } from "../../text/characters.js";
import { FrameKey, type LatestFrame } from "../../vehicle/latest-frames.js";
import type { ApiContext } from "../context.js";

const CHASSIS = 0;

const K = jsonKeys([
	"supported",
	"transport",
	"kwpTp20Supported",
	"target",
	"active",
	"udsActive",
	"kwpTp20Active",
	"route",
	"selected",
	"last",
	"available",
	"uds",
	"frameDiag",
	"lockTarget",
	"haldexGen",
	"couplingGen",
	"motor1",
	"motor3",
	"brakes1",
	"brakes2",
	"brakes3",
	"id",
	"ok",
	"generated",
	"ageMs",
	"dlc",
	"data",
	"learn",
	"tableValid",
	"progress",
	"currentCF",
] as const);

/** Frames of `frameDiag`: received from the chassis, shown as they were sent on the coupling bus. */
const DIAGNOSED = Object.freeze([
	{ key: K.motor1, frameId: 0x280 },
	{ key: K.motor3, frameId: 0x380 },
	{ key: K.brakes1, frameId: 0x1a0 },
	{ key: K.brakes2, frameId: 0x5a0 },
	{ key: K.brakes3, frameId: 0x4a0 },
]);

/** Where the gateway keeps the frames of `frameDiag`. */
export function diagnosedFrames(): readonly FrameKey[] {
	return DIAGNOSED.map(({ frameId }) => new FrameKey(CHASSIS, frameId, false));
}

export function writeUds(json: JsonWriter, context: ApiContext): void {
	json.key(K.uds);
	writeUdsStatus(json, context);
}

/** The UDS status object. Diagnosis is not built yet: it rests. */
export function writeUdsStatus(json: JsonWriter, { controller }: ApiContext): void {
	const { generation } = controller;
	json.beginObject();
	json.key(K.supported).boolean(true);
	json.key(K.transport).string(generation === 2 || generation === 4 ? "kwp_tp20" : "uds_can");
	json.key(K.kwpTp20Supported).boolean(true).key(K.target).string("haldex");
	json.key(K.active).boolean(false).key(K.udsActive).boolean(false).key(K.kwpTp20Active).boolean(false);
	json.key(K.route).beginObject().key(K.selected).boolean(false).endObject();
	json.key(K.last).beginObject().key(K.available).boolean(false).endObject();
	json.endObject();
}

export function writeFrameDiag(json: JsonWriter, { controller, frames, diagnosedFrames }: ApiContext): void {
	json.key(K.frameDiag).beginObject();
	json.key(K.lockTarget).number(controller.lockPercent);
	json.key(K.haldexGen).number(controller.generation).key(K.couplingGen).number(controller.generation);
	for (let i = 0; i < DIAGNOSED.length; i++) {
		json.key(DIAGNOSED[i].key).beginObject().key(K.id).number(DIAGNOSED[i].frameId);
		const sent = frames.find(diagnosedFrames[i]) && frames.sent.count > 0;
		json.key(K.ok).boolean(sent);
		if (sent) writeSentFrame(json, frames.sent);
		json.endObject();
	}
	json.endObject();
}

function writeSentFrame(json: JsonWriter, frame: LatestFrame): void {
	json.key(K.generated).boolean(frame.generated).key(K.ageMs).number(frame.ageMs).key(K.dlc).number(frame.dlc);
	let text = "";
	for (let i = 0; i < frame.dlc; i++) {
		const byte = frame.bytes[frame.dataAt + i];
		text += `${i === 0 ? "" : " "}${LOWER_HEX.charAt(byte >> 4)}${LOWER_HEX.charAt(byte & 15)}`;
	}
	json.key(K.data).string(text);
}

/** Learned calibration is not built yet: it rests. */
export function writeLearn(json: JsonWriter): void {
	json.key(K.learn).beginObject();
	json.key(K.active).boolean(false).key(K.tableValid).boolean(false).key(K.progress).number(0).key(K.currentCF).number(0);
	json.endObject();
}
