/**
 * Standalone operation from outside: a coupling that has no car's bus. In virtual time, so every count is
 * exact. docs/control-and-can.md 3.9.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { standalonePlan } from "../../src/coupling/frame-plan.js";
import type { WireFrame } from "../../tools/campaign/frame-judge.js";
import { type Bus, Lockstep } from "../../tools/campaign/lockstep.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { bytes, couplingRows, type Generation, hex, marker } from "../system/car-rows.js";

interface Sent {
	readonly ms: number;
	readonly bus: Bus;
	readonly id: number;
	readonly data: Uint8Array;
}

interface Standalone {
	readonly isStandalone: boolean;
	readonly standalone: { readonly generating: boolean; readonly waits: string };
	readonly effectiveMode: string;
	readonly reason: string;
	readonly controlActive: boolean;
	readonly gateway: Readonly<Record<string, number>>;
}

/** Speed in 0.01 km/h in a frame that no generation has: the installer's own sensor. */
const SPEED_ID = 0x555;
const LISTEN_MS = 3000;
const SETTLED_MS = 1500;

/** A coupling on a bench: it reports, and if wanted somebody tells a speed or fills the buses. */
class CouplingBench {
	speedKmh: number | undefined;
	/** Frames of foreign identifiers each millisecond on both buses. */
	load = 0;
	reports = true;
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-standalone-"));
	#lockstep!: Lockstep;
	#nowMs = 0;
	#later: Sent[] = [];
	readonly #generation: Generation;

	private constructor(generation: Generation) {
		this.#generation = generation;
	}

	static async start(generation: Generation, settings: Record<string, unknown>): Promise<CouplingBench> {
		const bench = new CouplingBench(generation);
		const flash = join(bench.#folder, "flash");
		mkdirSync(flash);
		writeFileSync(join(flash, "settings.json"), JSON.stringify({ format: 1, generation, standalone: true, ...settings }));
		bench.#lockstep = await Lockstep.start(PROGRAM, join(bench.#folder, "http"), ["--flash", flash]);
		return bench;
	}

	/** Lets a frame arrive in a later `run`, after so many ms of it. */
	arrive(afterMs: number, bus: Bus, id: number, data: Uint8Array): void {
		this.#later.push({ ms: this.#nowMs + afterMs, bus, id, data });
	}

	get nowMs(): number {
		return this.#nowMs;
	}

	#take(ms: number, bus: Bus, id: number, data: Uint8Array): void {
		const frame: WireFrame = { id, flags: 0, data };
		this.#lockstep.arrive(ms, bus, frame);
	}

	fault(name: string): void {
		this.#lockstep.command(`fault ${name}`);
	}

