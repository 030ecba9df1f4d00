/** Wi-Fi with the simulated radio, the owner's password, and that no password ever leaves. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "../../src/api/routes.js";
import { connect } from "../support/http-server.js";
import { type Bench, type BenchOptions, withBench, withFlash } from "./bench-car.js";
import { beginUpload } from "./update-peers.js";
import { sleep, until } from "./wait.js";

const PASSWORD = "correct horse";
const STRANGERS = 3;
const said = (password: string) => JSON.stringify({ password });
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

async function keyOf(bench: Bench, path: string, headers = {}): Promise<string> {
	const { code, answer } = await bench.post(path, { password: PASSWORD }, headers);
	assert.equal(code, 200, JSON.stringify(answer));
	return answer.key;
}

/** @returns the status code of a write with these headers */
const writes = async (bench: Bench, headers = {}): Promise<number> =>
	(await bench.post("/api/mode", { mode: "FWD" }, headers)).code;

describe("system: network", () => {
	it("stores credentials before it answers, and connects again after SIGKILL", () =>
		withFlash(async (flash) => {
			const options: BenchOptions = { settings: null, connected: false, args: ["--wifi", "home:password1"], flash };
			await withBench(options, async (bench) => {
				const { code } = await bench.post("/api/wifi", { ssid: "home", password: "password1" });
				assert.equal(code, 200);
				await bench.cutPower();
			});
			await withBench(options, async (bench) => {
				assert.deepEqual(await bench.get("/api/wifi"), { ssid: "home", staEnabled: true, apPasswordSet: false, apOpen: false });
				await until(async () => (await bench.get("/api/network")).staConnected === true, 15_000, "the network");
				assert.deepEqual(await bench.get("/api/network"), {
					staConnected: true,
					staIp: "192.168.178.50",
					staProblem: "",
					ap: true,
					apIp: "192.168.4.1",
					apSsid: "OpenCoupling",
					apPending: false,
					hostname: "openhaldex.local",
					internet: false,
				});
			});
		}));

	it("forgets networks and owner's password, and nothing else, when BOOT is held for 10 s in a standing car", () =>
		withFlash((flash) =>
			withBench({ flash, args: ["--fault", "boot-key"] }, async (bench) => {
				bench.show(40, 40);
				const networks = { apPassword: "long enough", ssid: "home", password: "password1" };
				assert.equal((await bench.post("/api/wifi", networks)).code, 200);
				await keyOf(bench, "/api/owner");
				const areKept = async () => [(await bench.get("/api/wifi")).apPasswordSet, (await bench.get("/api/owner")).passwordSet];
				await sleep(11_000);
				assert.deepEqual(await areKept(), [true, true], "the car moves");
				bench.show(0, 0);
				await until(async () => (await areKept())[0] === false, 15_000, "the password is forgotten");
				assert.deepEqual(await areKept(), [false, false]);
				assert.doesNotMatch(readFileSync(join(flash, "wifi.json"), "utf8"), /long enough|password1|home/);
				assert.match(readFileSync(join(flash, "owner.json"), "utf8"), /"proof":""/);
				const { mode, couplingGeneration } = await bench.get("/api/status");
				assert.deepEqual([mode, couplingGeneration], ["MAP", bench.generation]);
				assert.equal((await bench.mode("FWD")).code, 200);
			}),
		));
});

