/** A bench: the real controller in a process of its own, and a scripted car on both of its buses. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TURN_BYTECODES } from "../../tools/bench/bus-load.mjs";
import { PROGRAM } from "../hal/host/host-program.js";
import { wrongAnswer } from "../support/openapi.js";
import { BusPeer, type Passage, passages } from "./bus-peer.js";
import * as rows from "./car-rows.js";
import { until } from "./wait.js";

const SEND_TICK_MS = 2;
const BOOT_TIMEOUT_MS = 60_000;
/** After this much delay of the test itself the car skips frames instead of sending a burst. */
const CATCH_UP_MS = 15;
/** Longer than any step of a ramp lasts. */
const STEADY_MS = 200;

export interface Status {
	readonly mode: string;
	readonly effectiveMode: string;
	readonly reason: string;
	readonly controlActive: boolean;
	readonly disableController: boolean;
	readonly uptimeMs: number;
	readonly couplingGeneration: number;
	readonly bootReason: string;
	readonly bootLoop: boolean;
	readonly storageProblems: readonly { readonly path: string; readonly problem: string }[];
	readonly can: Readonly<Record<string, number | boolean>>;
	readonly telemetry: Readonly<Record<string, number>>;
	readonly gateway: Readonly<Record<string, number>>;
	readonly loop: Readonly<Record<string, number>>;
}

/** What the program prints on SIGUSR1 (hal/host/report.h). */
export interface Report {
	readonly heap: Readonly<Record<"slotsLive" | "chunksLive" | "keys", number>>;
	/** Names that the engine has made last. */
	readonly youngestNames: readonly string[];
	readonly longestTurnUs: number;
	readonly longestTurnBytecodes: number;
	readonly pwm: readonly { readonly duty: number; readonly idled: number }[];
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
	/** False: nobody connects. */
	readonly connected?: boolean;
	/** A flash folder that outlives the bench. */
	readonly flash?: string;
}

export class Bench {
	readonly generation: rows.Generation;
	readonly chassisRows: rows.Row[];
	readonly couplingRows: rows.Row[];
	readonly chassis: BusPeer;
	readonly coupling: BusPeer;
	readonly flash: string;
	/** UNIX sockets of chassis and coupling bus; a peer that connects takes the bus over. */
	readonly busPaths: readonly [string, string];
	/** Exit code, null when a signal ended it. */
	readonly ended: Promise<number | null>;
	stderr = "";
	stdout = "";
	/** Longest time in which the test itself did not come to send, ms: explains a miss on a loaded machine. */
	longestPauseMs = 0;
	readonly #folder: string;
	readonly #child: ChildProcess;
	readonly #agent = new Agent({ keepAlive: true });
	#port = 0;
	#timer: NodeJS.Timeout | undefined;
	#exited = false;

