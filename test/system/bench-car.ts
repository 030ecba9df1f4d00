/**
 * A bench: the real controller in a process of its own and a scripted car on both of its buses, in virtual
 * time (`wait.ts`).
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { TURN_BYTECODES } from "../../tools/bench/limits.js";
import { EXTENDED, REMOTE } from "../../tools/campaign/frame-judge.js";
import { type Bus, Lockstep, type Output, PORT, type Report } from "../../tools/campaign/lockstep.js";
import { wrongAnswer } from "../../tools/openapi.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { PROGRAM } from "../hal/host/host-program.js";
import * as rows from "./car-rows.js";
import { join as joinClock, now, type Stepped, sleep, until } from "./wait.js";

const BOOT_MS_MAX = 60_000;
/** Only a hang takes longer, in real time. */
const REQUEST_MS_MAX = 120_000;

export interface Status {
	readonly mode: string;
	readonly effectiveMode: string;
	readonly reason: string;
	readonly conditionMap: string;
	readonly controlActive: boolean;
	readonly disableController: boolean;
	readonly uptimeMs: number;
	readonly couplingGeneration: number;
	readonly bootReason: string;
	readonly bootLoop: boolean;
	readonly revisions: Readonly<Record<"settings" | "map" | "speedCurve", number>>;
	readonly storageProblems: readonly { readonly path: string; readonly problem: string }[];
	readonly can: Readonly<Record<string, number | boolean>>;
	readonly telemetry: Readonly<Record<string, number>>;
	readonly gateway: Readonly<Record<string, number>>;
	readonly loop: Readonly<Record<string, number>>;
}

export interface BenchOptions {
	/** The car's; default 5. */
	readonly generation?: rows.Generation;
	/** Content of settings.json beside format and generation; null = no file. Default: MAP. */
	readonly settings?: Readonly<Record<string, unknown>> | null;
	/** Further files on flash, content by path. */
	readonly files?: Readonly<Record<string, string>>;
	/** Further arguments of the program. */
	readonly args?: readonly string[];
	/** False: no car is connected. */
	readonly connected?: boolean;
	/** A flash folder that outlives the bench. */
	readonly flash?: string;
	/** A browser or another program takes part: time goes on no faster than the machine's. */
	readonly paced?: boolean;
}

/** A frame with the time it was handed over or came in, ms of the test's clock. */
export interface TimedFrame extends CanFrame {
	readonly at: number;
}

/**
 * What became of a frame on its way through the controller. `sentAt` is never later than the moment the
 * gateway had it.
 */
export interface Passage {
	readonly sentAt: number;
	readonly at: number;
	readonly sent: Uint8Array;
	readonly data: Uint8Array;
	readonly rewritten: boolean;
}

export class BusPeer {
	sent: TimedFrame[] = [];
	arrived: TimedFrame[] = [];
	/** As the program takes it at its start. */
	connected = true;
	readonly #bus: Bus;
	readonly #lockstep: Lockstep;
	readonly #programMs: (ms: number) => number;

	/** @param programMs the program's time of a time of the test */
	constructor(bus: Bus, lockstep: Lockstep, programMs: (ms: number) => number) {
		this.#bus = bus;
		this.#lockstep = lockstep;
		this.#programMs = programMs;
	}

	connect(): void {
		this.#plug("connect");
	}

	/** Hangs up at once. */
	disconnect(): void {
		this.#plug("disconnect");
	}

	#plug(command: "connect" | "disconnect"): void {
		this.connected = command === "connect";
		this.#lockstep.command(`${command} ${this.#bus === 0 ? "chassis" : "coupling"}`);
	}

	/** Sends frames, at a time that is not past; nothing while not connected. */
	send(frames: readonly CanFrame[], at = now()): void {
		if (!this.connected) return;
		for (const frame of frames) {
			const data = Uint8Array.from(frame.data);
			this.sent.push({ id: frame.id, extended: frame.extended, rtr: frame.rtr, data, at });
			const flags = (frame.extended ? EXTENDED : 0) + (frame.rtr ? REMOTE : 0);
			this.#lockstep.arrive(this.#programMs(at), this.#bus, { id: frame.id, flags, data });
		}
	}

	/** Takes what has left the controller. @param at time of the test */
	take(output: Output, at: number): void {
		if (output.kind !== "frame" || output.bus !== this.#bus) return;
		const { id, flags, data } = output.frame;
		this.arrived.push({ id, extended: (flags & EXTENDED) !== 0, rtr: (flags & REMOTE) !== 0, data, at });
	}
}