describe("system: the owner's password", () => {
	it("is needed for every write and upload, also after a restart, but not for reads", () =>
		withFlash(async (flash) => {
			let key = "";
			await withBench({ flash }, async (bench) => {
				key = await keyOf(bench, "/api/owner");
				assert.deepEqual([await writes(bench), await writes(bench, bearer(key))], [401, 200]);
				// rejected by its head alone: of a megabyte that is announced nothing is waited for
				const { message, answer } = beginUpload(bench, 1 << 20);
				message.flushHeaders();
				assert.match(await answer, /^401 {"error":"password required"/);
				assert.equal((await bench.ask("GET", "/api/status")).code, 200);
			});
			const stored = readFileSync(join(flash, "owner.json"), "utf8");
			assert.ok(!stored.includes(key) && !stored.includes(PASSWORD));
			await withBench({ flash }, async (bench) => {
				assert.deepEqual([await writes(bench), await writes(bench, bearer(key))], [401, 200]);
				assert.equal(await keyOf(bench, "/api/session"), key);
				const next = await keyOf(bench, "/api/owner", bearer(key));
				assert.equal(await writes(bench, bearer(key)), 401, "the key before");
				const basic = { Authorization: `Basic ${Buffer.from(`display:${next}`).toString("base64")}` };
				assert.equal(await writes(bench, basic), 200);
			});
		}));

	it("strangers who guess leave the car, the owner and the heap alone", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			const key = await keyOf(bench, "/api/owner");
			const session = `http://127.0.0.1:${bench.port}/api/session`;
			for (let i = 0; i < 3; i++) await writes(bench, bearer(`${i}`.repeat(32)));
			await bench.ask("POST", "/api/session", said("a wrong password"));
			const { gateway } = await bench.get("/api/status");
			const { heap: before } = await bench.report();
			const over = new AbortController();
			let guesses = 0;
			const stranger = async (who: number): Promise<void> => {
				for (let i = 0; ; i++) {
					const body = said(`guess ${who} ${i}`);
					const answer = await fetch(session, { method: "POST", body, signal: over.signal });
					assert.equal(answer.status, 401);
					await answer.arrayBuffer();
					guesses++;
				}
			};
			const ended = (error: Error) => assert.equal(error.name, "AbortError");
			const strangers = Array.from({ length: STRANGERS }, (_, who) => stranger(who).catch(ended));
			const owner = fetch(session, { method: "POST", body: said(PASSWORD) });
			// a client that has the key already does not wait
			for (let i = 0; i < 5; i++) assert.equal(await writes(bench, bearer(key)), 200);
			assert.deepEqual(await (await owner).json(), { ok: true, key });
			over.abort();
			assert.ok(guesses <= STRANGERS, `the owner waited for ${guesses} guesses`);
			await Promise.all(strangers);
			await bench.untilCommand();
			const { gateway: after } = await bench.get("/api/status");
			assert.equal(after.leaseExpiries, gateway.leaseExpiries, "a lease ran out");
			const { heap, youngestNames } = await bench.report();
			assert.equal(heap.keys, before.keys, youngestNames.slice(-(heap.keys - before.keys)).join());
		}));

	it("is needed for requests that began before it was set, too: none of them changes anything, and the key stays valid", () =>
		withBench({}, async (bench) => {
			const before = (await bench.status()).mode;
			const slow = [
				["/api/mode", '{"mode":"FWD"}'],
				["/api/owner", said("a stranger's password")],
				["/api/owner", said("")],
				["/api/wifi", '{"apPassword":"a stranger\'s"}'],
			].map(([path, body]) => {
				const client = connect(bench.port);
				client.send(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n{`);
				return { client, rest: body.slice(1) };
			});
			// a head that the controller gets after the password is rejected at once, unread
			await sleep(300);
			// before any was set: the one that is worked on first counts
			const [first, second] = await Promise.all(
				[PASSWORD, "another one's"].map((each) => bench.ask("POST", "/api/owner", said(each))),
			);
			const answers = [first!, second!].sort((a, b) => a.code - b.code);
			assert.deepEqual([answers[0]!.code, answers[1]!.code], [200, 401], answers[1]!.text);
			const { key } = JSON.parse(answers[0]!.text);
			for (const { client, rest } of slow) {
				client.send(rest);
				await client.closed;
				assert.match(client.received, /^HTTP\/1\.1 401 /);
			}
			assert.equal((await bench.status()).mode, before);
			assert.equal((await bench.get("/api/wifi")).apPasswordSet, false);
			assert.equal(await writes(bench, bearer(key)), 200);
		}));
});

const SECRETS = { owner: "owner-secret-1", wrong: "owner-secret-2", station: "station-secret-3", own: "own-secret-4" };
/**
 * The first never ends, the second is the same for all, out of ROM; the others wait for a control unit that
 * is not there.
 */
const LEFT_OUT = ["/api/events", "/api/openapi.json", "/api/uds/read", "/api/uds/dtc", "/api/uds/measured", "/api/diag/measured"];
/** Queries without which a route has nothing to tell, or never ends. */
const QUERIES: Readonly<Record<string, string>> = {
	"/api/logs/read": "?path=/logs/all.txt&max=262144",
	"/api/maps/export": "?format=json",
	"/api/canview/dump": "?seconds=120",
};

describe("system: secrets", () => {
	it("are in no answer, log, dump or file but their own", () =>
		withFlash((flash) =>
			withBench({ flash, args: ["--wifi", `home:${SECRETS.station}`] }, async (bench) => {
				const post = (path: string, body: object, headers = {}) => bench.ask("POST", path, JSON.stringify(body), headers);
				const verbose = {
					logToFileEnabled: true,
					logErrorToFileEnabled: true,
					logSerialEnabled: true,
					logDebugNetworkEnabled: true,
				};
				assert.equal((await post("/api/settings", verbose)).code, 200);
				const { text } = await post("/api/owner", { password: SECRETS.owner });
				const key: string = JSON.parse(text).key;
				const bearer = { Authorization: `Bearer ${key}` };
				const wifi = { ssid: "home", password: SECRETS.station, apPassword: SECRETS.own };
				assert.equal((await post("/api/wifi", wifi, bearer)).code, 200);
				const seen: [string, string][] = [];
				const keep = (what: string, answer: { text: string }) => seen.push([what, answer.text]);
				// rejected with them in it, wherever they may stand
				keep("401", await post("/api/wifi", wifi));
				keep("wrong", await post("/api/session", { password: SECRETS.wrong }));
				for (const path of ["/api/owner", "/api/session", "/api/wifi", "/api/mode", "/api/settings", "/api/maps/save"]) {
					keep(path, await post(path, { password: [SECRETS.owner, SECRETS.station] }, bearer));
					keep(path, await post(path, { password: `${SECRETS.own}${"x".repeat(80)}` }, bearer));
					keep(path, await bench.ask("POST", path, `{"password":"${SECRETS.own}"`, bearer));
				}
				await sleep(1500);
				for (const { method, path } of ROUTES)
					if (method === "GET" && !LEFT_OUT.includes(path))
						keep(path, await bench.ask("GET", path + (QUERIES[path] ?? ""), "", bearer));
				await bench.report();
				seen.push(["stdout", bench.stdout], ["stderr", bench.stderr]);
				for (const name of readdirSync(flash, { recursive: true, encoding: "utf8" }))
					if (statSync(join(flash, name)).isFile()) seen.push([name, readFileSync(join(flash, name), "latin1")]);
				const names = seen.map(([name]) => name);
				for (const name of ["wifi.json", "owner.json", "logs/all.txt", "settings.json"])
					assert.ok(names.includes(name), `${names}`);
				for (const [what, found] of seen)
					for (const secret of [...Object.values(SECRETS), key]) {
						const isTheirs = what === "wifi.json" && (secret === SECRETS.station || secret === SECRETS.own);
						assert.equal(found.includes(secret), isTheirs, `${secret} in ${what}`);
					}
			}),
		));
});
