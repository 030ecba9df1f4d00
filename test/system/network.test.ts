/** Wi-Fi with the simulated radio, the owner's password, and that no password ever leaves. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ROUTES } from "../../src/api/routes.js";
import { type Bench, type BenchOptions, withBench, withFlash } from "./bench-car.js";
import { beginUpload } from "./update-peers.js";
import { now, sleep, until } from "./wait.js";

const WIFI = ["--wifi", "home:password1", "--wifi", "open"];
const HOME = '{"ssid":"home","password":"password1"}';

const controller = (args: readonly string[], flash?: string): BenchOptions => ({
	settings: null,
	connected: false,
	args,
	...(flash === undefined ? {} : { flash }),
});

const untilConnected = (bench: Bench, connected: boolean) =>
	until(async () => (await bench.get("/api/network"))["staConnected"] === connected, 15_000, `staConnected ${connected}`);

describe("system: network", () => {
	it("stores credentials before it answers, and connects again after SIGKILL", () =>
		withFlash(async (flash) => {
			await withBench(controller(WIFI, flash), async (bench) => {
				assert.deepEqual(await bench.ask("POST", "/api/wifi", HOME), { code: 200, text: '{"ok":true}' });
				await bench.cutPower();
			});
			await withBench(controller(WIFI, flash), async (bench) => {
				assert.deepEqual(await bench.get("/api/wifi"), { ssid: "home", staEnabled: true, apPasswordSet: false, apOpen: false });
				await untilConnected(bench, true);
				const network = await bench.get("/api/network");
				assert.deepEqual(network, {
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
				const password = '{"apPassword":"long enough","ssid":"home","password":"password1"}';
				assert.equal((await bench.ask("POST", "/api/wifi", password)).code, 200);
				assert.equal((await bench.ask("POST", "/api/owner", '{"password":"correct horse"}')).code, 200);
				await sleep(11_000);
				assert.equal((await bench.get("/api/wifi"))["apPasswordSet"], true, "the car moves");
				assert.equal((await bench.get("/api/owner"))["passwordSet"], true, "the car moves");
				bench.show(0, 0);
				const forgotten = async () => (await bench.get("/api/wifi"))["apPasswordSet"] === false;
				await until(forgotten, 15_000, "the password is forgotten");
				const wifi = await bench.get("/api/wifi");
				assert.deepEqual(wifi, { ssid: "", staEnabled: true, apPasswordSet: false, apOpen: false });
				assert.doesNotMatch(readFileSync(join(flash, "wifi.json"), "utf8"), /long enough|password1/);
				assert.equal((await bench.get("/api/owner"))["passwordSet"], false);
				assert.match(readFileSync(join(flash, "owner.json"), "utf8"), /"proof":""/);
				assert.equal((await bench.ask("POST", "/api/learn/cancel")).code, 200);
				const { mode, couplingGeneration } = await bench.get("/api/status");
				assert.deepEqual([mode, couplingGeneration], ["MAP", bench.generation]);
			}),
		));
});

const PASSWORD = "correct horse";
const STRANGERS = 3;
const said = (password: string) => JSON.stringify({ password });
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A request whose body comes to its end only later. */
function begin(bench: Bench, path: string, body: string) {
	const socket = connect(bench.port, "127.0.0.1");
	const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
	const end = async (): Promise<string> => {
		socket.write(body.slice(1));
		let answer = "";
		for await (const chunk of socket) answer += chunk;
		return answer;
	};
	return { begun: new Promise<void>((done) => socket.write(head + body.slice(0, 1), () => done())), end };
}

async function keyOf(bench: Bench, path: string, headers = {}): Promise<string> {
	const { code, text } = await bench.ask("POST", path, said(PASSWORD), headers);
	assert.equal(code, 200, text);
	return JSON.parse(text).key;
}

