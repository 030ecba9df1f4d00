/** Fields that have two names, the reference's and the neutral one: both are sent, with equal values. Source: docs/http-api.md 8. */

export function broadcast(value: boolean) {
	return { broadcastOpenHaldexOverCAN: value, broadcastControllerOverCAN: value };
}

export function effectiveBroadcast(value: boolean) {
	return { effectiveBroadcastOpenHaldexOverCAN: value, effectiveBroadcastControllerOverCAN: value };
}

export function generations(value: number) {
	return { haldexGeneration: value, couplingGeneration: value };
}
