/**
 * As properties.test.ts, for what is no JSON: heads of requests, multipart bodies, images, GVRET and the
 * files on flash, made from a seed (fast-check) and handed to the whole program on the real engine. Each
 * answer has a status that it may have, and neither names nor memory are left behind.
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import fc from "fast-check";
import { publicKeyOf, signManifest } from "../../tools/device/sign.mjs";
import { mutilatedRequests } from "../support/random.js";
import { anImage, aSignedImage, OWN_KEY, sha256 } from "../support/update-bench.js";
import { type Bench, withBench } from "./bench-car.js";
import { SavvyCan } from "./savvycan.js";
import { ReleaseServer, untilUpdate, updateState, upload } from "./update-peers.js";
import { sleep } from "./wait.js";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20261123);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 60);
const STARTS = Math.max(6, RUNS / 10);
/** What happens to be under way may take so much more, as in properties.test.ts. */
const SLOTS_MORE = 120;
const BYTES_MORE = 4096;
const STATUSES = [100, 200, 304, 400, 403, 404, 405, 408, 409, 413, 414, 415, 417, 431, 501, 503, 505];

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

/** Bytes with some of them changed, cut off or put in. */
const damaged = (whole: Buffer): fc.Arbitrary<Buffer> =>
	fc
		.tuple(
			fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 }),
			fc.oneof({ weight: 3, arbitrary: fc.constant(whole.length) }, { weight: 1, arbitrary: fc.nat(whole.length) }),
		)
		.map(([changes, length]) => {
			const bytes = Buffer.from(whole);
			for (const [at, bits] of changes) bytes[at] ^= bits;
			return bytes.subarray(0, length);
		});

const BOUNDARY = "b0-'x";
/** Its digest is wrong, so that none is ever started. */
const BROKEN_IMAGE = Buffer.concat([anImage().subarray(0, -1), Buffer.of(0x5a)]);
const PIECE = fc.constantFrom(
	...[`--${BOUNDARY}`, `\r\n--${BOUNDARY}\r\n`, `\r\n--${BOUNDARY}--\r\n`, "\r\n\r\n", "\r\n", "--", "\0", "\xff"],
	...[
		'Content-Disposition: form-data; name="update"; filename="fw.bin"',
		"Content-Disposition: form-data; name=x",
		"X: y",
		'"; filename',
	],
	BROKEN_IMAGE.toString("latin1"),
);
const MULTIPART = fc
	.array(fc.oneof(PIECE, PIECE, fc.string({ maxLength: 600 })), { maxLength: 9 })
	.map((pieces) => Buffer.from(`--${BOUNDARY}\r\n${pieces.join("")}`, "latin1"));

