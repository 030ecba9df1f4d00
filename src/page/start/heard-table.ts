/**
 * By what frames couplings and their cars are known.
 * Follows from src/coupling/couplings: tools/derived-documents.ts has written it.
 */

/** Of each generation: the network of its car, the frame in which it reports, and its length. */
export const REPORTS = {
	1: { network: "pq", id: 0x2c0, bytes: 8 },
	2: { network: "pq", id: 0x2c0, bytes: 4 },
	4: { network: "pq", id: 0x2c0, bytes: 8 },
	5: { network: "mqb", id: 0x118, bytes: 4 },
	51: { network: "pq", id: 0x2c0, bytes: 8 },
	53: { network: "pq", id: 0x118, bytes: 4 },
} as const;

/** What the cars of each network send. */
export const CAR_FRAMES = {
	pq: [0x1a0, 0x280, 0x4a0],
	mqb: [0x0a7, 0x0a8, 0x0b2, 0x0fd, 0x107, 0x121],
} as const;
