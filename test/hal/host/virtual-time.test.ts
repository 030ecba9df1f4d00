/**
 * Virtual time that goes on as a log or standard input says, and what callgrind says of each turn.
 */
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { skip } from "../../support/skip.js";
import { finish, makeFlash, makeScript, PROGRAM, runScript, start } from "./host-program.js";

const TICKS = `
	import Timer from "timer";
	import { Time } from "../../hal/io/machine.js";
	Timer.repeat(() => print(String(Time.microseconds / 1000)), 100);
`;

/** A replay of 10 s with little in it. */
function aLog(folder: string): string {
	const log = join(folder, "replay.log");
	writeFileSync(log, "(1700000000.000000) can0 280#00\n(1700000010.000000) can0 280#01\n");
	return log;
}

/**
 * Collects what is printed up to the next answer.
 * @param command sent first, but for the answer that it has started
 */
async function step(child: ChildProcessWithoutNullStreams, command?: string): Promise<string[]> {
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
	if (command !== undefined) child.stdin.write(`${command}\n`);
	await answered;
	return text.split("\n").slice(0, -1);
}

/** A program whose buses are its standard input and output. */
async function onStdio(source: string, ...args: string[]): Promise<ChildProcessWithoutNullStreams> {
	const child = start(["--run", await makeScript(source), "--flash", makeFlash(), "--pace", "steps", ...args]);
	await step(child);
	return child;
}

describe("hal/host --pace steps", () => {
	it("says which line of standard input is wrong, and why", async () => {
		const child = await onStdio(`import Timer from "timer"; Timer.repeat(() => {}, 1000);`);
		await step(child, "run 20");
		for (const [line, problem] of [
			["(0.010000) can0 280#", "time runs backwards"],
			["(0.030000) can7 280#", "interface must be can0, chassis, vcan0, can1, coupling or vcan1"],
			["fault meteor", "no such fault"],
			["stop", "no such command"],
			["connect car", "no such bus, chassis or coupling"],
			["fault bus-off-coupling=0:100 now", "no such command"],
		] as const)
			assert.deepEqual(await step(child, line), [`{"error":"${line}: ${problem}"}`]);
		child.stdin.end();
		await finish(child);
	});

	it("lets faults happen, the gateway's stall among them, and drops what has waited too long", async () => {
		const child = await onStdio(`import Timer from "timer"; Timer.repeat(() => {}, 1000);`);
		child.stdin.write("fault bus-off-coupling=0:100\n(0.050000) can0 280#\n");
		assert.deepEqual(await step(child, "run 500"), ['{"ms":500,"sentBytes":0}']);
		child.stdin.write("fault gateway-stalled=0:100\n(0.530000) can0 281#\n(0.570000) can0 282#\n");
		assert.deepEqual(await step(child, "run 200"), ["(0000000000.600000) can1 282#", '{"ms":700,"sentBytes":0}']);
		child.stdin.end();
		await finish(child);
	});

	it("puts the clock forward and back, and no timer waits longer for it", async () => {
		const child = await onStdio(TICKS, "--fault", "clock-jump=150:1000", "--fault", "clock-jump-back=350:100000");
		const times = (await step(child, "run 500")).slice(0, -1);
		assert.deepEqual(times, ["100", "1200", "1300", "50", "150"]);
		child.stdin.end();
		await finish(child);
	});

	it("leaves the UNIX socket to the interface when another port listens", async () => {
		const http = join(makeFlash(), "http");
		const source = `import { Listener } from "../../hal/io/sockets.js"; import Timer from "timer"; import config from "mc/config";
			new Listener({ port: config.httpPort, onReadable: () => print("interface") });
			new Listener({ port: 0, onReadable: () => print("other") });
			Timer.repeat(() => {}, 1000);`;
		const child = await onStdio(source, "--http", `unix:${http}`);
		const socket = connect(http);
		await once(socket, "connect");
		assert.deepEqual(await step(child, "run 10"), ["interface", '{"ms":10,"sentBytes":0}']);
		socket.destroy();
		child.stdin.end();
		await finish(child);
	});

	it("rejects --count-turns outside of callgrind", async () => {
		const folder = makeFlash();
		const script = await makeScript(TICKS);
		const { code, stderr } = await finish(start(["--run", script, "--flash", folder, "--replay", aLog(folder), "--count-turns"]));
		assert.equal(code, 2);
		assert.match(stderr, /^opencoupling: --count-turns needs callgrind.*\n$/);
	});

	it("counts the instructions of each turn under callgrind", async function () {
		this.timeout(300_000);
		if (spawnSync("valgrind", ["--version"]).error) skip(this, "valgrind is not installed");
		if (!existsSync(join(dirname(PROGRAM), "with-callgrind"))) skip(this, "the program was built without valgrind/callgrind.h");
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
		await step(child);
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

const LOG = "(1700000000.000000) can0 280#00\n(1700000000.010000) can0 280#01\n(1700000000.500000) can0 280#02\n";
const DATED_TICKS = `
	import Timer from "timer";
	import { Time } from "../../hal/io/machine.js";
	Timer.repeat(() => print(Time.microseconds + " " + new Date().toISOString()), 100);
`;

async function replay(...args: string[]) {
	const log = join(makeFlash(), "replay.log");
	writeFileSync(log, LOG);
	return runScript(DATED_TICKS, "--replay", log, ...args);
}

describe("hal/host virtual time", () => {
	it("advances from event to event, exactly, and ends 100 ms after the last frame", async () => {
		const { code, lines } = await replay("--pace", "max");
		assert.equal(code, 0);
		assert.deepEqual(
			lines,
			[1, 2, 3, 4, 5, 6].map((tick) => `${tick * 100000} 2026-01-01T00:00:00.${tick}00Z`),
		);
	});

	it("goes on while the script is stalled; a timer that is late for it fires once, skips what it missed, and keeps its phase", async () => {
		const { lines } = await replay("--pace", "max", "--fault", "script-stalled=150:200");
		assert.deepEqual(
			lines.map((line) => line.split(" ")[0]),
			["100000", "350000", "400000", "500000", "600000"],
		);
	});
});
