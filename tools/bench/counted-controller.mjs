/**
 * The controller under callgrind, on a replayed drive, with clients on a UNIX socket. Time goes on only when
 * it is told to, and each turn of its event loop is counted by itself: the same requests cost the same
 * instructions, however slow and busy the machine is.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { FOLDER, replayedDrive } from "./replayed-drive.mjs";
import { countedBy, TurnLog } from "./turn-log.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Path of the host program, relative to the root. */
export const PROGRAM = "build/host/opencoupling";

/** @typedef {import("./turn-log.mjs").Turn} Turn */

/** @returns {string | undefined} what callgrind needs and this machine lacks */
export function missingForCounting() {
	if (spawnSync("valgrind", ["--version"]).status !== 0) return "valgrind (apt-get install valgrind)";
	return existsSync(`${root}${dirname(PROGRAM)}/with-callgrind`) ? undefined : "<valgrind/callgrind.h>, then npm run setup";
}

/** A client's connection; `answer` is what has come since `ask` or `send` was last called. */
export class Client {
	answer = Buffer.alloc(0);
	closed = false;
	#socket;

	/** @param {import("node:net").Socket} socket @param {(bytes: number) => void} onData */
	constructor(socket, onData) {
		this.#socket = socket;
		socket.on("data", (/** @type {Buffer} */ data) => {
			this.answer = Buffer.concat([this.answer, data]);
			onData(data.length);
		});
		const close = () => (this.closed = true);
		socket.on("close", close).on("end", close).on("error", close);
	}

	/** Resolves when the controller can read it. @param {string | Uint8Array} bytes */
	send(bytes) {
		this.answer = Buffer.alloc(0);
		return new Promise((resolve) => this.#socket.write(bytes, resolve));
	}

	/** Whether `answer` is a whole one. */
	get isAnswered() {
		const end = this.answer.indexOf("\r\n\r\n");
		if (end < 0) return false;
		const length = /content-length: (\d+)/i.exec(this.answer.toString("latin1", 0, end));
		return length ? this.answer.length >= end + 4 + Number(length[1]) : this.answer.subarray(-5).toString() === "0\r\n\r\n";
	}

	get status() {
		return Number(this.answer.toString("latin1", 9, 12));
	}

	close() {
		this.#socket.destroy();
	}
}

export class CountedController {
	#folder;
	#child;
	#stdout = "";
	/** Who waits for an answer; the first one says that it has started. @type {{ resolve(said: unknown): void, reject(error: Error): void }[]} */
	#answered = [{ resolve() {}, reject() {} }];
	#received = 0;
	#log;
	/** @type {Turn[]} */
	#turns = [];

	/**
	 * @param {string} name of its files @param {{ generation: number, mode: string }} settings that it starts with
	 * @param {{ seconds: number, cycle: string }} drive of a car of this generation
	 * @param {Record<string, object>} [files] further ones of its flash, by path
	 */
	static async start(name, settings, { seconds, cycle }, files) {
		const log = await replayedDrive(name, settings.generation, seconds, cycle);
		return new CountedController(name, settings, log, files);
	}

	/** Use `start`. @param {string} name @param {object} settings @param {string} log of the drive @param {Record<string, object>} files */
	constructor(name, settings, log, files = {}) {
		this.#folder = `${FOLDER}/${name}`;
		rmSync(this.#folder, { recursive: true, force: true });
		mkdirSync(`${this.#folder}/flash/maps`, { recursive: true });
		for (const [path, content] of Object.entries({ "settings.json": { format: 1, ...settings }, ...files }))
			writeFileSync(`${this.#folder}/flash/${path}`, JSON.stringify(content));
		this.#log = new TurnLog(`${this.#folder}/valgrind.log`);
		// relative: how long the path of this checkout is must not count
		const folder = relative(root, this.#folder);
		const [command, ...before] = countedBy(`${folder}/valgrind.log`);
		this.#child = spawn(
			command,
			[
				...[...before, PROGRAM, "--http", `unix:${folder}/http`, "--flash", `${folder}/flash`],
				...["--replay", relative(root, log), "--pace", "steps", "--count-turns"],
			],
			{ cwd: root, stdio: ["pipe", "pipe", "inherit"] },
		);
		this.#child.stdout.on("data", (chunk) => this.#read(chunk));
		this.#child.on("exit", (code) => {
			for (const { reject } of this.#answered) reject(new Error(`the controller ended with exit code ${code}`));
		});
	}

	get flash() {
		return `${this.#folder}/flash`;
	}

	/** @param {string} chunk */
	#read(chunk) {
		const lines = (this.#stdout + chunk).split("\n");
		this.#stdout = lines.pop() ?? "";
		for (const line of lines) if (line.startsWith("{")) this.#answered.shift()?.resolve(JSON.parse(line));
	}

	/** Does one step, and takes in what its turns said. @param {string} command */
	async #step(command) {
		const answered = new Promise((resolve, reject) => this.#answered.push({ resolve, reject }));
		this.#child.stdin.write(`${command}\n`);
		const { sentBytes } = await answered;
		while (this.#received < sentBytes) await new Promise((resolve) => setImmediate(resolve));
		this.#turns.push(...this.#log.take());
	}

	/** Lets time go on; 0: only what can be done now is done. @param {number} ms */
	run(ms) {
		return this.#step(`run ${ms}`);
	}

	/** Collects garbage, so that what is counted next does not depend on what was before. */
	collect() {
		return this.#step("collect");
	}

	/** @returns {Turn[]} the turns since the last call */
	takeTurns() {
		return this.#turns.splice(0);
	}

	/** @returns {Promise<Client>} a new connection */
	async connect() {
		const socket = connect(`${this.#folder}/http`);
		await once(socket, "connect");
		return new Client(socket, (/** @type {number} */ bytes) => (this.#received += bytes));
	}

	/**
	 * Asks, and lets time go on until the answer is there, or until `limitMs` have passed.
	 * @param {Client} client @param {string | Uint8Array} request
	 */
	async ask(client, request, limitMs = 20_000) {
		await client.send(request);
		await this.run(0);
		for (let ms = 0; !client.isAnswered && !client.closed; ) {
			const before = client.answer.length;
			await this.run(0); // more of an answer that was too long for the socket
			if (client.answer.length !== before || client.isAnswered) continue;
			if (ms >= limitMs) throw new Error(`no answer to ${String(request).split("\r\n")[0]}`);
			await this.run(STEP_MS);
			ms += STEP_MS;
		}
	}

	/** Ends the program. */
	async end() {
		this.#answered = [];
		this.#child.stdin.end();
		if (this.#child.exitCode === null) await once(this.#child, "exit");
		this.#log.close();
	}
}

/** Answers that wait for a control tick come with the next. */
const STEP_MS = 10;
