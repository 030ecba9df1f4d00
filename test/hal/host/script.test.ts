/**
 * Scripts on the host: the machine in which they run, timers, and what ends them. That timers keep their phase,
 * whatever stalls the script or moves the clock, is in virtual-time.test.ts.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { compile, unitFiles } from "../../modules/can-gateway/build.js";
import { skip } from "../../support/skip.js";
import { EventClient } from "../../system/event-client.js";
import { finish, makeFlash, makeScript, run, runScript, waitForLine } from "./host-program.js";

const [MEMORY_FULL, STACK_OVERFLOW, UNCAUGHT_EXCEPTION, NO_MORE_KEYS, UNHANDLED_REJECTION] = [101, 102, 105, 106, 108];
const DEVICE_HEAP = ["--heap", "device"];
const TIMER = 'import Timer from "timer"; import { Time } from "../../hal/io/machine.js";';
const FOREVER = `${TIMER} Timer.repeat(() => {}, 5);`;

interface Script {
	readonly title: string;
	readonly source: string;
	readonly args?: readonly string[];
	/** Exit code; default 0. */
	readonly code?: number;
	/** What it prints; default: not looked at. */
	readonly lines?: readonly string[];
	readonly stderr?: RegExp;
}

const ENDS: readonly Script[] = [
	{
		title: "stops with one line when the chunk heap is full, and scripts cannot catch it",
		source: `try { const kept = []; for (;;) kept.push(new ArrayBuffer(1000)); } catch { print("caught") }`,
		args: DEVICE_HEAP,
		code: MEMORY_FULL,
		lines: [],
		stderr: /^opencoupling: memory full\n$/,
	},
	{
		title: "stops when the slot heap is full",
		source: `let list = {}; for (;;) list = { list };`,
		args: DEVICE_HEAP,
		code: MEMORY_FULL,
	},
	{ title: "stops when one buffer asks for more than there can be", source: "new ArrayBuffer(0x40000000)", code: MEMORY_FULL },
	{
		title: "stops when the stack overflows in JavaScript",
		source: "function f(): number { return f() + 1 } f()",
		code: STACK_OVERFLOW,
		stderr: /^opencoupling: stack overflow\n$/,
	},
	{
		title: "stops when the stack overflows in C",
		source: "let a: unknown[] = []; for (let i = 0; i < 2e5; i++) a = [a]; JSON.stringify(a)",
		code: STACK_OVERFLOW,
	},
	{
		title: "prints the report after the engine stopped within a collection",
		source: "let a: unknown[] = []; for (let i = 0; i < 3e6; i++) a = [a];",
		args: ["--report"],
		code: STACK_OVERFLOW,
		stderr: /"chunksLive":[1-9]/,
	},
	{
		title: "stops when there are too many property names",
		source: `const o: any = {}; for (let i = 0; ; i++) o["k" + i] = 1`,
		args: DEVICE_HEAP,
		code: NO_MORE_KEYS,
		stderr: /^opencoupling: no more keys\n$/,
	},
	{
		title: "stops at an uncaught exception, with its message and stack",
		source: `function thrower() { throw new RangeError("too far") } thrower()`,
		code: UNCAUGHT_EXCEPTION,
		stderr: /^opencoupling: uncaught exception: RangeError: too far\n at thrower/,
	},
	{
		title: "stops at an exception in a callback before anything else runs",
		source: `${TIMER} Timer.repeat(() => { print("tick"); throw 42 }, 1);`,
		code: UNCAUGHT_EXCEPTION,
		lines: ["tick"],
		stderr: /^opencoupling: uncaught exception: 42\n$/,
	},
	{
		title: "says that an exception whose toString throws cannot be printed",
		source: "throw { toString() { throw 1 } }",
		code: UNCAUGHT_EXCEPTION,
		stderr: /cannot be printed/,
	},
	{
		title: "stops at an unhandled rejection",
		source: `Promise.reject(new Error("lost"))`,
		code: UNHANDLED_REJECTION,
		stderr: /^opencoupling: unhandled rejection: Error: lost/,
	},
	{
		title: "accepts a rejection that is handled late",
		source: `${TIMER} const late = Promise.reject(new Error("late")); Timer.set(() => late.catch(() => print("handled")), 5);`,
		lines: ["handled"],
	},
	{ title: "ends with the code of exit()", source: `print("before"); exit(7); print("after")`, code: 7, lines: ["before"] },
	{
		title: "exits from within callbacks, promise jobs and nested calls",
		source: `${FOREVER} Timer.set(() => Promise.resolve().then(() => [1].forEach(() => exit(3))), 1);`,
		code: 3,
	},
];

