import assert from "node:assert/strict";
import { ROUTES } from "../../src/api/routes.js";
import { KEY_DIGITS } from "../../src/owner/owner.js";
import { request } from "../support/api-client.js";
import { OwnerBench } from "../support/owner-bench.js";

const PASSWORD = "correct horse";
const basic = (text: string) => `Authorization: Basic ${Buffer.from(text).toString("base64")}`;

function withPassword() {
	const bench = new OwnerBench();
	const key = bench.set(PASSWORD) as string;
	const ask = (method: string, path: string, ...lines: string[]) => request({ owner: bench.owner }, method, path, "", ...lines);
	return { bench, key, ask };
}

describe("api/guards: the owner's key", () => {
	it("asks for the key on every write except the session's; reads, also by POST, are open", () => {
		const { ask } = withPassword();
		const open = ["/api/session", "/api/uds/read", "/api/uds/dtc", "/api/uds/measured", "/api/diag/measured"];
		for (const { method, path } of ROUTES) {
			const { status, headers, text } = ask(method, path);
			const isOpen = method === "GET" || open.includes(path);
			assert.equal(status === 401, !isOpen, `${method} ${path}: ${status}`);
			assert.notEqual(request({}, method, path).status, 401, "without a password");
			if (isOpen) continue;
			assert.equal(headers["www-authenticate"], "Bearer");
			assert.match(text, /^{"error":"password required","detail":"POST \/api\/session opens the key; /);
		}
	});

	it("accepts the key only as bearer or as the password of any user", () => {
		const { key, ask } = withPassword();
		const rows: [string, number][] = [
			[`Authorization: Bearer ${key}`, 200],
			[`authorization: bearer ${key}`, 200],
			[basic(`:${key}`), 200],
			[basic(`owner:${key}`), 200],
			[basic(`${"u".repeat(64)}:${key}`), 200],
			[basic(`${"u".repeat(65)}:${key}`), 401],
			[basic(`owner:x:${key}`), 401],
			[basic(key), 401],
			[basic(`owner:${key}`).replace(/=*$/, ""), 200],
			[basic(`owner:${key}`).replace("=", "!"), 401],
			[basic(`\0\0\0:${key}`), 200],
			[basic(`\0\0\0:${key}`).replace("A", "!"), 401],
			[`${basic(`owner:${key}`)}==`, 401],
			[`Authorization: Bearer ${key.toUpperCase()}`, /[a-f]/.test(key) ? 401 : 200],
			[`Authorization: Bearer ${key}0`, 401],
			[`Authorization: Bearer ${key.slice(1)}`, 401],
			[`Authorization: Bearer  ${key}`, 401],
			[`Authorization: Bearer "${key}"`, 401],
			[`Authorization: ${key}`, 401],
			[`Authorization: Digest ${key}`, 401],
			["Authorization: Bearer", 401],
			["Authorization: Bearer ", 401],
			["Authorization:", 401],
			[`Authorization: Bearer ${"0".repeat(KEY_DIGITS)}`, 401],
			[`X-Authorization: Bearer ${key}`, 401],
			[basic(PASSWORD), 401],
			[basic(`owner:${PASSWORD}`), 401],
			[`Authorization: Basic ${"A".repeat(400)}`, 401],
			["Authorization: Basic ====", 401],
			[`Authorization: Basic ${"/".repeat(132)}`, 401],
		];
		for (const [line, status] of rows) assert.equal(ask("POST", "/api/learn/cancel", line).status, status, line);
		assert.equal(ask("POST", "/api/learn/cancel", `Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`).status, 400);
	});

	it("rejects a foreign page before the key, and an invalid body after it", () => {
		const { key, ask } = withPassword();
		const right = `Authorization: Bearer ${key}`;
		assert.equal(ask("POST", "/api/mode", right, "Origin: http://evil.example").status, 403);
		assert.equal(ask("POST", "/api/mode", right, "Content-Type: multipart/form-data").status, 415);
		assert.equal(ask("POST", "/api/mode", "Content-Type: multipart/form-data").status, 401);
		assert.equal(ask("PUT", "/api/mode").status, 405);
	});

	it("tells whether there is a password, and whether a request has its key", () => {
		const { key, ask } = withPassword();
		assert.equal(ask("GET", "/api/owner").text, '{"passwordSet":true,"signedIn":false}');
		assert.equal(ask("GET", "/api/owner", `Authorization: Bearer ${key}`).text, '{"passwordSet":true,"signedIn":true}');
		assert.equal(
			request({}, "GET", "/api/owner", "", `Authorization: Bearer ${key}`).text,
			'{"passwordSet":false,"signedIn":false}',
		);
	});

	it("rejects an invalid password without repeating it", () => {
		for (const path of ["/api/owner", "/api/session"])
			for (const password of ["1234567", "x".repeat(65), "with\ttab8", null, 12345678, ["secret password"], undefined]) {
				const { status, text } = request({}, "POST", path, JSON.stringify({ password }));
				assert.equal(status, 400);
				assert.match(text, /^{"error":"invalid password","field":"password","allowed":"[^"]*8\.\.64 bytes/);
			}
		const none = request({}, "POST", "/api/session", JSON.stringify({ password: PASSWORD }));
		assert.deepEqual([none.status, none.text], [409, '{"error":"no password is set"}']);
	});
});
