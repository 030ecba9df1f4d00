/** Conversations with control units of other people's making, recorded once: ours says again what it said then. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Diagnosis } from "../../src/diagnosis/diagnosis.js";

const POLL_MS = 5;

describe("recorded conversations", () => {
	it("with can-isotp: blocks both ways, response pending, a negative response", () => {
		const lines = readFileSync("test/diagnosis/recorded/can-isotp.txt", "utf8").trim().split("\n").slice(1);
		const said: string[] = [];
		let at = 0;
		const worker = new Diagnosis({
			openDiagnosis: () => undefined,
			closeDiagnosis: () => undefined,
			receivedAgeMs: () => 0xffffffff,
			send: (_bus, id, data) => {
				said.push(`> ${id.toString(16)}#${Buffer.from(data).toString("hex")}`);
				assert.equal(said.at(-1), lines[at]);
				at++;
				return true;
			},
			// one frame a call: the other side waits for what we say where it waited then
			receiveDiagnosis: (into) => {
				const found = /^< ([0-9a-f]+)#([0-9a-f]+)$/.exec(lines[at] ?? "");
				if (found === null) return -1;
				at++;
				new DataView(into.buffer).setUint32(0, Number.parseInt(found[1]!, 16), true);
				const data = Buffer.from(found[2]!, "hex");
				into.set([data.length, ...data], 4);
				return data.length;
			},
		});
		const long = new Uint8Array(60).fill(0x11);
		long[0] = 0x22;
		let results: string[] = [];
		worker.start(
			{
				...{ transport: "uds_can", timeoutMs: 1500, probeMs: 900, isProbe: false },
				requests: [Uint8Array.of(0x22, 0xf1, 0x90), long, Uint8Array.of(0x3e, 0)],
				ended: (all) => {
					results = all.map(({ status, response, pendingSeen }) => `${status} ${response.length} ${pendingSeen}`);
				},
			},
			0,
		);
		for (let nowMs = 0; nowMs < 10_000 && results.length === 0; nowMs += POLL_MS) worker.poll(nowMs);
		assert.deepEqual(results, ["positive 243 true", "positive 61 false", "negative_response 3 false"]);
		assert.equal(at, lines.length);
	});
});
