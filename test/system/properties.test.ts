/**
 * Inputs that nobody thought of, made from a seed (fast-check), to the whole program on the real engine and a
 * board's heap: each answer is as the description says, and afterwards neither the heap nor the engine's
 * table of names has grown. What fails is made as small as it can be and printed with its seed. `FUZZ_SEED`
 * and `FUZZ_RUNS` take others.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bench, withBench } from "./bench-car.js";
import { sleep } from "./wait.js";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20261122);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 150);
/**
 * What happens to be under way may take so much more: 127 after 1,500 requests, 146 after 100, so it does not
 * grow.
 */
const SLOTS_MORE = 180;
const BYTES_MORE = 4096;

/** Names that mean something somewhere, and some that mean something to an engine. */
const NAME = fc.constantFrom(
	...[
		"mode",
		"path",
		"name",
		"map",
		"points",
		"x",
		"lock",
		"speedBins",
		"throttleBins",
		"lockTable",
		"modeTrigger",
		"signal",
		"value",
	],
	...[
		"inputMappings",
		"speed",
		"pwm",
		"frequencyHz",
		"inverted",
		"lowPower",
		"did",
		"scope",
		"active",
		"ssid",
		"password",
		"revision",
	],
	...["__proto__", "constructor", "toString", "length", ""],
);
// not as a string of fast-check: that takes a second to be made
const CHARACTER = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));
const TEXT = fc.oneof(
	fc.constantFrom("MAP", "5050", "STOCK", "/maps/../x", "chassis|0x1a0|x|", "gte", "NaN", "-0", "1e999"),
	fc.array(CHARACTER, { maxLength: 40 }).map((characters) => characters.join("")),
);
const NUMBER = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e308, 2 ** 53, 300, 12));
const VALUE = fc.letrec((tie) => ({
	any: fc.oneof({ depthSize: "small" }, TEXT, NUMBER, fc.boolean(), fc.constant(null), tie("list"), tie("object")),
	list: fc.array(tie("any"), { maxLength: 12 }),
	object: fc
		.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: NAME }, { weight: 1, arbitrary: TEXT }), tie("any")), { maxLength: 8 })
		.map((members) => Object.fromEntries(members)),
})).object;

const query = fc
	.array(fc.tuple(NAME, TEXT), { maxLength: 5 })
	.map((pairs) => pairs.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join("&"));

/**
 * Not the updates, which end with a restart, nor what would lock the others out or wait for a control unit.
 */
const POSTS = fc.constantFrom(
	...["/api/mode", "/api/settings", "/api/map", "/api/curve/speed", "/api/curve/rpm", "/api/maps/load", "/api/maps/save"],
	...[
		"/api/maps/delete",
		"/api/maps/import?name=x",
		"/api/logs/delete",
		"/api/logs/clear",
		"/api/canview/capture",
		"/api/session",
	],
);
const GETS = fc.constantFrom(
	...["/api/status", "/api/dashboard", "/api/canview", "/api/preview", "/api/map", "/api/maps", "/api/maps/export", "/api/logs"],
	...["/api/logs/read", "/api/wifi", "/api/owner", "/api/network", "/api/update", "/api/uds/status", "/api/none"],
);
/** A map as text: rows and columns, some of them numbers. */
const TABLE = fc
	.array(
		fc.array(
			fc.oneof(
				NUMBER.map(String),
				TEXT,
				fc.nat(100).map((n) => `S${n}%`),
			),
			{ maxLength: 12 },
		),
		{ maxLength: 9 },
	)
	.map((rows) => rows.map((cells) => cells.join("\t")).join("\n"));

interface Sent {
	readonly method: string;
	readonly path: string;
	readonly body: string;
}
const REQUEST: fc.Arbitrary<Sent> = fc.oneof(
	fc.record({ method: fc.constant("POST"), path: POSTS, body: VALUE.map((value) => JSON.stringify(value)) }),
	fc.record({ method: fc.constant("POST"), path: POSTS, body: TEXT }),
	fc.record({ method: fc.constant("POST"), path: fc.constant("/api/maps/import?name=y"), body: TABLE }),
	fc.record({
		method: fc.constantFrom("GET", "HEAD"),
		path: fc.tuple(GETS, query).map(([path, text]) => `${path}?${text}`),
		body: fc.constant(""),
	}),
);

async function settled(bench: Bench) {
	await sleep(300);
	return (await bench.report()).heap;
}

describe("system: properties", () => {
	it("any request is answered as described, and leaves neither names nor memory behind", () =>
		withBench({}, async (bench) => {
			const send = ({ method, path, body }: Sent) => bench.ask(method, path, body);
			// each path once, for what is taken when it is used first
			for (const { method, path, body } of fc.sample(REQUEST, { numRuns: 60, seed: SEED + 1 }))
				await send({ method, path, body });
			await bench.useEveryConnection();
			const before = await settled(bench);
			await fc.assert(
				fc.asyncProperty(REQUEST, async (sent) => {
					const { code } = await send(sent);
					assert.ok(code < 500 || code === 503, `${sent.method} ${sent.path} ${sent.body}: ${code}`);
					const { heap, youngestNames } = await bench.report();
					assert.equal(heap.keys, before.keys, youngestNames.slice(-(heap.keys - before.keys)).join());
				}),
				{ numRuns: RUNS, seed: SEED },
			);
			const after = await settled(bench);
			assert.ok(after.slotsLive <= before.slotsLive + SLOTS_MORE, `${before.slotsLive} slots, then ${after.slotsLive}`);
			assert.ok(after.chunksLive <= before.chunksLive + BYTES_MORE, `${before.chunksLive} bytes, then ${after.chunksLive}`);
		}));
});
