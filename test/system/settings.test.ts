/** Settings: what is in effect when a write is answered, and what a restart leaves. */
import assert from "node:assert/strict";
import { connect } from "../support/http-server.js";
import { type Bench, flatMap, type Status, withBench, withFlash } from "./bench-car.js";
import { sleep, until } from "./wait.js";

/** Full scale of the marker byte of generation 5. */
const BASE = 0xfa;
const PATIENT_MS = 8000;
/** A control tick is at any of its moments when the request comes. */
const REPEATS = 4;

type Write = readonly [path: string, body: unknown];

const requestOf = ([path, body]: Write): string => {
	const text = JSON.stringify(body);
	return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};

/** Sends the writes and a look at the status in one piece: all are accepted. @returns the status */
async function writeAndLook(bench: Bench, ...writes: readonly Write[]): Promise<Status> {
	const client = connect(bench.port);
	client.send(`${writes.map(requestOf).join("")}GET /api/status HTTP/1.0\r\n\r\n`);
	await client.closed;
	const codes = [...client.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]);
	assert.deepEqual(codes, Array(writes.length + 1).fill("200"), JSON.stringify(writes));
	return JSON.parse(client.received.slice(client.received.indexOf('{"version"'))) as Status;
}

const inEffect = ({ effectiveMode, controlActive }: Status) => `${effectiveMode}${controlActive ? ", active" : ""}`;
const lock = ({ telemetry }: Status) => telemetry["spec"];

interface Change {
	readonly write: Write;
	/** What the status behind it shows. */
	readonly shows: unknown;
}

const changed = (path: string, body: unknown, shows: unknown): Change => ({ write: [path, body], shows });
const curve = (percent: number): Change => changed("/api/curve/speed", { points: [{ x: 0, lock: percent }] }, percent);
const map = (percent: number): Change => changed("/api/map", flatMap(percent), percent);

/** Changes that are made in turn; the status behind each must show it. */
const CHANGES: readonly (readonly [show: (status: Status) => unknown, ...Change[]])[] = [
	[inEffect, changed("/api/mode", { mode: "STOCK" }, "STOCK"), changed("/api/mode", { mode: "7030" }, "7030, active")],
	[
		inEffect,
		changed("/api/settings", { disableController: true }, "STOCK"),
		changed("/api/settings", { disableController: false }, "MAP, active"),
	],
	[
		inEffect,
		changed("/api/canview/capture", { active: true }, "STOCK"),
		changed("/api/canview/capture", { active: false }, "MAP, active"),
	],
	[lock, map(42), map(17)],
	[lock, changed("/api/maps/load", { name: "fwd" }, 0), map(33)],
	[inEffect, changed("/api/mode", { mode: "SPEED" }, "SPEED, active")],
	[lock, curve(50), curve(20)],
];

describe("system: settings", () => {
	const driving = (test: (bench: Bench) => Promise<void>): Promise<void> =>
		withBench({ settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilStatus((status) => status.controlActive, PATIENT_MS, "control to be active");
			await test(bench);
		});

	it("a mode, a disabled controller, a capture, a map, a stored map and a curve are in effect when the write is answered", () =>
		driving(async (bench) => {
			for (const [show, ...changes] of CHANGES)
				for (let i = 0; i < REPEATS; i++)
					for (const { write, shows } of changes)
						assert.equal(show(await writeAndLook(bench, write)), shows, JSON.stringify(write));
		}));

	it("generation, mappings and trigger, changed twice at once, are in effect when the last write is answered", () =>
		driving(async (bench) => {
			const changes = [4, 5].map((couplingGeneration): Write => ["/api/settings", { couplingGeneration }]);
			for (const key of ["chassis|0x1|a|", ""]) changes.push(["/api/settings", { inputMappings: { speed: key } }]);
			for (const value of [1, 2]) changes.push(["/api/settings", { modeTrigger: { enabled: true, value } }]);
			changes.push(["/api/settings", {}]);
			assert.equal((await writeAndLook(bench, ...changes, ...changes)).couplingGeneration, 5);
			await bench.untilStatus((now) => now.controlActive, PATIENT_MS, "control to be active again");
		}));

	it("a capture ends with a restart, and the settings before it are restored (check 5)", () =>
		withFlash(async (flash) => {
			await withBench({ flash, settings: { mode: "5050", broadcastOverCan: false } }, async (bench) => {
				bench.show(20, 30);
				await bench.untilCommand(BASE);
				assert.equal((await bench.post("/api/canview/capture", { active: true })).code, 200);
				await bench.untilStock();
				await sleep(2000);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null }, async (bench) => {
				bench.show(20, 30);
				await bench.untilCommand(BASE, PATIENT_MS);
				const { mode, canviewCaptureMode, broadcastOpenHaldexOverCAN } = await bench.get("/api/status");
				assert.deepEqual([mode, canviewCaptureMode, broadcastOpenHaldexOverCAN], ["5050", false, false]);
			});
		}));
});

