/** The CAN view, its dump, the CAN log and the analyser port: what they tell is what passed on both buses. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { type Bench, withBench } from "./bench-car.js";
import type { BusPeer } from "./bus-peer.js";
import * as rows from "./car-rows.js";
import { FOREIGN_EXTENDED_ID, NUMBERED_COUPLING_ID, NUMBERED_ID } from "./car-rows.js";
import { SavvyCan, type SeenFrame } from "./savvycan.js";
import { every, now, sleep, until } from "./wait.js";

interface Row {
	readonly bus: string;
	readonly dir: string;
	readonly id: number;
	readonly name: string;
	readonly value: number | string;
	readonly generated: boolean;
	readonly ageMs: number;
	readonly hz: number;
	readonly data: string;
}

interface View {
	readonly decoded: Row[];
	readonly raw: Row[];
}

async function view(bench: Bench, query: string): Promise<View> {
	const { code, text } = await bench.ask("GET", `/api/canview${query}`);
	assert.equal(code, 200);
	return JSON.parse(text) as View;
}

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

/** Waits until nothing is on its way any more. */
async function settle(bench: Bench): Promise<void> {
	bench.park();
	// the controller's own status frame goes on
	let count = -1;
	await until(
		async () => {
			await sleep(100);
			const before = count;
			count = bench.coupling.arrived.length;
			return before === count;
		},
		5000,
		"an end of the frames",
	);
}

/**
 * Sends frames of 8 bytes on both buses at a rate until it is told to stop.
 * @returns a function that stops
 */
function load(bench: Bench, framesPerS: number): () => void {
	let number = 0;
	const start = now();
	const send = (peer: BusPeer, id: number, from: number, to: number) => {
		const frames: CanFrame[] = [];
		for (let n = from; n < to; n++) {
			const data = new Uint8Array(8);
			new DataView(data.buffer).setUint32(0, n);
			frames.push({ id: id + (n & 0x3f), extended: false, rtr: false, data });
		}
		peer.send(frames);
	};
	return every(5, () => {
		// never more at once than the gateway's send queue takes
		const due = Math.min(number + 100, Math.trunc(((now() - start) * framesPerS) / 1000));
		send(bench.chassis, 0x700, number, due);
		send(bench.coupling, 0x740, number, due);
		number = Math.max(number, due);
	});
}

/** The whole answer, head and chunk sizes included, to a client that reads nothing of it for a time. */
async function readLate(port: number, path: string, waitMs: number): Promise<string> {
	const socket = createConnection(port, "127.0.0.1");
	socket.pause();
	socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
	await sleep(waitMs);
	let text = "";
	for await (const chunk of socket) text += chunk;
	return text;
}

