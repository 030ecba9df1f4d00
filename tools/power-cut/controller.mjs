// The host program on a flash folder, without buses, as the power-cut campaign needs it.
import { spawn } from "node:child_process";

const BOOT_TIMEOUT_MS = 20_000;
const POLL_MS = 10;

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Controller {
	output = "";
	/** Exit code, null when a signal ended it. */
	ended;
	hasEnded = false;
	#child;
	#url = "";

	/** @param {string} program @param {string} flash @param {string[]} args further arguments */
	constructor(program, flash, args = []) {
		this.#child = spawn(program, ["--http", "0", "--flash", flash, ...args], { stdio: ["ignore", "pipe", "pipe"] });
		for (const stream of [this.#child.stdout, this.#child.stderr]) stream.on("data", (chunk) => (this.output += chunk));
		this.ended = new Promise((resolve) =>
			this.#child.on("close", (code) => {
				this.hasEnded = true;
				resolve(code);
			}),
		);
	}

	/** Waits until it answers. @returns false if it ended before */
	async listening() {
		const deadline = performance.now() + BOOT_TIMEOUT_MS;
		while (performance.now() < deadline) {
			const address = /listening on (http:\/\/\S+)/.exec(this.output);
			if (this.hasEnded) return false;
			if (address) {
				this.#url = address[1];
				return true;
			}
			await sleep(POLL_MS);
		}
		throw new Error(`no address: ${this.output}`);
	}

	/** @returns {Promise<{ status: number, text: string }>} @throws when the connection breaks @param {string} path */
	async get(path) {
		const response = await fetch(this.#url + path, { headers: { Connection: "close" } });
		return { status: response.status, text: await response.text() };
	}

	/**
	 * Posts JSON, or bytes as they are.
	 * @param {string} path @param {any} [body] @param {Record<string, string>} [headers]
	 */
	async post(path, body, headers = {}) {
		const raw = typeof body === "string" || body instanceof Uint8Array;
		const response = await fetch(this.#url + path, {
			method: "POST",
			body: raw ? /** @type {string} */ (body) : JSON.stringify(body),
			headers: { Connection: "close", "Content-Type": raw ? "application/octet-stream" : "application/json", ...headers },
		});
		return { status: response.status, text: await response.text() };
	}

	/** Storage operations since start. */
	async operations() {
		const from = this.output.length;
		this.#child.kill("SIGUSR1");
		for (;;) {
			const found = /"operations":(\d+)/.exec(this.output.slice(from));
			if (found) return Number(found[1]);
			if (this.hasEnded) throw new Error("it has ended");
			await sleep(POLL_MS);
		}
	}

	/** Waits until nothing has been written for `quietMs`. @returns the operations since start @param {number} quietMs */
	async settled(quietMs) {
		for (let before = -1; ; ) {
			const operations = await this.operations();
			if (operations === before) return operations;
			before = operations;
			await sleep(quietMs);
		}
	}

	/** Ends it as a power cut does: nothing is written any more. */
	async kill() {
		this.#child.kill("SIGKILL");
		await this.ended;
	}
}
