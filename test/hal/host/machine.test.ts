import assert from "node:assert/strict";
import { makeFlash, makeScript, run, runScript } from "./host-program.js";

const MEMORY_FULL = 101;
const STACK_OVERFLOW = 102;
const UNCAUGHT_EXCEPTION = 105;
const NO_MORE_KEYS = 106;
const UNHANDLED_REJECTION = 108;

describe("hal/host machine", () => {
	it("stops with one line when the chunk heap is full, and scripts cannot catch it", async () => {
		const { code, stderr, lines } = await runScript(
			`try { const kept = []; for (;;) kept.push(new ArrayBuffer(1000)); } catch { print("caught") }`,
			"--heap",
			"device",
		);
		assert.equal(code, MEMORY_FULL);
		assert.equal(stderr, "opencoupling: memory full\n");
		assert.deepEqual(lines, []);
	});

	it("stops when the slot heap is full", async () => {
		const { code } = await runScript(`let list = {}; for (;;) list = { list };`, "--heap", "device");
		assert.equal(code, MEMORY_FULL);
	});

	it("stops when one buffer asks for more than there can be, on either heap", async () => {
		assert.equal((await runScript(`new ArrayBuffer(0x40000000)`)).code, MEMORY_FULL);
		assert.equal((await runScript(`new ArrayBuffer(65536)`, "--heap", "device")).code, MEMORY_FULL);
	});

	it("collects garbage beside an array with gaps", async () => {
		const { code, stderr, lines } = await runScript(
			`
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
			"--heap",
			"device",
		);
		assert.deepEqual([code, stderr, lines], [0, "", []]);
	});

	it("stops when the stack overflows, in JavaScript and in C", async () => {
		const recursion = await runScript(`function f(): number { return f() + 1 } f()`);
		assert.equal(recursion.code, STACK_OVERFLOW);
		assert.equal(recursion.stderr, "opencoupling: stack overflow\n");
		const nesting = await runScript(`let a: unknown[] = []; for (let i = 0; i < 2e5; i++) a = [a]; JSON.stringify(a)`);
		assert.equal(nesting.code, STACK_OVERFLOW);
	});

	it("prints the report after the engine stopped within a collection", async () => {
		const script = makeScript(`let a: unknown[] = []; for (let i = 0; i < 3e6; i++) a = [a];`);
		const { code, report } = await run("--run", await script, "--report");
		assert.equal(code, STACK_OVERFLOW);
		assert.ok(report.heap.chunksLive > 0);
	});

	it("stops when there are too many property names", async () => {
		const { code, stderr } = await runScript(`const o: any = {}; for (let i = 0; ; i++) o["k" + i] = 1`, "--heap", "device");
		assert.equal(code, NO_MORE_KEYS);
		assert.equal(stderr, "opencoupling: no more keys\n");
	});

	it("stops at an uncaught exception, with its message and stack", async () => {
		const { code, stderr } = await runScript(`function thrower() { throw new RangeError("too far") } thrower()`);
		assert.equal(code, UNCAUGHT_EXCEPTION);
		assert.match(stderr, /^opencoupling: uncaught exception: RangeError: too far\n at thrower/);
	});

	it("stops at an exception in a callback before anything else runs", async () => {
		const { code, lines, stderr } = await runScript(`
			import Timer from "timer";
			Timer.repeat(() => { print("tick"); throw 42 }, 1);
		`);
		assert.equal(code, UNCAUGHT_EXCEPTION);
		assert.deepEqual(lines, ["tick"]);
		assert.equal(stderr, "opencoupling: uncaught exception: 42\n");
	});

	it("says that an exception whose toString throws cannot be printed", async () => {
		const { code, stderr } = await runScript(`throw { toString() { throw 1 } }`);
		assert.equal(code, UNCAUGHT_EXCEPTION);
		assert.match(stderr, /cannot be printed/);
	});

	it("stops at an unhandled rejection", async () => {
		const { code, stderr } = await runScript(`Promise.reject(new Error("lost"))`);
		assert.equal(code, UNHANDLED_REJECTION);
		assert.match(stderr, /^opencoupling: unhandled rejection: Error: lost/);
	});

	it("accepts a rejection that is handled late", async () => {
		const { code } = await runScript(`
			import Timer from "timer";
			const late = Promise.reject(new Error("late"));
			Timer.set(() => late.catch(() => print("handled")), 5);
		`);
		assert.equal(code, 0);
	});

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
			import Instrumentation from "instrumentation";
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

	it("counts the same work for the same script", async () => {
		const script = `let sum = 0; for (let i = 0; i < 1000; i++) sum += i; print("" + sum)`;
		const reports = [await runScript(script, "--report"), await runScript(script, "--report")].map((outcome) => outcome.report);
		assert.ok((reports[0]?.meter ?? 0) > 10000);
		assert.equal(reports[0]?.meter, reports[1]?.meter);
	});

	it("tells its figures to the script without allocating", async () => {
		const { lines } = await runScript(`
			import Instrumentation from "instrumentation";
			Instrumentation.collect();
			const before = Instrumentation.get("slots");
			for (let i = 0; i < 100; i++) Instrumentation.get("chunks");
			print(String((Instrumentation.get("slots") ?? 0) - (before ?? 0)));
			print(String(Instrumentation.get("meter")! > 0) + Instrumentation.get("no such" as "slots"));
		`);
		assert.deepEqual(lines, ["0", "trueundefined"]);
	});
});
