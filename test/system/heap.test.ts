/** What clients send fills neither the heap nor the engine's table of names, which never gives one back. docs/decisions.md 26 and 27. */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import { EventClient } from "./event-client.js";
import { describeSideBySide } from "./wait.js";

/** A machine has room for 234 names beside its own. */
const TRIES = 300;

/** As many pages as people have open, and what they hold of the heap. */
async function eventStreams(bench: Bench): Promise<EventClient[]> {
	const streams = Array.from({ length: 4 }, () => new EventClient(bench.port, "?hz=20"));
	for (const stream of streams) assert.equal(await stream.opened(), 200);
	return streams;
}

const query = (path: string, text: string) => (bench: Bench) => bench.ask("GET", `${path}${encodeURIComponent(text)}`);
const body = (path: string, value: unknown) => (bench: Bench) => bench.ask("POST", path, JSON.stringify(value));

describeSideBySide("system: heap", (it) => {
	const named: readonly (readonly [string, (text: string) => (bench: Bench) => Promise<unknown>])[] = [
		["modes of a preview", (text) => query("/api/preview?mode=", text)],
		["modes", (text) => body("/api/mode", { mode: text })],
		["operators of the trigger", (text) => body("/api/settings", { modeTrigger: { operator: text } })],
		["units of a mapped signal", (text) => body("/api/settings", { dashMappings: { dash_1: `chassis|0xfd|x|${text}` } })],
	];
	for (const [what, requestOf] of named)
		it(`texts of clients do not become names of the engine: ${what}`, () =>
			withBench({ connected: false }, async (bench) => {
				await requestOf("first")(bench);
				const { keys } = (await bench.report()).heap;
				for (let i = 0; i < TRIES; i++) await requestOf(`foreign${i}`)(bench);
				assert.equal((await bench.report()).heap.keys, keys);
			}));

	it("an endless list of identifiers is refused before it is taken apart, and so is an endless number", () =>
		withBench({ connected: false }, async (bench) => {
			const streams = await eventStreams(bench);
			for (const separator of [",", ";", "%09"]) {
				const list = separator.repeat(900 / separator.length);
				const { code, text } = await bench.ask("GET", `/api/uds/measured?dids=${list}`);
				assert.deepEqual([code, JSON.parse(text).error], [400, "invalid did list"]);
			}
			for (const number of [" ".repeat(8000), "_ ".repeat(4000), ".".repeat(8000)]) {
				const did = await bench.ask("POST", "/api/uds/read", JSON.stringify({ did: number }));
				assert.deepEqual([did.code, JSON.parse(did.text).error], [400, "invalid did"]);
				const speed = await bench.ask("POST", "/api/settings", JSON.stringify({ disableSpeed: number }));
				assert.deepEqual([speed.code, JSON.parse(speed.text).error], [400, "invalid disableSpeed"]);
			}
			for (const stream of streams) stream.close();
		}));
});
