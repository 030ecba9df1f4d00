import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { ApiRouter } from "../../src/api/api-router.js";
import { ROUTES } from "../../src/api/routes.js";
import { bytesOfBase64 } from "../../src/http/base64.js";
import { ASSETS } from "../../src/web/generated/assets.js";
import { siteRoute } from "../../src/web/site.js";
import { buildPage } from "../../tools/build-page.mjs";
import { anApiContext } from "../support/api-client.js";
import { startServer, type TestServer } from "../support/http-server.js";

/** As transferred; KB of 1,024 bytes, as everywhere. */
const ALL_BYTES_MAX = 104 * 1024;
const FIRST_VIEW_BYTES_MAX = 45 * 1024;

describe("web/site", () => {
	let server: TestServer;
	before(async () => {
		server = await startServer(new ApiRouter(anApiContext(), ROUTES, siteRoute(ASSETS)));
	});
	after(() => server.close());

	const ask = (path: string, method = "GET", headers: Record<string, string> = {}) =>
		fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, redirect: "manual" });

	it("serves each file compressed, with its type and tag, as it was built", async () => {
		const types = new Set<string>();
		for (const { path, tag, gzip, contentType } of ASSETS) {
			const answer = await ask(path);
			assert.equal(answer.status, 200, path);
			assert.equal(answer.headers.get("content-encoding"), "gzip");
			assert.equal(answer.headers.get("content-length"), String(gzip.length));
			assert.equal(answer.headers.get("etag"), tag);
			assert.equal(answer.headers.get("content-type"), contentType);
			assert.equal(answer.headers.get("cache-control"), "no-cache");
			assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
			const built = readFileSync(`build/page${path === "/" ? "/index.html" : path}`);
			assert.deepEqual(Buffer.from(await answer.arrayBuffer()), built, path);
			types.add(contentType.split(";")[0]);
		}
		assert.deepEqual(
			[...types].sort(),
			["application/manifest+json", "image/png", "image/svg+xml", "text/css", "text/html", "text/javascript"],
			"every kind of file is there",
		);
	});

	it("forbids the page to load from elsewhere, run inline scripts, and be framed", async () => {
		const policy = (await ask("/")).headers.get("content-security-policy") ?? "";
		for (const part of ["default-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'"])
			assert.ok(policy.split("; ").includes(part), part);
		assert.ok(!policy.includes("unsafe"));
	});

	it("answers HEAD as GET, without the body", async () => {
		const answer = await ask("/", "HEAD");
		const { gzip } = ASSETS.find(({ path }) => path === "/") ?? assert.fail();
		assert.deepEqual([answer.status, answer.headers.get("content-length")], [200, String(gzip.length)]);
		assert.equal(await answer.text(), "");
	});

	it("leaves everything else to the interface", async () => {
		for (const [path, method, status] of [
			["/api/status", "GET", 200],
			["/app.js.map", "GET", 404],
			["/../package.json", "GET", 404],
			["/settings.json", "GET", 404],
			["/", "POST", 404],
		] as const)
			assert.equal((await ask(path, method)).status, status, `${method} ${path}`);
	});

	it("leads from the addresses of OpenHaldex-S3's pages to ours", async () => {
		for (const [path, location] of [
			["/map", "/#map"],
			["/rpm.html", "/#curves/rpm"],
			["/ota", "/#update"],
		]) {
			const answer = await ask(path);
			assert.deepEqual([answer.status, answer.headers.get("location")], [302, location]);
		}
	});

	it("carries at most 104 KB, of which the first view takes at most 45", async () => {
		const { files } = await buildPage();
		const sum = (rows: typeof files) => rows.reduce((total, { bytes }) => total + bytes, 0);
		assert.ok(sum(files) > 10_000 && sum(files) <= ALL_BYTES_MAX, `${sum(files)} bytes`);
		const first = files.filter(({ firstView }) => firstView);
		assert.ok(first.length >= 5);
		assert.ok(sum(first) <= FIRST_VIEW_BYTES_MAX, `${sum(first)} bytes`);
		assert.equal(
			ASSETS.reduce((total, { gzip }) => total + gzip.length, 0),
			sum(files),
		);
		for (const { gzip } of ASSETS) assert.ok(gunzipSync(gzip).length > 0);
	});

	it("decodes base64 of every length, within a piece and over several", () => {
		for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 190, 191, 192, 193, 194, 500]) {
			const bytes = Uint8Array.from({ length }, (_, i) => 255 - i * 37);
			assert.deepEqual(bytesOfBase64(Buffer.from(bytes).toString("base64")), bytes);
		}
	});

	it("leads to the address that works from a name under which the page does not", async () => {
		const away = await startServer(
			new ApiRouter(
				anApiContext(),
				ROUTES,
				siteRoute(ASSETS, () => "http://10.0.0.7:8080"),
			),
		);
		try {
			for (const [path, location] of [
				["/", "http://10.0.0.7:8080/"],
				["/map.html", "http://10.0.0.7:8080/#map"],
			]) {
				const answer = await fetch(`http://127.0.0.1:${away.port}${path}`, { redirect: "manual" });
				assert.deepEqual([answer.status, answer.headers.get("location")], [302, location]);
			}
			assert.equal((await fetch(`http://127.0.0.1:${away.port}/api/status`)).status, 200, "the interface judges by itself");
		} finally {
			away.close();
		}
	});
});
