/**
 * Runs the real host program with small scripts. OPENCOUPLING_HOST names another build of it, for example the
 * sanitized one.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isBuilt } from "../../../tools/build.mjs";

export const PROGRAM = resolve(process.env["OPENCOUPLING_HOST"] ?? "build/host/opencoupling");
if (!isBuilt()) console.error("build/host is older than the sources: `npm run setup` builds it anew");
const LIMIT_MS = 60_000; // a program that hangs must not outlive its test; a busy machine takes 20 s for what takes 4
const SCRATCH = resolve("build/test");
const NO_CORE = join(SCRATCH, "no-core.js"); // empty

/** What every script may use without declaring it. */
const PRELUDE = `
declare function print(text: string): void;
declare function readFile(path: string): ArrayBuffer;
declare function exit(code: number): never;
`;

export interface Outcome {
	code: number | null;
	/** Lines of stdout. */
	lines: string[];
	stderr: string;
	/** The last report on stderr. */
	report: Report;
}

export interface Report {
	heap: Record<string, number>;
	meter: number;
	storage: { operations: number; writes: number };
	pwm: { pin: number; hz: number; resolution: number; duty: number; idled: number }[];
}

let scriptCount = 0;
const leftovers: string[] = [];
process.on("exit", () => {
	for (const path of leftovers) rmSync(path, { recursive: true, force: true });
});

/** Bundles TypeScript source and returns the path of the script. */
export async function makeScript(source: string, core = false): Promise<string> {
	mkdirSync(SCRATCH, { recursive: true });
	const name = join(SCRATCH, `host-${process.pid}-${++scriptCount}`);
	writeFileSync(name + ".ts", core ? source : PRELUDE + source);
	const { bundle } = await import("../../../tools/bundle.mjs"); // takes a second to load, and few need it
	await bundle({ entry: name + ".ts", outfile: name + ".js", core });
	leftovers.push(name + ".ts", name + ".js", name + ".js.library");
	return name + ".js";
}

/** A fresh flash folder. */
export function makeFlash(): string {
	mkdirSync(SCRATCH, { recursive: true });
	const flash = mkdtempSync(join(SCRATCH, "flash-"));
	leftovers.push(flash);
	return flash;
}

export function start(args: string[]): ChildProcessWithoutNullStreams {
	return spawn(PROGRAM, args, { timeout: LIMIT_MS, killSignal: "SIGKILL" });
}

/** Waits for the end of the program. */
export function finish(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (data) => (stdout += data));
	child.stderr.on("data", (data) => (stderr += data));
	return new Promise((done, fail) => {
		child.on("error", fail);
		child.on("close", (code) => {
			const lines = stdout.split("\n").slice(0, -1);
			done({
				code,
				lines,
				stderr,
				get report() {
					return JSON.parse(
						stderr
							.split("\n")
							.filter((line) => line.startsWith("{"))
							.at(-1) ?? "{}",
					) as Report;
				},
			});
		});
	});
}

/** Runs the program with these arguments to its end. */
export function run(...args: string[]): Promise<Outcome> {
	return finish(start(args));
}

/** Starts a script with --run, on a flash folder of its own unless the arguments name one. */
export async function startScript(source: string, ...args: string[]): Promise<ChildProcessWithoutNullStreams> {
	const script = await makeScript(source);
	const flash = args.includes("--flash") ? [] : ["--flash", makeFlash()];
	writeFileSync(NO_CORE, "");
	return start(["--run", script, "--core", NO_CORE, ...flash, ...args]);
}

/** Runs a script to its end. */
export async function runScript(source: string, ...args: string[]): Promise<Outcome> {
	return finish(await startScript(source, ...args));
}

/** The first line of stdout that matches; the program keeps running. */
export function waitForLine(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<RegExpExecArray> {
	let text = "";
	return new Promise((done, fail) => {
		child.stdout.on("data", (data) => {
			text += data;
			const match = pattern.exec(text);
			if (match) done(match);
		});
		child.on("close", () => fail(new Error(`ended without ${pattern}: ${text}`)));
	});
}
