/** The dump, the CAN log and the analyser port: what they tell is what passed on both buses. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { assertNoneLost, type Bench, type BusPeer, withBench } from "./bench-car.js";
import * as rows from "./car-rows.js";
import { FOREIGN_EXTENDED_ID, NUMBERED_COUPLING_ID, NUMBERED_ID } from "./car-rows.js";
import { SavvyCan } from "./savvycan.js";
import { sleep, until } from "./wait.js";

async function dump(bench: Bench, query: string): Promise<string[]> {
	const { code, text } = await bench.ask("GET", `/api/canview/dump${query}`);
	assert.equal(code, 200);
	return text.split("\n").slice(0, -1);
}

/** A frame as a candump log has it. */
function logged({ id, extended, rtr, data }: CanFrame): string {
	const name = id
		.toString(16)
		.toUpperCase()
		.padStart(extended ? 8 : 3, "0");
	return `${name}#${rtr ? `R${data.length === 0 ? "" : data.length}` : rows.hex(data).toUpperCase()}`;
}

const payloads = (lines: readonly string[], bus: string): string[] =>
	lines.filter((line) => line.includes(` ${bus} `)).map((line) => line.slice(line.lastIndexOf(" ") + 1));

/** Ends the car's frames. Waits until none is on its way any more; the controller's own status frame goes on. */
async function settle(bench: Bench): Promise<void> {
	bench.park();
	const count = () => bench.coupling.arrived.length;
	for (let before = -1; before !== count(); await sleep(100)) before = count();
}

describe("system: CAN dump", () => {
	it("has each frame that entered and left on both buses", () =>
		withBench({ generation: 5 }, async (bench) => {
			bench.show(50, 40);
			await bench.untilCommand();
			const special = (id: number, extended: boolean, rtr: boolean, length = 0): CanFrame => ({
				id,
				extended,
				rtr,
				data: new Uint8Array(length),
			});
			bench.chassis.send([
				special(0x10, false, true),
				special(0x1fffffff, true, false),
				special(7, true, true),
				special(7, false, false, 1),
			]);
			bench.coupling.send([special(0x7ff, false, true, 3), special(0, false, false)]);
			await sleep(500);
			await settle(bench);
			const lines = await dump(bench, "?format=candump&seconds=120&dir=rx");
			assert.deepEqual(payloads(lines, "can0"), bench.chassis.sent.map(logged));
			assert.deepEqual(payloads(lines, "can1"), bench.coupling.sent.map(logged));
			const sent = await dump(bench, "?format=candump&seconds=120&dir=tx");
			assert.deepEqual(payloads(sent, "can1"), bench.coupling.arrived.map(logged));
			// the status broadcast goes on meanwhile, and stops with the dump
			const toChassis = payloads(sent, "can0");
			assert.deepEqual(toChassis, bench.chassis.arrived.map(logged).slice(0, toChassis.length));
			assert.ok(toChassis.length > 50);
			const text = await dump(bench, "?seconds=120&bus=haldex");
			const csv = await dump(bench, "?seconds=120&bus=coupling&format=savvycan");
			assert.equal(text.length - 3, csv.length - 1);
			assert.equal(text.length - 3, bench.coupling.sent.length + bench.coupling.arrived.length);
			const generated = text.filter((line) => line.includes("\tGEN\t"));
			assert.ok(generated.length > 10 && generated.every((line) => line.includes("\thaldex\tTX\t")));
		}));
});

const DRIVE_MS = 2500;

/** Lines of a log with its copies, oldest first. */
const linesOf = (flash: string, stem: string) =>
	[".4", ".3", ".2", ".1", ""].flatMap((copy) => {
		const path = join(flash, "logs", `${stem}${copy}.txt`);
		return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
	});

/** The numbers of the busy frames have no gap, as received and as sent. */
function assertNoGaps(lines: string[]): void {
	const last = new Map<string, number>();
	for (const line of lines) {
		const [, , bus, direction, , id, , data] = line.split("\t");
		if (!(Number(id) >= rows.BUSY_ID && Number(id) < rows.BUSY_ID + 2 * rows.BUSY_ROWS)) continue;
		const number = Buffer.from(data.replaceAll(" ", ""), "hex").readUInt32LE();
		const key = `${bus} ${direction} ${id}`;
		assert.equal(number, (last.get(key) ?? number - 1) + 1, line);
		last.set(key, number);
	}
	assert.equal(last.size, 4 * rows.BUSY_ROWS, "every busy frame is there, in both directions");
}

