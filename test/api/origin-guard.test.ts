import assert from "node:assert/strict";
import { isAllowed } from "../../src/api/origin-guard.js";
import { InputBuffers } from "../../src/http/input-buffers.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { EVENT, RequestParser } from "../../src/http/request-parser.js";

function allowed(write: boolean, ...headers: string[]): boolean {
	const parser = new RequestParser(HTTP_LIMITS, new InputBuffers(HTTP_LIMITS));
	const version = headers.some((header) => header.startsWith("Host")) ? "1.1" : "1.0";
	parser.receive(new Uint8Array(Buffer.from([`POST / HTTP/${version}`, ...headers, "", ""].join("\r\n"))));
	assert.equal(parser.next(), EVENT.HEAD);
	return isAllowed(parser.head, write, ["garage.lan"]);
}

const OWN = [
	"192.168.4.1",
	"10.0.0.1:8080",
	"255.255.255.255",
	"0.0.0.0:80",
	"[::1]",
	"[fe80::1]:8080",
	"[::ffff:1.2.3.4]",
	"localhost",
	"LocalHost:8080",
];
const OWN_NAMES = ["openhaldex.local", "OpenHaldex.Local:80", "opencoupling.local", "garage.lan", "GARAGE.lan:1"];
const FOREIGN = [
	"evil.example",
	"openhaldex.local.evil.example",
	"localhost.",
	"1.2.3",
	"1.2.3.4.5",
	"1.2.3.256",
	"1.2.3.",
	"1..2.3",
	"1.2.3.0004",
	"1.2.3.x",
];
const MALFORMED = ["", "[::1", "::1]", "[1]", "[g::1]", "[:]", "localhost:123456", ":80", "localhost:8x"];

describe("api/origin-guard", () => {
	it("lets reads and writes pass that are addressed to the controller by address or name", () => {
		for (const host of [...OWN, ...OWN_NAMES])
			for (const write of [false, true]) assert.ok(allowed(write, `Host: ${host}`), host);
		for (const write of [false, true]) assert.ok(allowed(write), "no Host in HTTP/1.0");
	});

	it("refuses reads and writes under any other name", () => {
		for (const host of [...FOREIGN, ...MALFORMED])
			for (const write of [false, true]) assert.ok(!allowed(write, `Host: ${host}`), host);
	});

	it("refuses writes whose origin is not the host itself", () => {
		const host = "Host: 192.168.4.1:8080";
		for (const origin of ["http://192.168.4.1:8080", "HTTP://192.168.4.1:8080"])
			assert.ok(allowed(true, host, `Origin: ${origin}`));
		for (const origin of [
			"http://192.168.4.1",
			"https://192.168.4.1:8080",
			"http://192.168.4.1:8081",
			"http://192.168.4.1:80801",
			"null",
			"",
			"http://evil.example",
		]) {
			assert.ok(!allowed(true, host, `Origin: ${origin}`), origin);
			assert.ok(allowed(false, host, `Origin: ${origin}`), origin);
		}
		assert.ok(!allowed(true, "Origin: http://a"));
	});

	it("refuses what the browser calls cross-site, reads too", () => {
		for (const [site, pass] of [
			["cross-site", false],
			["Cross-Site", false],
			["same-origin", true],
			["same-site", true],
			["none", true],
		] as const)
			assert.equal(allowed(true, "Host: localhost", `Sec-Fetch-Site: ${site}`), pass, site);
		assert.ok(!allowed(false, "Host: localhost", "Sec-Fetch-Site: cross-site"));
		assert.ok(allowed(false, "Host: localhost", "Sec-Fetch-Site: none"));
	});
});
