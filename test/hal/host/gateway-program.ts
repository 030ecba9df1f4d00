/**
 * Builds and runs `gateway_host_main.c` (the gateway's host driver without the engine) and talks to its
 * buses.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { compile, ROOT } from "../../modules/can-gateway/build.js";

/** Only a hang takes longer. */
const HANG_MS = 120_000;

/** What moves frames on this computer, the core apart. */
export const GATEWAY_FILES = [
	...["clock.c", "gateway_host.c", "log_link.c", "socket_link.c"].map((name) => join(ROOT, "hal/host", name)),
	join(ROOT, "hal/esp32/bridge.c"),
];

/** Of these files. All programs with them use this list, so they share objects. */
export const GATEWAY_OPTIONS = [
	...["-std=gnu11", "-Wno-conversion"],
	...["hal/host", "test/hal/contract", "test/modules/can-gateway"].flatMap((folder) => ["-I", join(ROOT, folder)]),
];

/** Builds the driver with its test program. @returns its path */
export function compileGateway(name: string, flags: string[]): string {
	return compile(name, [join(ROOT, "test/hal/host/gateway_host_main.c"), ...GATEWAY_FILES], flags, GATEWAY_OPTIONS);
}

/** A plan of one rule: byte 0 of chassis frame 0x280 becomes 0x55. */
export const PLAN = new Uint8Array(12 + 44);
PLAN.set([2, 1, 0, 0, 0, 0, 0, 1]);
PLAN.set([0x80, 2, 0, 0, 0, 0, 1, 0, 1, 0x55, 0], 12);

interface GatewayOptions {
	chassis?: string;
	coupling?: string;
	plan?: string;
}

const argumentsOf = ({ chassis, coupling, plan }: GatewayOptions) => [chassis, coupling, plan].map((value) => value ?? "-");

/** A running gateway. */
export class GatewayProgram {
	readonly child: ChildProcess;
	#lines: AsyncIterator<string>;

	private constructor(program: string, options: GatewayOptions) {
		this.child = spawn(program, argumentsOf(options), { stdio: ["pipe", "pipe", "inherit"] });
		this.#lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
	}

	/** Resolves once the endpoints are open. */
	static async start(program: string, options: GatewayOptions): Promise<GatewayProgram> {
		const gateway = new GatewayProgram(program, options);
		const line = await gateway.#line();
		if (line !== "ready") throw new Error(`not ready: ${line}`);
		return gateway;
	}

	async #line(): Promise<string> {
		return (await this.#lines.next()).value;
	}

	command(line: string): void {
		this.child.stdin!.write(`${line}\n`);
	}

	async report(): Promise<Record<string, number>> {
		this.command("report");
		return JSON.parse(await this.#line());
	}

	/** Numbers as in the gateway's sample: 0 stopped, 1 active, 4 bus-off. */
	async states(): Promise<{ chassis: number; coupling: number }> {
		this.command("sample");
		return JSON.parse(await this.#line());
	}

	/** Resolves to the exit code. */
	async stop(): Promise<number | null> {
		if (this.child.exitCode !== null) return this.child.exitCode;
		this.command("quit");
		const [code] = await once(this.child, "exit");
		return code;
	}
}

/** Runs to the end. @returns exit code and output */
export async function runGateway(program: string, options: GatewayOptions) {
	const child = spawn(program, argumentsOf(options), { stdio: ["pipe", "pipe", "pipe"] });
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (data) => {
		stdout += data;
	});
	child.stderr.on("data", (data) => {
		stderr += data;
	});
	const [code] = await once(child, "close");
	return { code: code as number, stdout, stderr };
}

/** One SocketCAN record. */
export function frame(id: number, data: number[]): Buffer {
	const record = Buffer.alloc(16);
	record.writeUInt32LE(id >>> 0, 0);
	record[4] = data.length;
	record.set(data, 8);
	return record;
}

/** The other end of one bus. */
export class Peer {
	readonly socket: Socket;
	#bytes = Buffer.alloc(0);
	closed = false;

	private constructor(socket: Socket) {
		this.socket = socket;
		socket.on("data", (data) => {
			this.#bytes = Buffer.concat([this.#bytes, data]);
		});
		socket.on("error", () => undefined);
		socket.on("close", () => {
			this.closed = true;
		});
	}

	static async connect(path: string): Promise<Peer> {
		const socket = connect(path);
		await once(socket, "connect");
		return new Peer(socket);
	}

	send(...records: Uint8Array[]): void {
		this.socket.write(Buffer.concat(records));
	}

	/** Frames received so far, as "id#data". */
	get received(): string[] {
		const frames = [];
		for (let at = 0; at + 16 <= this.#bytes.length; at += 16) {
			const dlc = this.#bytes[at + 4];
			frames.push(`${this.#bytes.readUInt32LE(at).toString(16)}#${this.#bytes.toString("hex", at + 8, at + 8 + dlc)}`);
		}
		return frames;
	}

	/** Waits until this many frames are there. */
	async wait(count: number): Promise<string[]> {
		await until(() => this.received.length >= count);
		return this.received;
	}

	async disconnect(): Promise<void> {
		this.socket.destroy();
		await until(() => this.closed);
	}
}

/** Polls a condition each 2 ms. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	const deadline = Date.now() + HANG_MS;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`not within ${HANG_MS} ms: ${condition}`);
		await milliseconds(2);
	}
}

export const milliseconds = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
