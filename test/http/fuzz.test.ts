import assert from "node:assert/strict";
import { ApiRouter } from "../../src/api/api-router.js";
import { ROUTES } from "../../src/api/routes.js";
import { Connection, PHASE } from "../../src/http/connection.js";
import { InputBuffers } from "../../src/http/input-buffers.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { anApiContext } from "../support/api-context.js";

const SEED = 20261121;
const ROUNDS = 3000;

/** Numbers 0 <= n < limit, the same sequence for the same seed (mulberry32). */
function random(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) % limit;
	};
}

const SEEDS = [
	"GET /api/status HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
	'POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{"mode":"map"}',
	'POST /api/mode HTTP/1.1\r\nHost: 10.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"mod\r\n9;x=y\r\ne":"map"}\r\n0\r\nA: b\r\n\r\n',
	`GET /x?${"a=b&".repeat(200)} HTTP/1.0\r\nCookie: ${"c".repeat(3000)}\r\nConnection: keep-alive\r\n\r\n`,
];
const PIECES = [
	"\r\n",
	"\n",
	"\r",
	"\0",
	" ",
	":",
	"Host: h\r\n",
	"Content-Length: 5\r\n",
	"Transfer-Encoding: chunked\r\n",
	"Expect: 100-continue\r\n",
	"ffffffff\r\n",
	"%",
	"{",
	"[",
];

describe("http and api under fuzzing", () => {
	it(`answers or refuses ${ROUNDS} mutilated inputs without a fault, and works afterwards`, () => {
		const next = random(SEED);
		const faults: unknown[] = [];
		const slots = { free: 2 };
		const router = new ApiRouter(anApiContext(), ROUTES);
		const connection = new Connection({
			limits: HTTP_LIMITS,
			router,
			buffers: new InputBuffers(HTTP_LIMITS),
			slots,
			crowded: false,
			hasRoom: () => true,
			onFault: (error) => faults.push(error),
		});
		const into = new Uint8Array(1400);
		let nowMs = 0;

		const run = (input: Uint8Array): string => {
			connection.open(nowMs);
			let output = "";
			for (let at = 0; at < input.length && connection.phase !== PHASE.CLOSED; ) {
				const length = Math.min(1 + next(700), connection.space(), input.length - at);
				connection.receive(input.slice(at, at + length), nowMs);
				at += length;
				for (let n = 1; n > 0; ) {
					n = connection.pull(into, 0, 1 + next(1400), nowMs);
					output += Buffer.from(into.subarray(0, n)).toString("latin1");
					// a window may be too small for a section; a whole one never is
					if (n === 0) n = connection.pull(into, 0, 1400, nowMs);
					else continue;
					output += Buffer.from(into.subarray(0, n)).toString("latin1");
				}
			}
			// whatever is unfinished is given an end by its time-outs
			for (let i = 0; i < 40 && connection.phase !== PHASE.CLOSED; i++) {
				nowMs += 5000;
				connection.tick(nowMs);
				for (let n = 1; n > 0; ) {
					n = connection.pull(into, 0, 1400, nowMs);
					output += Buffer.from(into.subarray(0, n)).toString("latin1");
				}
			}
			assert.equal(connection.phase, PHASE.CLOSED);
			assert.equal(slots.free, 2);
			return output;
		};

		for (let round = 0; round < ROUNDS; round++) {
			let text = "";
			for (let i = 1 + next(3); i > 0; i--) text += SEEDS[next(SEEDS.length)];
			for (let i = next(4); i > 0; i--) {
				const at = next(text.length);
				const kind = next(3);
				const piece = PIECES[next(PIECES.length)];
				text =
					text.slice(0, at) +
					(kind === 0 ? piece : kind === 1 ? String.fromCharCode(next(256)) : "") +
					text.slice(at + next(kind === 2 ? 40 : 2));
			}
			const output = run(new Uint8Array(Buffer.from(text, "latin1")));
			assert.ok(output === "" || /^HTTP\/1\.1 \d{3} /.test(output), JSON.stringify(output.slice(0, 100)));
		}
		assert.deepEqual(faults, []);
		assert.match(run(new Uint8Array(Buffer.from(SEEDS[1]))), /"mode":"MAP"/);
	});
});
