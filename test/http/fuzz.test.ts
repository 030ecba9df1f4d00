import assert from "node:assert/strict";
import { ApiRouter } from "../../src/api/api-router.js";
import { ROUTES } from "../../src/api/routes.js";
import { Connection, type ConnectionContext, Phase } from "../../src/http/connection.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { InputBuffers } from "../../src/http/request.js";
import { anApiContext } from "../support/api-client.js";
import { generator, mutilatedRequests, WHOLE_REQUEST } from "../support/random.js";

const SEED = 20261121;
const ROUNDS = 3000;

describe("http and api under fuzzing", () => {
	it(`answers or rejects ${ROUNDS} mutilated inputs without a fault, and a right one afterwards`, () => {
		const { below } = generator(SEED);
		const faults: unknown[] = [];
		const due: (() => void)[] = [];
		const router = new ApiRouter(anApiContext({ later: (callback) => due.push(callback) }), ROUTES);
		const shared: ConnectionContext = {
			limits: HTTP_LIMITS,
			router,
			buffers: new InputBuffers(HTTP_LIMITS),
			hasHeap: () => true,
			evictFor: () => false,
			isWanted: () => false,
			onFault: (error) => faults.push(error),
		};
		const into = new Uint8Array(1400);
		let nowMs = 0;
		const run = (input: Uint8Array): string => {
			const connection = new Connection(shared, nowMs);
			const turns = (): void => {
				while (connection.isPaused) connection.resume(nowMs);
			};
			let output = "";
			for (let at = 0; at < input.length && connection.phase !== Phase.CLOSED; ) {
				turns();
				const length = Math.min(1 + below(700), connection.space(), input.length - at);
				connection.receive(input.slice(at, at + length), nowMs);
				turns();
				at += length;
				for (let n = 1; n > 0; ) {
					// what is answered in several turns has them now
					while (due.length > 0) due.shift()?.();
					n = connection.pull(into, 0, 1 + below(1400), nowMs);
					output += Buffer.from(into.subarray(0, n)).toString("latin1");
					// a window may be too small for a section; a whole one never is
					if (n === 0) n = connection.pull(into, 0, 1400, nowMs);
					else continue;
					output += Buffer.from(into.subarray(0, n)).toString("latin1");
				}
			}
			// whatever is unfinished is given an end by its time-outs
			for (let i = 0; i < 40 && connection.phase !== Phase.CLOSED; i++) {
				nowMs += 5000;
				connection.tick(nowMs);
				turns();
				for (let n = 1; n > 0; ) {
					n = connection.pull(into, 0, 1400, nowMs);
					output += Buffer.from(into.subarray(0, n)).toString("latin1");
				}
			}
			assert.equal(connection.phase, Phase.CLOSED);
			return output;
		};

		for (const input of mutilatedRequests(SEED, ROUNDS)) {
			const output = run(input);
			assert.ok(output === "" || /^HTTP\/1\.1 \d{3} /.test(output), JSON.stringify(output.slice(0, 100)));
		}
		assert.deepEqual(faults, []);
		assert.match(run(WHOLE_REQUEST), /"mode":"MAP"/);
	});
});
