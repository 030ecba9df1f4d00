/**
 * The analyser port of the running program, with a scripted SavvyCAN at it and a car on both buses.
 * docs/api.md, "The GVRET protocol".
 */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import { FOREIGN_EXTENDED_ID, NUMBERED_COUPLING_ID, NUMBERED_ID } from "./car-rows.js";
import { SavvyCan, type SeenFrame } from "./savvycan.js";
import { until } from "./wait.js";

const ARGS = ["--analyzer", "0"];
/** Not of the frame plan of generation 5. */
const FREE_ID = 0x123;
const PLAN_ID = 0x0a7;
const CHASSIS = 0;
const COUPLING = 1;

interface Analyzer {
	readonly enabled: boolean;
	readonly port: number;
	readonly clients: readonly { readonly lostFrames: number }[];
	readonly maySend: boolean;
	readonly sendRefusal: string;
	readonly sentFrames: number;
	readonly refusedFrames: number;
	readonly lastRefusal: string;
	readonly error?: string;
	readonly detail?: string;
}

const state = async (bench: Bench): Promise<Analyzer> => JSON.parse((await bench.ask("GET", "/api/analyzer")).text);
const post = async (bench: Bench, body: object): Promise<Analyzer & { code: number }> => {
	const { code, text } = await bench.ask("POST", "/api/analyzer", JSON.stringify(body));
	return { code, ...JSON.parse(text) };
};
const numbers = (frames: readonly SeenFrame[], id: number, bus: number): number[] =>
	frames
		.filter((frame) => frame.id === id && frame.bus === bus)
		.map(({ data }) => new DataView(data.buffer, data.byteOffset).getUint32(0, true));
const assertEach = (counts: readonly number[], least: number): void => {
	assert.ok(counts.length >= least, `${counts.length} frames`);
	for (let i = 1; i < counts.length; i++) assert.equal(counts[i], counts[i - 1] + 1);
};
const figures = ["leaseExpiries", "droppedQueueFull", "droppedTooOld", "droppedNotRunning"];

