/** What forwarding_load.c prints. */
export type LoadResult = Record<
	| "sent"
	| "received"
	| "lost"
	| "wrong"
	| "rewritten"
	| "waits"
	| "heldUpMs"
	| "longestHeldUpMs"
	| "p50Us"
	| "p99Us"
	| "maxUs"
	| "relayP50Us"
	| "relayP99Us"
	| "relayMaxUs",
	number
>;

/** Sends `rate` frames a second each way through a controller for `seconds` and checks what comes out. */
export function runLoad(sockets: readonly string[], rate: number, seconds: number): Promise<LoadResult>;

/** Whether a run of the load can say that frames were lost, and how long they took. */
export function judgeable(result: LoadResult): { losses: boolean; latency: boolean };

/** What a control tick may have to wait for, in bytecodes. */
export const TURN_BYTECODES: number;
