import assert from "node:assert/strict";
import { makeScript, run, runScript } from "./host-program.js";

describe("hal/host scripts", () => {
	it("run in strict mode on an engine without Node's globals", async () => {
		const { lines } = await runScript(`
			try { (0, eval)("undeclared = 1"); print("sloppy"); } catch { print("strict"); }
			print(typeof setTimeout + typeof process + typeof console);
		`);
		assert.deepEqual(lines.slice(1), ["undefinedundefinedundefined"]);
	});

	it("end with exit code 0 when nothing is left to wait for, and with any other by exit()", async () => {
		assert.equal((await runScript(`print("done")`)).code, 0);
		const { code, lines } = await runScript(`print("before"); exit(7); print("after")`);
		assert.equal(code, 7);
		assert.deepEqual(lines, ["before"]);
	});

	it("exit from within callbacks, promise jobs and nested calls", async () => {
		const { code } = await runScript(`
			import Timer from "timer";
			Timer.set(() => Promise.resolve().then(() => [1].forEach(() => exit(3))), 1);
			Timer.repeat(() => {}, 1);
		`);
		assert.equal(code, 3);
	});

	it("derive classes from native ones, with super calls and private fields", async () => {
		const { lines } = await runScript(`
			import PWM from "embedded:io/pwm";
			class Doubled extends PWM {
				#writes = 0;
				override write(duty: number) { this.#writes++; super.write(duty * 2); }
				get writes() { return this.#writes; }
			}
			const pwm = new Doubled({ pin: 1, hz: 500, resolution: 8 });
			pwm.write(100);
			print([pwm instanceof PWM, pwm.writes].join());
			try { pwm.write(128); } catch (error) { print(String(error)); }
		`);
		assert.deepEqual(lines, ["true,1", "RangeError: invalid value"]);
	});

	it("get a SyntaxError for a native method on a wrong or closed object", async () => {
		const { lines } = await runScript(`
			import PWM from "embedded:io/pwm";
			import TCP from "embedded:io/socket/tcp";
			const pwm = new PWM({ pin: 1, hz: 500, resolution: 8 });
			pwm.close(); pwm.close();
			for (const receiver of [{}, pwm, new TCP({ address: "127.0.0.1", port: 1 })])
				try { PWM.prototype.write.call(receiver as PWM, 1); print("wrote"); } catch (error) { print((error as Error).name); }
			exit(0);
		`);
		assert.deepEqual(lines, ["SyntaxError", "SyntaxError", "SyntaxError"]);
	});

	it("get a ReferenceError that names a native the host does not have", async () => {
		const { lines } = await runScript(`try { (0, native)("no_such"); } catch (error) { print(String(error)); }`);
		assert.match(lines[0] ?? "", /ReferenceError: .*no_such/);
	});

	it("see promise jobs before timers, and in order", async () => {
		const { lines } = await runScript(`
			import Timer from "timer";
			Timer.set(() => print("timer"), 0);
			Promise.resolve().then(() => { print("job 1"); Promise.resolve().then(() => print("job 3")); });
			(async () => { await 0; print("job 2"); })();
			print("script");
		`);
		assert.deepEqual(lines, ["script", "job 1", "job 2", "job 3", "timer"]);
	});

	it("read files of the computer", async () => {
		const { lines } = await runScript(`print(String.fromArrayBuffer(readFile("package.json")).slice(0, 1))`);
		assert.deepEqual(lines, ["{"]);
	});

	it("find the library of core.js as it is in a board's ROM: variables and plain data can be written, the rest cannot", async () => {
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