/**
 * Pairs the frames of one identifier that entered on `from` with those that left on `to`, the n-th with the
 * n-th. Holds as long as none is lost, which tests of loss must not assume. Frames still on their way are
 * left out.
 */
function passages(from: BusPeer, to: BusPeer, id: number, sinceMs: number): Passage[] {
	const fits = (frame: CanFrame) => frame.id === id && !frame.extended && !frame.rtr;
	const sent = from.sent.filter(fits);
	const arrived = to.arrived.filter(fits);
	const found: Passage[] = [];
	arrived.forEach((frame, i) => {
		const origin = sent[i];
		if (origin !== undefined && frame.at < origin.at)
			throw new Error(
				`0x${id.toString(16)} number ${i} left at ${frame.at} ms and was sent at ${origin.at} ms: some were lost or sent twice`,
			);
		if (origin !== undefined && origin.at >= sinceMs)
			found.push({
				sentAt: origin.at,
				at: frame.at,
				sent: origin.data,
				data: frame.data,
				rewritten: !Buffer.from(frame.data).equals(origin.data),
			});
	});
	return found;
}

/** Numbers of the numbered frames with this identifier. */
const numbersOf = (frames: readonly CanFrame[], id: number): number[] =>
	frames.filter((frame) => frame.id === id).map(({ data }) => new DataView(data.buffer, data.byteOffset).getUint32(0, true));

/** No numbered frame is missing or out of order, and there are more than `least`. */
export function assertNoneLost(frames: readonly CanFrame[], id: number, least = 50): void {
	const numbers = numbersOf(frames, id);
	assert.ok(numbers.length > least, `${numbers.length} frames 0x${id.toString(16)}`);
	assert.deepEqual(
		numbers,
		numbers.map((_, i) => numbers[0] + i),
	);
}

interface Line {
	readonly peer: BusPeer;
	readonly table: rows.Row[];
	/** When each row is sent next. */
	readonly due: Map<rows.Row, number>;
}

export class Bench implements Stepped {
	readonly generation: rows.Generation;
	readonly chassisRows: rows.Row[];
	readonly couplingRows: rows.Row[];
	readonly chassis: BusPeer;
	readonly coupling: BusPeer;
	readonly flash: string;
	isPaced: boolean;
	/** Exit code, null when a signal ended it. */
	readonly ended: Promise<number | null>;
	readonly #folder: string;
	readonly #lockstep: Lockstep;
	readonly #agent = new Agent({ keepAlive: true });
	readonly #lines: readonly Line[];
	/** How often each row was sent. */
	readonly #counts = new Map<rows.Row, number>();
	/** Time of the test when the program's was 0. */
	#startMs = now();
	#leave = (): unknown => undefined;
	#asked = 0;
	#parked = false;
	#frozen = false;

