/** Whether the driver wants the status frame sent. */
export function broadcast(value: boolean) {
	return { broadcastOpenHaldexOverCAN: value, broadcastControllerOverCAN: value };
}

/** Whether it is sent now: a condition may say otherwise. */
export function effectiveBroadcast(value: boolean) {
	return { effectiveBroadcastOpenHaldexOverCAN: value, effectiveBroadcastControllerOverCAN: value };
}

/** The coupling's generation, 0 = not set. */
export function generations(value: number) {
	return { haldexGeneration: value, couplingGeneration: value };
}
