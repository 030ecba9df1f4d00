/**
 * The owner's password on the whole program: who may change what, strangers who guess, and that none of it
 * holds up the car.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { beginUpload } from "./update-client.js";
import { now, sleep } from "./wait.js";

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
	it("is wanted of every write and upload from then on, after a restart too, and of no read", () =>
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
			const { gateway } = JSON.parse((await bench.ask("GET", "/api/status")).text);
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
			const { gateway: after } = JSON.parse((await bench.ask("GET", "/api/status")).text);
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
			assert.equal(JSON.parse((await bench.ask("GET", "/api/wifi")).text).apPasswordSet, false);
			assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}', bearer(key))).code, 200);
		}));

	it("changes nothing when it can't be stored", () =>
		withBench({ args: ["--fault", "flash-full=0"] }, async (bench) => {
			const { code, text } = await bench.ask("POST", "/api/owner", said(PASSWORD));
			assert.deepEqual([code, JSON.parse(text).error], [500, "save failed"]);
			assert.deepEqual(JSON.parse((await bench.ask("GET", "/api/owner")).text), { passwordSet: false, signedIn: false });
			assert.equal((await bench.ask("POST", "/api/mode", '{"mode":"FWD"}')).code, 200);
		}));
});
