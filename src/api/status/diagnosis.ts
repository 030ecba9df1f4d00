/** `frameDiag` of the status. Source: docs/http-api.md 3.1. */

import { CHASSIS } from "../../can/bus.js";
import { BREMSE_1, BREMSE_2, BREMSE_3, MOTOR_1, MOTOR_3 } from "../../can/layouts/pq.js";
import { figure } from "../../http/producer.js";
import { hexadecimal } from "../../text/hexadecimal.js";
import type { ApiContext } from "../context.js";

/** What of some frames of the car was last sent on the coupling bus. A frame that has not passed is only named. */
export function frameDiag(context: ApiContext) {
	const { lockPercent, settings } = context.controller;
	return {
		lockTarget: figure(lockPercent),
		haldexGen: settings.generation,
		couplingGen: settings.generation,
		motor1: sentFrame(context, MOTOR_1),
		motor3: sentFrame(context, MOTOR_3),
		brakes1: sentFrame(context, BREMSE_1),
		brakes2: sentFrame(context, BREMSE_2),
		brakes3: sentFrame(context, BREMSE_3),
	};
}

/** @param id of a standard frame that is received on the chassis */
function sentFrame({ frames }: ApiContext, id: number): object {
	if (!frames.read(CHASSIS, id) || frames.sent.count === 0) return { id, ok: false };
	const { generated, ageMs, dlc, bytes, dataAt } = frames.sent;
	return { id, ok: true, generated, ageMs, dlc, data: hexadecimal(bytes.subarray(dataAt, dataAt + dlc), " ") };
}
