import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CYCLES } from "../../tools/vehicle/cycles.js";
import { provisionFlash } from "../../tools/vehicle/flash.js";
import { parseOptions, UsageError } from "../../tools/vehicle/options.js";
import type { ConstantDrive } from "../../tools/vehicle/vehicle.js";
import { PROGRAM } from "../hal/host/host-program.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONTROLLER = join(ROOT, "test/tools/fake-controller.mjs");

describe("npm start", () => {
	let folder: string;
	let program: string;

	before(async () => {
		folder = mkdtempSync(join(tmpdir(), "start-test-"));
		program = join(folder, "start.mjs");
		const contents = `import { start } from "./tools/vehicle/start.ts";
			process.exit(await start(process.argv.slice(2), process.env.CONTROLLER));`;
		await build({ stdin: { contents, resolveDir: ROOT }, outfile: program, bundle: true, platform: "node", format: "esm" });
	});
	after(() => rmSync(folder, { recursive: true }));

	const flash = (name: string) => join(folder, name);
	const environment = (extra: object = {}) => ({ ...process.env, CONTROLLER, TMPDIR: folder, ...extra }) as NodeJS.ProcessEnv;
	const run = (args: string[], extra: object = {}) => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
			encoding: "utf8",
			env: environment(extra),
		});
		return { status, stdout, stderr };
	};

	/** The program as a user has it: running, until told to end. */
	async function running(
		args: string[],
		until: RegExp,
		extra: object = {},
	): Promise<{ child: ChildProcess; output: () => string; ended: Promise<unknown[]> }> {
		const child = spawn(process.execPath, [program, ...args], { env: environment(extra) });
		let output = "";
		const ended = new Promise<unknown[]>((resolve) => child.once("close", (...result) => resolve(result)));
		await new Promise<void>((resolve) => {
			const collect = (chunk: Buffer) => {
				output += chunk;
				if (until.test(output)) resolve();
			};
			child.stdout.on("data", collect);
			child.stderr.on("data", collect);
			child.once("close", () => resolve());
		});
		return { child, output: () => output, ended };
	}
	/** Runs until it has shown a line, and then to the end that its user asks for. */
	async function until(line: RegExp, args: string[], extra: object = {}) {
		const { child, output, ended } = await running(args, line, extra);
		child.kill("SIGTERM");
		return { ended: await ended, output: output() };
	}
	const socketFolders = () => readdirSync(folder).filter((name) => name.startsWith("opencoupling-"));

	it("does not leave the controller behind when it is killed", async () => {
		const args = ["--flash", flash("k"), "--http", "0", "--vehicle", "none"];
		const { child, output, ended } = await running(args, /open http/, { CONTROLLER: PROGRAM });
		const url = /open (http:\S+)/.exec(output())?.[1] ?? "";
		assert.equal((await fetch(`${url}/api/network`)).status, 200);
		child.kill("SIGKILL");
		await ended;
		await assert.rejects(async () => {
			for (;;) await fetch(`${url}/api/network`);
		}, /fetch failed/);
		for (const name of socketFolders()) rmSync(join(folder, name), { recursive: true });
	});

	it("ends controller and vehicle cleanly on Ctrl-C, also when it is pressed twice while the controller is slow", async () => {
		const { child, output, ended } = await running(["--flash", flash("b"), "--http", "0"], / fr\/s/, {
			FAKE_ENDS_AFTER_MS: "400",
		});
		child.kill("SIGINT");
		while (!output().includes("asked to end")) await setTimeout(5);
		child.kill("SIGINT");
		assert.deepEqual(await ended, [0, null]);
		assert.match(output(), /fake controller ends/);
		assert.deepEqual(socketFolders(), []);
	});

	it("records what arrives on the coupling bus as a candump log", async () => {
		const record = join(folder, "drive.log");
		const { child, ended } = await running(["--flash", flash("c"), "--http", "0", "--record", record], / fr\/s/);
		const recorded = () => readFileSync(record, "utf8");
		while (recorded().split("\n").length < 300 || !recorded().includes(" can1 1B000010#")) await setTimeout(20);
		child.kill("SIGTERM");
		assert.deepEqual(await ended, [0, null]);
		const lines = recorded().trimEnd().split("\n");
		for (const line of lines) assert.match(line, /^\(\d{10}\.\d{6}\) can1 ([0-9A-F]{3}|[0-9A-F]{8})#([0-9A-F]{2}){0,8}$/);
	});

	it("provisions an empty flash for the demo, and changes nothing but the generation of one that has settings", () => {
		const path = join(flash("d"), "settings.json");
		assert.equal(provisionFlash(flash("d"), undefined), 5);
		assert.equal(readFileSync(path, "utf8"), '{"format":1,"generation":5,"mode":"MAP"}');
		assert.deepEqual(readdirSync(flash("d")), ["settings.json"]);
		writeFileSync(path, '{"format":1,"generation":2,"mode":"FWD","other":[1]}');
		assert.equal(provisionFlash(flash("d"), undefined), 2);
		assert.equal(readFileSync(path, "utf8"), '{"format":1,"generation":2,"mode":"FWD","other":[1]}');
		assert.equal(provisionFlash(flash("d"), 4), 4);
		assert.equal(readFileSync(path, "utf8"), '{"format":1,"generation":4,"mode":"FWD","other":[1]}');
	});

	it("gives the car the coupling that the driver chooses on the page, unless the command line says what is in it", async () => {
		const args = ["--flash", flash("m"), "--http", "0"];
		const chosen = { FAKE_GENERATION: "2" };
		await until(/^the car has a generation 2 coupling now$/m, args, chosen);
		const { output } = await until(/ fr\/s/, [...args, "--generation", "4"], chosen);
		assert.doesNotMatch(output, /coupling now/);
	});

	it("runs the controller alone with --vehicle none", async () => {
		const line = /no vehicle; the buses wait at.*^ +0 km\/h [^\n]* +- fr\/s of +- sent$/ms;
		const { ended } = await until(line, ["--flash", flash("f"), "--http", "0", "--vehicle", "none"]);
		assert.deepEqual(ended, [0, null]);
	});

	it("ends with the controller when a replay is over", () => {
		const recording = join(folder, "recording.txt");
		writeFileSync(recording, "(1.0) slcan1 280#00\n(1.1) slcan0 2C0#08880000\n");
		const names = ["--chassis", "slcan1", "--coupling", "slcan0"];
		const args = [
			"--flash",
			flash("g"),
			"--http",
			"0",
			"--generation",
			"4",
			"--replay",
			recording,
			...names,
			"--without-feedback",
		];
		const { status, stdout, stderr } = run([...args, "--record", "out.log"]);
		assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
		assert.match(stdout, /^candump: 2 frames in 0\.1 s\nchassis bus: slcan1 .*\nno speed on the chassis bus \(0x1A0\)/);
		const settings = readFileSync(join(flash("g"), "settings.json"), "utf8");
		assert.equal(settings, '{"format":1,"generation":4,"mode":"MAP","controlWithoutFeedback":true}');
	});

	it("says in one line what is wrong with a recording", () => {
		const recording = join(folder, "letter.txt");
		writeFileSync(recording, "a letter\n");
		const { status, stderr } = run(["--flash", flash("o"), "--http", "0", "--replay", recording]);
		assert.equal(status, 2);
		assert.match(stderr, /^npm start: \S+letter\.txt: line 1 "a letter": what candump, [^\n]*\n$/);
	});

	it("passes on the line and the exit code of a controller that can't start", () => {
		const { status, stdout, stderr } = run(["--flash", flash("h"), "--http", "1"]);
		assert.deepEqual({ status, stdout, stderr }, { status: 3, stdout: "", stderr: "opencoupling: port 1 is in use\n" });
		assert.deepEqual(socketFolders(), []);
	});

	it("says so and ends with its code when the controller dies", () => {
		const { status, stderr } = run(["--flash", flash("i"), "--http", "0"], { FAKE_DIES_AFTER_MS: "400" });
		assert.deepEqual({ status, stderr }, { status: 101, stderr: "npm start: the controller ended with exit code 101\n" });
	});

	it("says in one line that the controller's program is missing", () => {
		const { status, stderr } = run(["--flash", flash("j"), "--http", "0"], { CONTROLLER: join(folder, "nothing") });
		assert.equal(status, 1);
		assert.match(stderr, /^can't run \S+nothing: [^\n]+\n$/);
	});

	it("says in one line that the flash folder can't be written", () => {
		const { status, stdout, stderr } = run(["--flash", join(program, "flash"), "--http", "0"]);
		assert.deepEqual({ status, stdout }, { status: 4, stdout: "" });
		assert.match(stderr, /^npm start: can't write the flash folder \S+start\.mjs\/flash: [^\n]+\n$/);
	});

	it("listens for the local network with --lan, and only then", async () => {
		/** Linux answers at all of 127.0.0.0/8; a program that keeps to itself listens at 127.0.0.1 alone. */
		const reachable = async (...args: string[]): Promise<{ reached: boolean; output: string }> => {
			const all = ["--flash", flash("n"), "--http", "0", "--vehicle", "none", ...args];
			const { child, output, ended } = await running(all, /no vehicle/, { CONTROLLER: PROGRAM });
			const port = /open http:\S+:(\d+)/.exec(output())?.[1];
			const reached = await fetch(`http://127.0.0.2:${port}/api/network`).then(
				({ ok }) => ok,
				() => false,
			);
			child.kill("SIGTERM");
			await ended;
			return { reached, output: output() };
		};
		const closed = await reachable();
		assert.equal(closed.reached, false);
		assert.doesNotMatch(closed.output, /phone|network/);
		const open = await reachable("--lan");
		assert.equal(open.reached, true);
		assert.match(open.output, /everybody in that network can open it|this computer is in no network/);
	});

	for (const [what, args, message] of [
		["an unknown option", ["--bogus", "1"], /'--bogus'/],
		["an unknown argument", ["fast"], /'fast'/],
		["an option in place of a value", ["--http", "--flash", "x"], /'--http/],
		["a value for --lan", ["--lan=yes"], /'--lan'/],
		["a port out of range", ["--http", "70000"], /^--http 70000: not a number from 0 to 65535$/],
		["an unknown generation", ["--generation", "3"], /^--generation 3: not one of 1, 2, 4, 5, 51, 53$/],
		["a speed that is no number", ["--speed", "fast"], /^--speed fast: not a number from 0 to 250$/],
		["cycle and pedal at once", ["--drive", "city", "--pedal", "5"], /^--drive and --pedal exclude each other$/],
		["a replay that is driven", ["--replay", "x.log", "--speed", "5"], /^--replay and --speed exclude each other$/],
		["a record of nothing", ["--vehicle", "none", "--record", "x.log"], /^--record needs the vehicle or --replay$/],
		["a bus without a replay", ["--chassis", "can0"], /^--chassis needs --replay$/],
	] as const)
		it(`rejects ${what} in one line`, () => {
			const isRight = ({ message: said }: Error) => message.test(said) && !said.includes("\n");
			assert.throws(
				() => parseOptions(args),
				(error) => error instanceof UsageError && isRight(error),
			);
		});

	it("says what is wrong with its arguments in one line, with exit code 2", () => {
		const { status, stdout, stderr } = run(["--bogus", "1"]);
		assert.deepEqual([status, stdout], [2, ""]);
		assert.match(stderr, /^npm start: .*'--bogus'.* \(npm start -- --help lists the options\)\n$/);
	});

	it("takes a negative steering angle as a value", () => {
		const { drive } = parseOptions(["--speed", "20", "--steering", "-30"]);
		assert.equal((drive as ConstantDrive).steeringDeg, -30);
	});

	it("prints its options with --help, before it sets anything up", () => {
		const options = { encoding: "utf8", env: { PATH: "" } } as const; // no compiler, no make, no npm
		const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "tools/start.mjs"), "--help"], options);
		assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
		assert.match(stdout, /--generation N[\s\S]*--help/);
		assert.ok(stdout.includes(`--drive CYCLE       ${Object.keys(CYCLES).join(" ")} (default city)`));
	});
});