const ENGINE: readonly Script[] = [
	{
		title: "collects garbage beside an array with gaps",
		source: `
			const rubbish: string[] = [];
			for (let i = 0; i < 300; i++) rubbish.push("/" + i); // what chunks are made of next
			function withGap(length: number): string[] {
				const list: string[] = [];
				for (let i = 0; i < length; i++) list.push("x" + i);
				list[length + 40] = "z";
				return list;
			}
			for (let round = 0; round < 200; round++) {
				const kept: string[][] = [];
				for (let length = 1; length < 30; length++) kept.push(withGap(length));
				for (let i = 0; i < 500; i++) rubbish[0] = "//////////////////////////////////////////" + i;
				if (kept.some((list, index) => list.filter((text) => text !== undefined).length !== index + 2)) print("changed");
			}
		`,
		args: DEVICE_HEAP,
		lines: [],
		stderr: /^$/,
	},
	{
		title: "throws a SyntaxError for a native method on a wrong or closed object",
		source: `
			import PWM from "embedded:io/pwm";
			import { TCP } from "../../hal/io/sockets.js";
			const pwm = new PWM({ pin: 1, hz: 500, resolution: 8 });
			pwm.close(); pwm.close();
			for (const receiver of [{}, pwm, new TCP({ address: "127.0.0.1", port: 1 })])
				try { PWM.prototype.write.call(receiver as PWM, 1); print("wrote"); } catch (error) { print((error as Error).name); }
			exit(0);
		`,
		lines: ["SyntaxError", "SyntaxError", "SyntaxError"],
	},
	{
		title: "throws a ReferenceError that names a native the host does not have",
		source: `(0, native)("no_such")`,
		code: UNCAUGHT_EXCEPTION,
		stderr: /ReferenceError: .*no_such/,
	},
	{
		title: "tells its figures to the script without allocating",
		source: `
			import { Instrumentation } from "../../hal/io/machine.js";
			Instrumentation.collect();
			const before = Instrumentation.get("slots");
			for (let i = 0; i < 100; i++) Instrumentation.get("chunks");
			print(String((Instrumentation.get("slots") ?? 0) - (before ?? 0)));
			print(String(Instrumentation.get("meter")! > 0) + Instrumentation.get("no such" as "slots"));
		`,
		lines: ["0", "trueundefined"],
	},
];

const TIMERS: readonly Script[] = [
	{
		title: "fire once, or repeat after a first delay, in the order of their times",
		source: `${TIMER}
			Timer.set(() => print("c"), 1000);
			Timer.set(() => print("a"), 5);
			let count = 0;
			Timer.set((timer) => { print("b" + ++count); if (count === 2) Timer.clear(timer); }, 10, 5);
		`,
		lines: ["a", "b1", "b2", "c"],
	},
	{
		title: "can be cleared twice, from their own callback, and before they fire",
		source: `${TIMER}
			const never = Timer.set(() => print("never"), 5);
			Timer.clear(never); Timer.clear(never); Timer.clear(undefined);
			Timer.set((timer) => { Timer.clear(timer); Timer.clear(timer); print("self"); }, 5);
			Timer.set((timer) => Timer.schedule(timer, 5, 5), 1);
			let count = 0;
			const sleeping = Timer.repeat(() => { if (++count === 2) { print("woken"); exit(0); } }, 1000);
			Timer.schedule(sleeping);
			Timer.set(() => Timer.schedule(sleeping, 1, 1), 10);
		`,
		lines: ["self", "woken"],
	},
	{
		title: "stay alive while nothing but the loop refers to them",
		source: `${TIMER}
			import { Instrumentation } from "../../hal/io/machine.js";
			{ const text = "kept " + Time.ticks * 0; Timer.set(() => print(text), 10); }
			Timer.set(() => Instrumentation.collect(), 1);
		`,
		lines: ["kept 0"],
	},
	{
		title: "measure differences of wrapping ticks",
		source: `${TIMER} print(String(Time.delta(0x7FFFFFFE, 3)) + " " + Time.delta(5, 9))`,
		lines: ["5 4"],
	},
];

const FAULTS: readonly Script[] = [
	{
		title: "crash the script",
		source: FOREVER,
		args: ["--fault", "script-crashed=20"],
		code: UNCAUGHT_EXCEPTION,
		stderr: /uncaught exception: Error: crashed by --fault/,
	},
	{ title: "exhaust a growing heap", source: FOREVER, args: ["--fault", "heap-exhausted=20"], code: MEMORY_FULL },
	{
		title: "exhaust a board's heap",
		source: FOREVER,
		args: ["--fault", "heap-exhausted=20", ...DEVICE_HEAP],
		code: MEMORY_FULL,
	},
	{ title: "do nothing to a script that ends before they begin", source: "", args: ["--fault", "script-crashed=100"] },
];