describe("system: CAN view", () => {
	for (const generation of [4, 5] as const)
		it(`shows what the car of generation ${generation} sends, in its units`, () =>
			withBench({ generation }, async (bench) => {
				bench.show(50, 40, 3000);
				await bench.untilCommand();
				await view(bench, "?decoded=2000");
				await sleep(1100);
				const { decoded, raw } = await view(bench, "?decoded=2000&raw=128");
				const value = (id: number, name: string) =>
					decoded.find((row) => row.bus === "chassis" && row.dir === "RX" && row.id === id && row.name === name)?.value;
				if (generation === 5) {
					assert.equal(value(0x0fd, "ESP_v_Signal"), 50);
					assert.equal(value(0x121, "MO_Fahrpedalrohwert_01"), 40);
					assert.equal(value(0x0a8, "MO_Drehzahl_01"), 3000);
				} else {
					assert.equal(value(0x1a0, "BR1_Wheel_Speed_kmh"), 50);
					assert.equal(value(0x280, "Pedal_Value_or_Throttle_Plate"), 40);
					assert.equal(value(0x280, "Engine_RPM"), 3000);
				}
				const status =
					generation === 5 ? { id: 0x118, text: "34 (None)", hz: 50 } : { id: 0x2c0, text: "8 (Coupling open)", hz: 100 };
				assert.deepEqual([decoded[0].id, decoded[0].name, decoded[0].value], [status.id, "Haldex state", status.text]);
				assert.ok(decoded[0].hz > status.hz / 2 && decoded[0].hz < status.hz * 1.5, `${decoded[0].hz} Hz`);
				assert.equal(decoded[1].name, "Engagement");
				const generated = decoded.filter((row) => row.generated);
				const wrong = generated.filter(({ bus, dir }) => bus !== "haldex" || dir !== "TX");
				assert.ok(generated.length > 0 && wrong.length === 0, `${generated.length} generated, ${JSON.stringify(wrong[0])}`);
				assert.ok(decoded.every(({ ageMs }) => ageMs <= 1500));
				const places = new Set(raw.map(({ bus, dir }) => `${bus} ${dir}`));
				assert.deepEqual([...places].sort(), ["chassis RX", "chassis TX", "haldex RX", "haldex TX"]);
				const small = await view(bench, "?decoded=20&raw=0");
				assert.deepEqual([small.decoded.length, small.decoded.filter(({ bus }) => bus === "chassis").length], [20, 10]);
				for (const [query, expected] of [
					["?bus=nonsense&raw=9", 0],
					["?decoded=0&raw=1", 1],
				] as const) {
					const found = await view(bench, query);
					assert.equal(Math.min(200, found.decoded.length + found.raw.length), Math.min(expected, decoded.length), query);
				}
			}));

	it("dumps each frame that entered and left on both buses", () =>
		withBench({ generation: 5 }, async (bench) => {
			bench.show(50, 40);
			await bench.untilCommand();
			const special = (id: number, extended: boolean, rtr: boolean, ...data: number[]): CanFrame => ({
				id,
				extended,
				rtr,
				data: Uint8Array.from(data),
			});
			bench.chassis.send([
				special(0x10, false, true),
				special(0x1fffffff, true, false),
				special(7, true, true),
				special(7, false, false, 1),
			]);
			bench.coupling.send([special(0x7ff, false, true, 0, 0, 0), special(0, false, false)]);
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
			const wrong = await bench.ask("GET", "/api/canview/dump?format=blf");
			assert.equal(wrong.code, 400);
			assert.deepEqual(JSON.parse(wrong.text).allowed, ["text", "candump", "savvycan"]);
		}));

	it("streams dumps while both buses carry 2,000 frames/s, and leaves the heap as it was", () =>
		withBench({ generation: 5 }, async (bench) => {
			const stop = load(bench, 2000);
			try {
				await dump(bench, "?seconds=1");
				await view(bench, "?decoded=2000&raw=128");
				await sleep(3000);
				const { heap: before } = await bench.report();
				for (const format of ["text", "candump", "savvycan"]) {
					const seen = bench.chassis.sent.length;
					const lines = await dump(bench, `?seconds=2&dir=rx&bus=chassis&format=${format}`);
					assert.ok(lines.length > 1000 && lines.length <= seen + 500, `${lines.length} lines`);
					const numbers = lines.filter((line) => /0x7[0-3]|can0 7[0-3]|,0000070|,000007[1-3]/.test(line)).length;
					assert.ok(numbers > 1000, `${numbers} frames of the load`);
					await view(bench, "?decoded=2000&raw=128");
				}
				await bench.assertShortTurns();
				const { heap } = await bench.report();
				const [slots, bytes] = [heap.slotsLive - before.slotsLive, heap.chunksLive - before.chunksLive];
				// an idle timer or connection more or less
				assert.ok(Math.abs(slots) < 50 && Math.abs(bytes) < 500, `${slots} slots and ${bytes} bytes more`);
			} finally {
				stop();
			}
			await settle(bench);
			const lines = await dump(bench, "?seconds=120&dir=rx&format=candump");
			assert.deepEqual(payloads(lines, "can0"), bench.chassis.sent.map(logged));
			assert.deepEqual(payloads(lines, "can1"), bench.coupling.sent.map(logged));
		}));

	it("states what a small ring holds, and counts what is overwritten during a slow read", () =>
		withBench({ generation: 5, args: ["--ring", "4096"] }, async (bench) => {
			const stop = load(bench, 2000);
			try {
				await sleep(2500);
				const slow = await readLate(bench.port, "/api/canview/dump?seconds=30", 3000);
				const covered = Number(/X-Covered-Ms: (\d+)/.exec(slow)?.[1]);
				assert.ok(covered > 200 && covered < 2500, `${covered} ms`);
				const overwritten = [...slow.matchAll(/# (\d+) frames were overwritten/g)].reduce(
					(sum, match) => sum + Number(match[1]),
					0,
				);
				assert.ok(overwritten > 0, "nothing was overwritten");
				const lines = slow.replaceAll(/\r\n[0-9a-f]{4}\r\n/g, "").split("\n"); // without the chunks' sizes
				const rows = lines.slice(lines.findIndex((line) => line.startsWith("ts_ms")) + 1, -4);
				assert.ok(rows.length > 1000, `${rows.length} rows`);
				for (const row of rows) assert.match(row, /^(\d+\t(chassis|haldex)\t[RT]X\t(-|GEN)\t0x[0-9a-f]+\t\d\t[0-9a-f ]*|# .*)$/);
				assert.ok((await bench.status()).gateway["ringOverwritten"] >= overwritten);
			} finally {
				stop();
			}
		}));
});

const DRIVE_MS = 2500;
/** When it is known how many frames are missing: `REPORT_MS` of can-log.ts, and a batch. */
const REPORTED_MS = 11_500;
const LOST = ["droppedQueueFull", "droppedTooOld", "droppedNotRunning", "malformed"];

/** Lines of a log with its copies, oldest first. */
const linesOf = (flash: string, stem: string) =>
	[".4", ".3", ".2", ".1", ""].flatMap((copy) => {
		const path = join(flash, "logs", `${stem}${copy}.txt`);
		return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
	});

/** Gaps in the numbers of the busy frames, as received and as sent. */
function gaps(lines: string[]): number {
	const last = new Map<string, number>();
	let missing = 0;
	for (const line of lines) {
		const [, , bus, direction, , id, , data] = line.split("\t");
		if (!(Number(id) >= rows.BUSY_ID && Number(id) < rows.BUSY_ID + 2 * rows.BUSY_ROWS)) continue;
		const number = Buffer.from(data.replaceAll(" ", ""), "hex").readUInt32LE();
		const key = `${bus} ${direction} ${id}`;
		missing += number - (last.get(key) ?? number - 1) - 1;
		last.set(key, number);
	}
	assert.equal(last.size, 4 * rows.BUSY_ROWS, "every busy frame is there, in both directions");
	return missing;
}

describe("system: CAN log", () => {
	it("logs two buses of 2,000 frames/s without a loss", () =>
		withBench({ settings: { mode: "MAP", logging: { file: true, can: true, debugCan: true } } }, async (bench) => {
			rows.makeBusy(bench.chassisRows, bench.couplingRows);
			await sleep(DRIVE_MS);
			bench.park();
			await bench.assertShortTurns();
			const { gateway } = await bench.status();
			for (const counter of LOST) assert.equal(gateway[counter], 0, counter);
			assert.ok(gateway["receivedChassis"] + gateway["receivedCoupling"] > DRIVE_MS, "the buses were busy");
			const ends = [bench.chassis, bench.coupling].map(({ sent }) => {
				const { id, data } = sent
					.filter((frame) => frame.id >= rows.BUSY_ID && frame.id < rows.BUSY_ID + 2 * rows.BUSY_ROWS)
					.at(-1) as CanFrame;
				return `TX\t-\t0x${id.toString(16)}\t8\t${Buffer.from(data)
					.toString("hex")
					.replace(/..(?=.)/g, "$& ")}`;
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
			if (gaps(lines) > 0) await sleep(REPORTED_MS);
			const all = linesOf(bench.flash, "all");
			const told = all
				.map((line) => Number(/\tcan\t(\d+) frames are missing/.exec(line)?.[1] ?? 0))
				.reduce((sum, count) => sum + count, 0);
			assert.ok(told > 0 || gaps(lines) === 0, `${gaps(lines)} lines are missing and nobody says so`);
			const canLines = all.filter((line) => line.includes("\tCAN\t"));
			const from = canLines.indexOf(lines[lines.length - 1000]);
			assert.deepEqual(canLines.slice(from, from + 1000), lines.slice(-1000), "both logs have the same");
			assert.ok(told > 0 || gaps(canLines) === 0);
		}));
});

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

const state = async (bench: Bench): Promise<Analyzer> => bench.get("/api/analyzer");
const post = async (bench: Bench, body: object): Promise<Analyzer & { code: number }> => {
	const { code, answer } = await bench.post("/api/analyzer", body);
	return { code, ...answer };
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
	it("speaks with SavvyCAN while it is switched on", () =>
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

	it("is not noticed by the car, whatever its clients do", () =>
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