function multipartRequest(body: Buffer): Buffer {
	const head = `POST /ota/update HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary="${BOUNDARY}"\r\n`;
	return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`), body]);
}

const IMAGE = aSignedImage({ segments: [600, 40, 60_000] });
const MANIFEST = signManifest(
	{ version: "v0.2.0", firmware: "fw.bin", sha256: sha256(IMAGE), size: IMAGE.length, board: "opencoupling-host" },
	OWN_KEY,
);
/** What the key has signed of a manifest. */
const said = (bytes: Uint8Array): unknown => {
	const { version, board, minVersion, firmware, filesystem, releasePath, size, sha256: digest } = JSON.parse(String(bytes));
	return [version, board, minVersion, firmware, filesystem, releasePath, size, digest];
};
// fast-check's own arbitrary of URLs takes a second to be made
const ADDRESS = fc
	.tuple(fc.constantFrom("http://", "https://a.b/", "http://[::1]:8080/", "/", ""), fc.string({ maxLength: 60 }))
	.map((parts) => parts.join(""));
/** A manifest with some of its members changed, and objects that are none. */
const CHANGES = fc.record(
	{
		version: fc.constantFrom("v0.9.0", "v0.0.1", "", "<b>", "v1"),
		board: fc.string(),
		minVersion: fc.string(),
		firmware: ADDRESS,
		size: fc.oneof(fc.integer(), fc.double()),
		sha256: fc.string({ maxLength: 300 }),
		...{
			releasePath: fc.string(),
			filesystem: fc.json(),
			signature: fc.string({ unit: fc.constantFrom(..."0af"), minLength: 128, maxLength: 128 }),
		},
	},
	{ requiredKeys: [] },
);
const MANIFESTS = CHANGES.map((changes) => Buffer.from(JSON.stringify({ ...MANIFEST, ...changes })));
const WRONG_MANIFESTS = fc.oneof(fc.json(), fc.string({ maxLength: 5000 })).map((text) => Buffer.from(text));

const MAP = { speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80], throttleBins: [0, 10, 20, 30, 40, 50, 60] };
const STORED_MAP = JSON.stringify({ ...MAP, lockTable: Array(7).fill(Array(9).fill(50)) });
/** What lies on flash beside the settings, content by path. */
const FILES: Readonly<Record<string, string>> = {
	"maps/current.json": STORED_MAP,
	"maps/Ice.json": STORED_MAP,
	"maps/Sand.txt": [
		["ID", "Name", ...MAP.speedBins.map((kmh) => `S${kmh}`)].join("\t"),
		...MAP.throttleBins.map((pedal) => [`T${pedal}`, "x", ...Array(9).fill(50)].join("\t")),
	].join("\n"),
	"owner.json": JSON.stringify({ format: 1, salt: "0f".repeat(16), rounds: 1000, proof: "ab".repeat(32) }),
	"newest-version.json": '{"format":1,"version":"v0.1.0","announced":"v0.2.0"}',
};

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

/** Runs a property between two looks at the heap. */
async function leavesNothing(
	bench: Bench,
	warmUp: () => Promise<unknown>,
	property: fc.IAsyncProperty<[unknown]>,
): Promise<void> {
	await warmUp();
	await bench.useEveryConnection();
	const before = (await bench.report()).heap;
	await fc.assert(property, { numRuns: RUNS, seed: SEED });
	await sleep(300);
	const { heap, youngestNames } = await bench.report();
	assert.equal(heap.keys, before.keys, youngestNames.slice(before.keys - heap.keys).join());
	assert.ok(heap.slotsLive <= before.slotsLive + SLOTS_MORE, `${before.slotsLive} slots, then ${heap.slotsLive}`);
	assert.ok(heap.chunksLive <= before.chunksLive + BYTES_MORE, `${before.chunksLive} bytes, then ${heap.chunksLive}`);
	assert.equal((await bench.status()).mode, "STOCK");
}

/** Car stands, mode STOCK: the only state in which an image is taken. */
const AT_REST = { settings: null, connected: false } as const;

describe("system: hostile bytes", () => {
	it("heads of requests that are nearly valid are answered or rejected", () =>
		withBench(AT_REST, async (bench) => {
			const requests = [...mutilatedRequests(SEED, 400)].map((bytes) =>
				Buffer.from(bytes.toString("latin1").replace(/"map"/g, '"stock"'), "latin1"),
			);
			const all = async (some: Buffer[]) => {
				for (const bytes of some) await exchange(bench, bytes, bytes.length >> 1);
			};
			await leavesNothing(
				bench,
				() => all(requests.slice(0, 20)),
				fc.asyncProperty(fc.tuple(fc.constantFrom(...requests), fc.nat(2000)), async ([bytes, cutAt]) => {
					for (const status of await exchange(bench, bytes, cutAt)) assert.ok(STATUSES.includes(status), `${status}`);
				}),
			);
		}));

	it("invalid multipart bodies are rejected, and no image of theirs starts", () =>
		withBench(AT_REST, async (bench) => {
			const image = multipartRequest(
				Buffer.from(
					`--${BOUNDARY}\r\nContent-Disposition: form-data; filename=f\r\n\r\n${BROKEN_IMAGE.toString("latin1")}\r\n--${BOUNDARY}--`,
					"latin1",
				),
			);
			assert.deepEqual(await exchange(bench, image, 300), [400]);
			await leavesNothing(
				bench,
				() => exchange(bench, image, 40),
				fc.asyncProperty(fc.tuple(MULTIPART, fc.nat(3000)), async ([body, cutAt]) => {
					const statuses = await exchange(bench, multipartRequest(body), cutAt);
					// 409 and 503: the one before has not been let go of yet
					for (const status of statuses) assert.ok([400, 409, 503].includes(status), `${status}`);
				}),
			);
		}));

	it("an image that was changed anywhere is rejected", () =>
		withBench(AT_REST, async (bench) => {
			const whole = anImage({ version: "v0.2.0", segments: [600, 40, 3000] });
			await leavesNothing(
				bench,
				() => upload(bench, BROKEN_IMAGE),
				fc.asyncProperty(fc.tuple(damaged(whole)), async ([bytes]) => {
					if (bytes.equals(whole)) return;
					assert.match(await upload(bench, bytes), /^(400|409|413|503) FAIL: /);
				}),
			);
			assert.equal((await bench.get("/api/update")).current, "v0.1.0");
		}));

	it("a manifest that differs from what was signed is ignored", async () => {
		const server = await ReleaseServer.start();
		const args = ["--wifi", "home:password1", "--update-url", server.url, "--update-key", publicKeyOf(OWN_KEY)];
		try {
			await withBench({ ...AT_REST, args }, async (bench) => {
				await bench.joinHome();
				const check = async (bytes: Uint8Array): Promise<string> => {
					server.manifestBytes = bytes;
					await bench.ask("POST", "/api/update/check");
					return String((await untilUpdate(bench, ({ checking }) => checking === false, "the check"))["error"]);
				};
				const whole = Buffer.from(JSON.stringify(MANIFEST));
				await leavesNothing(
					bench,
					async () => {
						assert.equal(await check(whole), "");
						assert.notEqual(await check(Buffer.from("{}")), "");
					},
					fc.asyncProperty(fc.tuple(fc.oneof(damaged(whole), MANIFESTS, WRONG_MANIFESTS)), async ([bytes]) => {
						const error = await check(bytes);
						if (error === "") assert.deepEqual(said(bytes), said(whole));
						else assert.match(error, /^(invalid json|not signed with this controller's key)$/);
						const { latest, available } = await updateState(bench);
						assert.deepEqual([latest, available], ["v0.2.0", true], "the good one stays");
					}),
				);
			});
		} finally {
			server.close();
		}
	});

	it("an analyser's client can send nothing without permission, and the next one is served", () =>
		withBench({ ...AT_REST, args: ["--analyzer", "0"] }, async (bench) => {
			const { port } = JSON.parse((await bench.ask("POST", "/api/analyzer", '{"enabled":true}')).text);
			const say = async (bytes: Buffer, cutAt: number) => {
				const client = await SavvyCan.raw(port);
				client.write(bytes.subarray(0, cutAt).toString("hex"));
				await sleep(2);
				client.write(bytes.subarray(cutAt).toString("hex"));
				await sleep(20);
				client.close();
			};
			const frame = "f1002301000000080102030405060708";
			await leavesNothing(
				bench,
				() => say(Buffer.from(`e7e7f10cf106f107f101f109${frame}`, "hex"), 5),
				fc.asyncProperty(fc.tuple(GVRET, fc.nat(60)), ([bytes, cutAt]) => say(bytes, cutAt)),
			);
			const served = await SavvyCan.connect(port);
			assert.equal(served.isClosed, false);
			served.close();
			const { sentFrames, refusedFrames } = await bench.get("/api/analyzer");
			assert.equal(sentFrames, 0, "nobody has allowed it");
			assert.ok(refusedFrames > 0);
		}));

	it("damaged settings are used or set aside, and it starts in stock", async () => {
		const keys = new Set<number>();
		const starts = async (content: string) =>
			withBench(
				{ settings: null, connected: false, files: { "settings.json": content, "wifi.json": content, "history.json": content } },
				async (bench) => {
					assert.equal((await bench.status()).effectiveMode, "STOCK");
					for (const path of ["/api/map", "/api/wifi", "/api/update"])
						assert.equal((await bench.ask("GET", path)).code, 200, path);
					keys.add((await bench.report()).heap.keys);
				},
			);
		await starts("{}");
		const whole = Buffer.from(
			JSON.stringify({
				format: 1,
				generation: 5,
				mode: "MAP",
				ssid: "net",
				password: "12345678",
				apPassword: "12345678",
				logging: { file: false },
				states: [{ of: "map", text: "x", path: "" }],
			}),
		);
		await fc.assert(
			fc.asyncProperty(damaged(whole), async (bytes) => starts(bytes.toString("latin1"))),
			{ numRuns: STARTS, seed: SEED, endOnFailure: true },
		);
		assert.equal(keys.size, 1, [...keys].join());
	});

	it("damaged maps, password and version are used or set aside, and it starts in stock", async () => {
		const keys = new Set<number>();
		const starts = (files: Readonly<Record<string, string>>) =>
			withBench({ settings: null, connected: false, files, args: ["--update-key", publicKeyOf(OWN_KEY)] }, async (bench) => {
				const { effectiveMode } = await bench.status();
				assert.equal(effectiveMode, "STOCK");
				const map = (await bench.get("/api/map")) as Record<string, unknown[]>;
				assert.deepEqual([map["speedBins"].length, map["throttleBins"].length, map["lockTable"].flat().length], [9, 7, 63]);
				for (const path of ["/api/maps", "/api/maps/export?name=Ice", "/api/maps/export?name=Sand"])
					assert.ok([200, 400, 404].includes((await bench.ask("GET", path)).code), path);
				const { passwordSet } = await bench.get("/api/owner");
				const { code } = await bench.ask("POST", "/api/learn/cancel");
				assert.equal(code, passwordSet === true ? 401 : 200);
				assert.match(String((await updateState(bench))["newestKept"]), /^v[0-9]/);
				keys.add((await bench.report()).heap.keys);
			});
		await starts(FILES);
		const all = Object.entries(FILES).map(([path, content]) => [path, damaged(Buffer.from(content))] as const);
		await fc.assert(
			fc.asyncProperty(fc.record(Object.fromEntries(all)), (files) =>
				starts(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, bytes.toString("latin1")]))),
			),
			{ numRuns: STARTS, seed: SEED, endOnFailure: true },
		);
		assert.equal(keys.size, 1, [...keys].join());
	});
});
