/**
 * Clients that write at the same moment, each on a connection of its own: what was answered 200 is so, for
 * all of them, and still is after a power cut.
 */
import assert from "node:assert/strict";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { sleep, until } from "./wait.js";

const ROUNDS = 3;
const TRIES = 20;
const TRY_AGAIN_MS = 50;
/** Longer than a change waits for its write, whatever else is written. */
const ON_FLASH_MS = 30_000;

const get = async (bench: Bench, path: string) => JSON.parse((await bench.ask("GET", path)).text);
/** Until there is heap for it: 503 is no answer to what was asked. */
async function write(bench: Bench, path: string, body: object): Promise<{ code: number; text: string }> {
	for (let tries = 1; ; tries++) {
		const answer = await bench.ask("POST", path, JSON.stringify(body));
		if (answer.code !== 503 || tries === TRIES) return answer;
		await sleep(TRY_AGAIN_MS);
	}
}

const map = (lock: number) => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});
const table = (round: number) => ({
	generation: 5,
	frameProfile: "reference",
	date: `2026-11-0${round + 1}`,
	table: Array.from({ length: 101 }, (_, factor) => factor),
});

/** Writes that have nothing in common but the moment, and what must be so then. */
const WRITES: readonly {
	readonly path: string;
	readonly body: (round: number) => object;
	readonly read: (bench: Bench) => Promise<unknown>;
	readonly expected: (round: number) => unknown;
}[] = [
	{
		path: "/api/mode",
		body: (round) => ({ mode: round % 2 === 0 ? "FWD" : "7030" }),
		read: async (bench) => (await bench.status()).mode,
		expected: (round) => (round % 2 === 0 ? "FWD" : "7030"),
	},
	{
		path: "/api/settings",
		body: (round) => ({ disableSpeed: 100 + round }),
		read: async (bench) => (await get(bench, "/api/status")).disableSpeed,
		expected: (round) => 100 + round,
	},
	{
		path: "/api/settings",
		body: (round) => ({ conditions: Array(1 + (round % 3)).fill({ effect: "limit", value: round }) }),
		read: async (bench) => {
			const { conditions } = await get(bench, "/api/conditions");
			return [conditions.length, conditions[0].value];
		},
		expected: (round) => [1 + (round % 3), round],
	},
	{
		path: "/api/curve/speed",
		body: (round) => ({ points: [{ x: 0, lock: round }] }),
		read: async (bench) => (await get(bench, "/api/curve/speed")).points,
		expected: (round) => [{ x: 0, lock: round }],
	},
	{
		path: "/api/map",
		body: (round) => map(round),
		read: async (bench) => (await get(bench, "/api/map")).lockTable[6][8],
		expected: (round) => round,
	},
	{
		path: "/api/learn/table",
		body: table,
		read: async (bench) => (await get(bench, "/api/learn/table")).date,
		expected: (round) => table(round).date,
	},
	{
		path: "/api/wifi",
		body: (round) => ({ ssid: `home ${round}` }),
		read: async (bench) => (await get(bench, "/api/wifi")).ssid,
		expected: (round) => `home ${round}`,
	},
	{
		path: "/api/wifi",
		body: (round) => ({ staEnabled: round % 2 === 0 }),
		read: async (bench) => (await get(bench, "/api/wifi")).staEnabled,
		expected: (round) => round % 2 === 0,
	},
];

describe("system: writes at the same moment", () => {
	it("are all in effect when all are answered, and on flash soon after", async () => {
		await withFlash(async (flash) => {
			const areSo = async (bench: Bench, round: number, when: string): Promise<void> => {
				for (const { path, read, expected } of WRITES) assert.deepEqual(await read(bench), expected(round), `${path}, ${when}`);
			};
			await withBench({ flash }, async (bench) => {
				for (let round = 0; round < ROUNDS; round++) {
					const answers = await Promise.all(
						WRITES.map(async ({ path, body }) => ({ path, ...(await write(bench, path, body(round))) })),
					);
					for (const { path, code, text } of answers) assert.equal(code, 200, `${path}: ${text}`);
					await areSo(bench, round, `round ${round}`);
				}
				const isWritten = async (): Promise<boolean> => !(await get(bench, "/api/status")).storageWaiting;
				await until(isWritten, ON_FLASH_MS, "all to be on flash");
			});
			await withBench({ flash, settings: null }, async (bench) => areSo(bench, ROUNDS - 1, "after a power cut"));
		});
	});
});
