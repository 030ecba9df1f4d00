/** The worker against the simulated control unit, which shares no code with it. */
import assert from "node:assert/strict";
import type { ExchangeResult } from "../../src/diagnosis/diagnosis.js";
import { clearKwpDtcs, readDid, readDtcs, readKwpDtcs, readLocalId, troubleCodes } from "../../src/diagnosis/services.js";
import { ControlUnitBench } from "../support/control-unit-bench.js";

const hex = ({ response }: ExchangeResult): string => Buffer.from(response).toString("hex");
const statuses = (results: readonly ExchangeResult[]): string[] => results.map(({ status }) => status);
const jobTelling = (told: string[]) => ({
	...({ transport: "uds_can", requests: [readDid(0xf190)], timeoutMs: 1500, probeMs: 900, isProbe: false } as const),
	ended: (results: readonly ExchangeResult[]) => told.push(...statuses(results)),
});
const VIN = "62f190" + Buffer.from("WVWZZZAUZ00000000").toString("hex");

describe("diagnosis", () => {
	describe("over UDS", () => {
		it("finds the route that answers, asks, and knows it from then on", () => {
			const bench = new ControlUnitBench({ request: 0x71d, response: 0x787, extended: false });
			const { results, route } = bench.run({ requests: [readDid(0xf190)] });
			assert.deepEqual(results.map(hex), [VIN]);
			assert.equal(route?.name, "allwheel-71d");
			assert.equal(bench.traffic[0], "> 70f#0322f19e55555555");
			bench.traffic.length = 0;
			bench.run({ requests: [readDid(0xf190)] });
			assert.equal(bench.traffic[0], "> 71d#0322f19055555555");
		});

		it("speaks with 29 bits where the control unit does", () => {
			const bench = new ControlUnitBench({ request: 0x1c40000f, response: 0x1c42000f, extended: true });
			const { results, route } = bench.run({ requests: [readDid(0xf189)] });
			assert.equal(hex(results[0]), "62f18937303736");
			assert.equal(route?.extended, true);
		});

		it("tries the route first that was answered last", () => {
			const bench = new ControlUnitBench({ request: 0x71d, response: 0x787, extended: false });
			bench.run({ requests: [readDid(0xf190)] });
			bench.traffic.length = 0;
			const { results } = bench.run({ requests: [readDid(0xf19e)], isProbe: true });
			assert.deepEqual(statuses(results), ["positive"]);
			assert.equal(bench.traffic[0]?.slice(0, 5), "> 71d");
		});

		it("says that there is no route, and for a probe how the last try ended", () => {
			const bench = new ControlUnitBench();
			bench.faults.silent = true;
			assert.deepEqual(statuses(bench.run({ requests: [readDid(0xf190)] }).results), ["no_route"]);
			assert.deepEqual(statuses(bench.run({ requests: [readDid(0xf19e)], isProbe: true }).results), ["timeout"]);
			assert.equal(bench.nowMs >= 6 * 900, true);
			assert.deepEqual(bench.kept, [], "nothing is kept back any more");
		});

		it("goes on with the next request after a negative response", () => {
			const { results } = new ControlUnitBench().run({ requests: [readDid(0x1234), readDid(0xf189)] });
			assert.deepEqual(statuses(results), ["negative_response", "positive"]);
			assert.equal(results[0].nrc, 0x31);
		});

		it("ends at a time-out and gives the route up", () => {
			const bench = new ControlUnitBench();
			bench.run({ requests: [readDid(0xf190)] });
			bench.faults.silent = true;
			const { results } = bench.run({ requests: [readDid(0xf190), readDid(0xf189)] });
			assert.deepEqual(statuses(results), ["timeout"]);
			assert.equal(bench.worker.route, undefined);
		});

		it("asks for eight frames at a time, so that a long answer finds room", () => {
			const bench = new ControlUnitBench();
			bench.unit.faults = Array.from({ length: 50 }, (_, i) => [0x100000 + i, 0x08]);
			const { results } = bench.run({ requests: [readDtcs(0xaf)], timeoutMs: 3000 });
			assert.equal(troubleCodes(results[0].response)?.codes.length, 50);
			assert.equal(bench.traffic.filter((frame) => frame === "> 70f#3008025555555555").length, 5);
		});
	});

	describe("over KWP2000", () => {
		const kwp = { transport: "kwp_tp20", timeoutMs: 5000 } as const;

		it("opens a channel, begins a session, asks, and closes", () => {
			const bench = new ControlUnitBench();
			const { results, route } = bench.run({ ...kwp, requests: [readLocalId(1), readLocalId(2)] });
			assert.deepEqual(statuses(results), ["positive", "positive"]);
			assert.equal(hex(results[1]).slice(0, 4), "6102");
			assert.equal(route?.name, "allwheel-kwp-tp20");
			assert.equal(bench.traffic[0], "> 200#0ac00010000301");
			assert.deepEqual(bench.traffic.slice(-2), ["> 740#a8", "< 300#a8"]);
			assert.deepEqual(bench.kept, []);
		});

		it("reads and clears trouble codes", () => {
			const bench = new ControlUnitBench();
			const { results } = bench.run({ ...kwp, requests: [readKwpDtcs(), clearKwpDtcs(0xff00), readKwpDtcs()] });
			assert.deepEqual(results.map(hex), ["5802c10169523568", "54ff00", "5800"]);
		});

		it("reports setup_timeout if the control unit opens no channel", () => {
			const bench = new ControlUnitBench();
			bench.faults.silent = true;
			assert.deepEqual(statuses(bench.run({ ...kwp, requests: [readLocalId(1)] }).results), ["setup_timeout"]);
			bench.faults.silent = false;
			assert.deepEqual(statuses(bench.run({ ...kwp, requests: [readLocalId(1)] }).results), ["positive"]);
		});

		it("leaves no channel open after an error, so that the next one is given", () => {
			const bench = new ControlUnitBench();
			bench.faults.wrongSequenceAt = 1;
			assert.deepEqual(statuses(bench.run({ ...kwp, requests: [readLocalId(1)] }).results), ["bad_sequence"]);
			bench.faults.wrongSequenceAt = -1;
			assert.deepEqual(statuses(bench.run({ ...kwp, requests: [readLocalId(1)] }).results), ["positive"]);
		});

		it("waits through response pending, and for a session that is rejected says why", () => {
			const bench = new ControlUnitBench();
			bench.faults.pendingMs = 1500;
			assert.deepEqual(statuses(bench.run({ ...kwp, requests: [readLocalId(1)] }).results), ["positive"]);
			bench.faults.pendingMs = 0;
			bench.faults.negativeCode = 0x22;
			const { results } = bench.run({ ...kwp, requests: [readLocalId(1)] });
			assert.deepEqual(statuses(results), ["negative_response"]);
			assert.equal(results[0].nrc, 0x22);
		});
	});

	describe("beside others", () => {
		it("is busy while a job runs", () => {
			const bench = new ControlUnitBench();
			bench.faults.lateMs = 300;
			const told: string[] = [];
			const job = jobTelling(told);
			bench.worker.start(job, 0);
			bench.worker.start(job, 0);
			assert.deepEqual(told, ["busy"]);
			assert.equal(bench.worker.active, true);
			for (let i = 0; i < 2000; i++) bench.step();
			assert.deepEqual(told, ["busy", "positive"]);
		});

		it("lets another tester go first, and yields to it", () => {
			const bench = new ControlUnitBench();
			bench.foreignAgeMs = 4999;
			assert.deepEqual(statuses(bench.run({ requests: [readDid(0xf190)] }).results), ["busy"]);
			assert.deepEqual(bench.traffic, []);
			bench.foreignAgeMs = 5000;
			bench.faults.lateMs = 500;
			const told: string[] = [];
			bench.worker.start(jobTelling(told), bench.nowMs);
			for (let i = 0; i < 100; i++) bench.step();
			bench.hearTester();
			for (let i = 0; i < 5; i++) bench.step();
			assert.deepEqual(told, ["busy"]);
			assert.deepEqual(bench.kept, []);
		});

		it("reports 'busy' if a control unit speaks TP2.0 that it did not ask", () => {
			const bench = new ControlUnitBench();
			let saidMs = -1000;
			bench.ageOf = (bus, first) => (bus === 1 && first === 0x300 ? bench.nowMs - saidMs : 0xffffffff);
			const ask = () => statuses(bench.run({ transport: "kwp_tp20", timeoutMs: 5000, requests: [readLocalId(1)] }).results);
			assert.deepEqual(ask(), ["busy"]);
			bench.nowMs += 4000;
			assert.deepEqual(ask(), ["positive"]);
			saidMs = bench.nowMs;
			assert.deepEqual(ask(), ["positive"]);
			for (const passed of [50, 200, 1000, 5000]) {
				saidMs = bench.nowMs;
				bench.nowMs += passed;
				assert.deepEqual(ask(), ["positive"], `${passed} ms after our own`);
			}
			bench.nowMs += 1000;
			saidMs = bench.nowMs - 500;
			assert.deepEqual(ask(), ["busy"]);
		});

		it("drops the rest of a job once its client is gone", () => {
			const bench = new ControlUnitBench();
			let isAbandoned = false;
			let last = "22f190";
			bench.script = (frame) => {
				isAbandoned ||= frame?.slice(6, 12) === last;
				return frame === undefined ? [] : [`779#04${frame.slice(6, 12).replace(/^22/, "62")}41`];
			};
			const { results } = bench.run({ requests: [readDid(0xf190), readDid(0xf189)], isAbandoned: () => isAbandoned });
			assert.deepEqual(statuses(results), ["positive", "can_not_ready"]);
			isAbandoned = false;
			last = "22f19e"; // which looks for the route
			const probe = { requests: [readDid(0xf190)], isAbandoned: () => isAbandoned };
			assert.deepEqual(statuses(new ControlUnitBench().run(probe).results), ["positive"]);
			const other = new ControlUnitBench();
			other.script = bench.script;
			assert.deepEqual(statuses(other.run(probe).results), ["can_not_ready"]);
			assert.ok(!other.traffic.some((line) => line.includes("22f190")), other.traffic.join());
			const { length } = bench.traffic;
			assert.deepEqual(statuses(bench.run({ requests: [readDid(0xf190)], isAbandoned: () => true }).results), ["can_not_ready"]);
			assert.equal(bench.traffic.length, length);
		});

		it("remembers the last result and its time", () => {
			const bench = new ControlUnitBench();
			const last = () => bench.worker.last;
			assert.equal(last(), undefined);
			bench.run({ requests: [readDid(0xf189)] });
			assert.equal(last()?.result.status, "positive");
			assert.equal(last()?.atMs, bench.nowMs);
		});

		it("says when its frames find no room", () => {
			const bench = new ControlUnitBench();
			bench.run({ requests: [readDid(0xf189)] });
			bench.room = 0;
			assert.deepEqual(statuses(bench.run({ requests: [readDid(0xf189)] }).results), ["send_failed"]);
		});
	});
});
