/**
 * A client that does everything at random from its seed, on a connection of its own address: right, wrong and
 * hostile.
 */
import type { Socket } from "node:net";
import { wrongAnswer } from "../../test/support/openapi.js";
import type { Random } from "../../test/support/random.js";
import { AnswerReader } from "../campaign/answers.js";
import { aDump, aStream, bytesOf, diagnosis, hostile, type Request, read, write, wrong } from "./requests.js";

/** An answer that has not come by then will not come: longer than each limit of the server. */
const ANSWER_MS = 45_000;
/** How many requests may wait on a connection at once. */
const PIPELINED = 6;
/** Allowed of what no description tells: it was no request. */
const REFUSALS = new Set([200, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 417, 431, 501, 503, 504, 505]);

/** Of the page, which no description has. */
const PAGE = new Set([200, 302, 304]);

export interface Counts {
	/** Requests by kind. */
	readonly sent: Record<string, number>;
	/** Answers by status. */
	readonly answered: Record<string, number>;
	connections: number;
	bytes: number;
}

export interface ClientOptions {
	readonly dial: (address: string) => Socket;
	readonly address: string;
	readonly random: Random;
	readonly counts: Counts;
	readonly complain: (text: string) => void;
	/** Flash may be failing: 500 is right then. */
	readonly flashFails: () => boolean;
}

export class Client {
	readonly #options: ClientOptions;
	#socket: Socket | undefined;
	#reader = new AnswerReader();
	/** Sent and not answered yet; undefined: hostile bytes, whose answers nobody foretells. */
	#waiting: { readonly request: Request | undefined; readonly sinceMs: number }[] = [];
	/** Rests, or lets the other side wait, until then. */
	#untilMs = 0;
	/** What is sent a piece at a time. */
	#rest: Buffer = Buffer.alloc(0);
	#isHostile = false;

	constructor(options: ClientOptions) {
		this.#options = options;
	}

	/** Goes away, whatever is under way. */
	leave(): void {
		this.#socket?.destroy();
		this.#socket = undefined;
		this.#waiting = [];
		this.#rest = Buffer.alloc(0);
		this.#isHostile = false;
	}

	step(nowMs: number): void {
		const { random, counts } = this.#options;
		this.#hear(nowMs);
		if (this.#rest.length > 0) this.#dribble();
		if (nowMs < this.#untilMs) return;
		if (this.#socket === undefined) this.#open();
		else if (this.#reader.isStream || this.#isHostile || random.below(12) === 0) this.leave();
		else if (this.#socket.isPaused()) this.#socket.resume();
		if (this.#socket === undefined || this.#waiting.length > 0) return;
		const what = random.below(100);
		const go = (kind: string, request: Request, restMs: number): void => {
			counts.sent[kind] = (counts.sent[kind] ?? 0) + 1;
			this.#send(request, nowMs);
			this.#untilMs = nowMs + restMs;
		};
		if (what < 37) go("read", read(random), random.below(120));
		else if (what < 40) go("diagnosis", diagnosis(random), random.below(200));
		else if (what < 55) go("write", write(random), random.below(200));
		else if (what < 72) go("wrong", wrong(random), random.below(100));
		else if (what < 76) for (let n = 1 + random.below(PIPELINED); n > 0; n--) go("pipelined", read(random), random.below(400));
		else if (what < 80) go("stream", aStream(random), 200 + random.below(8000));
		else if (what < 84) {
			go("dump", aDump(random), random.below(3000));
			if (random.below(3) === 0) this.#socket.pause();
		} else if (what < 97) {
			counts.sent["hostile"] = (counts.sent["hostile"] ?? 0) + 1;
			this.#assault(hostile(random), nowMs);
		} else this.#untilMs = nowMs + random.of([1000, 1000, 1000, 35_000]);
	}

	#open(): void {
		const { dial, address, counts } = this.#options;
		const socket = dial(address);
		const reader = new AnswerReader();
		socket.on("data", (chunk: Buffer) => {
			counts.bytes += chunk.length;
			reader.take(chunk);
		});
		socket.on("close", () => {
			if (this.#socket === socket) this.leave();
		});
		counts.connections++;
		this.#socket = socket;
		this.#reader = reader;
	}

	#send(request: Request, nowMs: number): void {
		this.#reader.expect(request.method);
		this.#waiting.push({ request, sinceMs: nowMs });
		this.#socket?.write(bytesOf(request));
	}

	/** At once, or a few bytes at a time; then it waits, or goes. */
	#assault(bytes: Buffer, nowMs: number): void {
		const { random } = this.#options;
		this.#isHostile = true;
		this.#waiting.push({ request: undefined, sinceMs: nowMs });
		if (random.below(2) === 0) this.#socket?.write(bytes);
		else this.#rest = bytes;
		this.#untilMs = nowMs + random.of([0, 0, 20, 20, 100, 100, 500, 500, 2000, 25_000]);
	}

	#dribble(): void {
		const { random } = this.#options;
		const length = 1 + random.below(random.of([1, 3, 60]));
		this.#socket?.write(this.#rest.subarray(0, length));
		this.#rest = this.#rest.subarray(length);
	}

	/** Judges what has come. */
	#hear(nowMs: number): void {
		const { complain, counts, flashFails } = this.#options;
		const reader = this.#reader;
		const show = (request: Request | undefined): string => `${request?.method ?? "hostile"} ${request?.path ?? "bytes"}`;
		for (const { status, type, text } of reader.heard.splice(0)) {
			counts.answered[status] = (counts.answered[status] ?? 0) + 1;
			const waiting = this.#waiting.length > 0 && !this.#isHostile ? this.#waiting.shift() : undefined;
			if (status === 500 && flashFails()) continue;
			if (status === 500) complain(`${show(waiting?.request)} is answered 500 ${text}`);
			else if (waiting?.request === undefined) {
				if (!REFUSALS.has(status)) complain(`hostile bytes are answered ${status} ${text}`);
			} else {
				const { method, path } = waiting.request;
				const problem = path.startsWith("/api/") || !PAGE.has(status) ? wrongAnswer(method, path, status, type, text) : "";
				if (problem !== "") complain(problem);
			}
		}
		if (reader.problem !== "") {
			complain(`${show(this.#waiting[0]?.request)}: ${reader.problem}`);
			this.leave();
		}
		const [first] = this.#waiting;
		const isKept = this.#socket?.isPaused() === true || this.#isHostile;
		if (first !== undefined && !isKept && nowMs - first.sinceMs > ANSWER_MS) {
			complain(`${show(first.request)} has no answer after ${ANSWER_MS} ms`);
			this.leave();
		}
	}
}