for (const [part, scripts] of Object.entries({ "end of a script": ENDS, engine: ENGINE, timers: TIMERS, faults: FAULTS }))
	describe(`hal/host ${part}`, () => {
		for (const { title, source, args = [], code = 0, lines, stderr } of scripts)
			it(title, async () => {
				const outcome = await runScript(source, ...args);
				assert.equal(outcome.code, code, outcome.stderr);
				if (lines !== undefined) assert.deepEqual(outcome.lines, lines);
				if (stderr !== undefined) assert.match(outcome.stderr, stderr);
			});
	});

describe("hal/host machine", () => {
	it("gives the application the limits of a board, and loaded library code costs none of them", async () => {
		const body = Array.from({ length: 200 }, (_, i) => `export function f${i}() { return "text number ${i}"; }`).join("\n");
		const core = await makeScript(body, true);
		const empty = await makeScript("");
		const { code, report } = await run("--run", empty, "--core", core, "--heap", "device", "--report");
		assert.equal(code, 0);
		assert.equal(report.heap["chunksLimit"], 65536);
		assert.equal(report.heap["stackLimit"], 512);
		assert.ok((report.heap["slotsLimit"] ?? 0) <= 5632);
		assert.ok((report.heap["slotsLive"] ?? 999) < 60, JSON.stringify(report));
		assert.ok((report.heap["chunksLive"] ?? 999) < 100, JSON.stringify(report));
	});

	it("leaves the library's strings, names and big integers as they are when the application's garbage is collected", async () => {
		const core = await makeScript(
			`export const table = { word: "ab".concat("cd"), big: 3n ** 50n, list: ["e".concat("f")] };`,
			true,
		);
		const script = await makeScript(`
			import { Instrumentation } from "../../hal/io/machine.js";
			declare const opencoupling: any;
			const { word, big, list } = opencoupling.table;
			const [first] = list;
			const names = Object.keys(opencoupling.table);
			const [format] = Object.keys({ format: 1 });
			for (let i = 0; i < 3; i++) {
				Instrumentation.collect();
				print([word, first, ...names, format, big].join(" "));
			}
		`);
		const { code, lines } = await run("--run", script, "--core", core, "--flash", makeFlash());
		assert.equal(code, 0);
		assert.deepEqual(lines, new Array(3).fill(`abcd ef word big list format ${3n ** 50n}`));
	});

	it("keeps byte code and string literals of the application out of the chunk heap", async () => {
		const text = "x".repeat(40000);
		const { report } = await runScript(
			`const text = "${text}"; if (text.length !== 40000) exit(1)`,
			"--heap",
			"device",
			"--report",
		);
		assert.ok((report.heap["chunksPeak"] ?? 99999) < 1000, JSON.stringify(report));
	});

	it("has no chunk bytes free while more are counted than there are: the engine counts growth in place twice", async () => {
		const { lines } = await runScript(
			`import { Instrumentation } from "../../hal/io/machine.js";
			const limit = Instrumentation.get("chunksLimit") ?? 0;
			const lists: number[][] = [];
			while ((Instrumentation.get("chunks") ?? 0) <= limit) {
				if (lists.length === 0 || lists[lists.length - 1].length === 60) lists.push([]);
				lists[lists.length - 1].push(0);
			}
			print(String(Instrumentation.hasHeap(0, limit - 1000)));
			print(String((Instrumentation.get("chunks") ?? 0) > 10_000));`,
			...DEVICE_HEAP,
		);
		assert.deepEqual(lines, ["false", "true"]);
	});

	it("counts the same number of bytecodes each time for the same script", async () => {
		const script = `let sum = 0; for (let i = 0; i < 1000; i++) sum += i; print("" + sum)`;
		const reports = [await runScript(script, "--report"), await runScript(script, "--report")].map((outcome) => outcome.report);
		assert.ok((reports[0]?.meter ?? 0) > 10000);
		assert.equal(reports[0]?.meter, reports[1]?.meter);
	});

	it("has the library of core.js as it is in a board's ROM: variables and plain data can be written, the rest cannot", async () => {
		const core = await makeScript(
			`export let count = 0;
			export function next() { return ++count; }
			export const list = [1, 2];
			export const point = { x: 1 };
			export const seen = new Set<number>();
			export const map = new Map<string, number>();
			export const bytes = new Uint8Array(4);
			export class Counter { static total = 0; #value = 0; increment() { return ++this.#value; } }
			export class Problem extends Error { override name = "Problem"; }
			export class Misnamed extends Error { constructor(text: string) { super(text); this.name = "Misnamed"; } }`,
			true,
		);
		const app = await makeScript(`
			declare const opencoupling: any;
			const { next, list, point, seen, map, bytes, Counter, Problem, Misnamed } = opencoupling;
			function attempt(name: string, act: () => unknown) {
				try { act(); print(name + " ok"); } catch (error) { print(name + " " + (error as Error).name); }
			}
			next();
			print("next " + next());
			attempt("list", () => list.push(3));
			attempt("point", () => point.x = 2);
			attempt("set", () => seen.add(1));
			attempt("map", () => map.set("a", 1));
			attempt("bytes", () => bytes[0] = 1);
			attempt("static", () => Counter.total = 1);
			attempt("prototype", () => Counter.prototype.more = 1);
			attempt("built-in", () => (Array.prototype as any).more = 1);
			attempt("error name", () => { throw new Problem("x"); });
			attempt("assigned error name", () => { throw new Misnamed("x"); });
			const counter = new Counter();
			counter.increment();
			print("instance " + counter.increment() + " list " + list.length + " x " + point.x);
		`);
		const { lines } = await run("--run", app, "--core", core, "--heap", "device");
		assert.deepEqual(lines, [
			"next 2",
			"list ok",
			"point ok",
			"set TypeError",
			"map TypeError",
			"bytes TypeError",
			"static TypeError",
			"prototype TypeError",
			"built-in TypeError",
			"error name TypeError",
			"assigned error name TypeError",
			"instance 2 list 3 x 2",
		]);
	});
});

