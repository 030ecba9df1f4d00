/** Fields that have two names, the reference's and the neutral one: both are sent, with equal values. Source: docs/http-api.md 8. */

import { asJson } from "../../json/write.js";

/** Whether the driver wants the status frame sent. */
export function broadcast(value: boolean) {
	return asJson({ broadcastOpenHaldexOverCAN: value, broadcastControllerOverCAN: value });
}

/** Whether it is sent now: a condition may say otherwise. */
export function effectiveBroadcast(value: boolean) {
	return asJson({ effectiveBroadcastOpenHaldexOverCAN: value, effectiveBroadcastControllerOverCAN: value });
}

/** The coupling's generation, 0 = not set. */
export function generations(value: number) {
	return asJson({ haldexGeneration: value, couplingGeneration: value });
}
