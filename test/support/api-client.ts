// Requests to the interface without sockets: bytes through a connection and the real router.
import { gunzipSync } from "node:zlib";
import { ApiRouter } from "../../src/api/api-router.js";
import type { ApiContext } from "../../src/api/context.js";
import { ROUTES } from "../../src/api/routes.js";
import { Connection, type ConnectionContext } from "../../src/http/connection.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { InputBuffers } from "../../src/http/request-head.js";
import { anApiContext } from "./api-context.js";

const PAUSES = 20;

export interface Answer {
	readonly status: number;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	/** The parsed body. @throws if it is no JSON */
	json(): Record<string, unknown>;
}

/**
 * Sends one request to a fresh connection and returns its answer.
 * @param parts of the context
 * @param lines further header lines
 */
export function request(
	parts: Partial<ApiContext>,
	method: string,
	path: string,
	body: string | Uint8Array = "",
	...lines: string[]
): Answer {
	const faults: unknown[] = [];
	const due: (() => void)[] = [];
	const context = anApiContext({ later: (callback) => due.push(callback), ...parts });
	const shared: ConnectionContext = {
		limits: HTTP_LIMITS,
		router: new ApiRouter(context, ROUTES),
		buffers: new InputBuffers(HTTP_LIMITS),
		hasHeap: () => true,
		evictFor: () => false,
		isWanted: () => false,
		onFault: (error) => faults.push(error),
	};
	const connection = new Connection(shared, 0);
	const bytes = Buffer.from(body);
	const host = lines.some((line) => line.startsWith("Host:")) ? [] : ["Host: localhost"];
	const length = bytes.length > 0 || method === "POST" ? [`Content-Length: ${bytes.length}`] : [];
	const head = [`${method} ${path} HTTP/1.1`, ...host, ...length, ...lines, "", ""].join("\r\n");
	const all = new Uint8Array(Buffer.concat([Buffer.from(head), bytes]));
	for (let at = 0; at < all.length && connection.space() > 0; ) {
		const end = Math.min(all.length, at + connection.space());
		connection.receive(all.slice(at, end), 0);
		while (connection.isPaused) connection.resume(0);
		at = end;
	}
	let answer = "";
	const into = new Uint8Array(1400);
	// a producer that has worked long enough, or waits, gives nothing for once
	for (let pauses = 0; pauses < PAUSES; ) {
		const end = connection.pull(into, 0, 1400, 0);
		if (end === 0) pauses++;
		for (const callback of due.splice(0)) callback();
		answer += Buffer.from(into.subarray(0, end)).toString("latin1");
	}
	if (faults.length > 0) throw faults[0];
	return parseAnswer(Buffer.from(answer, "latin1"));
}

function parseAnswer(answer: Buffer): Answer {
	const end = answer.indexOf("\r\n\r\n");
	const [first, ...lines] = answer.subarray(0, end).toString().split("\r\n");
	const headers: Record<string, string> = {};
	for (const line of lines) headers[line.slice(0, line.indexOf(":")).toLowerCase()] = line.slice(line.indexOf(":") + 2);
	let body = answer.subarray(end + 4);
	if (headers["transfer-encoding"] === "chunked") body = dechunk(body);
	if (headers["content-encoding"] === "gzip" && body.length > 0) body = gunzipSync(body);
	const text = body.toString();
	return { status: Number(first.split(" ")[1]), headers, text, json: () => JSON.parse(text) };
}

function dechunk(body: Buffer): Buffer {
	const parts: Buffer[] = [];
	for (let at = 0; ; ) {
		const feed = body.indexOf("\r\n", at);
		const size = Number.parseInt(body.subarray(at, feed).toString(), 16);
		if (!(size > 0)) return Buffer.concat(parts);
		parts.push(body.subarray(feed + 2, feed + 2 + size));
		at = feed + 4 + size;
	}
}
