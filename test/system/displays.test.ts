/** Displays that exist, as they speak, and clients of GET /api/events. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { type Bench, withBench } from "./bench-car.js";
import { EventClient } from "./event-client.js";
import { now, sleep } from "./wait.js";

interface Answer {
	readonly code: number;
	readonly text: string;
}

/** A display of the driver's. */
class Display {
	readonly #bench: Bench;
	/** The controller's address as the sketch has it. */
	readonly #host: string;

	constructor(bench: Bench, host: string) {
		this.#bench = bench;
		this.#host = host;
	}

	/**
	 * As `HTTPClient` does it; a connection for each request, which the client closes when it has the answer.
	 */
	request(method: string, path: string, body?: string): Promise<Answer> {
		const lines = [`${method} ${path} HTTP/1.1`, `Host: ${this.#host}`, "User-Agent: ESP32HTTPClient", "Connection: keep-alive"];
		lines.push("Accept-Encoding: identity;q=1,chunked;q=0.1,*;q=0");
		if (body !== undefined) lines.push("Content-Type: application/json", `Content-Length: ${body.length}`);
		return new Promise((resolve, reject) => {
			const socket = connect(this.#bench.port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`));
			let received = "";
			socket.setEncoding("utf8");
			socket.on("data", (chunk) => {
				received += chunk;
				const answer = whole(received);
				if (answer === undefined) return;
				socket.destroy();
				resolve(answer);
			});
			socket.on("error", reject);
			socket.on("close", () => reject(new Error(`the answer breaks off: ${received}`)));
		});
	}

	async read(path: string): Promise<string> {
		const { code, text } = await this.request("GET", path);
		assert.ok(code > 0 && code < 400, `${path}: ${code}`);
		return text;
	}

	async select(body: string): Promise<number> {
		return (await this.request("POST", "/api/mode", body)).code;
	}
}

/** The answer once it is there to its end. */
function whole(received: string): Answer | undefined {
	const end = received.indexOf("\r\n\r\n");
	if (end < 0) return undefined;
	const head = received.slice(0, end);
	const body = received.slice(end + 4);
	const code = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
	const length = /^content-length: (\d+)$/im.exec(head)?.[1];
	if (length !== undefined) return body.length < Number(length) ? undefined : { code, text: body };
	assert.match(head, /^transfer-encoding: chunked$/im);
	let text = "";
	for (let rest = body; ; ) {
		const line = rest.indexOf("\r\n");
		const size = Number.parseInt(rest.slice(0, line), 16);
		if (line < 0 || rest.length < line + 4 + size) return undefined;
		if (size === 0) return { code, text };
		text += rest.slice(line + 2, line + 2 + size);
		rest = rest.slice(line + 4 + size);
	}
}

/** What follows the first `"key":"`, up to the next quotation mark. */
function firstText(json: string, key: string): string | undefined {
	const start = json.indexOf(`"${key}":"`);
	if (start < 0) return undefined;
	const from = start + key.length + 4;
	return json.slice(from, json.indexOf('"', from));
}

/** The digits, and a sign, that follow the first `"key":`, blanks skipped. */
function firstNumber(json: string, key: string): number | undefined {
	const found = new RegExp(`"${key}":[ \\t]*(-?\\d+)`).exec(json);
	return found === null || json.indexOf(`"${key}":`) !== found.index ? undefined : Number(found[1]);
}

describe("displays that exist", () => {
	it("the touch display for OpenHaldex-S3", async () => {
		await withBench({}, async (bench) => {
			bench.show(40, 40);
			await bench.untilStatus(({ controlActive }) => controlActive, 8000, "control");
			const display = new Display(bench, "192.168.4.1");
			const buttons = [
				["FWD", "STOCK"],
				["9010", "90:10"],
				["8020", "80:20"],
				["7030", "70:30"],
				["6040", "60:40"],
				["5050", "50:50"],
			] as const;
			for (const [name, fallback] of buttons)
				for (const asked of [name, fallback]) {
					assert.equal(await display.select(`{"mode":"${asked}"}`), 200, asked);
					const status = await display.read("/api/status");
					const canonical = asked === "STOCK" ? "STOCK" : name;
					assert.equal(firstText(status, "mode"), canonical, asked);
					assert.equal(firstText(status, "effectiveMode"), canonical, asked);
				}
			await bench.untilStatus(({ telemetry }) => telemetry["spec"] === 100, 4000, "the lock of 50:50");
			for (const row of bench.chassisRows) row.silent = true;
			await bench.untilStatus(({ effectiveMode }) => effectiveMode === "STOCK", 4000, "stock");
			const status = await display.read("/api/status");
			assert.deepEqual([firstText(status, "mode"), firstText(status, "effectiveMode")], ["5050", "STOCK"]);
		});
	});

	it("the sketch for OpenHaldex-C6", async () => {
		await withBench({}, async (bench) => {
			bench.show(40, 40);
			await bench.untilStatus(({ controlActive }) => controlActive, 8000, "control");
			const display = new Display(bench, "192.168.1.1");
			for (const [number, canonical] of ["STOCK", "FWD", "5050", "6040", "7030", "MAP"].entries()) {
				assert.equal(await display.select(`{"mode":${number}}`), 200, canonical);
				assert.equal(firstNumber(await display.read("/api/dashboard"), "mode"), number, canonical);
				assert.equal((await bench.status()).mode, canonical);
			}
			// a mode that it does not have: the sketch takes 0 to 5 only, and shows what it showed before
			await bench.mode("8020");
			assert.equal(firstNumber(await display.read("/api/dashboard"), "mode"), -1);
		});
	});
});

/** One look at the mode, one of the server, and what a loaded machine and two processes add. */
const AT_ONCE_MS = 150 + 250;

async function withClients(bench: Bench, queries: readonly string[], test: (clients: EventClient[]) => Promise<void>) {
	const clients = queries.map((query) => new EventClient(bench.port, query));
	try {
		for (const client of clients) assert.equal(await client.opened(), 200);
		await test(clients);
	} finally {
		for (const client of clients) client.close();
	}
}

describe("system: GET /api/events", () => {
	it("sends a new mode at once to every client, and the status's values", () =>
		withBench({}, async (bench) => {
			bench.show(30, 50);
			await bench.untilCommand();
			await withClients(bench, ["", "?hz=1", "?hz=20", "?hz=5"], async (clients) => {
				for (const client of clients) await client.next(({ event }) => event === "telemetry", "telemetry");
				const from = now();
				assert.equal((await bench.mode("5050")).code, 200);
				for (const client of clients) {
					const event = await client.next(({ data }) => data["effectiveMode"] === "5050", "mode 5050");
					assert.equal(event.event, "mode");
					assert.deepEqual([event.data["mode"], event.data["reason"]], ["5050", "control is active"]);
					assert.ok(event.at - from < AT_ONCE_MS, `after ${event.at - from} ms`);
				}
				const { data } = await clients[2].next(({ data }) => data["spec"] === 100, "a lock of 100 %");
				const { telemetry } = await bench.status();
				assert.deepEqual([data["speed"], data["throttle"]], [telemetry["speed"], telemetry["throttle"]]);
				assert.deepEqual(Object.keys(data), ["uptimeMs", ...Object.keys(telemetry)]);
			});
		}));

	it("serves others while a client stops reading, and sends that one the newest state", () =>
		withBench({}, async (bench) => {
			await withClients(bench, ["?hz=20", "?hz=20", "?hz=20", "?hz=20"], async ([stopped, ...others]) => {
				await stopped.next(({ event }) => event === "telemetry", "telemetry");
				stopped.read(false);
				const before = others.map((client) => client.count("telemetry"));
				await sleep(3000);
				const counts = others.map((client, i) => client.count("telemetry") - before[i]);
				for (const count of counts) assert.ok(count >= 40, `${counts} in 3 s`);
				await bench.mode("5050");
				stopped.read(true);
				await stopped.next(({ data }) => data["mode"] === "5050", "the newest state");
			});
		}));
});
