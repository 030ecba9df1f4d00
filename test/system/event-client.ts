/** A client of the event stream, over a real socket. */
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { now, until } from "./wait.js";

/** As a client reads it. Source: HTML standard, 9.2. */
export interface ServerEvent {
	/** The event's name; "retry" for a block that only says how long to wait. */
	readonly event: string;
	readonly id?: string;
	readonly data: Readonly<Record<string, unknown>>;
}

/** Whole events in a piece of a stream, and what follows the last of them. */
export function splitEvents(text: string): { events: ServerEvent[]; rest: string } {
	const blocks = text.split("\n\n");
	const rest = blocks.pop() ?? "";
	return { events: blocks.map(readEvent), rest };
}

function readEvent(block: string): ServerEvent {
	const fields = new Map(
		block.split("\n").map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
	);
	const id = fields.get("id");
	return {
		event: fields.get("event") ?? (fields.has("retry") ? "retry" : ""),
		...(id === undefined ? {} : { id }),
		data: JSON.parse(fields.get("data") ?? "{}"),
	};
}

export class EventClient {
	/** Everything received, each with the moment it came in, ms on the test's clock. */
	readonly events: (ServerEvent & { readonly at: number })[] = [];
	code = 0;
	ended = false;
	readonly #request: ClientRequest;
	#response: IncomingMessage | undefined;
	#rest = "";

	/** @param query such as "?hz=20" */
	constructor(port: number, query = "") {
		this.#request = get({ host: "127.0.0.1", port, path: `/api/events${query}`, agent: false }, (response) => {
			this.#response = response;
			this.code = response.statusCode ?? 0;
			response.on("data", (chunk) => {
				const at = now();
				const { events, rest } = splitEvents(this.#rest + chunk);
				this.#rest = rest;
				for (const event of events) this.events.push({ ...event, at });
			});
			response.on("error", () => {});
			response.on("close", () => (this.ended = true));
		});
		this.#request.on("error", () => (this.ended = true));
	}

	/** Waits for the answer's head. @returns its status code */
	async opened(): Promise<number> {
		return await until(() => (this.code === 0 ? undefined : this.code), 5000, "an answer to GET /api/events");
	}

	/** Waits for an event that fits. */
	async next(fits: (event: ServerEvent) => boolean, what: string, timeoutMs = 5000): Promise<ServerEvent & { at: number }> {
		return await until(
			() => this.events.find(fits),
			timeoutMs,
			() => `${what}; the last was ${JSON.stringify(this.events.at(-1))}`,
		);
	}

	count(name: string): number {
		return this.events.filter(({ event }) => event === name).length;
	}

	/** Takes nothing from now on, or everything again. */
	read(reading: boolean): void {
		if (reading) this.#response?.resume();
		else this.#response?.pause();
	}

	close(): void {
		this.#request.destroy();
	}
}
