/** The controller as a child process. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const LISTENING = /^listening on (http:\/\/\S+)/;
const STATUS_TIMEOUT_MS = 1000;
/** A controller that does not end by itself after SIGTERM is killed. */
const END_MS = 3000;

/** The part of `GET /api/status` that is shown; a failing controller may lack fields. */
export interface ControllerStatus {
	readonly couplingGeneration?: number;
	readonly effectiveMode?: string;
	readonly mode?: string;
	readonly reason?: string;
	readonly uptimeMs?: number;
	readonly telemetry?: {
		readonly speed?: number;
		readonly throttle?: number;
		readonly rpm?: number;
		readonly spec?: number;
		readonly act?: number;
	};
}

export class ControllerProcess {
	/** Resolves with the address once the controller answers; never if it ends before. */
	readonly url: Promise<string>;
	/** Resolves with the exit code, 128 + the number of a signal, once all output was read. */
	readonly ended: Promise<number>;
	/** True once it has said on standard error what is wrong. */
	complained = false;
	readonly #child: ChildProcess;
	#hasEnded = false;

	/** @param print gets each line but the address, and whether it came on standard error */
	constructor(program: string, args: readonly string[], print: (line: string, isError: boolean) => void) {
		// Its own process group: Ctrl-C is ours to pass on, after the vehicle has stopped.
		// Its input is a pipe from us, so that it ends even when we are killed and can tell it nothing.
		const child = spawn(program, [...args, "--until-eof"], { stdio: ["pipe", "pipe", "pipe"], detached: true });
		this.#child = child;
		this.url = new Promise((resolve) => {
			createInterface({ input: child.stdout }).on("line", (line) => {
				const match = LISTENING.exec(line);
				if (match) resolve(match[1]);
				else print(line, false);
			});
		});
		const complain = (line: string) => {
			this.complained = true;
			print(line, true);
		};
		createInterface({ input: child.stderr }).on("line", complain);
		this.ended = new Promise((resolve) => {
			child.on("error", (error) => {
				complain(`can't run ${program}: ${error.message}`);
				this.#hasEnded = true;
				resolve(1);
			});
			child.on("close", (code, signal) => {
				this.#hasEnded = true;
				resolve(code ?? 128 + (signal === "SIGKILL" ? 9 : signal === "SIGSEGV" ? 11 : signal === "SIGABRT" ? 6 : 15));
			});
		});
	}

	/** Lets what is typed press the board's controls, a line each: "button mode down", "input brake on". */
	press(typed: NodeJS.ReadableStream): void {
		typed.pipe(this.#child.stdin as NodeJS.WritableStream, { end: false });
	}

	/** Ends it, the hard way after a while. Idempotent. */
	async end(): Promise<void> {
		if (this.#hasEnded) return;
		this.#child.kill("SIGTERM");
		const kill = setTimeout(() => this.#child.kill("SIGKILL"), END_MS);
		await this.ended;
		clearTimeout(kill);
	}
}

/** Reads the status; undefined if it can't be had. Never rejects. */
export async function readStatus(url: string): Promise<ControllerStatus | undefined> {
	try {
		// a connection that is kept would take one of the controller's few
		const options = { headers: { connection: "close" }, signal: AbortSignal.timeout(STATUS_TIMEOUT_MS) };
		const status: unknown = await (await fetch(`${url}/api/status`, options)).json();
		return typeof status === "object" && status !== null ? status : undefined;
	} catch {
		return undefined;
	}
}
