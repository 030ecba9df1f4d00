/**
 * Inputs made from a seed (fast-check), to the whole program on the real engine and a board's heap: requests,
 * heads of requests, multipart bodies, GVRET and the files on flash. Each answer has a status that it may have,
 * and neither names nor memory are left behind. What fails is made as small as it can be and printed with its
 * seed. `FUZZ_SEED` and `FUZZ_RUNS` take others.
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import fc from "fast-check";
import { ReleaseServer } from "../../tools/device/release-server.js";
import { anImage, sha256 } from "../../tools/device/sample-image.js";
import { publicKeyOf, signManifest } from "../../tools/device/sign.mjs";
import { mutilatedRequests } from "../../tools/random.js";
import { aSignedImage, OWN_KEY } from "../support/update-bench.js";
import { Bench, flatMap, withBench } from "./bench-car.js";
import { SavvyCan } from "./savvycan.js";
import { untilUpdate, updateState, upload } from "./update-peers.js";
import { sleep } from "./wait.js";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20261123);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 60);
const STARTS = Math.max(8, RUNS / 10);
/**
 * What happens to be under way may take so much more: 127 after 1,500 requests, 146 after 100, so it does not
 * grow.
 */
const SLOTS_MORE = 180;
const BYTES_MORE = 4096;
const STATUSES = [100, 200, 304, 400, 403, 404, 405, 408, 409, 411, 413, 414, 415, 417, 431, 501, 503, 505];

/** Sends bytes as they are, in two pieces. @returns the statuses of what returned */
function exchange(bench: Bench, bytes: Uint8Array, cutAt: number): Promise<number[]> {
	return new Promise((resolve) => {
		let text = "";
		const socket = connect(bench.port, "127.0.0.1");
		const done = () => {
			socket.destroy();
			resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)));
		};
		socket.on("data", (data) => (text += data.toString("latin1")));
		socket.on("error", () => undefined);
		socket.on("close", done);
		socket.setNoDelay(true);
		socket.write(bytes.subarray(0, cutAt));
		void sleep(5).then(() => socket.end(bytes.subarray(cutAt)));
		// one that is not complete is waited for by the server, for longer than we do
		void sleep(400).then(done);
	});
}

/** Bytes with some of them changed, and cut off. */
const damaged = (whole: Buffer): fc.Arbitrary<string> =>
	fc
		.tuple(
			fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 }),
			fc.oneof({ weight: 3, arbitrary: fc.constant(whole.length) }, { weight: 1, arbitrary: fc.nat(whole.length) }),
		)
		.map(([changes, length]) => {
			const bytes = Buffer.from(whole);
			for (const [at, bits] of changes) bytes[at] ^= bits;
			return bytes.subarray(0, length).toString("latin1");
		});

const BOUNDARY = "b0-'x";
/** Its digest is wrong, so that none is ever started. */
const BROKEN_IMAGE = Buffer.concat([anImage().subarray(0, -1), Buffer.of(0x5a)]).toString("latin1");
const PIECE = fc.constantFrom(
	...[`--${BOUNDARY}`, `\r\n--${BOUNDARY}\r\n`, `\r\n--${BOUNDARY}--\r\n`, "\r\n\r\n", "\r\n", "--", "\0", "\xff"],
	...['Content-Disposition: form-data; name="update"; filename="fw.bin"', "X: y", '"; filename', BROKEN_IMAGE],
);
const MULTIPART = fc
	.array(fc.oneof(PIECE, PIECE, fc.string({ maxLength: 600 })), { maxLength: 9 })
	.map((pieces) => pieces.join(""));

