/** Fields that have two names, the reference's and the neutral one: both are sent, with equal values. Source: docs/http-api.md 8. */

import { asJson } from "../../json/write.js";

export function broadcast(value: boolean) {
	return asJson({ broadcastOpenHaldexOverCAN: value, broadcastControllerOverCAN: value });
}

export function effectiveBroadcast(value: boolean) {
	return asJson({ effectiveBroadcastOpenHaldexOverCAN: value, effectiveBroadcastControllerOverCAN: value });
}

export function generations(value: number) {
	return asJson({ haldexGeneration: value, couplingGeneration: value });
}