	private constructor(options: BenchOptions, folder: string, flash: string, lockstep: Lockstep) {
		this.generation = options.generation ?? 5;
		this.chassisRows = rows.chassisRows(this.generation);
		this.couplingRows = rows.couplingRows(this.generation);
		this.isPaced = options.paced ?? false;
		this.#folder = folder;
		this.flash = flash;
		this.#lockstep = lockstep;
		this.ended = lockstep.ended;
		const programMs = (ms: number) => Math.round(ms - this.#startMs);
		this.chassis = new BusPeer(0, lockstep, programMs);
		this.coupling = new BusPeer(1, lockstep, programMs);
		const lineOf = (peer: BusPeer, table: rows.Row[]): Line => ({ peer, table, due: new Map() });
		this.#lines = [lineOf(this.chassis, this.chassisRows), lineOf(this.coupling, this.couplingRows)];
	}

	/** Starts controller and car. The caller must `end` it; `withBench` does. */
	static async start(options: BenchOptions = {}): Promise<Bench> {
		const folder = mkdtempSync(join(tmpdir(), "oc-system-"));
		const flash = options.flash ?? join(folder, "flash");
		const { settings = { mode: "MAP" } } = options;
		const stored = { format: 1, generation: options.generation ?? 5, ...settings };
		writeFiles(flash, settings === null ? {} : { "settings.json": JSON.stringify(stored) });
		writeFiles(flash, options.files ?? {});
		const lockstep = await Lockstep.start(PROGRAM, PORT, ["--flash", flash, ...(options.args ?? [])]);
		const bench = new Bench(options, folder, flash, lockstep);
		try {
			if (options.connected === false) {
				bench.chassis.disconnect();
				bench.coupling.disconnect();
			}
			bench.#leave = joinClock(bench);
			const listens = () => {
				if (lockstep.hasEnded) throw new Error(`the controller ended at start: ${bench.stderr}`);
				return bench.port > 0;
			};
			await until(listens, BOOT_MS_MAX, "the controller's address");
			return bench;
		} catch (error) {
			await bench.end();
			throw error;
		}
	}

	get isAsked(): boolean {
		return this.#asked > 0;
	}

	/** The car sends what is due, and time goes on. */
	async step(fromMs: number, ms: number): Promise<void> {
		if (this.#frozen || this.#lockstep.hasEnded) return;
		const startMs = fromMs - this.#lockstep.ms;
		this.#startMs = startMs;
		if (!this.#parked) this.#drive(fromMs, fromMs + ms);
		for (const output of await this.#lockstep.run(ms)) for (const { peer } of this.#lines) peer.take(output, startMs + output.ms);
	}

	/** Sends each row when it is due, in the order of time. */
	#drive(fromMs: number, toMs: number): void {
		const sendings = [];
		for (const { peer, table, due } of this.#lines)
			for (const row of table) {
				let at = Math.max(due.get(row) ?? fromMs, fromMs);
				for (; at < toMs; at += row.periodMs) if (!row.silent) sendings.push({ peer, row, at });
				due.set(row, at);
			}
		for (const { peer, row, at } of sendings.sort((a, b) => a.at - b.at)) {
			const count = this.#counts.get(row) ?? 0;
			this.#counts.set(row, count + 1);
			if (row.counts && row.data.length > 1) row.data[1] = (row.data[1] & 0xf0) | (count & 0x0f);
			rows.protect(row);
			if (row.numbered) new DataView(row.data.buffer).setUint32(0, count, true);
			peer.send([row], at);
		}
	}

	row(id: number): rows.Row {
		const found = [...this.chassisRows, ...this.couplingRows].find((row) => row.id === id);
		if (found === undefined) throw new Error(`no row 0x${id.toString(16)}`);
		return found;
	}

	/** Does something while the car does not send these rows. */
	async whileSilent(silent: readonly rows.Row[], work: () => Promise<unknown>): Promise<void> {
		for (const row of silent) row.silent = true;
		try {
			await work();
		} finally {
			for (const row of silent) row.silent = false;
		}
	}

	/** Speed, pedal and engine speed that the car shows. */
	show(speedKmh: number, pedalPercent: number, rpm = 3000): void {
		rows.setSpeedKmh(this.chassisRows, this.generation, speedKmh);
		rows.setRawPedal(this.chassisRows, this.generation, Math.round(pedalPercent / 0.4));
		rows.setRawRpm(this.chassisRows, this.generation, rpm * 4);
	}

	/** What became of chassis frames with this identifier. */
	passed(id: number, sinceMs = 0): Passage[] {
		return passages(this.chassis, this.coupling, id, sinceMs);
	}

	/**
	 * The command in the latest marker frame on the coupling bus, in profile `reference`; undefined = stock, or
	 * nothing yet.
	 */
	command(): number | undefined {
		const { id, index, stock } = rows.marker(this.generation);
		const { arrived } = this.coupling;
		let last = arrived.length - 1;
		while (last >= 0 && arrived[last].id !== id) last--;
		return last < 0 || arrived[last].data[index] === stock ? undefined : arrived[last].data[index];
	}

	/** The program's report, after a collection. */
	async report(): Promise<Report> {
		return this.#lockstep.report();
	}

	/**
	 * Uses all connections at once: each keeps what it takes when it is used first, some 80 slots, and how
	 * many a test needs is chance.
	 */
	async useEveryConnection(): Promise<void> {
		const clients = Array.from({ length: HTTP_LIMITS.connections }, () => connect({ host: "127.0.0.1", port: this.port }));
		for (const client of clients) client.write("GET /api/mode HTTP/1.1\r\nHost: localhost\r\n\r\n");
		await Promise.all(clients.map((client) => once(client, "data")));
		for (const client of clients) client.destroy();
		await sleep(300);
	}

	/** No control tick has had to wait too long since the last report. */
	async assertShortTurns(): Promise<void> {
		const { longestTurnBytecodes } = await this.report();
		assert.ok(longestTurnBytecodes <= TURN_BYTECODES, `a control tick may have waited for ${longestTurnBytecodes} bytecodes`);
	}

	/** Waits until the coupling bus shows a command: exactly `byte` if one is given. */
	async untilCommand(byte?: number, timeoutMs = 4000): Promise<number> {
		return await until(
			() => {
				const command = this.command();
				return byte === undefined || command === byte ? command : undefined;
			},
			timeoutMs,
			() => `command ${byte ?? "of any kind"}; it is ${this.command()}`,
		);
	}

	/** Waits until the coupling bus shows the car's own frames again. */
	async untilStock(timeoutMs = 4000): Promise<void> {
		await until(
			() => this.command() === undefined,
			timeoutMs,
			() => `stock; the command is ${this.command()}`,
		);
	}

	/** What is read at a path, parsed. */
	// biome-ignore lint/suspicious/noExplicitAny: tests are about the shape
	async get(path: string): Promise<any> {
		return JSON.parse((await this.ask("GET", path)).text);
	}

	/** Writes a body as JSON. @returns status code and parsed answer */
	// biome-ignore lint/suspicious/noExplicitAny: as above
	async post(path: string, body: unknown = {}, headers = {}): Promise<{ code: number; answer: any }> {
		const { code, text } = await this.ask("POST", path, JSON.stringify(body), headers);
		return { code, answer: JSON.parse(text) };
	}

	async status(): Promise<Status> {
		return this.get("/api/status");
	}

	/** Joins the simulated radio's network `home` (`--wifi home:password1`), until it is connected. */
	async joinHome(): Promise<void> {
		assert.equal((await this.post("/api/wifi", { ssid: "home", password: "password1" })).code, 200);
		await until(async () => (await this.get("/api/network")).staConnected === true, 60_000, "the network");
	}

	/** Waits for a status. */
	async untilStatus(fits: (status: Status) => boolean, timeoutMs: number, what: string): Promise<Status> {
		let last: Status | undefined;
		return await until(
			async () => {
				last = await this.status();
				return fits(last) ? last : undefined;
			},
			timeoutMs,
			() => `${what}; the status says "${last?.reason}", ${last?.effectiveMode}, lock ${last?.telemetry["spec"]}`,
		);
	}

	/** Selects a mode; @returns the answer's status code and body */
	async mode(mode: unknown): Promise<{ code: number; text: string }> {
		return this.ask("POST", "/api/mode", JSON.stringify({ mode }));
	}

	/** Sends a request; its answer must be as the interface's description says. */
	async ask(
		method: string,
		path: string,
		body = "",
		headers: Readonly<Record<string, string>> = {},
	): Promise<{ code: number; text: string }> {
		this.#asked++;
		try {
			const { code, text, type } = await this.#exchange(method, path, body, headers);
			assert.equal(wrongAnswer(method, path, code, type, text), "");
			return { code, text };
		} finally {
			this.#asked--;
		}
	}

	#exchange(
		method: string,
		path: string,
		body: string,
		more: Readonly<Record<string, string>>,
	): Promise<{ code: number; text: string; type: string }> {
		return new Promise((resolve, reject) => {
			const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body), ...more };
			const to = { host: "127.0.0.1", port: this.port, agent: this.#agent, timeout: REQUEST_MS_MAX };
			const message = request({ ...to, method, path, headers }, (response) => {
				let text = "";
				response.on("data", (chunk) => (text += chunk));
				response.on("end", () => resolve({ code: response.statusCode ?? 0, text, type: response.headers["content-type"] ?? "" }));
				response.on("error", reject);
			});
			message.on("timeout", () => message.destroy(new Error(`no answer to ${method} ${path}`)));
			// a kept connection may be closed as idle just when it is used again, above all after a jump of
			// the clock
			message.on("error", (error) => {
				if (this.#lockstep.hasEnded) error.message += ` [the controller has ended: ${this.stderr.slice(-500)}]`;
				if (message.reusedSocket) this.#exchange(method, path, body, more).then(resolve, reject);
				else reject(error);
			});
			message.end(body);
		});
	}

	/** Another one after each start, unless the arguments name one. */
	get port(): number {
		return this.#lockstep.port;
	}

	get stdout(): string {
		return this.#lockstep.log.map((line) => `${line}\n`).join("");
	}

	get stderr(): string {
		return this.#lockstep.complaints;
	}

	settingsFile(): Record<string, unknown> {
		return JSON.parse(readFileSync(join(this.flash, "settings.json"), "utf8"));
	}

	/** Ends it in the middle of whatever it does. */
	async cutPower(): Promise<void> {
		await this.#lockstep.kill();
	}

	/** Lets a fault happen: `NAME` or `NAME=ARGUMENT`, times and counts from now on. @returns when */
	fault(fault: string): number {
		this.#lockstep.command(`fault ${fault}`);
		return now();
	}

	/** Stops the car's sending; the controller runs on. */
	park(): void {
		this.#parked = true;
	}

	/**
	 * Time stands still: the controller answers no client, and the car sends nothing. False: all goes on.
	 */
	freeze(frozen: boolean): void {
		this.#frozen = frozen;
	}

	/** Ends controller and car and removes what they left. Idempotent. */
	async end(): Promise<void> {
		this.#leave();
		this.#agent.destroy();
		await this.#lockstep.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** Runs a test on a bench of its own, which ends with it whatever happens. */
export async function withBench(options: BenchOptions, test: (bench: Bench) => Promise<void>): Promise<void> {
	const bench = await Bench.start(options);
	try {
		await test(bench);
	} finally {
		await bench.end();
	}
}

/** Lets the program crash just after its start, this many times in a row. */
export async function crashInARow(flash: string, times: number): Promise<void> {
	for (let crash = 0; crash < times; crash++)
		await withBench({ flash, settings: null, connected: false, args: ["--fault", "script-crashed=50"] }, async (bench) =>
			assert.equal(await bench.ended, 105),
		).catch((error) => assert.match(String(error), /ended at start/));
}

/** Runs a test on a flash folder that outlives its benches. @param files content by path */
export async function withFlash(
	test: (flash: string) => Promise<void>,
	files: Readonly<Record<string, string>> = {},
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "oc-flash-"));
	const flash = join(folder, "flash");
	try {
		writeFiles(flash, files);
		await test(flash);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function writeFiles(flash: string, files: Readonly<Record<string, string>>): void {
	mkdirSync(flash, { recursive: true });
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(flash, path)), { recursive: true });
		writeFileSync(join(flash, path), content);
	}
}

/** A map that asks for one lock everywhere. */
export const flatMap = (lock: number) => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)) as number[][],
});
