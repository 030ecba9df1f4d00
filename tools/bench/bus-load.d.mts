/** Sends `rate` frames a second each way through a controller for `seconds` and checks what comes out. */
export function runLoad(
	sockets: readonly string[],
	rate: number,
	seconds: number,
): Promise<Record<"sent" | "received" | "lost" | "wrong" | "rewritten" | "p50Us" | "p99Us" | "maxUs", number>>;