	/** Lets time go on. @returns what left */
	async run(ms: number): Promise<Sent[]> {
		const from = this.#nowMs;
		this.#nowMs += ms;
		const [status] = couplingRows(this.#generation);
		for (let at = from; at < this.#nowMs; at++) {
			for (const { bus, id, data } of this.#later.filter(({ ms: due }) => due === at)) this.#take(at, bus, id, data);
			if (this.reports && at % 20 === 0) this.#take(at, 1, status.id, status.data);
			if (this.speedKmh !== undefined && at % 20 === 1) {
				const raw = this.speedKmh * 100;
				this.#take(at, 0, SPEED_ID, Uint8Array.of(0, 0, raw & 0xff, raw >> 8, 0, 0, 0, 0));
			}
			for (let i = 0; i < this.load; i++) {
				this.#take(at, 0, 0x6f1, new Uint8Array(8));
				this.#take(at, 1, 0x6f2, new Uint8Array(8));
			}
		}
		this.#later = this.#later.filter(({ ms: due }) => due >= this.#nowMs);
		const output = await this.#lockstep.run(ms);
		const frames = output.flatMap((one) => (one.kind === "frame" ? [one] : []));
		return frames.map(({ ms: at, bus, frame }) => ({ ms: at, bus, id: frame.id, data: frame.data }));
	}

	async ask(method: string, path: string, body = ""): Promise<{ code: number; text: string }> {
		const answer = await this.#lockstep.ask(method, path, body, async (ms) => void (await this.run(ms)));
		assert.ok(answer !== undefined, `${method} ${path} is not answered`);
		return answer;
	}

	async status(): Promise<Standalone> {
		return JSON.parse((await this.ask("GET", "/api/status")).text) as Standalone;
	}

	async end(): Promise<void> {
		await this.#lockstep.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

async function withCoupling(
	generation: Generation,
	settings: Record<string, unknown>,
	use: (bench: CouplingBench) => Promise<void>,
) {
	const bench = await CouplingBench.start(generation, { wifi: {}, ...settings });
	try {
		await use(bench);
	} finally {
		await bench.end();
	}
}

/** Periods by identifier, read from the plan's bytes as modules/can-gateway/README.md has them. */
function periodsOf(generation: Generation, profile: "reference" | "corrected"): Map<number, number[]> {
	const plan = standalonePlan(generation, profile, 1);
	const periods = new Map<number, number[]>();
	for (let at = 12 + plan[5] * 4 + plan[6] * 16; at < plan.length; at += 44) {
		const id = plan[at] | (plan[at + 1] << 8);
		if (plan[at + 6] > 0) periods.set(id, [...(periods.get(id) ?? []), plan[at + 6] * 5]);
	}
	return periods;
}

const toCoupling = (sent: readonly Sent[]): Sent[] => sent.filter(({ bus }) => bus === 1);
const GENERATIONS: readonly Generation[] = [1, 2, 4, 5];

describe("virtual time: standalone operation", function () {
	this.timeout(120_000);

	for (const [generation, profile] of [
		[1, "reference"],
		[2, "corrected"],
		[4, "reference"],
		[5, "corrected"],
	] as const)
		it(`sends each frame of generation ${generation}, ${profile}, within 1 ms of its period while both buses are full`, () =>
			withCoupling(generation, { mode: "5050", frameProfile: profile }, async (bench) => {
				assert.deepEqual(toCoupling(await bench.run(LISTEN_MS - 100)), []);
				await bench.run(SETTLED_MS);
				bench.load = 4;
				const sent = toCoupling(await bench.run(4000));
				const periods = periodsOf(generation, profile);
				assert.deepEqual(new Set(sent.map(({ id }) => id)), new Set(periods.keys()));
				for (const [id, [periodMs, second]] of periods) {
					if (second !== undefined) continue;
					const times = sent.filter((one) => one.id === id).map(({ ms }) => ms);
					assert.ok(Math.abs(times.length - 4000 / periodMs) <= 1, `0x${id.toString(16)}: ${times.length} in 4 s`);
					const gaps = times.slice(1).map((ms, i) => Math.abs(ms - times[i] - periodMs));
					assert.ok(Math.max(0, ...gaps) <= 1, `0x${id.toString(16)}: ${Math.max(...gaps)} ms off its period`);
				}
			}));

	for (const generation of GENERATIONS)
		it(`commands a coupling of generation ${generation} by mode, and holds it open in STOCK or without a needed speed`, () =>
			withCoupling(
				generation,
				{
					mode: "5050",
					disableSpeed: 100,
					inputMappings: { speed: `chassis|0x${SPEED_ID.toString(16)}|x|`, throttle: "", rpm: "" },
				},
				async (bench) => {
					const { id, index, base } = marker(generation);
					const command = (sent: readonly Sent[]): number[] => [
						...new Set(sent.filter((one) => one.bus === 1 && one.id === id).map(({ data }) => data[index])),
					];
					await bench.run(LISTEN_MS + SETTLED_MS);
					assert.deepEqual(command(await bench.run(200)), [0]);
					const without = await bench.status();
					assert.deepEqual([without.effectiveMode, without.standalone.generating], ["STOCK", true]);
					assert.equal(without.reason, "no valid vehicle speed");
					assert.equal((await bench.ask("POST", "/api/settings", '{"disableSpeed":0}')).code, 200);
					await bench.run(SETTLED_MS);
					assert.deepEqual(command(await bench.run(200)), [base]);
					assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"STOCK"}')).code, 200);
					await bench.run(100);
					assert.deepEqual(command(await bench.run(200)), [0]);
				},
			));

	it("follows the mapped speed of a foreign signal, and opens when it is lost", () =>
		withCoupling(5, { mode: "5050", disableSpeed: 80 }, async (bench) => {
			const speed = (kmh: number): void => {
				const data = bytes("00001F8000000000");
				data[4] = (kmh * 100) & 0xff;
				data[5] = (kmh * 100) >> 8;
				bench.arrive(0, 0, 0x0fd, data);
			};
			const drive = async (ms: number, kmh: number | undefined): Promise<Sent[]> => {
				const sent: Sent[] = [];
				for (const end = bench.nowMs + ms; bench.nowMs < end; ) {
					if (kmh !== undefined) speed(kmh);
					sent.push(...(await bench.run(20)));
				}
				return sent;
			};
			await drive(LISTEN_MS + SETTLED_MS, 30);
			const closed = (await drive(100, 30)).filter(({ bus, id }) => bus === 1 && id === 0x08a);
			assert.deepEqual([...new Set(closed.map(({ data }) => data[7]))], [0xfe]);
			await drive(1000, undefined);
			const open = (await drive(100, undefined)).filter(({ bus, id }) => bus === 1 && id === 0x08a);
			assert.ok(open.length >= 9, `${open.length} frames`);
			assert.deepEqual([...new Set(open.map(({ data }) => data[7]))], [0]);
		}));

	for (const bus of [0, 1] as const)
		it(`falls silent at once when somebody else sends its frame on bus ${bus}, says so, passes all, and goes on 3 s after the last`, () =>
			withCoupling(4, { mode: "5050" }, async (bench) => {
				await bench.run(LISTEN_MS + SETTLED_MS);
				assert.equal((await bench.status()).effectiveMode, "5050");
				const at = bench.nowMs + 5;
				bench.arrive(5, bus, 0x280, bytes("0102030405060708"));
				const sent = await bench.run(500);
				const own = sent.filter((one) => one.bus === 1 && one.id !== 0x280 && one.ms > at + 1);
				assert.deepEqual(own, []);
				const other = await bench.status();
				assert.equal(other.standalone.generating, false);
				assert.match(other.standalone.waits, /^standalone operation waits: somebody else sends its frames \(0x280 from the /);
				assert.equal(other.reason, other.standalone.waits);
				assert.deepEqual([other.effectiveMode, other.controlActive], ["STOCK", false]);
				const passed = sent.filter((one) => one.bus !== bus && one.id === 0x280);
				assert.equal(hex(passed[passed.length - 1].data), "0102030405060708");
				await bench.run(LISTEN_MS + SETTLED_MS);
				const after = await bench.status();
				assert.deepEqual([after.standalone.generating, after.effectiveMode], [true, "5050"]);
			}));

	it("is silent within 250 ms of a stalled script, and forwards all frames", () =>
		withCoupling(2, { mode: "5050" }, async (bench) => {
			await bench.run(LISTEN_MS + SETTLED_MS);
			bench.load = 1;
			const held = await bench.run(100);
			assert.equal(held.filter(({ bus, id }) => bus === 1 && id === 0x6f1).length, 0);
			bench.fault("script-stalled=0:5000");
			await bench.run(250);
			const sent = toCoupling(await bench.run(500));
			assert.deepEqual([...new Set(sent.map(({ id }) => id))], [0x6f1]);
		}));

	it("forwards only diagnosis from the chassis, and everything from the coupling", () =>
		withCoupling(5, { mode: "FWD" }, async (bench) => {
			await bench.run(LISTEN_MS + SETTLED_MS);
			for (const id of [0x764, 0x200, 0x710, 0x71d, 0x70f, 0x123, 0x7df]) bench.arrive(20, 0, id, Uint8Array.of(2, 0x3e, 0));
			bench.arrive(20, 1, 0x779, Uint8Array.of(2, 0x7e, 0));
			const sent = await bench.run(100);
			const passed = sent.filter(({ bus, data }) => bus === 1 && data.length === 3).map(({ id }) => id);
			assert.deepEqual(passed, [0x764, 0x200, 0x710, 0x71d, 0x70f]);
			assert.equal(sent.filter(({ bus, id }) => bus === 0 && id === 0x779).length, 1);
			assert.ok(((await bench.status()).gateway["withheld"] ?? 0) >= 2);
		}));

	it("starts and ends with the setting, and tells displays", () =>
		withCoupling(1, { mode: "5050", standalone: false }, async (bench) => {
			await bench.run(5000);
			assert.deepEqual(
				toCoupling(await bench.run(100)).map(({ id }) => id),
				[],
			);
			const on = await bench.ask("POST", "/api/settings", '{"isStandalone":true}');
			assert.deepEqual([on.code, (JSON.parse(on.text) as Standalone).isStandalone], [200, true]);
			assert.match((await bench.status()).standalone.waits, /^standalone operation listens/);
			await bench.run(LISTEN_MS);
			const sent = await bench.run(1000);
			assert.ok(toCoupling(sent).length > 190);
			assert.deepEqual(
				sent.filter(({ bus, id }) => bus === 0 && id === 0x6b0).map(({ data }) => data[1]),
				[1, 1, 1, 1, 1],
			);
			assert.equal((await bench.ask("POST", "/api/settings", '{"isStandalone":false}')).code, 200);
			assert.deepEqual(toCoupling(await bench.run(500)), []);
		}));
});
