/**
 * What a foreign page can do to the controller from the driver's browser, in a real one: with every
 * kind of request that a page can make, at the controller's name and at a plain address. Browsers send
 * neither Origin nor Sec-Fetch-Site with most of them to such addresses; to localhost they do, which would
 * hide it. docs/decisions.md 15, 27.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OPENAPI } from "../../tools/openapi.js";
import { Bench } from "../system/bench-car.js";
import { until } from "../system/wait.js";
import { describeInBrowser, launchOwn } from "./browser.js";

const NAME = "opencoupling.local";
const ADDRESS = "192.168.4.1";
const FOREIGN = "somewhere.example";

/** Each path with a query that does most. */
const QUERIES: Readonly<Record<string, string>> = {
	"/api/canview": "?decoded=2000&raw=128",
	"/api/canview/dump": "?seconds=120",
	"/api/preview": "?mode=constructor",
	"/api/logs/read": "?path=/logs/all.txt&max=262144",
	"/api/maps/export": "?name=fwd",
	"/api/uds/read": "?did=F190",
	"/api/uds/measured": "?dids=F190",
	"/api/events": "?hz=20",
};
const READS = Object.entries(OPENAPI.paths)
	.filter(([, methods]) => "get" in methods)
	.map(([path]) => path + (QUERIES[path] ?? ""));
/** Those that elements ask for as well, which takes long: one of each kind. */
const SHOWN = ["/", "/api/status", "/api/wifi", ...READS.filter((path) => path.includes("?"))];

/** Requests that would change something. */
const WRITES: readonly (readonly [path: string, body: string])[] = [
	["/api/mode", '{"mode":"5050"}'],
	["/api/settings", '{"disableThrottle":77,"couplingGeneration":4}'],
	["/api/wifi", '{"apOpen":true,"ssid":"evil"}'],
	["/api/maps/save", '{"name":"evil"}'],
	["/api/canview/capture", '{"active":true}'],
	["/ota/update", "evil"],
];

/** Runs in the foreign page. @returns which of its requests it could look into */
async function attack([base, shown, reads, writes]: readonly [string, string[], string[], typeof WRITES]): Promise<string[]> {
	const PATIENCE_MS = 400;
	const MODES = ["no-cors", "cors"] as const;
	const seen: string[] = [];
	/** Waits until it has loaded or failed, or for a while. */
	const settled = (target: { onload: unknown; onerror: unknown }): Promise<unknown> =>
		new Promise((resolve) => {
			target.onload = target.onerror = resolve;
			setTimeout(resolve, PATIENCE_MS);
		});
	const load = (tag: string, url: string): Promise<unknown> => {
		const element = Object.assign(document.createElement(tag), { rel: "stylesheet", src: url, href: url, data: url });
		document.body.append(element);
		return settled(element);
	};
	const submit = (method: string, url: string, body: string): Promise<unknown> => {
		const frame = Object.assign(document.createElement("iframe"), { name: `f${Math.random()}` });
		const form = Object.assign(document.createElement("form"), {
			method,
			action: url,
			target: frame.name,
			enctype: "text/plain",
		});
		const input = document.createElement("input");
		// the form type text/plain makes JSON of this: name, "=", value
		input.name = body === "" ? "x" : `${body.slice(0, -1)},"x":"`;
		input.value = body === "" ? "" : '"}';
		form.append(input);
		document.body.append(frame, form);
		form.submit();
		return settled(frame);
	};
	const get = async (url: string, options: RequestInit): Promise<void> => {
		try {
			const { type } = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
			if (type !== "opaque") seen.push(`${options.mode} ${options.method ?? "GET"} ${url}`);
		} catch {
			// rejected, or not for us to see
		}
	};
	for (const path of shown) {
		const url = `${base}${path}`;
		const elements = ["img", "script", "link", "iframe", "object"].map((tag) => load(tag, url));
		await Promise.all([...elements, submit("GET", url, "")]);
	}
	for (const path of reads) {
		const url = `${base}${path}`;
		for (const mode of MODES) await get(url, { mode });
		const stream = new EventSource(url);
		stream.onopen = () => seen.push(`EventSource ${url}`);
		await new Promise((resolve) => {
			stream.onerror = resolve;
			setTimeout(resolve, PATIENCE_MS);
		});
		stream.close();
	}
	for (const [path, body] of writes) {
		const url = `${base}${path}`;
		await submit("POST", url, body);
		navigator.sendBeacon(url, body);
		for (const mode of MODES) await get(url, { method: "POST", mode, body });
	}
	return seen;
}