/** What slots, identifiers and pointers as wide as on a board cost. */
const PROGRAM_32 = "build/host-m32/opencoupling";
/**
 * Slots and chunks that are alive, with a generation chosen: 52.5 KB and a reserve. The machine's 5,632 slots
 * and 64 KB are its own from the start on, so this leaves heap for requests, no RAM.
 */
const RAM_BYTES_MAX = 54 * 1024;
const STREAMS = 4;

function compilerMakes32Bit(): boolean {
	const args = ["-m32", "-x", "c", "-o", "/dev/null", "-"];
	return spawnSync(process.env["CC"] ?? "cc", args, { input: "#include <stdio.h>\nint main(void) { return 0; }\n" }).status === 0;
}

describe("hal/host as a 32-bit program", function () {
	this.timeout(300_000);

	before(function () {
		if (!compilerMakes32Bit()) skip(this, "the compiler makes no 32-bit programs (Debian: apt-get install gcc-multilib)");
	});

	it("runs the application, with four clients that get an event stream each, in the RAM meant for it", async () => {
		execFileSync("make", ["-s", "-j2", "-C", "hal/host", "m32"], { stdio: "pipe" });
		const flash = makeFlash();
		writeFileSync(`${flash}/settings.json`, JSON.stringify({ format: 1, generation: 5, mode: "MAP" }));
		const files = ["--core", "build/host/core.js", "--app", "build/host/main.js", "--flash", flash];
		const child = spawn(PROGRAM_32, [...files, "--http", "0", "--report"]);
		const outcome = finish(child);
		const [, url] = await waitForLine(child, /listening on (\S+)/);
		assert.equal((await fetch(`${url}/api/status`)).status, 200);
		const clients = Array.from({ length: STREAMS }, () => new EventClient(Number(new URL(url!).port), "?hz=20"));
		for (const client of clients) {
			assert.equal(await client.opened(), 200);
			await client.next(({ event }) => event === "telemetry", "telemetry");
		}
		child.kill("SIGTERM");
		const { code, stderr, report } = await outcome;
		for (const client of clients) client.close();
		assert.equal(code, 0, stderr);
		const { slotBytes = 0, slotsLive = 0, chunksLive = 0 } = report.heap;
		assert.equal(slotBytes, 16);
		const bytes = slotsLive * slotBytes + chunksLive;
		console.log(`      ${slotsLive} slots of ${slotBytes} bytes, ${chunksLive} bytes of chunks: ${bytes} bytes`);
		assert.ok(slotsLive > 0 && bytes <= RAM_BYTES_MAX, `${bytes} bytes`);
	});

	it("moves frames as a 64-bit one does", () => {
		const program = compile("unit-m32", unitFiles(), ["-O0", "-m32"]);
		execFileSync(program, { stdio: "pipe" });
	});
});
