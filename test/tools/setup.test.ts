import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const START = fileURLToPath(new URL("../../tools/start.mjs", import.meta.url));
const SETUP = fileURLToPath(new URL("../../tools/setup.mjs", import.meta.url));

describe("tools/setup.mjs", () => {
	let bin: string;

	before(() => {
		bin = mkdtempSync(join(tmpdir(), "setup-test-"));
	});
	after(() => rmSync(bin, { recursive: true }));

	/** Runs it with nothing on the PATH but what the test links there. */
	const run = (extra: NodeJS.ProcessEnv = {}, args: readonly string[] = []) => {
		const env: NodeJS.ProcessEnv = { ...process.env, PATH: bin, OPENCOUPLING_ENGINE: "npm", ...extra };
		if (extra["CC"] === undefined) delete env["CC"];
		const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP, ...args], { encoding: "utf8", env });
		return { status, stdout, stderr };
	};

	it("reports a missing C compiler in one line, and how to get one", () => {
		const { status, stdout, stderr } = run();
		assert.deepEqual({ status, stdout }, { status: 1, stdout: "" });
		assert.match(
			stderr,
			/^npm run setup: no C compiler found: install gcc or clang \(Debian: apt-get install build-essential[^\n]*\)\n$/,
		);
	});

	it("names the compiler of $CC that does not run", () => {
		const { status, stderr } = run({ CC: "nocc" });
		assert.equal(status, 1);
		assert.match(stderr, /^npm run setup: the C compiler \$CC=nocc does not run[^\n]*\n$/);
	});

	it("says in one line that make is missing", () => {
		symlinkSync(process.execPath, join(bin, "cc")); // anything that answers --version
		const { status, stderr } = run();
		assert.equal(status, 1);
		assert.match(stderr, /^npm run setup: make not found: install it [^\n]*\n$/);
	});

	it("says in one line which engines there are, and where the boards' own is", () => {
		const refused = [
			[{}, ["--engine", "v8"], /^npm run setup: the engine v8 is unknown: npm or moddable\n$/],
			[{ OPENCOUPLING_ENGINE: "v8" }, [], /^npm run setup: the engine v8 is unknown: npm or moddable\n$/],
			[
				{ MODDABLE: "/nowhere" },
				["--engine", "moddable"],
				/^npm run setup: the boards' engine is in the Moddable SDK: set MODDABLE [^\n]*\n$/,
			],
			[{}, ["--engine"], /^npm run setup: usage: npm run setup \[-- --engine npm\|moddable\]\n$/],
		] as const;
		for (const [environment, args, said] of refused) {
			const { status, stderr } = run(environment, args);
			assert.equal(status, 1);
			assert.match(stderr, said);
		}
	});

	it("ends with the command that waits for it", async () => {
		const compiler = join(bin, "endless");
		writeFileSync(compiler, '#!/bin/sh\necho $$ $PPID > "$0.started"\nexec /bin/sleep 600\n', { mode: 0o755 });
		const start = spawn(process.execPath, [START], { env: { ...process.env, PATH: bin, CC: compiler }, stdio: "ignore" });
		const started = () => (existsSync(`${compiler}.started`) ? readFileSync(`${compiler}.started`, "utf8") : "");
		while (!started().endsWith("\n")) await setTimeout(10);
		start.kill("SIGTERM");
		await once(start, "exit");
		const isAlive = (pid: number) => spawnSync("/bin/kill", ["-0", String(pid)]).status === 0;
		for (const pid of started().split(" ").map(Number)) while (isAlive(pid)) await setTimeout(10);
	});

	it("rejects a Node.js that is too old", () => {
		const script = `const { checkNode } = await import(${JSON.stringify(pathToFileURL(SETUP).href)});
			const verdict = (v) => { try { checkNode(v); return "ok"; } catch (e) { return e.message; } };
			console.log(JSON.stringify(["20.19.0", "22.0.0", "20.18.3", "18.20.0"].map(verdict)));`;
		const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
		const verdicts = JSON.parse(stdout);
		assert.deepEqual(verdicts.slice(0, 2), ["ok", "ok"]);
		assert.match(verdicts[2], /Node\.js 20\.18\.3 is too old: install 20\.19 or later/);
		assert.match(verdicts[3], /Node\.js 18\.20\.0 is too old/);
	});
});