	private constructor(options: BenchOptions) {
		this.generation = options.generation ?? 5;
		this.chassisRows = rows.chassisRows(this.generation);
		this.couplingRows = rows.couplingRows(this.generation);
		this.#folder = mkdtempSync(join(tmpdir(), "oc-system-"));
		this.flash = options.flash ?? join(this.#folder, "flash");
		mkdirSync(this.flash, { recursive: true });
		const { settings = { mode: "MAP" } } = options;
		if (settings !== null)
			writeFileSync(join(this.flash, "settings.json"), JSON.stringify({ format: 1, generation: this.generation, ...settings }));
		for (const [path, content] of Object.entries(options.files ?? {})) {
			mkdirSync(dirname(join(this.flash, path)), { recursive: true });
			writeFileSync(join(this.flash, path), content);
		}
		const paths = [join(this.#folder, "chassis"), join(this.#folder, "coupling")] as const;
		this.busPaths = paths;
		this.chassis = new BusPeer(paths[0]);
		this.coupling = new BusPeer(paths[1]);
		const buses = ["--chassis", `unix:${paths[0]}`, "--coupling", `unix:${paths[1]}`];
		this.#child = spawn(PROGRAM, ["--http", "0", "--flash", this.flash, ...buses, ...(options.args ?? [])]);
		this.#child.stdout?.on("data", (chunk) => (this.stdout += chunk));
		this.#child.stderr?.on("data", (chunk) => (this.stderr += chunk));
		this.ended = new Promise((resolve) => {
			this.#child.on("close", (code) => {
				this.#exited = true;
				resolve(code);
			});
		});
	}

	/** Starts controller and car. The caller must `end` it; `withBench` does. */
	static async start(options: BenchOptions = {}): Promise<Bench> {
		const bench = new Bench(options);
		try {
			const match = await until(
				() => {
					if (bench.#exited) throw new Error(`the controller ended at start: ${bench.stderr}`);
					return /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(bench.stdout + bench.stderr) ?? undefined;
				},
				BOOT_TIMEOUT_MS,
				"the controller's address",
			);
			bench.#port = Number(match[1]);
			if (options.connected !== false) {
				await bench.coupling.connect();
				await bench.chassis.connect();
			}
			bench.#drive();
			return bench;
		} catch (error) {
			await bench.end();
			throw error;
		}
	}

	/** Sends each row when it is due. */
	#drive(): void {
		const lines = [
			{ peer: this.chassis, table: this.chassisRows, due: new Map<rows.Row, number>(), counts: new Map<rows.Row, number>() },
			{ peer: this.coupling, table: this.couplingRows, due: new Map<rows.Row, number>(), counts: new Map<rows.Row, number>() },
		];
		let last = performance.now();
		const tick = (): void => {
			const now = performance.now();
			this.longestPauseMs = Math.max(this.longestPauseMs, now - last);
			last = now;
			for (const { peer, table, due, counts } of lines) {
				const frames = [];
				for (const row of table) {
					const at = due.get(row) ?? now;
					if (at > now) continue;
					due.set(row, now - at > CATCH_UP_MS ? now + row.periodMs : at + row.periodMs);
					if (row.silent) continue;
					const count = counts.get(row) ?? 0;
					counts.set(row, count + 1);
					if (row.counts && row.data.length > 1) row.data[1] = (row.data[1] & 0xf0) | (count & 0x0f);
					rows.protect(row);
					if (row.numbered) new DataView(row.data.buffer).setUint32(0, count, true);
					frames.push(row);
				}
				peer.send(frames);
			}
			this.#timer = setTimeout(tick, SEND_TICK_MS);
		};
		tick();
	}

	row(id: number): rows.Row {
		const found = [...this.chassisRows, ...this.couplingRows].find((row) => row.id === id);
		if (found === undefined) throw new Error(`no row 0x${id.toString(16)}`);
		return found;
	}

	/** Speed, pedal and engine speed that the car shows. */
	show(speedKmh: number, pedalPercent: number, rpm = 3000): void {
		rows.setSpeedKmh(this.chassisRows, this.generation, speedKmh);
		rows.setPedalPercent(this.chassisRows, this.generation, pedalPercent);
		rows.setRawRpm(this.chassisRows, this.generation, rpm * 4);
	}

	/** What became of chassis frames with this identifier. */
	passed(id: number, sinceMs = 0): Passage[] {
		return passages(this.chassis, this.coupling, id, sinceMs);
	}

	/** The command in the latest marker frame on the coupling bus; undefined = stock, or nothing yet. */
	command(): number | undefined {
		const { id, index } = rows.marker(this.generation);
		const { arrived } = this.coupling;
		let last = arrived.length - 1;
		while (last >= 0 && arrived[last].id !== id) last--;
		return last < 0 || arrived[last].data[index] === 0xff ? undefined : arrived[last].data[index];
	}

	/** The first frames with this identifier that are sent from now on, when they have arrived. */
	async next(id: number, count = 3): Promise<Passage[]> {
		const since = performance.now();
		return until(
			() => {
				const found = this.passed(id, since);
				return found.length >= count ? found.slice(0, count) : undefined;
			},
			count * this.row(id).periodMs + 1000,
			`${count} frames 0x${id.toString(16)}`,
		);
	}

	/** The program's report, after a collection. */
	async report(): Promise<Report> {
		const before = this.stderr.length;
		this.signal("SIGUSR1");
		const match = await until(() => /^\{"heap":.*\}\n/m.exec(this.stderr.slice(before)) ?? undefined, 5000, "a report");
		return JSON.parse(match[0]) as Report;
	}

	/** PWM duty of 0..1023. */
	async pwmDuty(): Promise<number> {
		return (await this.report()).pwm[0].duty;
	}

	/** No control tick has had to wait too long since the last report. */
	async assertShortTurns(): Promise<void> {
		const { longestTurnUs, longestTurnBytecodes } = await this.report();
		console.log(`      longest turn ${longestTurnBytecodes} bytecodes, ${longestTurnUs} us`);
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
			() => `command ${byte ?? "of any kind"}; it is ${this.command()}; pause ${this.longestPauseMs} ms`,
		);
	}

