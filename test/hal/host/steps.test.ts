/** Virtual time that goes on as standard input says, and what callgrind says of each turn. */
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { finish, makeFlash, makeScript, PROGRAM, start } from "./host-program.js";

const TICKS = `
	import Timer from "timer";
	import Time from "time";
	Timer.repeat(() => print(String(Time.microseconds / 1000)), 100);
`;

/** A replay of 10 s with little in it. */
function aLog(folder: string): string {
	const log = join(folder, "replay.log");
	writeFileSync(log, "(1700000000.000000) can0 280#00\n(1700000010.000000) can0 280#01\n");
	return log;
}

/** Sends a command and collects what is printed up to its answer. */
async function step(child: ChildProcessWithoutNullStreams, command: string): Promise<string[]> {
	let text = "";
	const answered = new Promise<void>((resolve) => {
		const read = (data: Buffer) => {
			text += data;
			if (!/^\{.*\}\n/m.test(text)) return;
			child.stdout.off("data", read);
			resolve();
		};
		child.stdout.on("data", read);
	});
	child.stdin.write(`${command}\n`);
	await answered;
	return text.split("\n").slice(0, -1);
}

describe("hal/host --pace steps", () => {
	it("lets time go on as far as it is told, and answers then", async () => {
		const folder = makeFlash();
		const script = await makeScript(TICKS);
		const child = start(["--run", script, "--flash", folder, "--replay", aLog(folder), "--pace", "steps"]);
		assert.deepEqual(await step(child, "run 0"), ['{"ms":0,"sentBytes":0}']);
		assert.deepEqual(await step(child, "run 250"), ["100", "200", '{"ms":250,"sentBytes":0}']);
		assert.deepEqual(await step(child, "collect"), ['{"ms":250,"sentBytes":0}']);
		assert.deepEqual(await step(child, "run 50"), ["300", '{"ms":300,"sentBytes":0}']);
		child.stdin.end();
		assert.equal((await finish(child)).code, 0);
	});

	it("serves clients on a UNIX socket while time stands still", async () => {
		const folder = makeFlash();
		const http = join(folder, "http");
		const child = start(["--http", `unix:${http}`, "--flash", folder, "--replay", aLog(folder), "--pace", "steps"]);
		await step(child, "run 500");
		const socket = connect(http);
		let text = "";
		socket.on("data", (data) => (text += data));
		await once(socket, "connect");
		for (const ms of [0, 0, 40]) {
			socket.write("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
			const { sentBytes } = JSON.parse((await step(child, `run ${ms}`)).at(-1) as string);
			while (text.length < sentBytes) await new Promise((resolve) => setImmediate(resolve));
		}
		assert.deepEqual(text.match(/"uptimeMs":\d+/g), ['"uptimeMs":500', '"uptimeMs":500', '"uptimeMs":500']);
		socket.destroy();
		child.stdin.end();
		await finish(child);
	});

	it("refuses to count where callgrind does not", async () => {
		const folder = makeFlash();
		const script = await makeScript(TICKS);
		const { code, stderr } = await finish(start(["--run", script, "--flash", folder, "--replay", aLog(folder), "--count-turns"]));
		assert.equal(code, 2);
		assert.match(stderr, /^opencoupling: --count-turns needs callgrind.*\n$/);
	});

	it("is counted turn by turn under callgrind", async function () {
		this.timeout(30_000);
		if (spawnSync("valgrind", ["--version"]).error || !existsSync(join(dirname(PROGRAM), "obj/with-callgrind"))) this.skip();
		const folder = makeFlash();
		const work = `
			import Timer from "timer";
			let count = 0;
			Timer.repeat(() => { for (let i = 0; i < 1000 * (1 + count % 2); i++) Math.sqrt(i); count++; }, 100);
		`;
		const script = await makeScript(work);
		const said = join(folder, "valgrind.log");
		const child = spawn("valgrind", [
			...["--tool=callgrind", "--instr-atstart=no", `--log-file=${said}`, `--callgrind-out-file=${folder}/out`],
			...[PROGRAM, "--run", script, "--flash", folder, "--replay", aLog(folder), "--pace", "steps", "--count-turns"],
		]);
		await step(child, "run 1000");
		child.stdin.end();
		await once(child, "exit");
		const lines = readFileSync(said, "latin1").split("\n");
		const events = lines.filter((line) => line.startsWith("events-1: ")).map((line) => Number(line.slice(10)));
		const turns = lines.flatMap((line) => /turn timer100 bytecodes (\d+)/.exec(line)?.[1] ?? []).map(Number);
		assert.equal(turns.length, 10);
		const timers = events.slice(2); // the script itself came first
		const instructions = turns.map((_, i) => (timers[2 * i + 1] as number) - (timers[2 * i] as number));
		const [once_, twice, again] = instructions as [number, number, number];
		assert.ok(once_ > 100_000 && twice > 1.9 * once_ && twice < 2.1 * once_, `${instructions}`);
		assert.ok(Math.abs(again - once_) < once_ / 100, `${instructions}`);
		assert.ok((turns[1] as number) > 1.9 * (turns[0] as number), `${turns}`);
	});
});
