/**
 * The host program in lock-step: its buses are this connection, its time goes on only as it is told
 * (`hal/host/README.md`, "Virtual time"). The same commands give the same output to the byte, and far faster
 * than real time.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answers.js";
import { EXTENDED, REMOTE, type WireFrame } from "./frame-judge.js";

/** Bus 0 is the chassis, 1 the coupling. */
export type Bus = 0 | 1;

/** What left the controller, in order; `ms` since this process started. */
export type Output =
	| { readonly kind: "frame"; readonly ms: number; readonly bus: Bus; readonly frame: WireFrame }
	| { readonly kind: "pwm"; readonly ms: number; readonly duty: number };

/** Members of the program's report (`hal/host/host.h`). */
export interface Report {
	readonly heap: Readonly<Record<"slotsLive" | "slotsPeak" | "chunksLive" | "chunksPeak" | "keys" | "collections", number>>;
	/** Since the start. */
	readonly storage: { readonly operations: number };
	/** Names that the engine has made last. */
	readonly youngestNames: readonly string[];
	/** Bytecodes since the start, modulo 2^32. */
	readonly meter: number;
	/** Longest wait of a timer since the last report. */
	readonly longestTurnBytecodes: number;
	readonly pwm: readonly { readonly duty: number; readonly idled: number }[];
}

/** Answer to a request. */
export interface Answer {
	readonly code: number;
	readonly text: string;
	readonly type: string;
}

const STEP_MS = 10;
/**
 * An answer that takes longer than this of virtual time will not come. In the soak settings took 2.1 s, behind
 * the writes of other clients and of a log of both buses.
 */
const ANSWER_LIMIT_MS = 3000;
/** Looks at the sockets until all is read that had come. */
const LOOKS = 3;

/** The same until a server that is not full has taken a connection. */
const LOOKS_TO_CONNECT = 1000;

/**
 * Instead of a path: a port that the program chooses. Bytes then arrive when the kernel says, not when time
 * goes on.
 */
export const PORT = "";

/** One process of the program. Its time goes on only in `run`. */
export class Lockstep {
	/** Time of the process, ms. */
	ms = 0;
	/**
	 * What its LED and its outputs did, as it said so: `led 400000`, `output brake 1`; whoever has read it
	 * may empty it.
	 */
	controls: { readonly ms: number; readonly text: string }[] = [];
	log: string[] = [];
	complaints = "";
	/** Undefined while it runs; null: a signal ended it. */
	exitCode: number | null | undefined;
	/** How often it has started, by itself too. */
	starts = 0;
	/** Its exit code when it has ended. */
	readonly ended: Promise<number | null>;
	readonly #child: ChildProcess;
	readonly #http: string;
	/** Of the server, where it has one: another after each start. */
	#port = 0;
	#text = "";
	#lines: string[] = [];
	#output: Output[] = [];
	#sentBytes = 0;
	#received = 0;
	#waiting: { resolve: () => void; reject: (error: Error) => void } | undefined;
	#answers = 0;

