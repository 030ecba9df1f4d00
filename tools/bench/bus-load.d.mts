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

/** Sends `rate` frames a second each way through a controller for `seconds`, from a car at this speed (50), and checks what comes out. */
export function runLoad(sockets: readonly string[], rate: number, seconds: number, kmh?: number): Promise<LoadResult>;

/** Whether a run of the load can say that frames were lost, and how long they took. */
export function judgeable(result: LoadResult): { losses: boolean; latency: boolean };

/** What a control tick may have to wait for, in bytecodes. */
export const TURN_BYTECODES: number;

/** A controller of generation 5, in MAP if not told, with both buses as sockets, on an empty flash. The caller must `end` it. */
export class BenchController {
	constructor(args?: readonly string[], mode?: string);
	/** Chassis, coupling. */
	readonly sockets: readonly string[];
	/** Its port, as soon as it answers. */
	port(): Promise<number>;
	end(): Promise<void>;
}