function multipartRequest(parts: string): Buffer {
	const body = Buffer.from(`--${BOUNDARY}${parts}`, "latin1");
	const head = `POST /ota/update HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary="${BOUNDARY}"\r\n`;
	return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`), body]);
}

/** Heads that are nearly valid; none selects a mode that controls. */
const REQUESTS = [...mutilatedRequests(SEED, 400)].map((bytes) =>
	Buffer.from(bytes.toString("latin1").replace(/"map"/g, '"stock"'), "latin1"),
);

/**
 * Commands of SavvyCAN and what looks like them: of each byte that a session tells apart many, whole and not.
 */
const GVRET = fc
	.array(
		fc.oneof(
			fc.constantFrom(Buffer.of(0xe7), Buffer.of(0xe7, 0xe7), Buffer.of(0xf1), Buffer.of(0xf1, 0xf1)),
			fc
				.tuple(fc.integer({ min: 0, max: 16 }), fc.uint8Array({ maxLength: 18 }))
				.map(([command, operands]) => Buffer.of(0xf1, command, ...operands)),
			fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
		),
		{ maxLength: 30 },
	)
	.map((pieces) => Buffer.concat(pieces));

const words = (text: string): string[] => text.split(" ");
/** Names that mean something somewhere, and some that mean something to an engine. */
const NAME = fc.constantFrom(
	...words("mode path name map points x lock speedBins throttleBins lockTable modeTrigger signal value inputMappings speed pwm"),
	...words("frequencyHz inverted lowPower did scope active ssid password revision __proto__ constructor toString length"),
	"",
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
const QUERY = fc
	.array(fc.tuple(NAME, TEXT), { maxLength: 5 })
	.map((pairs) => pairs.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join("&"));
/** Not the updates, which end with a restart, nor what would lock the others out or wait for a control unit. */
const POSTS = fc.constantFrom(
	...words("mode settings map curve/speed curve/rpm maps/load maps/save maps/delete maps/import?name=x logs/delete"),
	...words("logs/clear canview/capture session"),
);
const GETS = fc.constantFrom(
	...words("status dashboard canview preview map maps maps/export logs logs/read wifi owner network update uds/status none"),
);
/** A map as text: rows and columns, some of them numbers. */
const CELL = fc.oneof(
	NUMBER.map(String),
	TEXT,
	fc.nat(100).map((n) => `S${n}%`),
);
const TABLE = fc
	.array(fc.array(CELL, { maxLength: 12 }), { maxLength: 9 })
	.map((rows) => rows.map((cells) => cells.join("\t")).join("\n"));
const REQUEST: fc.Arbitrary<[method: string, path: string, body: string]> = fc.oneof(
	fc.tuple(
		fc.constant("POST"),
		POSTS,
		VALUE.map((value) => JSON.stringify(value)),
	),
	fc.tuple(fc.constant("POST"), POSTS, TEXT),
	fc.tuple(fc.constant("POST"), fc.constant("maps/import?name=y"), TABLE),
	fc.tuple(
		fc.constantFrom("GET", "HEAD"),
		fc.tuple(GETS, QUERY).map(([path, query]) => `${path}?${query}`),
		fc.constant(""),
	),
);

const RELEASE = aSignedImage();
const MANIFEST = signManifest(
	{ version: "v0.2.0", firmware: "fw.bin", sha256: sha256(RELEASE), size: RELEASE.length, board: "opencoupling-host" },
	OWN_KEY,
);
const SIGNED = words("version board minVersion firmware filesystem releasePath size sha256");
const MANIFESTS = fc.oneof(
	damaged(Buffer.from(JSON.stringify(MANIFEST))),
	fc
		.dictionary(fc.constantFrom(...SIGNED, "signature"), fc.oneof(TEXT, NUMBER))
		.map((changes) => JSON.stringify({ ...MANIFEST, ...changes })),
	VALUE.map((value) => JSON.stringify(value)),
	TEXT,
);
const signedMembers = (manifest: string): unknown[] => SIGNED.map((name) => JSON.parse(manifest)[name]);

/** What lies on flash, content by path. */
const JOINED = JSON.stringify({
	...{ format: 1, generation: 5, mode: "MAP", ssid: "net", password: "12345678", apPassword: "12345678" },
	...{ logging: { file: false }, states: [{ of: "map", text: "x", path: "" }] },
});
const FILES: Readonly<Record<string, string>> = {
	"settings.json": JOINED,
	"wifi.json": JOINED,
	"history.json": JOINED,
	"maps/current.json": JSON.stringify(flatMap(50)),
	"maps/Ice.json": JSON.stringify(flatMap(50)),
	"maps/Sand.txt": [
		["ID", "Name", ...flatMap(50).speedBins.map((kmh) => `S${kmh}`)].join("\t"),
		...flatMap(50).throttleBins.map((pedal) => [`T${pedal}`, "x", ...Array(9).fill(50)].join("\t")),
	].join("\n"),
	"owner.json": JSON.stringify({ format: 1, salt: "0f".repeat(16), rounds: 1000, proof: "ab".repeat(32) }),
	"newest-version.json": '{"format":1,"version":"v0.1.0","announced":"v0.2.0"}',
};

describe("system: hostile bytes", () => {
	let bench: Bench;
	before(async () => {
		bench = await Bench.start({ settings: null, connected: false, args: ["--analyzer", "0"] });
	});
	after(() => bench.end());

	/** Does something with each input; a second time, it leaves nothing in the heap. */
	async function leavesNothing<T>(
		inputs: fc.Arbitrary<T>,
		runs: number,
		use: (input: T) => Promise<void>,
		on = bench,
	): Promise<void> {
		for (const input of fc.sample(inputs, { numRuns: Math.ceil(runs / 3), seed: SEED + 1 })) await use(input);
		await on.useEveryConnection();
		const { heap: before } = await on.report();
		await fc.assert(fc.asyncProperty(inputs, use), { numRuns: runs, seed: SEED });
		await sleep(300);
		const { heap, youngestNames } = await on.report();
		assert.equal(heap.keys, before.keys, youngestNames.slice(before.keys - heap.keys).join());
		assert.ok(heap.slotsLive <= before.slotsLive + SLOTS_MORE, `${before.slotsLive} slots, then ${heap.slotsLive}`);
		assert.ok(heap.chunksLive <= before.chunksLive + BYTES_MORE, `${before.chunksLive} bytes, then ${heap.chunksLive}`);
	}

	it("heads of requests that are nearly valid are answered or rejected", () =>
		leavesNothing(fc.tuple(fc.constantFrom(...REQUESTS), fc.nat(2000)), RUNS, async ([bytes, cutAt]) => {
			for (const status of await exchange(bench, bytes, cutAt)) assert.ok(STATUSES.includes(status), `${status}`);
		}));

	it("invalid multipart bodies are rejected, and no image of theirs starts", async () => {
		const image = `\r\nContent-Disposition: form-data; filename=f\r\n\r\n${BROKEN_IMAGE}\r\n--${BOUNDARY}--`;
		assert.deepEqual(await exchange(bench, multipartRequest(image), 300), [400]);
		await leavesNothing(fc.tuple(MULTIPART, fc.nat(3000)), RUNS, async ([parts, cutAt]) => {
			// 409 and 503: the one before still runs
			for (const status of await exchange(bench, multipartRequest(`\r\n${parts}`), cutAt))
				assert.ok([400, 409, 503].includes(status), `${status}`);
		});
		assert.equal((await updateState(bench))["current"], "v0.1.0");
	});

	it("an image that was changed anywhere is rejected", async () => {
		const image = anImage();
		await leavesNothing(damaged(image), RUNS, async (text) => {
			const bytes = Buffer.from(text, "latin1");
			if (!bytes.equals(image)) assert.match(await upload(bench, bytes), /^(400|409|413|503) FAIL: /);
		});
		assert.equal((await updateState(bench))["current"], "v0.1.0");
	});

	it("a manifest that differs from what was signed is ignored", async () => {
		const server = await ReleaseServer.start();
		const args = ["--wifi", "home:password1", "--update-url", server.url, "--update-key", publicKeyOf(OWN_KEY)];
		const whole = JSON.stringify(MANIFEST);
		try {
			await withBench({ settings: null, connected: false, args }, async (on) => {
				await on.joinHome();
				const look = async (text: string): Promise<void> => {
					server.manifestBytes = Buffer.from(text, "latin1");
					await on.ask("POST", "/api/update/check");
					const state = await untilUpdate(on, ({ checking }) => checking === false, "the check");
					if (state["error"] === "") assert.deepEqual(signedMembers(text), signedMembers(whole));
					else assert.match(String(state["error"]), /^(invalid json|not signed with this controller's key)$/);
					assert.deepEqual([state["latest"], state["available"]], ["v0.2.0", true], "the good one stays");
				};
				await look(whole);
				await leavesNothing(MANIFESTS, RUNS, look, on);
			});
		} finally {
			server.close();
		}
	});

	it("an analyser's client can send nothing without permission, and the next one is served", async () => {
		const { port } = (await bench.post("/api/analyzer", { enabled: true })).answer;
		await leavesNothing(fc.tuple(GVRET, fc.nat(60)), RUNS, async ([bytes, cutAt]) => {
			const client = await SavvyCan.raw(port);
			client.write(bytes.subarray(0, cutAt).toString("hex"));
			await sleep(2);
			client.write(bytes.subarray(cutAt).toString("hex"));
			await sleep(20);
			client.close();
		});
		(await SavvyCan.connect(port)).close();
		const { sentFrames, refusedFrames } = await bench.get("/api/analyzer");
		assert.ok(sentFrames === 0 && refusedFrames > 0, `${sentFrames} and ${refusedFrames}`);
	});

	it("any request is answered as described", () =>
		leavesNothing(REQUEST, 2 * RUNS, async ([method, path, body]) => {
			const { code } = await bench.ask(method, `/api/${path}`, body);
			assert.ok(code < 500 || code === 503, `${method} ${path} ${body}: ${code}`);
		}));

	it("starts in stock with damaged files, which it uses or sets aside", async () => {
		const names = new Set<string>();
		let intactKeys: number | undefined;
		const starts = (files: Readonly<Record<string, string>>) =>
			withBench({ settings: null, connected: false, files, args: ["--update-key", publicKeyOf(OWN_KEY)] }, async (bench) => {
				assert.equal((await bench.status()).effectiveMode, "STOCK");
				const { speedBins, throttleBins, lockTable } = await bench.get("/api/map");
				assert.deepEqual([speedBins.length, throttleBins.length, lockTable.flat().length], [9, 7, 63]);
				for (const path of ["/api/wifi", "/api/maps", "/api/maps/export?name=Ice", "/api/maps/export?name=Sand"])
					assert.ok([200, 400, 404].includes((await bench.ask("GET", path)).code), path);
				const { passwordSet } = await bench.get("/api/owner");
				assert.equal((await bench.ask("POST", "/api/learn/cancel")).code, passwordSet === true ? 401 : 200);
				assert.match(String((await updateState(bench))["newestKept"]), /^v[0-9]/);
				const { heap, youngestNames } = await bench.report();
				intactKeys ??= heap.keys;
				// more than the engine lists of them could hide one
				assert.ok(heap.keys <= intactKeys, `${heap.keys} names of the engine, the youngest ${youngestNames}`);
				for (const name of youngestNames) names.add(name);
			});
		await starts(FILES);
		const own = [...names];
		const all = Object.entries(FILES).map(([path, content]) => [path, damaged(Buffer.from(content))] as const);
		await fc.assert(fc.asyncProperty(fc.record(Object.fromEntries(all)), starts), {
			numRuns: STARTS,
			seed: SEED,
			endOnFailure: true,
		});
		assert.deepEqual([...names], own, "names of the engine");
	});
});