describe("system: the owner's password", () => {
	it("is needed for every write and upload, also after a restart, but not for reads", () =>
		withFlash(async (flash) => {
			let key = "";
			await withBench({ flash }, async (bench) => {
				key = await keyOf(bench, "/api/owner");
				assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}')).code, 401);
				assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}', bearer(key))).code, 200);
				// rejected by its head alone: of a megabyte that is announced nothing is waited for
				const { message, answer } = beginUpload(bench, 1 << 20);
				message.flushHeaders();
				assert.match(await answer, /^401 {"error":"password required"/);
				assert.equal((await bench.ask("GET", "/api/status")).code, 200);
			});
			const stored = readFileSync(join(flash, "owner.json"), "utf8");
			assert.ok(!stored.includes(key) && !stored.includes(PASSWORD));
			await withBench({ flash }, async (bench) => {
				assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"MAP"}')).code, 401);
				assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"MAP"}', bearer(key))).code, 200);
				assert.equal(await keyOf(bench, "/api/session"), key);
				const next = await keyOf(bench, "/api/owner", bearer(key));
				assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}', bearer(key))).code, 401, "the key before");
				const basic = { Authorization: `Basic ${Buffer.from(`display:${next}`).toString("base64")}` };
				assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}', basic)).code, 200);
			});
		}));

	it("strangers who guess leave the car, the owner and the heap alone", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			const key = await keyOf(bench, "/api/owner");
			const session = `http://127.0.0.1:${bench.port}/api/session`;
			for (let i = 0; i < 3; i++) await bench.ask("POST", "/api/mode", '{"mode":"FWD"}', bearer(`${i}`.repeat(32)));
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
			const begin = now();
			const owner = fetch(session, { method: "POST", body: said(PASSWORD) });
			// whoever has the key already waits for nobody
			for (let i = 0; i < 5; i++) {
				const { code } = await bench.ask("POST", "/api/mode", `{"mode":"${i % 2 === 0 ? "MAP" : "FWD"}"}`, bearer(key));
				assert.equal(code, 200);
			}
			assert.deepEqual(await (await owner).json(), { ok: true, key });
			over.abort();
			console.log(`      the owner had the key after ${Math.round(now() - begin)} ms and ${guesses} guesses`);
			assert.ok(guesses <= STRANGERS, `the owner waited for ${guesses} guesses`);
			await Promise.all(strangers);
			await bench.untilCommand();
			const { gateway: after } = await bench.get("/api/status");
			assert.equal(after.leaseExpiries, gateway.leaseExpiries, "a lease ran out");
			const { heap, youngestNames } = await bench.report();
			assert.equal(heap.keys, before.keys, youngestNames.slice(-(heap.keys - before.keys)).join());
		}));

	it("counts for requests that began before it was set, too: none of them changes anything, and the key stays", () =>
		withBench({}, async (bench) => {
			const before = (await bench.status()).mode;
			const slow = [
				["/api/mode", '{"mode":"FWD"}'],
				["/api/owner", said("a stranger's password")],
				["/api/owner", said("")],
				["/api/wifi", '{"apPassword":"a stranger\'s"}'],
			].map(([path, body]) => begin(bench, path!, body!));
			await Promise.all(slow.map(({ begun }) => begun));
			// on a busy machine the controller reads them later: a head that it gets after the password is
			// rejected at once, unread
			await sleep(300);
			// before any was set: the one that is worked on first counts
			const [first, second] = await Promise.all(
				[PASSWORD, "another one's"].map((each) => bench.ask("POST", "/api/owner", said(each))),
			);
			const answers = [first!, second!].sort((a, b) => a.code - b.code);
			assert.deepEqual([answers[0]!.code, answers[1]!.code], [200, 401], answers[1]!.text);
			const { key } = JSON.parse(answers[0]!.text);
			for (const { end } of slow) assert.match(await end(), /^HTTP\/1\.1 401 /);
			assert.equal((await bench.status()).mode, before);
			assert.equal((await bench.get("/api/wifi")).apPasswordSet, false);
			assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}', bearer(key))).code, 200);
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

function filesIn(folder: string): string[] {
	return readdirSync(folder).flatMap((name) => {
		const path = join(folder, name);
		return statSync(path).isDirectory() ? filesIn(path) : [path];
	});
}

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
				for (const path of filesIn(flash)) seen.push([path.slice(flash.length + 1), readFileSync(path, "latin1")]);
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