describe("system: the analyser port", () => {
	it("is off until it is switched on, speaks with SavvyCAN, and is off again", () =>
		withBench({ args: ARGS }, async (bench) => {
			assert.deepEqual([(await state(bench)).enabled, (await state(bench)).port], [false, 0]);
			const { port } = await post(bench, { enabled: true });
			assert.ok(port > 0);
			const client = await SavvyCan.connect(port);
			assert.deepEqual(client.answers.get(0x0c), Uint8Array.of(2), "buses");
			assert.deepEqual(
				client.answers.get(0x06),
				Uint8Array.of(1, 0x20, 0xa1, 7, 0, 1, 0x20, 0xa1, 7, 0),
				"both on, 500,000 bit/s",
			);
			assert.equal(client.answers.get(0x07)?.length, 6);
			assert.deepEqual(client.answers.get(0x09), Uint8Array.of(0xde, 0xad));
			// it goes on asking whether we are alive, and is answered beside the frames
			await until(() => client.alive >= 3, 4000, "two more answers");
			await until(() => numbers(client.frames, NUMBERED_ID, CHASSIS).length >= 200, 8000, "200 frames");
			for (const bus of [CHASSIS, COUPLING]) {
				assertEach(numbers(client.frames, NUMBERED_ID, bus), 190);
				assertEach(numbers(client.frames, NUMBERED_COUPLING_ID, bus), 80);
			}
			assert.ok(client.frames.some(({ id, extended }) => extended && id === FOREIGN_EXTENDED_ID));
			const times = client.frames.map(({ timeUs }) => timeUs);
			for (let i = 1; i < times.length; i++) assert.ok(times[i] >= times[i - 1], "times ascend");
			// the clock that it sets its own by is the one of the frames
			client.answers.delete(1);
			client.write("f101");
			const now = await until(() => client.answers.get(1), 2000, "the time");
			const sinceUs = Buffer.from(now).readUInt32LE(0) - times[times.length - 1];
			assert.ok(sinceUs > -2_000_000 && sinceUs < 2_000_000, `${sinceUs} us`);
			const { clients } = await state(bench);
			assert.deepEqual(clients, [{ lostFrames: 0 }]);
			assert.equal((await post(bench, { enabled: false })).port, 0);
			await until(() => client.isClosed, 2000, "its end");
		}));

	it("sends frames to the car only while the owner allows it, the network is protected, in STOCK, in a car that stands", () =>
		withBench({ args: ARGS }, async (bench) => {
			const refusedBecause = async (detail: string): Promise<void> => {
				const answer = await post(bench, { maySend: true });
				assert.deepEqual([answer.code, answer.error, answer.detail], [409, "sending refused", detail]);
			};
			await refusedBecause("switch the analyser port on first");
			const client = await SavvyCan.connect((await post(bench, { enabled: true })).port);
			const notSent = async (id: number, bus: number, reason: string): Promise<void> => {
				const { refusedFrames } = await state(bench);
				client.sendFrame(bus, id, [1, 2, 3]);
				const after = await until(
					async () => {
						const found = await state(bench);
						return found.refusedFrames > refusedFrames && found;
					},
					2000,
					"a refusal",
				);
				assert.equal(after.lastRefusal, reason);
			};
			const notAllowed = "sending is not allowed: the owner allows it on the page";
			await refusedBecause("a network of the controller has no password");
			assert.equal((await bench.ask("POST", "/api/wifi", '{"apPassword":"password1"}')).code, 200);
			await refusedBecause("select mode STOCK first");
			assert.equal((await bench.mode("STOCK")).code, 200);
			bench.show(20, 10);
			await bench.untilStatus(({ telemetry }) => telemetry["speed"] === 20, 4000, "a car that drives");
			await refusedBecause("the car must stand: its speed must be known, and 0");
			await notSent(FREE_ID, COUPLING, notAllowed);

			bench.show(0, 0);
			await bench.untilStatus(({ telemetry }) => telemetry["speed"] === 0, 4000, "a car that stands");
			assert.equal((await post(bench, { maySend: true })).maySend, true);
			client.sendFrame(COUPLING, FREE_ID, [0xca, 0xfe]);
			client.sendFrame(CHASSIS, 0x1abcdef0, [1, 2, 3, 4, 5, 6, 7, 8], true);
			const onCoupling = await until(
				() => bench.coupling.arrived.find(({ id }) => id === FREE_ID),
				2000,
				"a frame on the coupling bus",
			);
			assert.deepEqual([...onCoupling.data], [0xca, 0xfe]);
			const onChassis = await until(
				() => bench.chassis.arrived.find(({ id }) => id === 0x1abcdef0),
				2000,
				"one on the chassis bus",
			);
			assert.deepEqual([onChassis.extended, onChassis.data.length], [true, 8]);
			// it sees its own frames, as sent on that bus only
			await until(() => client.frames.some(({ id }) => id === FREE_ID), 2000, "its own frame");
			assert.deepEqual(
				client.frames.filter(({ id }) => id === FREE_ID).map(({ bus }) => bus),
				[COUPLING],
			);
			await notSent(PLAN_ID, COUPLING, "0xa7 is an identifier of the controller's own");
			await notSent(0x6b0, CHASSIS, "0x6b0 is an identifier of the controller's own");
			await notSent(FREE_ID, 2, "there is no bus 2: 0 is the chassis, 1 the coupling");
			assert.equal((await state(bench)).sentFrames, 2);

			// the car moves: it ends, and does not begin anew when it stands again
			bench.show(3, 0);
			await until(async () => (await state(bench)).maySend === false, 4000, "the end of it");
			bench.show(0, 0);
			await bench.untilStatus(({ telemetry }) => telemetry["speed"] === 0, 4000, "a car that stands");
			await notSent(FREE_ID, COUPLING, notAllowed);
			assert.equal((await post(bench, { maySend: true })).maySend, true);
			assert.equal((await bench.mode("MAP")).code, 200);
			await until(async () => (await state(bench)).maySend === false, 4000, "the end with another mode");
			assert.equal((await state(bench)).sentFrames, 2);
			assert.equal(bench.coupling.arrived.filter(({ id }) => id === FREE_ID).length, 1);
			client.close();
		}));

	it("sends nothing more once the owner sets a password, or another one for the network", () =>
		withBench({ args: ARGS }, async (bench) => {
			const { port } = await post(bench, { enabled: true });
			const client = await SavvyCan.connect(port);
			assert.equal((await bench.ask("POST", "/api/wifi", '{"apPassword":"password1"}')).code, 200);
			assert.equal((await bench.mode("STOCK")).code, 200);
			bench.show(0, 0);
			await bench.untilStatus(({ telemetry }) => telemetry["speed"] === 0, 4000, "a car that stands");
			const password = '{"password":"correct horse"}';
			for (const [path, body] of [
				["/api/wifi", '{"apPassword":"another-one"}'],
				["/api/owner", password],
			] as const) {
				assert.equal((await post(bench, { maySend: true })).maySend, true);
				assert.equal((await bench.ask("POST", path, body)).code, 200);
				const { sentFrames, refusedFrames } = await state(bench);
				for (let i = 0; i < 5; i++) client.sendFrame(COUPLING, FREE_ID, [i]);
				await until(async () => (await state(bench)).refusedFrames === refusedFrames + 5, 2000, `five refusals after ${path}`);
				const { maySend, sentFrames: sentThen } = await state(bench);
				assert.deepEqual([maySend, sentThen], [false, sentFrames], path);
			}
			assert.equal(bench.coupling.arrived.filter(({ id }) => id === FREE_ID).length, 0);
			const { code } = await bench.ask("POST", "/api/analyzer", '{"maySend":true}');
			assert.equal(code, 401);
			client.close();
		}));

	it("is not noticed by the car, whatever clients do", () =>
		withBench({ args: ARGS }, async (bench) => {
			await bench.untilCommand();
			const { port } = await post(bench, { enabled: true });
			const { gateway } = await bench.status();
			const { keys } = (await bench.report()).heap;
			// a slow one, and one that works, have the places; a hundred others are turned away
			const slow = await SavvyCan.connect(port);
			slow.pause();
			const good = await SavvyCan.connect(port);
			for (let i = 0; i < 100; i++) {
				const other = await SavvyCan.raw(port);
				await until(() => other.isClosed, 4000, "its end");
			}
			assert.equal(good.isClosed, false);
			slow.close();
			await until(async () => (await state(bench)).clients.length === 1, 4000, "its place");
			// garbage of all kinds: no command, half a command, frames without end, questions without end
			const random = Array.from({ length: 4000 }, (_, i) => ((i * 2654435761) >>> 13) & 0xff);
			for (const hex of [Buffer.from(random).toString("hex"), "f1", "f100ff", "f10bffffffffffff", "e7e7", "f109".repeat(5000)]) {
				const biter = await SavvyCan.raw(port);
				biter.write(hex);
				const { alive } = good;
				await until(() => good.alive > alive, 4000, "an answer to the one that works");
				biter.close();
				await until(async () => (await state(bench)).clients.length === 1, 4000, "its place");
			}
			const flood = await SavvyCan.raw(port);
			flood.write("f1002301000001080102030405060708ff".repeat(2000));
			await until(async () => (await state(bench)).refusedFrames >= 2000, 20_000, "the end of the flood");
			assert.equal((await state(bench)).sentFrames, 0);
			flood.close();
			await bench.assertShortTurns();
			assert.equal((await bench.report()).heap.keys, keys);
			const after = await bench.status();
			for (const figure of figures) assert.equal(after.gateway[figure], gateway[figure], figure);
			assert.notEqual(bench.command(), undefined, "control goes on");
			assertEach(numbers(good.frames, NUMBERED_ID, CHASSIS), 200);
			assertEach(numbers(good.frames, NUMBERED_ID, COUPLING), 200);
			good.close();
		}));
});