describeInBrowser("a foreign page", () => {
	let bench: Bench;
	let foreign: Server;

	before(async () => {
		bench = await Bench.start({ paced: true, settings: { mode: "MAP", setupDone: true } });
		bench.show(40, 40);
		foreign = createServer((_request, response) => {
			// no trace of where it comes from
			response.setHeader("Referrer-Policy", "no-referrer");
			response.setHeader("Content-Type", "text/html");
			response.end("<!doctype html><body></body>");
		});
		await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
	});
	after(async () => {
		foreign?.close();
		await bench?.end();
	});

	/** All that a driver has set, and what is on flash. */
	const state = async (): Promise<unknown> => {
		const { mode, disableController, disableThrottle, haldexGeneration, inputMappings } = await bench.get("/api/status");
		const paths = ["/api/map", "/api/maps", "/api/wifi", "/api/curve/speed", "/api/canview/capture"];
		const rest = await Promise.all(paths.map((path) => bench.get(path)));
		const { installDetail } = await bench.get("/api/update");
		return [mode, disableController, disableThrottle, haldexGeneration, inputMappings, rest, installDetail];
	};
	const keys = async (): Promise<number> => (await bench.get("/api/status")).heap.keys;

	it("can neither change nor read anything, nor hold the controller up", async () => {
		const port = (foreign.address() as AddressInfo).port;
		const hosts = [NAME, ADDRESS];
		const rules = [...hosts.map((host) => `MAP ${host}:80 127.0.0.1:${bench.port}`), `MAP ${FOREIGN}:80 127.0.0.1:${port}`].join(
			",",
		);
		const browser = await launchOwn([
			`--host-resolver-rules=${rules}`,
			"--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessChecks",
		]);
		try {
			await bench.untilStatus((status) => status.controlActive, 10_000, "control to be active");
			const before = await state();
			const keysBefore = await keys();
			await bench.report();
			const context = await browser.newContext();
			const attackAt = async (host: string): Promise<void> => {
				const page = await context.newPage();
				// esbuild has functions within a function keep their names by one of its own, which a browser
				// does not have
				await page.addInitScript("globalThis.__name = (one) => one");
				let arrived = 0;
				page.on("requestfinished", (request) => (arrived += request.url().startsWith(`http://${host}/`) ? 1 : 0));
				await page.goto(`http://${FOREIGN}/`);
				const seen = await page.evaluate(attack, [`http://${host}`, SHOWN, READS, WRITES] as const);
				assert.deepEqual(seen, []);
				// how many were answered in time depends on the machine
				assert.notEqual(arrived, 0, "requests reach the controller");
			};
			await Promise.all(hosts.map(attackAt));
			assert.deepEqual(await state(), before);
			const asked = bench.coupling.arrived.filter(({ id }) => id === 0x70f || id === 0x71d);
			assert.deepEqual(asked, [], "the car was asked nothing");
			assert.ok((await keys()) <= keysBefore, "no names of the engine");
			await bench.assertShortTurns();
			// its streams are gone, and its frames
			await context.close();
			await until(
				async () => (await bench.ask("GET", "/api/status")).code === 200 && bench.command() !== undefined,
				30_000,
				"control to go on",
			);
		} finally {
			await browser.close();
		}
	});
});
