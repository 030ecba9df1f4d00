import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, makeFlash, makeScript, PROGRAM, run, runScript, startScript, waitForLine } from "./host-program.js";

describe("hal/host command line", () => {
	it("rejects an unknown option in one line, with exit code 2", async () => {
		const wrong: [string[], RegExp][] = [
			[["--nonsense"], /unknown option --nonsense/],
			[["nonsense"], /unknown argument nonsense/],
			[["--http"], /--http needs a value/],
			[["--http", "99999"], /--http 99999: not a port/],
			[["--chassis", "tcp:1"], /--chassis tcp:1: not an endpoint/],
			[["--ring", "1000"], /--ring 1000: not a power of two/],
			[["--heap", "huge"], /neither device nor host/],
			[["--pace", "slow", "--replay", "x.log"], /neither real, max nor steps/],
			[["--fault", "meteor"], /--fault meteor: no such fault/],
			[["--fault", "script-stalled"], /use it as script-stalled=AT:MS/],
			[["--fault", "clock-jump=3000:1000000000"], /use it as clock-jump=AT:MS; a number has at most 9 digits/],
			[["--fault", "flash-full=1000000000"], /use it as flash-full\[=BYTES\]; a number has at most 9 digits/],
			[["--fault", "power-cut=0"], /use it as power-cut=N/],
			[["--fault", "update-image-corrupted=1"], /use it as update-image-corrupted \(/],
			[["--report=yes"], /--report takes no value/],
			[["--pace", "max"], /--pace max works only with --replay/],
			[["--record", "x.log"], /only with --replay/],
			[["--replay", "x.log", "--chassis", "unix:x"], /takes the place/],
		];
		for (const [args, pattern] of wrong) {
			const { code, stderr } = await run(...args);
			assert.equal(code, 2, args.join(" "));
			assert.match(stderr, pattern);
			assert.equal(stderr.trim().split("\n").length, 1, stderr);
		}
	});

	it("rejects a log that cannot be played before it starts, and names the line", async () => {
		const log = join(makeFlash(), "in.log");
		const play = (path: string) => run("--replay", path, "--pace", "max", "--flash", makeFlash());
		for (const [line, problem] of [
			["1436509052.249713 can0 280#01", "time stamp"],
			["(1436509052.249713) can7 280#01", "interface"],
			["(1436509052.249713) can0 800#01", "identifier"],
			["(1436509052.249713) can0 280#010203040506070809", "data"],
			["(1436509052.249712) can0 280#01", "time runs backwards"],
			[`(1436509052.249713) can0 280#${"0".repeat(200)}`, "line too long"],
		] as const) {
			writeFileSync(log, `(1436509052.249713) can0 280#01\n${line}\n`);
			const { code, stderr } = await play(log);
			assert.equal(code, 2, line);
			assert.match(stderr, new RegExp(`in.log line 2: ${problem}.*\\n$`));
		}
		for (const path of ["/", join(makeFlash(), "nothing")]) assert.equal((await play(path)).code, 2, path);
	});

	it("explains itself with --help, every fault included", async () => {
		const { code, lines } = await run("--help");
		assert.equal(code, 0);
		for (const word of ["--http PORT", "--fault NAME", "flash-full[=BYTES]", "bus-off-chassis", "power-cut=N"])
			assert.ok(
				lines.some((line) => line.includes(word)),
				word,
			);
	});

	it("ends with exit code 1 and one line when a bundle or script cannot be read", async () => {
		const script = await makeScript("print(1)");
		const wrong: [string[], RegExp][] = [
			[["--run", script, "--core", "no-such.js"], /cannot read no-such.js: No such file/],
			[["--run", script, "--core", "/"], /cannot read \/: Is a directory/],
			[["--core", "no-such.js"], /cannot read no-such.js: No such file .*\(npm run setup builds core.js\)/],
			[["--app", "no-such.js", "--core", script], /cannot read no-such.js: No such file/],
			[["--run", "/"], /cannot read \/: Is a directory/],
		];
		for (const [args, pattern] of wrong) {
			const { code, lines, stderr } = await run(...args, "--flash", makeFlash());
			assert.equal(code, 1, args.join(" "));
			assert.match(stderr, pattern);
			assert.equal(stderr.trim().split("\n").length, 1, stderr);
			assert.deepEqual(lines, []);
		}
	});

	it("runs a script without a core.js where none lies beside the program and none was named", async () => {
		const folder = makeFlash();
		const program = join(folder, "opencoupling");
		copyFileSync(PROGRAM, program);
		const { status, stdout } = spawnSync(program, ["--run", await makeScript("print(typeof opencoupling)"), "--flash", folder]);
		assert.equal(status, 0);
		assert.equal(String(stdout), "undefined\n");
	});

	it("hands the port of --http to the application", async () => {
		const { lines } = await runScript(`import config from "mc/config"; print(config.httpPort + config.board)`, "--http=1234");
		assert.deepEqual(lines, ["1234host"]);
	});

	it("ends cleanly at SIGTERM and SIGINT", async () => {
		for (const signal of ["SIGTERM", "SIGINT"] as const) {
			const child = await startScript(`import Timer from "timer"; Timer.repeat(() => {}, 1000); print("ready")`, "--report");
			const outcome = finish(child);
			await waitForLine(child, /ready/);
			child.kill(signal);
			const { code, report } = await outcome;
			assert.equal(code, 0);
			assert.ok((report.heap["slots"] ?? 0) > 0);
		}
	});

	it("prints the report at SIGUSR1 and goes on", async () => {
		const child = await startScript(`
			import Timer from "timer";
			import PWM from "embedded:io/pwm";
			const pwm = new PWM({ pin: 5, hz: 1000, resolution: 10 });
			Timer.repeat(() => pwm.write(512), 1);
			print("ready");
		`);
		const outcome = finish(child);
		await waitForLine(child, /ready/);
		child.stderr.once("data", () => child.kill("SIGTERM"));
		setTimeout(() => child.kill("SIGUSR1"), 30);
		const { code, report } = await outcome;
		assert.equal(code, 0);
		assert.deepEqual(report.pwm, [{ pin: 5, hz: 1000, resolution: 10, duty: 512, idled: 0 }]);
	});
});

describe("hal/host options with bundles", () => {
	it("run --app with the library of --core on the device's heap", async () => {
		const core = await makeScript(`export { default as Timer } from "timer";`, true);
		const app = await makeScript(`declare const opencoupling: any; opencoupling.Timer.set(() => { throw "end" }, 1)`);
		const { code, stderr } = await run("--core", core, "--app", app, "--flash", makeFlash());
		assert.equal(code, 105);
		assert.equal(stderr, "opencoupling: uncaught exception: end\n");
	});
});
