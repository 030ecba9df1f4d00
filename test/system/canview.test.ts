/** The CAN view and its dump: what the interface tells of both buses is what passed on them. */
import assert from "node:assert/strict";
import { createConnection } from "node:net";
import { COUPLINGS } from "../../src/coupling/couplings/couplings.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { runScript } from "../hal/host/host-program.js";
import { type Bench, withBench } from "./bench-car.js";
import type { BusPeer } from "./bus-peer.js";
import * as rows from "./car-rows.js";
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
	it("is made for each coupling that there is", async () => {
		const generations = COUPLINGS.map(({ generation }) => generation);
		const { lines } = await runScript(`
			import { CanView } from "../../modules/frame-text/frame-text.js";
			for (const generation of [${generations}]) new CanView(generation, 15, 200, 20);
			print("made");
		`);
		assert.equal(lines[0], "made");
	});

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

	it("dumps frame by frame what entered and left on both buses", () =>
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

	it("says what a small ring holds, and counts what is overwritten while a slow client reads", () =>
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