describe("system: CAN log", () => {
	it("logs two buses of 2,000 frames/s without a loss", () =>
		withBench({ settings: { mode: "MAP", logging: { file: true, can: true, debugCan: true } } }, async (bench) => {
			rows.makeBusy(bench.chassisRows, bench.couplingRows);
			await sleep(DRIVE_MS);
			bench.park();
			await bench.assertShortTurns();
			const { gateway } = await bench.status();
			for (const counter of ["droppedQueueFull", "droppedTooOld", "droppedNotRunning", "malformed"])
				assert.equal(gateway[counter], 0, counter);
			assert.ok(gateway["receivedChassis"] + gateway["receivedCoupling"] > DRIVE_MS, "the buses were busy");
			const ends = [bench.chassis, bench.coupling].map(({ sent }) => {
				const { id, data } = sent.filter((frame) => frame.id >= rows.BUSY_ID && frame.id < rows.BUSY_ID + 8).at(-1) as CanFrame;
				return `TX\t-\t0x${id.toString(16)}\t8\t${rows.hex(data).replace(/..(?=.)/g, "$& ")}`;
			});
			let lines: string[] = [];
			await until(
				() => {
					lines = linesOf(bench.flash, "can/can");
					return ends.every((end) => lines.some((line) => line.endsWith(end)));
				},
				30_000,
				() => `${ends} in the log; the last line is ${lines.at(-1)}`,
			);
			for (const line of lines)
				assert.match(line, /^\d+\tCAN\t(chassis|haldex)\t(RX|TX)\t(-|GEN)\t0x[0-9a-f]+\t\d\t([0-9a-f]{2}( [0-9a-f]{2})*)?$/);
			assertNoGaps(lines);
			const canLines = linesOf(bench.flash, "all").filter((line) => line.includes("\tCAN\t"));
			const from = canLines.indexOf(lines[lines.length - 1000]);
			assert.deepEqual(canLines.slice(from, from + 1000), lines.slice(-1000), "both logs have the same");
		}));
});

/** Not of the frame plan of generation 5. */
const FREE_ID = 0x123;
const PLAN_ID = 0x0a7;
const CHASSIS = 0;
const COUPLING = 1;
const ANALYZER = { args: ["--analyzer", "0"] };

// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shape
const state = async (bench: Bench): Promise<any> => bench.get("/api/analyzer");
// biome-ignore lint/suspicious/noExplicitAny: as above
const post = async (bench: Bench, body: object): Promise<any> => {
	const { code, answer } = await bench.post("/api/analyzer", body);
	return { code, ...answer };
};
const write = async (bench: Bench, path: string, body: object) => assert.equal((await bench.post(path, body)).code, 200, path);
const seen = ({ frames }: SavvyCan, bus: number) => frames.filter((frame) => frame.bus === bus);
const untilSpeed = async (bench: Bench, kmh: number): Promise<void> => {
	bench.show(kmh, 0);
	await bench.untilStatus(({ telemetry }) => telemetry["speed"] === kmh, 4000, `${kmh} km/h`);
	await sleep(100); // whether the car stands is told ten times a second
};

