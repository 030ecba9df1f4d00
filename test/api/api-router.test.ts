import assert from "node:assert/strict";
import type { ApiContext } from "../../src/api/context.js";
import { ROUTES } from "../../src/api/routes.js";
import { FLUSH_AFTER_MS } from "../../src/logs/log.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";
import { aLogBench } from "../support/memory-files.js";
import { OwnerBench } from "../support/owner-bench.js";

describe("api/api-router", () => {
	it("matches paths exactly, with one trailing slash tolerated", () => {
		const rows: [string, string, number, string | undefined][] = [
			["GET", "/api/status", 200, undefined],
			["GET", "/api/status/", 200, undefined],
			["GET", "/api/%73tatus", 200, undefined],
			["GET", "http://localhost/api/status", 200, undefined],
			["GET", "/api/status//", 404, '{"error":"not found"}'],
			["GET", "/api/status/x", 404, '{"error":"not found"}'],
			["GET", "/api/Status", 404, '{"error":"not found"}'],
			["GET", "/api", 404, '{"error":"not found"}'],
			["GET", "/api/", 404, '{"error":"not found"}'],
			["OPTIONS", "/api/none", 404, '{"error":"not found"}'],
			["GET", "/", 404, "Not found"],
			["GET", "/apis", 404, "Not found"],
			["POST", "/favicon.ico", 404, "Not found"],
			["OPTIONS", "*", 404, "Not found"],
		];
		for (const [method, path, status, text] of rows) {
			const answer = request({}, method, path);
			assert.equal(answer.status, status, path);
			if (text !== undefined) assert.equal(answer.text, text, path);
			assert.equal(answer.headers["cache-control"], "no-store");
		}
	});

	it("answers another method with 405 and the methods of the path, and a longer path with 404", () => {
		const paths = new Set(ROUTES.map(({ path }) => path));
		for (const path of paths) {
			const has = ROUTES.filter((route) => route.path === path).map(({ method }) => (method === "GET" ? "GET, HEAD" : method));
			for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", ...(has.includes("POST") ? [] : ["POST"])]) {
				const { status, text, headers } = request({}, method, path, method === "POST" ? "{}" : "");
				assert.deepEqual(
					[status, text, headers["allow"]],
					[405, '{"error":"method not allowed"}', has.join(", ")],
					`${method} ${path}`,
				);
			}
			for (const other of [`${path}/x`, `${path}x`, `${path}//`])
				if (!paths.has(other)) assert.equal(request({}, "GET", other).status, 404, other);
		}
	});

	it("rejects foreign names for all of the interface and for writes anywhere, but shows them pages", () => {
		for (const [method, path, status] of [
			["GET", "/api/status", 403],
			["GET", "/api/none", 403],
			["POST", "/x", 403],
			["GET", "/x", 404],
		] as const)
			assert.equal(request({}, method, path, "", "Host: evil.example").status, status, path);
	});

	it("answers in a boot loop what leads out of it, and rejects the rest before it is looked at", () => {
		const there: string[] = [];
		for (const { method, path } of ROUTES) {
			const { status, text } = request({ bootLoop: true }, method, path, method === "GET" ? "" : "x");
			const { error, detail } = text.startsWith('{"error":"boot loop"') ? JSON.parse(text) : { error: "", detail: "" };
			if (error === "") there.push(path);
			else assert.ok(status === 503 && /only update, status and logs .* install another version/.test(detail), `${path} ${text}`);
		}
		assert.deepEqual(there, [
			...["/api/status", "/api/logs", "/api/logs/read", "/api/wifi", "/api/owner", "/api/session", "/api/network"],
			...["/api/update", "/api/update/check", "/api/update/install", "/ota/update"],
		]);
		assert.equal(request({ bootLoop: true }, "GET", "/api/none").status, 404);
		assert.equal(request({ bootLoop: true }, "POST", "/api/mode", "{}", "Host: evil.example").status, 403);
	});

	it("notes each rejected request in the log, whatever its path contains", () => {
		const { log, files, pass } = aLogBench();
		request({ log }, "GET", "/api/status");
		request({ log }, "POST", "/api/mode", '{"mode":"x"}');
		request({ log }, "GET", "/api/a%0A0%09ERROR%1b%22b?secret=1");
		request({ log }, "POST", `/${"l".repeat(300)}`, "", "Host: evil.example");
		request({ log }, "BREW", "/coffee");
		pass(FLUSH_AFTER_MS);
		assert.deepEqual((files.text("logs/all.txt") ?? "").split("\n"), [
			'0\tWARN\trequest\tPOST "/api/mode" 400 invalid mode',
			'0\tWARN\trequest\tGET "/api/a\\n0\\tERROR\\u001b\\"b" 404 not found',
			`0\tWARN\trequest\tPOST "/${"l".repeat(63)}" 403 cross-origin request refused`,
			"0\tWARN\trequest\t501 not implemented",
			"",
		]);
	});

	it("names the allowed app's origin in each answer, in an error too", () => {
		const appOrigin = "http://localhost";
		const controller = aController({ settings: { ...DEFAULT_SETTINGS, allowedOrigin: appOrigin } });
		const bench = new OwnerBench();
		bench.set("correct horse");
		for (const [method, path, body, status] of [
			["GET", "/api/status", "", 200],
			["POST", "/api/mode", '{"mode":"FWD"}', 401],
			["POST", "/api/owner", "x".repeat(9000), 401],
			["POST", "/api/session", "x", 400],
			["POST", "/api/session", "x".repeat(9000), 413],
			["GET", "/api/none", "", 404],
			["GET", "/api/mode", "", 405],
			["OPTIONS", "/ota/update", "", 204],
		] as const) {
			const answer = request({ controller, owner: bench.owner }, method, path, body, `Origin: ${appOrigin}`);
			const { "access-control-allow-origin": origin, vary } = answer.headers;
			assert.deepEqual([answer.status, origin, vary], [status, appOrigin, "Origin"], path);
		}
		const { headers } = request({ controller }, "GET", "/api/status");
		assert.deepEqual([headers["access-control-allow-origin"], headers["vary"]], [undefined, undefined]);
	});

	it("says which address works instead of a foreign name", () => {
		const network = { stationIp: "10.0.0.7", accessPointIp: "192.168.4.1" } as ApiContext["network"];
		const detail = (...lines: string[]) => request({ network }, "GET", "/api/status", "", ...lines).json()["detail"];
		assert.equal(detail("Host: evil.example:8080"), "this name may be anybody's: open http://10.0.0.7:8080");
		assert.match(
			`${detail("Origin: http://evil.example")}`,
			/app uses the native HTTP client, or the owner sets its origin as allowedOrigin/,
		);
		assert.equal(request({}, "GET", "/api/status", "", "Host: openhaldex").status, 200);
	});
});
