/** The client of updates: it uploads and looks. */
import { type ClientRequest, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Bench } from "./bench-car.js";
import { until } from "./wait.js";

/** For everything that takes a restart and a self-test. */
const RESTART_TIMEOUT_MS = 70_000;

export type UpdateState = Readonly<Record<string, string | number | boolean>>;

export async function updateState(bench: Bench): Promise<UpdateState> {
	return bench.get("/api/update");
}

/** Waits for a state; the controller may be away meanwhile. */
export async function untilUpdate(
	bench: Bench,
	fits: (state: UpdateState) => boolean,
	what: string,
	timeoutMs = RESTART_TIMEOUT_MS,
): Promise<UpdateState> {
	let last: UpdateState | undefined;
	return until(
		async () => {
			last = await updateState(bench).catch(() => undefined);
			return last !== undefined && fits(last) ? last : undefined;
		},
		timeoutMs,
		() => `${what}; it is ${JSON.stringify(last)}`,
	);
}

/** A port that stays the same over a restart. */
export async function freePort(): Promise<string> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return String(port);
}

/** Begins an upload of `length` bytes; write and end are the caller's. */
export function beginUpload(bench: Bench, length: number): { message: ClientRequest; answer: Promise<string> } {
	const headers = { "Content-Type": "application/octet-stream", "Content-Length": length };
	const options = { host: "127.0.0.1", port: bench.port, method: "POST", path: "/ota/update", headers, agent: false };
	const message = request({ ...options, timeout: 20_000 });
	const answer = new Promise<string>((resolve, reject) => {
		message.on("response", (response) => {
			let text = "";
			response.on("data", (chunk) => (text += chunk));
			response.on("end", () => resolve(`${response.statusCode} ${text}`));
			response.on("error", reject);
		});
		message.on("timeout", () => message.destroy(new Error("no answer to the upload")));
		message.on("error", reject);
	});
	answer.catch(() => undefined);
	return { message, answer };
}

/** Uploads a form of these fields, as browsers send it; bytes are a file. @returns status and text of the answer */
export async function uploadForm(bench: Bench, ...fields: (readonly [string, string | Uint8Array])[]): Promise<string> {
	const form = new FormData();
	for (const [name, value] of fields) form.append(name, typeof value === "string" ? value : new Blob([value]));
	const answer = await fetch(`http://127.0.0.1:${bench.port}/ota/update`, { method: "POST", body: form });
	return `${answer.status} ${await answer.text()}`;
}

/** Uploads; @returns status and text of the answer */
export async function upload(bench: Bench, image: Uint8Array): Promise<string> {
	const { message, answer } = beginUpload(bench, image.length);
	message.end(image);
	return answer;
}
