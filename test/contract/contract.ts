/**
 * The contract as tables: a row is a request and what its answer must be. Rows run in order against the real
 * program, over real sockets; every answer is held to the OpenAPI description as well. Source of the rows:
 * docs/api.md.
 */
import assert from "node:assert/strict";
import { wrongAnswer } from "../../tools/openapi.js";
import { skip } from "../support/skip.js";
import { Bench, type BenchOptions } from "../system/bench-car.js";

export interface Row {
	/** What the row is about, if the request does not tell. */
	readonly title?: string;
	/** Behind the endpoint's path: a query. */
	readonly query?: string;
	/** A text is sent as it is, anything else as JSON. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** Default 200. */
	readonly status?: number;
	/** The error's exact text. */
	readonly error?: string;
	/** Members of a JSON answer, which may have more. */
	readonly answer?: unknown;
	/** For an answer in text. */
	readonly text?: RegExp | string;
	/** Header lines of the answer, names in lower case. */
	readonly has?: Readonly<Record<string, string | RegExp>>;
	/** Paths that must answer the same before and after. */
	readonly unchanged?: readonly string[];
	/** What another path answers afterwards. */
	readonly afterwards?: Readonly<Record<string, unknown>>;
	/** Anything else to do or to check afterwards. */
	readonly check?: (reply: Reply, api: Api) => void | Promise<void>;
}

export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tables look at all kinds of answers
	json(): any;
}

/** A controller that runs already takes the program's place: the emulator's, tools/device/emulator.mjs. */
const RUNNING_PORT = Number(process.env["OPENCOUPLING_PORT"] ?? 0);

type Controller = Pick<Bench, "port" | "end">;

/** The interface of a running controller. */
export class Api {
	readonly bench: Controller;

	constructor(bench: Controller) {
		this.bench = bench;
	}

	/** Sends a request and holds its answer to the description. */
	async call(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
		const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
		// Node's fetch names languages as browsers do: it is the driver who has typed the address
		const type: Record<string, string> = { "Sec-Fetch-Site": "none" };
		if (body !== undefined) type["Content-Type"] = "application/json";
		const response = await fetch(`http://127.0.0.1:${this.bench.port}${path}`, {
			method,
			headers: { ...type, ...headers },
			signal: AbortSignal.timeout(120_000), // only a hang takes so long, in an emulator too
			redirect: "error",
			...sent,
		});
		const text = await response.text();
		assert.equal(wrongAnswer(method, path, response.status, response.headers.get("content-type") ?? "", text), "");
		return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
	}

	// biome-ignore lint/suspicious/noExplicitAny: tables look at all kinds of answers
	async get(path: string): Promise<any> {
		const reply = await this.call("GET", path);
		assert.equal(reply.status, 200, `GET ${path}: ${reply.text}`);
		return reply.json();
	}

	/** Runs a row of an endpoint such as "POST /api/mode". */
	async run(endpoint: string, row: Row): Promise<void> {
		const [method, path] = endpoint.split(" ");
		const where = `${row.title ?? ""} ${endpoint}${row.query ?? ""} ${show(row.body)}`.trim();
		const before = await Promise.all((row.unchanged ?? []).map((other) => this.get(other)));
		const reply = await this.call(method, path + (row.query ?? ""), row.body, row.headers);
		assert.equal(reply.status, row.status ?? (row.error === undefined ? 200 : 400), `${where}: ${reply.text.slice(0, 200)}`);
		if (row.error !== undefined) assert.equal(reply.json().error, row.error, where);
		if (row.answer !== undefined) assertHas(reply.json(), row.answer, where);
		if (typeof row.text === "string") assert.equal(reply.text, row.text, where);
		else if (row.text !== undefined) assert.match(reply.text, row.text, where);
		for (const [name, value] of Object.entries(row.has ?? {})) {
			const found = reply.headers.get(name) ?? "";
			assert.ok(typeof value === "string" ? found === value : value.test(found), `${where}: ${name}: ${found}`);
		}
		for (const [i, other] of (row.unchanged ?? []).entries())
			assert.deepEqual(await this.get(other), before[i], `${where}: ${other}`);
		for (const [other, value] of Object.entries(row.afterwards ?? {}))
			assertHas(await this.get(other), value, `${where}, then ${other}`);
		await row.check?.(reply, this);
	}
}

function show(body: unknown): string {
	return body === undefined ? "" : (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 120);
}

/** Objects may have more members than expected, arrays not more items. */
function assertHas(actual: unknown, expected: unknown, where: string): void {
	if (typeof expected !== "object" || expected === null) assert.deepEqual(actual, expected, where);
	else {
		assert.ok(typeof actual === "object" && actual !== null, `${where}: ${JSON.stringify(actual)}`);
		if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, `${where}: length`);
		for (const [key, value] of Object.entries(expected))
			assertHas((actual as Record<string, unknown>)[key], value, `${where}: ${key}`);
	}
}

/** As a bench's controller is at its start. */
async function running(port: number): Promise<Controller> {
	const controller = { port, end: async () => {} };
	const api = new Api(controller);
	await api.call("POST", "/api/settings", { couplingGeneration: 5 });
	await api.call("POST", "/api/mode", { mode: "MAP" });
	return controller;
}

/** Describes endpoints by rows; all run on one controller, in the order written. */
export function describeContract(title: string, options: BenchOptions, define: (endpoint: Endpoint) => void): void {
	describe(`contract: ${title}`, () => {
		let bench: Controller;
		before(async function () {
			if (RUNNING_PORT > 0 && options.connected !== false) skip(this, "needs the simulated car");
			bench = RUNNING_PORT > 0 ? await running(RUNNING_PORT) : await Bench.start(options);
		});
		after(() => bench?.end());
		define((endpoint, rows) =>
			it(`${endpoint}: answers as docs/api.md says`, async () => {
				const name = endpoint.split(",")[0];
				for (const row of rows) await new Api(bench).run(name, row);
			}));
	});
}

/**
 * @param name such as "POST /api/mode", with more words behind a comma if there are several tables of one
 * endpoint
 */
type Endpoint = (name: string, rows: readonly Row[]) => void;
