/**
 * As properties.test.ts, for what is no JSON: heads of requests, multipart bodies, images and the files on flash, made from a seed (fast-check) and
 * handed to the whole program on the real engine. Each answer has a status that it may have, and neither names nor memory are left behind.
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import fc from "fast-check";
import { mutilatedRequests } from "../support/mutilated.js";
import { anImage } from "../support/update-bench.js";
import { type Bench, withBench } from "./bench-car.js";
import { upload } from "./update-client.js";
import { describeSideBySide, sleep } from "./wait.js";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20261123);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 60);
const STARTS = Math.max(6, RUNS / 10);
/** What happens to be under way may take so much more, as in properties.test.ts. */
const SLOTS_MORE = 120;
const BYTES_MORE = 4096;
const STATUSES = [100, 200, 304, 400, 403, 404, 405, 408, 409, 413, 414, 415, 417, 431, 501, 503, 505];

/** Sends bytes as they are, in two pieces. @returns the statuses of what came back */
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
		setTimeout(() => socket.end(bytes.subarray(cutAt)), 2);
		// one that is not complete is waited for by the server, for longer than we do
		setTimeout(done, 400);
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

/** Runs a property between two looks at the heap. */
async function leavesNothing(
	bench: Bench,
	warmUp: () => Promise<unknown>,
	property: fc.IAsyncProperty<[unknown]>,
): Promise<void> {
	await warmUp();
	await sleep(300);
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

describeSideBySide("system: hostile bytes", (it) => {
	it("heads of requests that are nearly right are answered or refused", () =>
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

	it("multipart bodies are refused wherever they are wrong, and no image of theirs is started", () =>
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

	it("no image is taken that was changed anywhere, and each is answered", () =>
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
			assert.equal(JSON.parse((await bench.ask("GET", "/api/update")).text).current, "v0.1.0");
		}));

	it("files that are damaged anywhere are used or set aside: it starts, in stock, with the names it always has", async () => {
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
				...{ format: 1, generation: 5, mode: "MAP", ssid: "net", password: "12345678", apPassword: "12345678" },
				...{ logging: { file: false }, states: [{ of: "map", text: "x", path: "" }] },
			}),
		);
		await fc.assert(
			fc.asyncProperty(damaged(whole), async (bytes) => starts(bytes.toString("latin1"))),
			{ numRuns: STARTS, seed: SEED, endOnFailure: true },
		);
		assert.equal(keys.size, 1, [...keys].join());
	});
});
