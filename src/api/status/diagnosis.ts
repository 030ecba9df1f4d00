/** `frameDiag` of the status. Source: docs/http-api.md 3.1. */

import { CHASSIS } from "../../can/bus.js";
import { figure } from "../../http/producer.js";
import { asJson, type Json, part } from "../../json/write.js";
import { LOWER_HEX } from "../../text/characters.js";
import type { LatestFrame } from "../../vehicle/latest-frames.js";
import type { ApiContext } from "../context.js";

/** Frames of `frameDiag`: received from the chassis, shown as they were sent on the coupling bus. */
const MOTOR_1 = 0x280;
const MOTOR_3 = 0x380;
const BRAKES_1 = 0x1a0;
const BRAKES_2 = 0x5a0;
const BRAKES_3 = 0x4a0;

export function frameDiag(context: ApiContext) {
	const { lockPercent, settings } = context.controller;
	return asJson({
		lockTarget: figure(lockPercent),
		haldexGen: settings.generation,
		couplingGen: settings.generation,
		motor1: part(sentFrame(context, MOTOR_1)),
		motor3: part(sentFrame(context, MOTOR_3)),
		brakes1: part(sentFrame(context, BRAKES_1)),
		brakes2: part(sentFrame(context, BRAKES_2)),
		brakes3: part(sentFrame(context, BRAKES_3)),
	});
}

function sentFrame({ frames }: ApiContext, id: number): Json {
	if (!frames.read(CHASSIS, id) || frames.sent.count === 0) return asJson({ id, ok: false });
	const { generated, ageMs, dlc } = frames.sent;
	return asJson({ id, ok: true, generated, ageMs, dlc, data: hexBytes(frames.sent) });
}

/** `08 00 ff` */
function hexBytes({ bytes, dataAt, dlc }: LatestFrame): string {
	let text = "";
	for (let i = 0; i < dlc; i++) {
		const byte = bytes[dataAt + i];
		text += `${i === 0 ? "" : " "}${LOWER_HEX.charAt(byte >> 4)}${LOWER_HEX.charAt(byte & 15)}`;
	}
	return text;
}
