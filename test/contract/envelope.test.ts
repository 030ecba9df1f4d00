/**
 * docs/api.md, "Rules", "Limits"; docs/decisions.md 13, 15, 16: what holds for every endpoint, whatever it is
 * about.
 */
import assert from "node:assert/strict";
import { ROUTES } from "../../src/api/routes.js";
import { wrongAnswer } from "../../tools/openapi.js";
import { connect } from "../support/http-server.js";
import { Bench } from "../system/bench-car.js";

const JSON_POSTS = ROUTES.filter(({ method, body }) => method === "POST" && body === "collect").map(({ path }) => path);
/** Takes texts that are no JSON, too. */
const TEXTS_TOO = new Set(["/api/maps/import"]);
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("contract: envelope", () => {
	let bench: Bench;
	before(async () => {
		bench = await Bench.start({ connected: false });
	});
	after(() => bench.end());

	/** Sends exactly these bytes; @returns status, header block and body */
	async function raw(head: string, body: string | Uint8Array = ""): Promise<{ status: number; head: string; text: string }> {
		const client = connect(bench.port);
		client.send(Buffer.concat([Buffer.from(`${head}\r\nConnection: close\r\n\r\n`), Buffer.from(body)]));
		await client.closed;
		const end = client.received.indexOf("\r\n\r\n");
		const answer = { status: Number(client.received.slice(9, 12)), head: client.received.slice(0, end), text: "" };
		const text = client.received.slice(end + 4);
		answer.text = /transfer-encoding: chunked/i.test(answer.head)
			? text.replace(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, "")
			: text;
		return answer;
	}

	async function post(path: string, body: string | Uint8Array, ...lines: string[]) {
		const length = lines.some((line) => /^content-length/i.test(line)) ? [] : [`Content-Length: ${Buffer.from(body).length}`];
		const answer = await raw([`POST ${path} HTTP/1.1`, "Host: localhost", ...length, ...lines].join("\r\n"), body);
		const type = /content-type: (.*)/i.exec(answer.head)?.[1] ?? "";
		if (!/chunked/i.test(answer.head)) assert.equal(wrongAnswer("POST", path, answer.status, type.trim(), answer.text), "");
		return answer;
	}

	const each = (title: string, run: (path: string) => Promise<unknown>) =>
		it(`${title}, each POST with a body`, async () => {
			assert.ok(JSON_POSTS.length > 0);
			for (const path of JSON_POSTS) await run(path);
		});

	const expectError = async (path: string, status: number, error: string, body: string | Uint8Array, ...lines: string[]) => {
		const target = TEXTS_TOO.has(path) ? `${path}?name=x` : path;
		const answer = await post(target, body, ...lines);
		const where = `${path} ${Buffer.from(body).toString().slice(0, 60)} ${lines} ${answer.text}`;
		assert.equal(answer.status, status, where);
		const rejection = JSON.parse(answer.text);
		if (!TEXTS_TOO.has(path) || status !== 400) assert.equal(rejection.error, error, where);
		return rejection;
	};

	each("400 invalid json: what is not JSON", async (path) => {
		const notUtf8 = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
		for (const body of ["{", '{"a":1}x', notUtf8, deep(11)]) await expectError(path, 400, "invalid json", body);
		// clients of the reference begin a calibration without a body, and are told what is missing
		if (path !== "/api/learn/start") await expectError(path, 400, "invalid json", "");
	});

	each("400 invalid object: JSON, but no object", async (path) => {
		for (const body of ["[]", "null"]) await expectError(path, 400, "invalid object", body);
	});

	each("413 for more than 8 KiB, sent or announced", async (path) => {
		const body = `{"a":"${"x".repeat(9000)}"}`;
		await Promise.all([
			expectError(path, 413, "body too large", body),
			expectError(path, 413, "body too large", "", "Content-Length: 1048576"),
		]);
	});

	each("415 for multipart", async (path) => {
		const type = "multipart/form-data; boundary=x";
		const { field, value, allowed } = await expectError(
			path,
			415,
			"unsupported media type",
			"--x--\r\n",
			`Content-Type: ${type}`,
		);
		assert.deepEqual([field, value, allowed.includes("application/json")], ["Content-Type", type, true]);
	});

	each("403 for foreign pages", (path) =>
		expectError(path, 403, "cross-origin request refused", "{}", "Origin: http://evil.example"),
	);

	it("403 for every path below /api under a foreign name, whatever the method", async () => {
		for (const { method, path } of ROUTES) {
			const { status } = await raw(`${method} ${path} HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0`);
			assert.equal(status, 403, `${method} ${path}`);
		}
	});

	it("HEAD answers as GET does, without a body; no-store, no-cache on files with an ETag, and no CORS header", async () => {
		for (const { method, path } of ROUTES) {
			const ask = (method: string) => raw(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0`);
			const { status, head, text } = await ask(method === "GET" ? "HEAD" : method);
			if (method === "GET") assert.equal(text, "", path);
			if (method === "GET" && path !== "/api/events") assert.equal(status, (await ask("GET")).status, path);
			const kept = /\r\nETag: /i.test(head) ? "no-cache" : "no-store";
			assert.ok(head.includes(`\r\nCache-Control: ${kept}`), `${path}: ${kept}`);
			assert.doesNotMatch(head, /access-control/i, path);
		}
	});

	it("lets one app in by exactly its origin, once the owner has set it, and asks it for the key", async () => {
		const app = "http://localhost";
		const ask = (method: string, path: string, origin: string, body = "", ...more: string[]) => {
			const lines = ["Host: 192.168.4.1", `Origin: ${origin}`, `Content-Length: ${body.length}`, ...more];
			return raw([`${method} ${path} HTTP/1.1`, ...lines].join("\r\n"), body);
		};
		const wish = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type"];
		const preflight = () => ask("OPTIONS", "/api/mode", app, "", ...wish);
		assert.equal((await preflight()).status, 403);
		assert.equal((await post("/api/settings", JSON.stringify({ allowedOrigin: app }))).status, 200);
		const answers = [
			await preflight(),
			await ask("POST", "/api/mode", app, '{"mode":"FWD"}', "Content-Type: application/json", "Sec-Fetch-Site: cross-site"),
			await ask("GET", "/api/uds/read?did=F189", app, "", "Accept-Language: de"),
		];
		assert.deepEqual(
			answers.map(({ status }) => status),
			[204, 200, 200],
		);
		for (const { head } of answers) assert.match(head, /\r\nAccess-Control-Allow-Origin: http:\/\/localhost\r\nVary: Origin\r\n/);
		assert.match(
			answers[0].head,
			/Allow-Methods: GET, HEAD, POST\r\n.*Allow-Headers: Authorization, Content-Type.*Max-Age: 600/s,
		);
		for (const other of ["null", "http://localhost.evil.example", "http://localhost:8100"])
			for (const [method, body] of [
				["OPTIONS", ""],
				["POST", '{"mode":"5050"}'],
			]) {
				const { status, head, text } = await ask(method, "/api/mode", other, body);
				assert.deepEqual([status, JSON.parse(text).detail.includes("allowedOrigin")], [403, true], `${method} ${other}`);
				assert.doesNotMatch(head, /access-control/i);
			}
		assert.equal((await bench.ask("POST", "/api/owner", '{"password":"correct horse"}')).code, 200);
		const locked = await ask("POST", "/api/mode", app, '{"mode":"5050"}');
		assert.deepEqual([locked.status, /Access-Control-Allow-Origin/.test(locked.head)], [401, true]);
		const { key } = JSON.parse((await ask("POST", "/api/session", app, '{"password":"correct horse"}')).text);
		const bearer = `Authorization: Bearer ${key}`;
		assert.equal((await ask("POST", "/api/settings", app, '{"allowedOrigin":""}', bearer)).status, 200);
		assert.equal((await preflight()).status, 403);
		assert.equal((await bench.ask("POST", "/api/owner", '{"password":""}', { Authorization: `Bearer ${key}` })).code, 200);
	});

	it("answers a client that closes its sending side behind the request, as nc -N does", async () => {
		const client = connect(bench.port);
		client.socket.end("GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n");
		await client.closed;
		assert.match(client.received, /^HTTP\/1\.1 200 .*\}\s*$/s);
	});

	it("answers a head that is too long or that it does not understand: 414, 431, 501", async () => {
		const get = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n";
		for (const [status, head] of [
			[414, `GET /${"x".repeat(1100)} HTTP/1.1\r\nHost: localhost`],
			[431, `${get}X: ${"y".repeat(5000)}`],
			[501, "BREW /api/status HTTP/1.1\r\nHost: localhost"],
		] as const)
			assert.equal((await raw(head)).status, status, head.slice(0, 80));
	});
});