describe("system: the analyser port", () => {
	it("speaks with SavvyCAN while it is switched on", () =>
		withBench(ANALYZER, async (bench) => {
			const { enabled, port: none } = await state(bench);
			assert.deepEqual([enabled, none], [false, 0]);
			const { port } = await post(bench, { enabled: true });
			const client = await SavvyCan.connect(port);
			assert.deepEqual(client.answers.get(0x0c), Uint8Array.of(2), "buses");
			assert.deepEqual(
				client.answers.get(0x06),
				Uint8Array.of(1, 0x20, 0xa1, 7, 0, 1, 0x20, 0xa1, 7, 0),
				"both on, 500,000 bit/s",
			);
			// it goes on asking whether we are alive, and is answered beside the frames
			await until(() => client.alive >= 3, 4000, "two more answers");
			await until(() => seen(client, CHASSIS).filter(({ id }) => id === NUMBERED_ID).length >= 200, 8000, "200 frames");
			for (const bus of [CHASSIS, COUPLING])
				for (const id of [NUMBERED_ID, NUMBERED_COUPLING_ID]) assertNoneLost(seen(client, bus), id, 80);
			assert.ok(client.frames.some(({ id, extended }) => extended && id === FOREIGN_EXTENDED_ID));
			const times = client.frames.map(({ timeUs }) => timeUs);
			for (let i = 1; i < times.length; i++) assert.ok(times[i] >= times[i - 1], "times ascend");
			// the clock that it sets its own by is the one of the frames
			client.answers.delete(1);
			client.write("f101");
			const answer = await until(() => client.answers.get(1), 2000, "the time");
			const sinceUs = Buffer.from(answer).readUInt32LE(0) - times[times.length - 1];
			assert.ok(sinceUs > -2_000_000 && sinceUs < 2_000_000, `${sinceUs} us`);
			assert.deepEqual((await state(bench)).clients, [{ lostFrames: 0 }]);
			assert.equal((await post(bench, { enabled: false })).port, 0);
			await until(() => client.isClosed, 2000, "its end");
		}));

	it("sends frames to the car while the owner allows it, and sends nothing more once the owner sets a password, or the car moves", () =>
		withBench(ANALYZER, async (bench) => {
			const client = await SavvyCan.connect((await post(bench, { enabled: true })).port);
			const notSent = async (id: number, bus: number, reason: string): Promise<void> => {
				const { refusedFrames } = await state(bench);
				client.sendFrame(bus, id, [1, 2, 3]);
				await until(async () => (await state(bench)).refusedFrames > refusedFrames, 2000, `a rejection: ${reason}`);
				assert.equal((await state(bench)).lastRefusal, reason);
			};
			const notAllowed = "sending is not allowed: the owner allows it on the page";
			const { code, error, detail } = await post(bench, { maySend: true });
			assert.deepEqual([code, error, detail], [409, "sending refused", "a network of the controller has no password"]);
			await write(bench, "/api/wifi", { apPassword: "password1" });
			await write(bench, "/api/mode", { mode: "STOCK" });
			await untilSpeed(bench, 0);
			await notSent(FREE_ID, COUPLING, notAllowed);

			assert.equal((await post(bench, { maySend: true })).maySend, true);
			client.sendFrame(COUPLING, FREE_ID, [0xca, 0xfe]);
			client.sendFrame(CHASSIS, 0x1abcdef0, [1, 2, 3, 4, 5, 6, 7, 8], true);
			const arrived = (bus: BusPeer, wanted: number) =>
				until(() => bus.arrived.find(({ id }) => id === wanted), 2000, `0x${wanted.toString(16)}`);
			assert.deepEqual([...(await arrived(bench.coupling, FREE_ID)).data], [0xca, 0xfe]);
			const { extended, data } = await arrived(bench.chassis, 0x1abcdef0);
			assert.deepEqual([extended, data.length], [true, 8]);
			// it sees its own frames, as sent on that bus only
			await until(() => seen(client, COUPLING).some(({ id }) => id === FREE_ID), 2000, "its own frame");
			assert.ok(!seen(client, CHASSIS).some(({ id }) => id === FREE_ID));
			await notSent(PLAN_ID, COUPLING, "0xa7 is an identifier of the controller's own");

			// it ends with motion, and does not begin anew when the car stands again
			await untilSpeed(bench, 3);
			await until(async () => (await state(bench)).maySend === false, 4000, "the end of it");
			await untilSpeed(bench, 0);
			await notSent(FREE_ID, COUPLING, notAllowed);
			for (const [path, body] of [
				["/api/wifi", { apPassword: "another-one" }],
				["/api/owner", { password: "correct horse" }],
			] as const) {
				assert.equal((await post(bench, { maySend: true })).maySend, true);
				await write(bench, path, body);
				for (let i = 0; i < 5; i++) await notSent(FREE_ID, COUPLING, notAllowed);
				assert.equal((await state(bench)).maySend, false, path);
			}
			assert.equal((await post(bench, { maySend: true })).code, 401);
			assert.equal((await state(bench)).sentFrames, 2);
			assert.equal(bench.coupling.arrived.filter(({ id }) => id === FREE_ID).length, 1);
			client.close();
		}));
});