	private constructor(program: string | readonly string[], http: string, args: readonly string[]) {
		this.#http = http;
		const server = http === PORT ? "0" : `unix:${http}`;
		const [command, ...before] = typeof program === "string" ? [program] : program;
		this.#child = spawn(command, [...before, "--pace", "steps", "--http", server, ...args], { stdio: "pipe" });
		this.#child.stdin?.on("error", () => {}); // it has ended; "close" says so
		this.#child.stdout?.on("data", (chunk) => this.#read(String(chunk)));
		this.#child.stderr?.on("data", (chunk) => this.#hear(String(chunk)));
		this.ended = new Promise((resolve) => {
			this.#child.on("close", (code) => {
				this.exitCode = code;
				this.#settle();
				resolve(code);
			});
		});
	}

	/**
	 * Starts the program.
	 * @param program its path, or a command with arguments that starts it
	 * @param http path of its UNIX socket; PORT: it takes a port, and its clients have addresses
	 */
	static async start(program: string | readonly string[], http: string, args: readonly string[]): Promise<Lockstep> {
		const lockstep = new Lockstep(program, http, args);
		await lockstep.#answered();
		return lockstep;
	}

	get hasEnded(): boolean {
		return this.exitCode !== undefined;
	}

	/** Lets a frame arrive. @param ms of the process, not in the past */
	arrive(ms: number, bus: Bus, frame: WireFrame): void {
		const digits = frame.flags & EXTENDED ? 8 : 3;
		const id = frame.id.toString(16).toUpperCase().padStart(digits, "0");
		const data = frame.flags & REMOTE ? `R${frame.data.length}` : Buffer.from(frame.data).toString("hex").toUpperCase();
		this.#lines.push(`(${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, "0")}000) can${bus} ${id}#${data}\n`);
	}

	/**
	 * A command that is not answered: `fault NAME`, `connect BUS`, `disconnect BUS`. It takes effect before
	 * the frames that come next.
	 */
	command(text: string): void {
		this.#lines.push(`${text}\n`);
	}

	/**
	 * Lets time go on.
	 * @returns what left meanwhile; the program may have ended then, or have started anew
	 */
	run(ms: number): Promise<Output[]> {
		return this.#do(`run ${ms}`);
	}

	/** Collects garbage. */
	collect(): Promise<unknown> {
		return this.#do("collect");
	}

	/** A command that is answered. */
	async #do(text: string): Promise<Output[]> {
		this.command(text);
		const answered = this.#answered();
		if (!this.hasEnded) this.#child.stdin?.write(this.#lines.join(""));
		this.#lines = [];
		await answered;
		const output = this.#output;
		this.#output = [];
		return output;
	}

	#answered(): Promise<void> {
		if (this.hasEnded) return Promise.resolve();
		const before = this.#answers;
		return new Promise((resolve, reject) => {
			this.#waiting = { resolve, reject };
			if (this.#answers !== before) this.#settle();
		});
	}

	/** Of the server, where it has one; 0 until it listens. */
	get port(): number {
		return this.#port;
	}

	/** Sends a signal to the process. */
	signal(name: NodeJS.Signals): void {
		this.#child.kill(name);
	}

	get pid(): number {
		return this.#child.pid as number;
	}

	/** Collects garbage. @returns the report of `hal/host/host.h` */
	async report(): Promise<Report> {
		const before = this.complaints.length;
		this.#child.kill("SIGUSR1");
		for (;;) {
			const found = /^\{"heap":.*\}(?=\n)/m.exec(this.complaints.slice(before));
			if (found !== null) return JSON.parse(found[0]) as Report;
			if (this.hasEnded) throw new Error("the controller has ended instead of reporting");
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
	}

	#settle(): void {
		const waiting = this.#waiting;
		this.#waiting = undefined;
		waiting?.resolve();
	}

	#read(chunk: string): void {
		const lines = (this.#text + chunk).split("\n");
		this.#text = lines.pop() ?? "";
		for (const line of lines) {
			if (line.startsWith("(")) this.#take(line);
			else if (line.startsWith('{"')) this.#takeAnswer(line);
			else {
				this.log.push(line);
				this.#port = portIn(line) ?? this.#port;
			}
		}
	}

	#hear(chunk: string): void {
		this.complaints += chunk;
		this.#port = portIn(chunk) ?? this.#port;
	}

	/** `(0000000001.250000) can1 280#0011` or `(...) pwm 4 512` */
	#take(line: string): void {
		const close = line.indexOf(")");
		const ms = Math.round(Number(line.slice(1, close)) * 1e6) / 1000;
		const [what, first, second] = line.slice(close + 2).split(" ");
		if (what === "led" || what === "output") {
			this.controls.push({ ms, text: line.slice(close + 2) });
			return;
		}
		if (what === "pwm") {
			this.#output.push({ kind: "pwm", ms, duty: Number(second) });
			return;
		}
		const hash = first.indexOf("#");
		const payload = first.slice(hash + 1);
		const remote = payload.startsWith("R");
		const data = remote ? new Uint8Array(Number(payload.slice(1) || 0)) : Uint8Array.from(Buffer.from(payload, "hex"));
		const flags = (hash === 8 ? EXTENDED : 0) + (remote ? REMOTE : 0);
		const frame = { id: Number.parseInt(first.slice(0, hash), 16), flags, data };
		this.#output.push({ kind: "frame", ms, bus: what === "can0" ? 0 : 1, frame });
	}

	#takeAnswer(line: string): void {
		const answer = JSON.parse(line) as { ms: number; sentBytes: number; error?: string };
		this.#answers++;
		if (answer.error !== undefined) {
			this.#waiting?.reject(new Error(answer.error));
			this.#waiting = undefined;
			return;
		}
		if (answer.ms === 0 && answer.sentBytes === 0 && (this.starts === 0 || this.ms > 0)) {
			this.starts++;
			this.#received = 0;
		}
		this.ms = answer.ms;
		this.#sentBytes = answer.sentBytes;
		this.#settle();
	}

	/** Opens a connection, which the caller must destroy. */
	async connect(): Promise<Socket> {
		const socket = this.counted(this.dial());
		await once(socket, "connect");
		return socket;
	}

	/** A connection, of whatever port of the program, that `delivered` waits for. */
	counted(socket: Socket): Socket {
		return socket.on("data", (data) => (this.#received += data.length));
	}

	/** The same without waiting. @param address it comes from, where the server has a port */
	dial(address = "127.0.0.1"): Socket {
		const port = { host: "127.0.0.1", port: this.#port, localAddress: address };
		const socket = this.#http === PORT ? connect(port) : connect(this.#http);
		socket.on("error", () => {});
		return socket;
	}

	/**
	 * Resolves when clients have what was sent to them; what has come to a port, whose clients need not read.
	 */
	async delivered(): Promise<void> {
		if (this.#http === PORT) for (let look = 0; look < LOOKS; look++) await new Promise((resolve) => setImmediate(resolve));
		else await this.#allDelivered();
	}

	async #allDelivered(): Promise<void> {
		while (!this.hasEnded && this.#received < this.#sentBytes) await new Promise((resolve) => setImmediate(resolve));
	}

	/**
	 * Asks the interface.
	 * @param step lets time go on, 0 or more ms, and the car with it
	 * @param key of the owner, "" = none
	 * @returns undefined if there is no answer: it has ended, is stalled, or nobody listens
	 */
	async ask(
		method: string,
		path: string,
		body: string,
		step: (ms: number) => Promise<void>,
		key = "",
	): Promise<Answer | undefined> {
		const socket = this.counted(this.dial());
		const reader = new AnswerReader();
		reader.expect(method);
		let closed = false;
		socket.on("data", (data) => reader.take(data));
		socket.on("close", () => (closed = true));
		const owner = key === "" ? "" : `Authorization: Bearer ${key}\r\n`;
		const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${owner}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
		let sent = false;
		socket.write(`${head}Connection: close\r\n\r\n${body}`, () => (sent = true));
		try {
			for (let waited = 0; waited <= ANSWER_LIMIT_MS && !this.hasEnded; ) {
				// behind a server that stands still the queue may be full: it goes on only if time does
				for (let look = 0; !sent && !closed && look < LOOKS_TO_CONNECT; look++)
					await new Promise((resolve) => setImmediate(resolve));
				await step(0);
				await this.delivered();
				const [answer] = reader.heard;
				if (answer !== undefined) return { ...answer, code: answer.status };
				if (closed) return undefined;
				await step(STEP_MS);
				waited += STEP_MS;
			}
			return undefined;
		} finally {
			socket.destroy();
		}
	}

	/** As its user ends it: what it records is whole then. */
	async end(): Promise<void> {
		if (this.hasEnded) return;
		this.#child.stdin?.end();
		await once(this.#child, "close");
	}

	/** Ends the process at once. */
	async kill(): Promise<void> {
		if (this.hasEnded) return;
		this.#child.kill("SIGKILL");
		await once(this.#child, "close");
	}
}

function portIn(text: string): number | undefined {
	const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
	return found === null ? undefined : Number(found[1]);
}
