/** Settings: what the car feels, what is in effect when a write is answered, and what a restart leaves. */
import assert from "node:assert/strict";
import { connect } from "../support/http-server.js";
import { type Bench, type Status, withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const ON_FLASH_WITHIN_MS = 2000;
/** Full scale of the marker byte of generation 5. */
const BASE = 0xfa;
const PATIENT_MS = 8000;

const set = (bench: Bench, settings: object) => bench.post("/api/settings", settings);

describe("system: settings", () => {
	it("a capture is stock, rejects what would end it, and restores everything, across a restart too (check 5)", () =>
		withFlash(async (flash) => {
			await withBench({ flash, settings: { mode: "5050", broadcastOverCan: false } }, async (bench) => {
				bench.show(20, 30);
				await bench.untilCommand(BASE);
				const on = await bench.post("/api/canview/capture", { active: true });
				const safe = {
					active: true,
					disableController: true,
					broadcastOpenHaldexOverCAN: true,
					broadcastControllerOverCAN: true,
				};
				assert.deepEqual([on.code, on.answer], [200, { ok: true, ...safe }]);
				assert.deepEqual(await bench.get("/api/canview/capture"), safe);
				await bench.untilStock();
				for (const body of [
					{ disableController: false },
					{ broadcastOpenHaldexOverCAN: false },
					{ broadcastControllerOverCAN: false },
				]) {
					const { code, answer } = await set(bench, body);
					assert.deepEqual([code, answer.error], [409, "canview capture mode active"]);
				}
				assert.equal((await set(bench, { disableThrottle: 5 })).code, 200);
				assert.equal((await bench.mode("map")).code, 409);
				const seen = await bench.get("/api/status");
				assert.deepEqual(
					[seen.mode, seen.effectiveMode, seen.canviewCaptureMode, seen.disableController],
					["STOCK", "STOCK", true, true],
				);
				await bench.post("/api/canview/capture", { active: false });
				await bench.untilCommand(BASE, PATIENT_MS);
				const after = await bench.get("/api/status");
				assert.deepEqual(
					[after.mode, after.disableController, after.broadcastOpenHaldexOverCAN, after.disableThrottle],
					["5050", false, false, 5],
				);
				await bench.post("/api/canview/capture", { active: true });
				await sleep(ON_FLASH_WITHIN_MS);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null }, async (bench) => {
				bench.show(20, 30);
				await bench.untilCommand(BASE, PATIENT_MS);
				const { mode, canviewCaptureMode, broadcastOpenHaldexOverCAN, disableThrottle } = await bench.get("/api/status");
				assert.deepEqual([mode, canviewCaptureMode, broadcastOpenHaldexOverCAN, disableThrottle], ["5050", false, false, 5]);
			});
		}));

	it("changes generation, profile and PWM in a running controller", () =>
		withBench({ settings: { mode: "5050" } }, async (bench) => {
			bench.show(50, 30);
			await bench.untilCommand(BASE);
			assert.equal(await bench.pwmDuty(), 1023);
			const { answer } = await set(bench, { pwm: { frequencyHz: 5000, inverted: true }, frameProfile: "corrected" });
			assert.deepEqual([answer.pwm, answer.frameProfile], [{ frequencyHz: 5000, inverted: true }, "corrected"]);
			await until(async () => (await bench.pwmDuty()) === 0, PATIENT_MS, "an inverted output");
			assert.match(bench.stderr, /"hz":5000/);
			const { answer: other } = await set(bench, { couplingGeneration: 4 });
			assert.deepEqual([other.haldexGeneration, other.lowPower.sleepEnabled], [4, false]);
			assert.equal(other.inputMappings.speed, "chassis|0x1a0|br1 wheel speed kmh|km/h");
			await bench.untilStock(PATIENT_MS);
		}));

	for (const [from, to, foreign] of [
		[5, 4, [0x280, 0x1a0, 0x4a0, 0x380, 0x5a0]],
		[4, 5, [0x0a7, 0x08a, 0x0b2, 0x0a8]],
	] as const)
		it(`asks for nothing in frames of generation ${to} that the car of generation ${from} does not have`, () =>
			withBench({ generation: from, settings: { mode: "5050" } }, async (bench) => {
				bench.show(50, 30);
				// frames with those identifiers that mean something else
				for (const id of foreign) bench.chassisRows.push({ ...bench.chassisRows[0], id, data: new Uint8Array(8), periodMs: 10 });
				await bench.untilCommand(marker(from).base);
				assert.equal((await set(bench, { couplingGeneration: to })).code, 200);
				const since = now();
				assert.equal(await bench.pwmDuty(), 0);
				const begun = await bench.get("/api/status");
				assert.deepEqual([begun.effectiveMode, begun.controlActive], ["STOCK", false]);
				await sleep(1500);
				const rewritten = foreign.flatMap((id) => bench.passed(id, since).filter((passage) => passage.rewritten));
				assert.ok(rewritten.length === 0 || rewritten[0].sentAt - since >= 900, "within a second");
				assert.equal(bench.command(), undefined, "the car's own frames");
			}));
});

/** A control tick is at any of its moments when the request comes. */
const REPEATS = 8;

const flatMap = (lock: number) => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});

