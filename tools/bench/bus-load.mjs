/**
 * The load of forwarding_load.c on a controller's two buses, and a controller for measurements to put it on.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = join(root, "build/host/opencoupling");
const RUN_S = 10;

/**
 * Longer than this and the load, kept from its turn by the machine, lets its own sockets run over: what was
 * lost then says nothing about the gateway.
 */
const HELD_UP_LIMIT_MS = 30;
/** What a bare relay takes at most, 99 times in 100, on a machine on which a latency says something. */
const QUIET_RELAY_P99_US = 500;

/**
 * What a control tick may have to wait for, in bytecodes: less than 4 ms on a computer that is not slowed
 * down (65 a us or more).
 */
export const TURN_BYTECODES = 250_000;

/** Whether a run of the load can say that frames were lost, and how long they took. @param {Record<string, number>} result */
export function judgeable(result) {
	return { losses: result.longestHeldUpMs <= HELD_UP_LIMIT_MS, latency: result.relayP99Us <= QUIET_RELAY_P99_US };
}

/**
 * Sends frames both ways through a controller and checks what comes out.
 * @param {readonly string[]} sockets chassis, coupling @param {number} rate frames per second and bus
 * @returns {Promise<Record<string, number>>} what forwarding_load.c prints
 * @param {number} seconds how long
 */
export async function runLoad(sockets, rate, seconds, kmh = 50) {
	return await withLoad((load) => run(load, sockets, rate, seconds, kmh));
}

/**
 * Sends frames, in runs of some seconds, for as long as some work takes.
 * @template T @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, frames: Record<"sent" | "lost" | "wrong", number> }>} what the work gave, and the sums of all runs whose losses can
 * be judged
 * @param {readonly string[]} sockets @param {number} rate as in `runLoad`
 */
export async function besideLoad(sockets, rate, work) {
	return await withLoad(async (load) => {
		const frames = { sent: 0, lost: 0, wrong: 0 };
		let working = true;
		const traffic = (async () => {
			while (working) {
				const one = await run(load, sockets, rate, RUN_S);
				if (judgeable(one).losses) for (const name of /** @type {const} */ (["sent", "lost", "wrong"])) frames[name] += one[name];
			}
		})();
		try {
			return { result: await work(), frames };
		} finally {
			working = false;
			await traffic;
		}
	});
}

/** @template T @param {(program: string) => Promise<T>} use */
async function withLoad(use) {
	mkdirSync(join(root, "build/bench"), { recursive: true });
	const built = join(root, `build/bench/forwarding_load.${process.pid}`);
	execFileSync(process.env.CC ?? "cc", ["-std=gnu11", "-O2", "-o", built, join(root, "tools/bench/forwarding_load.c")]);
	try {
		return await use(built);
	} finally {
		rmSync(built);
	}
}

/** @param {string} load @param {readonly string[]} sockets @param {number} rate @param {number} seconds */
async function run(load, sockets, rate, seconds, kmh = 50) {
	const { stdout } = await promisify(execFile)(load, [...sockets, String(rate), String(seconds), String(kmh)]);
	return JSON.parse(stdout);
}

/**
 * A controller of generation 5 in MAP with both buses as sockets, on an empty flash. The caller must `end`
 * it.
 */
export class BenchController {
	#folder = mkdtempSync(join(tmpdir(), "oc-bench-"));
	#child;
	#stdout = "";
	#stderr = "";

	/** Chassis, coupling. */
	sockets = [join(this.#folder, "chassis"), join(this.#folder, "coupling")];

	/** @param {readonly string[]} [args] of the program, besides @param {string} [mode] */
	constructor(args = [], mode = "MAP") {
		if (!existsSync(program)) {
			console.error("build/host/opencoupling is missing: run npm run setup first");
			process.exit(2);
		}
		const flash = join(this.#folder, "flash");
		mkdirSync(flash);
		writeFileSync(join(flash, "settings.json"), JSON.stringify({ format: 1, generation: 5, mode }));
		const buses = ["--chassis", `unix:${this.sockets[0]}`, "--coupling", `unix:${this.sockets[1]}`];
		this.#child = spawn(program, ["--http", "0", "--flash", flash, ...buses, ...args]);
		this.#child.stdout.on("data", (chunk) => (this.#stdout += chunk));
		this.#child.stderr.on("data", (chunk) => (this.#stderr += chunk));
	}

	/** Its port, as soon as it answers. */
	async port() {
		const match = await this.#wait(() => /listening on http:\/\/[\d.]+:(\d+)/.exec(this.#stdout));
		return Number(match[1]);
	}

	/** Heap, meter, storage and gateway counters (hal/host/report.h), after a collection. */
	async report() {
		const from = this.#stderr.length;
		this.#child.kill("SIGUSR1");
		const match = await this.#wait(() => /^\{"heap":.*\}\n/m.exec(this.#stderr.slice(from)));
		return JSON.parse(match[0]);
	}

	/** @template T @param {() => T | null | undefined} condition @returns {Promise<T>} */
	async #wait(condition) {
		for (let i = 0; i < 2000; i++) {
			const found = condition();
			if (found) return found;
			if (this.#child.exitCode !== null) break;
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		throw new Error(`the controller does not answer: ${this.#stderr}`);
	}

	async end() {
		if (this.#child.exitCode === null) {
			this.#child.kill("SIGTERM");
			await once(this.#child, "exit");
		}
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
