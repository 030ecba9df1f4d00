/** The host program on a flash folder, without a car, in virtual time. */
import { join } from "node:path";
import { type Answer, Lockstep } from "../campaign/lockstep.js";

/** Longer than a change waits for its write, and than lines wait for the log. */
const QUIET_MS = 2300;
/** Until it has read its files and listens. */
const START_MS = 100;

export class Controller {
	readonly #lockstep: Lockstep;

	private constructor(lockstep: Lockstep) {
		this.#lockstep = lockstep;
	}

	/** @param folder of its socket. It may have ended meanwhile */
	static async start(program: string, folder: string, flash: string, args: readonly string[] = []): Promise<Controller> {
		const controller = new Controller(await Lockstep.start(program, join(folder, "http"), ["--flash", flash, ...args]));
		await controller.run(START_MS);
		return controller;
	}

	get hasEnded(): boolean {
		return this.#lockstep.hasEnded;
	}

	get exitCode(): number | null | undefined {
		return this.#lockstep.exitCode;
	}

	/** All that it wrote. */
	get said(): string {
		return [...this.#lockstep.log, this.#lockstep.complaints].join("\n");
	}

	async run(ms: number): Promise<void> {
		await this.#lockstep.run(ms);
	}

	/** @throws when there is no answer */
	get(path: string): Promise<Answer> {
		return this.#ask("GET", path, "", "");
	}

	/** Posts JSON. @param key of the owner @throws when there is no answer */
	post(path: string, body?: unknown, key = ""): Promise<Answer> {
		return this.#ask("POST", path, body === undefined ? "" : JSON.stringify(body), key);
	}

	async #ask(method: string, path: string, body: string, key: string): Promise<Answer> {
		const answer = await this.#lockstep.ask(method, path, body, (ms) => this.run(ms), key);
		if (answer === undefined) throw new Error(`${method} ${path} has no answer`);
		return answer;
	}

	/** Waits until nothing is written any more. @returns the storage operations since its start */
	async settled(): Promise<number> {
		for (let before = -1; ; ) {
			const { operations } = (await this.#lockstep.report()).storage;
			if (operations === before) return operations;
			before = operations;
			await this.run(QUIET_MS);
		}
	}

	/** As a power cut does: nothing is written any more. */
	kill(): Promise<void> {
		return this.#lockstep.kill();
	}
}