type Write = readonly [path: string, body: unknown];

const requestOf = ([path, body]: Write): string => {
	const text = JSON.stringify(body);
	return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};

/** Sends the writes and a look at the status in one piece. @returns codes of the answers, and the status */
async function writeAndLook(bench: Bench, ...writes: readonly Write[]): Promise<{ codes: number[]; status: Status }> {
	const client = connect(bench.port);
	client.send(`${writes.map(requestOf).join("")}GET /api/status HTTP/1.0\r\n\r\n`);
	await client.closed;
	const codes = [...client.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
	assert.equal(codes.length, writes.length + 1, client.received);
	return { codes, status: JSON.parse(client.received.slice(client.received.indexOf('{"version"'))) as Status };
}

/** Makes each of two changes in turn; the status behind each must show it. */
async function alternate(
	bench: Bench,
	changes: readonly (readonly [Write, (status: Status) => unknown, unknown])[],
): Promise<void> {
	for (let i = 0; i < REPEATS; i++) {
		const [write, look, expected] = changes[i % changes.length];
		const { codes, status } = await writeAndLook(bench, write);
		assert.deepEqual([codes, look(status)], [[200, 200], expected], `${i + 1}: ${JSON.stringify(write)}`);
	}
}

const inForce = ({ effectiveMode, controlActive }: Status) => [effectiveMode, controlActive];
const lock = ({ telemetry }: Status) => telemetry["spec"];

describe("system: a write is in effect when it is answered", () => {
	const driving = (settings: Record<string, unknown>, test: (bench: Bench) => Promise<void>): Promise<void> =>
		withBench({ settings: { mode: "MAP", releaseRate: 0, ...settings } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilStatus((status) => status.controlActive, 8000, "control to be active");
			await test(bench);
		});

	it("a mode, a disabled controller, a capture", () =>
		driving({}, async (bench) => {
			await alternate(bench, [
				[["/api/mode", { mode: "STOCK" }], inForce, ["STOCK", false]],
				[["/api/mode", { mode: "7030" }], inForce, ["7030", true]],
			]);
			await alternate(bench, [
				[["/api/settings", { disableController: true }], inForce, ["STOCK", false]],
				[["/api/settings", { disableController: false }], inForce, ["MAP", true]],
			]);
			await alternate(bench, [
				[["/api/canview/capture", { active: true }], inForce, ["STOCK", false]],
				[["/api/canview/capture", { active: false }], inForce, ["MAP", true]],
			]);
		}));

	it("a map, a stored one, a curve, a gate", () =>
		driving({}, async (bench) => {
			await alternate(bench, [
				[["/api/map", flatMap(42)], lock, 42],
				[["/api/map", flatMap(17)], lock, 17],
			]);
			await alternate(bench, [
				[["/api/maps/load", { name: "fwd" }], lock, 0],
				[["/api/map", flatMap(33)], lock, 33],
			]);
			await bench.mode("SPEED");
			await alternate(bench, [
				[["/api/curve/speed", { points: [{ x: 0, lock: 50 }] }], lock, 50],
				[["/api/curve/speed", { points: [{ x: 0, lock: 20 }] }], lock, 20],
			]);
		}));

	it("generation, mappings and trigger, changed twice", () =>
		driving({}, async (bench) => {
			const changes = [4, 5].map((couplingGeneration): Write => ["/api/settings", { couplingGeneration }]);
			for (const key of ["chassis|0x1|a|", ""]) changes.push(["/api/settings", { inputMappings: { speed: key } }]);
			for (const value of [1, 2]) changes.push(["/api/settings", { modeTrigger: { enabled: true, value } }]);
			const { codes, status } = await writeAndLook(bench, ...changes, ...changes);
			assert.deepEqual(codes, Array(2 * changes.length + 1).fill(200));
			assert.deepEqual(status.couplingGeneration, 5);
			await bench.untilStatus((now) => now.controlActive, 8000, "control to be active again");
		}));

	it("a write that changes nothing", () =>
		driving({}, async (bench) => {
			const { codes } = await writeAndLook(bench, ["/api/settings", {}], ["/api/canview/capture", { active: false }]);
			assert.deepEqual(codes, [200, 200, 200]);
		}));
});

const ROUNDS = 3;
const TRIES = 20;
const TRY_AGAIN_MS = 50;
/** Longer than a change waits for its write, whatever else is written. */
const ON_FLASH_MS = 30_000;

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
		read: async (bench) => (await bench.get("/api/status")).disableSpeed,
		expected: (round) => 100 + round,
	},
	{
		path: "/api/settings",
		body: (round) => ({ conditions: Array(1 + (round % 3)).fill({ effect: "limit", value: round }) }),
		read: async (bench) => {
			const { conditions } = await bench.get("/api/conditions");
			return [conditions.length, conditions[0].value];
		},
		expected: (round) => [1 + (round % 3), round],
	},
	{
		path: "/api/curve/speed",
		body: (round) => ({ points: [{ x: 0, lock: round }] }),
		read: async (bench) => (await bench.get("/api/curve/speed")).points,
		expected: (round) => [{ x: 0, lock: round }],
	},
	{
		path: "/api/map",
		body: (round) => map(round),
		read: async (bench) => (await bench.get("/api/map")).lockTable[6][8],
		expected: (round) => round,
	},
	{
		path: "/api/learn/table",
		body: table,
		read: async (bench) => (await bench.get("/api/learn/table")).date,
		expected: (round) => table(round).date,
	},
	{
		path: "/api/wifi",
		body: (round) => ({ ssid: `home ${round}` }),
		read: async (bench) => (await bench.get("/api/wifi")).ssid,
		expected: (round) => `home ${round}`,
	},
	{
		path: "/api/wifi",
		body: (round) => ({ staEnabled: round % 2 === 0 }),
		read: async (bench) => (await bench.get("/api/wifi")).staEnabled,
		expected: (round) => round % 2 === 0,
	},
];

describe("system: writes at the same moment", () => {
	it("are all in effect when answered, and on flash soon after", async () => {
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
				const isWritten = async (): Promise<boolean> => !(await bench.get("/api/status")).storageWaiting;
				await until(isWritten, ON_FLASH_MS, "all to be on flash");
			});
			await withBench({ flash, settings: null }, async (bench) => areSo(bench, ROUNDS - 1, "after a power cut"));
		});
	});
});