const ROUNDS = 3;
const TRIES = 20;
/** Longer than a change waits for its write, whatever else is written. */
const ON_FLASH_MS = 30_000;
const table = Array.from({ length: 101 }, (_, factor) => factor);

/** Writes that have nothing in common but the moment: path, body, where it is read, and what is read there. */
type Told = [path: string, body: object, from: string, read: (answer: Record<string, never>) => unknown, value: unknown];
const writesOf = (n: number): Told[] => [
	["/api/mode", { mode: n % 2 === 0 ? "FWD" : "7030" }, "/api/status", ({ mode }) => mode, n % 2 === 0 ? "FWD" : "7030"],
	["/api/settings", { disableSpeed: 100 + n }, "/api/status", ({ disableSpeed }) => disableSpeed, 100 + n],
	[
		"/api/settings",
		{ conditions: Array(1 + n).fill({ effect: "limit", value: n }) },
		"/api/conditions",
		({ conditions }) => (conditions as { value: number }[]).map(({ value }) => value),
		Array(1 + n).fill(n),
	],
	["/api/curve/speed", { points: [{ x: 0, lock: n }] }, "/api/curve/speed", ({ points }) => points, [{ x: 0, lock: n }]],
	["/api/map", flatMap(n), "/api/map", ({ lockTable }) => lockTable, flatMap(n).lockTable],
	[
		"/api/learn/table",
		{ generation: 5, frameProfile: "reference", date: `2026-11-0${n + 1}`, table },
		"/api/learn/table",
		({ date }) => date,
		`2026-11-0${n + 1}`,
	],
	["/api/wifi", { ssid: `home ${n}` }, "/api/wifi", ({ ssid }) => ssid, `home ${n}`],
	["/api/wifi", { staEnabled: n % 2 === 0 }, "/api/wifi", ({ staEnabled }) => staEnabled, n % 2 === 0],
];

describe("system: writes at the same moment", () => {
	it("are all in effect when answered, and on flash soon after", () =>
		withFlash(async (flash) => {
			const areSo = async (bench: Bench, round: number): Promise<void> => {
				for (const [path, , from, read, value] of writesOf(round)) assert.deepEqual(read(await bench.get(from)), value, path);
			};
			await withBench({ flash }, async (bench) => {
				// 503: there is no heap for it yet
				const write = async ([path, body]: Told): Promise<void> => {
					for (let tries = 0, code = 503; code !== 200; tries++) {
						({ code } = await bench.post(path, body));
						assert.ok(code === 200 || (code === 503 && tries < TRIES), `${path}: ${code}`);
						if (code === 503) await sleep(50);
					}
				};
				for (let round = 0; round < ROUNDS; round++) {
					await Promise.all(writesOf(round).map(write));
					await areSo(bench, round);
				}
				await until(async () => !(await bench.get("/api/status")).storageWaiting, ON_FLASH_MS, "all to be on flash");
			});
			await withBench({ flash, settings: null }, (bench) => areSo(bench, ROUNDS - 1));
		}));
});
