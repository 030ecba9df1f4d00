import assert from "node:assert/strict";
import { addressInstead, isAllowed } from "../../src/api/guards.js";
import { InputBuffers } from "../../src/http/request.js";
import { ParserEvent, RequestParser } from "../../src/http/request-parser.js";

function headOf(...headers: string[]) {
	const parser = new RequestParser(new InputBuffers());
	const version = headers.some((header) => header.startsWith("Host")) ? "1.1" : "1.0";
	parser.receive(new Uint8Array(Buffer.from([`POST / HTTP/${version}`, ...headers, "", ""].join("\r\n"))));
	assert.equal(parser.next(), ParserEvent.HEAD);
	return parser.request;
}

const allowed = (...headers: string[]): boolean => isAllowed(headOf(...headers), "");

const OWN = [
	...["192.168.4.1", "10.0.0.1:8080", "255.255.255.255", "[::1]", "[fe80::1]:8080", "[::ffff:1.2.3.4]"],
	...["LocalHost:8080", "openhaldex.local", "OpenHaldex.Local:80", "opencoupling.local"],
	// as a local network calls it: the public DNS has no such names
	...["openhaldex", "OpenHaldex:8080", "my-haldex", "esp_32c6", "haldex.local", "a.b.lan:80", "haldex.home.arpa"],
	...["haldex.fritz.box", "haldex.home", "haldex.internal", "x.localdomain"],
];
const FOREIGN = [
	...["evil.example", "openhaldex.local.evil.example", "evil.lan.example", "evillan.com", "fritz.box"],
	...["fritz.box.evil.example", "evil.box", "home.arpa", "haldex.lan.", "localhost.", "1.2.3", "1.2.3.4.5", "1.2.3.256"],
	...["1.2.3.", "1..2.3", "1.2.3.0004", "1.2.3.x"],
	// malformed
	...["", "[::1", "::1]", "[1]", "[g::1]", "[:]", "localhost:123456", ":80", "localhost:8x"],
];

describe("api/guards: origins", () => {
	it("accepts requests to the controller's address or name", () => {
		for (const host of OWN) assert.ok(allowed(`Host: ${host}`), host);
		assert.ok(allowed(), "no Host in HTTP/1.0");
	});

	it("rejects requests under any other name", () => {
		for (const host of FOREIGN) assert.ok(!allowed(`Host: ${host}`), host);
	});

	it("rejects requests of a page whose origin is not the host itself", () => {
		const host = "Host: 192.168.4.1:8080";
		for (const origin of ["http://192.168.4.1:8080", "HTTP://192.168.4.1:8080"]) assert.ok(allowed(host, `Origin: ${origin}`));
		for (const origin of [
			"http://192.168.4.1",
			"https://192.168.4.1:8080",
			"http://192.168.4.1:8081",
			"http://192.168.4.1:80801",
			"null",
			"",
			"http://evil.example",
		]) {
			assert.ok(!allowed(host, `Origin: ${origin}`), origin);
		}
		assert.ok(!allowed("Origin: http://a"));
	});

	it("rejects what the browser calls cross-site", () => {
		for (const [site, pass] of [
			["cross-site", false],
			["Cross-Site", false],
			["same-origin", true],
			["same-site", true],
			["none", true],
		] as const)
			assert.equal(allowed("Host: localhost", `Sec-Fetch-Site: ${site}`), pass, site);
	});

	it("lets one app pass, by exactly the origin that the owner has set", () => {
		const fromApp = (appOrigin: string, ...headers: string[]): boolean => isAllowed(headOf(...headers), appOrigin);
		const host = "Host: 192.168.4.1";
		const cases = ["http://localhost", "capacitor://localhost", "ionic://localhost", "https://app.example:8443"];
		for (const origin of cases) {
			assert.ok(fromApp(origin, host, `Origin: ${origin}`), origin);
			assert.ok(fromApp(origin, host, `Origin: ${origin}`, "Sec-Fetch-Site: cross-site"), origin);
			assert.ok(!fromApp(origin, "Host: evil.example", `Origin: ${origin}`), "a rebound name");
			assert.ok(!fromApp(origin, host, "Sec-Fetch-Site: cross-site"), "without its origin");
			const others = [`${origin}.evil.example`, `${origin}:3000`, origin.toUpperCase(), `${origin}/`, `x${origin}`, "null", ""];
			for (const other of [...others, ...cases.filter((one) => one !== origin)])
				assert.ok(!fromApp(origin, host, `Origin: ${other}`), `${other} for ${origin}`);
		}
		assert.ok(!fromApp("", host, "Origin: "), "none is allowed");
	});

	it("names the address that works, with the port of the request", () => {
		const address = (host: string, stationIp = "10.0.0.7", accessPointIp = "192.168.4.1") =>
			addressInstead(headOf(`Host: ${host}`), { stationIp, accessPointIp });
		assert.equal(address("evil.example"), "http://10.0.0.7");
		assert.equal(address("evil.example:8080"), "http://10.0.0.7:8080");
		assert.equal(address("evil.example", ""), "http://192.168.4.1");
		assert.equal(address("evil.example", "", ""), "");
	});
});