	/** Waits until the coupling bus shows a command that no ramp changes any more. */
	async steadyCommand(): Promise<number> {
		let last: number | undefined;
		let since = performance.now();
		return await until(
			() => {
				const command = this.command();
				if (command !== last) since = performance.now();
				last = command;
				return performance.now() - since >= STEADY_MS ? command : undefined;
			},
			4000,
			"a steady command",
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

	async status(): Promise<Status> {
		return JSON.parse((await this.ask("GET", "/api/status")).text) as Status;
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
		const { code, text, type } = await this.#exchange(method, path, body, headers);
		assert.equal(wrongAnswer(method, path, code, type, text), "");
		return { code, text };
	}

	#exchange(
		method: string,
		path: string,
		body: string,
		more: Readonly<Record<string, string>>,
	): Promise<{ code: number; text: string; type: string }> {
		return new Promise((resolve, reject) => {
			const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body), ...more };
			const options = { host: "127.0.0.1", port: this.#port, method, path, headers, agent: this.#agent, timeout: 5000 };
			const message = request(options, (response) => {
				let text = "";
				response.on("data", (chunk) => (text += chunk));
				response.on("end", () => resolve({ code: response.statusCode ?? 0, text, type: response.headers["content-type"] ?? "" }));
				response.on("error", reject);
			});
			message.on("timeout", () => message.destroy(new Error(`no answer to ${method} ${path}`)));
			// a kept connection may be closed as idle just when it is used again, above all after a jump of the clock
			message.on("error", (error) => {
				if (this.#exited) error.message += ` [the controller has ended: ${this.stderr.slice(-500)}]`;
				if (message.reusedSocket) this.#exchange(method, path, body, more).then(resolve, reject);
				else reject(error);
			});
			message.end(body);
		});
	}

	get port(): number {
		return this.#port;
	}

	settingsFile(): Record<string, unknown> {
		return JSON.parse(readFileSync(join(this.flash, "settings.json"), "utf8"));
	}

	signal(name: NodeJS.Signals): void {
		this.#child.kill(name);
	}

	/** Lets the faults happen that were given as `NAME=usr2`. @returns when, on `performance.now()` */
	fault(): number {
		this.signal("SIGUSR2");
		return performance.now();
	}

	/** Stops the car's sending; the controller runs on. */
	park(): void {
		clearTimeout(this.#timer);
	}

	/** Ends controller and car and removes what they left. Idempotent. */
	async end(): Promise<void> {
		this.park();
		this.chassis.disconnect();
		this.coupling.disconnect();
		this.#agent.destroy();
		if (!this.#exited) this.#child.kill("SIGKILL");
		await this.ended;
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** Runs a test on a bench of its own, which ends with it whatever happens. */
export async function withBench(options: BenchOptions, test: (bench: Bench) => Promise<void>): Promise<void> {
	const bench = await Bench.start(options);
	try {
		await test(bench);
	} catch (error) {
		if (error instanceof Error) error.message += ` [longest pause of the test itself ${bench.longestPauseMs.toFixed(0)} ms]`;
		throw error;
	} finally {
		await bench.end();
	}
}
