/**
 * An answer 200 to a write means that it is active: the next status shows it, and the next write finds
 * nothing busy. docs/decisions.md 25. The client is as impatient as one can be: its next request is there
 * before the write is answered.
 */
import assert from "node:assert/strict";
import { connect } from "../support/http-server.js";
import { type Bench, type Status, withBench } from "./bench-car.js";

/** A control tick is at any of its moments when the request comes. */
const REPEATS = 8;

const flatMap = (lock: number) => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});

type Write = readonly [path: string, body: unknown];

const post = ([path, body]: Write): string => {
	const text = JSON.stringify(body);
	return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};

/** Sends the writes and a look at the status in one piece. @returns codes of the answers, and the status */
async function writeAndLook(bench: Bench, ...writes: readonly Write[]): Promise<{ codes: number[]; status: Status }> {
	const client = connect(bench.port);
	client.send(`${writes.map(post).join("")}GET /api/status HTTP/1.0\r\n\r\n`);
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

describe("system: a write that is answered is in effect", () => {
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

	it("generation, mappings and trigger: the second change of them is taken like the first, and the last one stands", () =>
		driving({}, async (bench) => {
			const changes = [4, 5].map((couplingGeneration): Write => ["/api/settings", { couplingGeneration }]);
			for (const key of ["chassis|0x1|a|", ""]) changes.push(["/api/settings", { inputMappings: { speed: key } }]);
			for (const value of [1, 2]) changes.push(["/api/settings", { modeTrigger: { enabled: true, value } }]);
			const { codes, status } = await writeAndLook(bench, ...changes, ...changes);
			assert.deepEqual(codes, Array(2 * changes.length + 1).fill(200));
			assert.deepEqual(status.couplingGeneration, 5);
			await bench.untilStatus((now) => now.controlActive, 8000, "control to be active again");
		}));

	it("one that changes nothing is answered as well", () =>
		driving({}, async (bench) => {
			const { codes } = await writeAndLook(bench, ["/api/settings", {}], ["/api/canview/capture", { active: false }]);
			assert.deepEqual(codes, [200, 200, 200]);
		}));
});
