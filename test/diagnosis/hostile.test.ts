/**
 * Control units that lie, babble and break off: the worker ends each job, says why, and sends no more than it
 * may.
 */
import assert from "node:assert/strict";
import { readDid, readDtcs, readKwpDtcs, readLocalId } from "../../src/diagnosis/services.js";
import { generator } from "../../tools/random.js";
import { ControlUnitBench } from "../support/control-unit-bench.js";

const FOUND = "779#0462f19e41";
const kwp = { transport: "kwp_tp20", timeoutMs: 5000 } as const;
const VIN = readDid(0xf190);

/** A control unit that is found on the first route, and says this to every other frame. */
function uds(say: (frame: string | undefined) => readonly string[]): ControlUnitBench {
	const bench = new ControlUnitBench();
	bench.script = (frame) => (frame?.startsWith("70f#0322f19e") ? [FOUND] : say(frame));
	return bench;
}

const toRequest =
	(...answers: string[]) =>
	(frame: string | undefined): readonly string[] =>
		/^70f#[01]/.test(frame ?? "") ? answers : [];

/** A control unit that gives a channel and a session, and says this to every other frame. */
function channel(say: (frame: string | undefined) => readonly string[], setup = "20a#00d00003400701"): ControlUnitBench {
	const bench = new ControlUnitBench();
	bench.script = (frame) => {
		if (frame?.startsWith("200#")) return [setup];
		if (frame === "740#a00f8aff32ff") return ["300#a10f8affffff"];
		return frame === "740#1000021089" ? ["300#b1", "300#1000025089"] : say(frame);
	};
	return bench;
}

const outcome = (bench: ControlUnitBench, job: Parameters<ControlUnitBench["run"]>[0] = { requests: [VIN] }): string[] =>
	bench.run(job).results.map(({ status }) => status);
const ours = ({ traffic }: ControlUnitBench): string[] => traffic.filter((frame) => frame.startsWith(">"));

describe("hostile control units", () => {
	describe("over ISO-TP", () => {
		const whole = "0662f190414243";
		for (const [what, answers] of [
			["nothing", []],
			["frames without bytes or with an invalid length", ["779#", "779#00", "779#08", "779#0f62f190", "779#0762f1"]],
			["consecutive frames that belong to nothing", ["779#2162f19041424344", "779#2262f19041424344"]],
			["first frames of a length that fits one frame, or cut off", ["779#100762f190414243", "779#1014"]],
			["flow control without a message", ["779#300000", "779#310000", "779#320000", "779#3f0000", "779#30"]],
		] as const)
			it(`says ${what}: passed over, and what is right counts`, () => {
				assert.deepEqual(outcome(uds(toRequest(...answers))), ["timeout"]);
				assert.deepEqual(outcome(uds(toRequest(...answers, `779#${whole}`))), ["positive"]);
			});

		it("announces 4,095 bytes, or a length of 32 bits: answered by flow control 'overflow', the driver reads payload_too_large", () => {
			for (const first of ["1fff62f190414243", "1000ffffffff62f1", "1000000000ff62f1"]) {
				const bench = uds(toRequest(`779#${first}`));
				assert.deepEqual(outcome(bench), ["payload_too_large"]);
				assert.equal(ours(bench).at(-1), "> 70f#3200005555555555");
			}
		});

		it("speaks slowly: heard to the end as long as each frame comes within a second", () => {
			const bench = new ControlUnitBench();
			bench.run({ requests: [VIN] });
			bench.unit.faults = Array.from({ length: 60 }, (_, i) => [0x100000 + i, 0x08]);
			let at = 0;
			let due = 0;
			const bytes = Buffer.concat([Buffer.from("5902ff", "hex"), Buffer.alloc(240, 0x11)]);
			bench.script = (frame) => {
				if (/#0319/.test(frame ?? "")) {
					at = 6;
					due = bench.nowMs + 900;
					return [`779#10f3${bytes.subarray(0, 6).toString("hex")}`];
				}
				if (frame !== undefined || at === 0 || at >= bytes.length || bench.nowMs < due) return [];
				due = bench.nowMs + 700;
				const part = `779#2${(((at - 6) / 7 + 1) & 15).toString(16)}${bytes
					.subarray(at, at + 7)
					.toString("hex")
					.padEnd(14, "0")}`;
				at += 7;
				return [part];
			};
			const { results } = bench.run({ requests: [readDtcs(0xaf)], timeoutMs: 3000 });
			assert.deepEqual([results[0].status, results[0].response.length], ["positive", 243]);
			assert.ok(results[0].elapsedMs > 20_000);
		});

		it("says 'pending' without end, as fast or as slowly as it may: dropped after 30 s", () => {
			for (const eachMs of [1, 4900]) {
				let asked = 0;
				const bench = uds((frame) => {
					if (frame !== undefined) asked = bench.nowMs;
					return asked > 0 && (bench.nowMs - asked) % eachMs === 0 ? ["779#037f2278"] : [];
				});
				const { results } = bench.run({ requests: [VIN] });
				assert.deepEqual([results[0].status, results[0].pendingSeen], ["timeout", true]);
				assert.ok(results[0].elapsedMs < 31_000, `${results[0].elapsedMs} ms`);
				assert.equal(ours(bench).length, 2);
			}
		});

		it("rejects with any code, and each is told", () => {
			for (let code = 0; code < 256; code++) {
				if (code === 0x78) continue;
				const bench = uds(toRequest(`779#037f22${Buffer.of(code).toString("hex")}`));
				const { results } = bench.run({ requests: [VIN] });
				assert.deepEqual([results[0].status, results[0].nrc], ["negative_response", code]);
			}
		});

		it("answers another request: reported only if no other answer comes", () => {
			const late = "0562f1893939";
			const strays = [`779#${late}`, "779#0341f190", "779#037f1931", "779#027f22", "779#0162", "779#0262f1"];
			const { results } = uds(toRequest(...strays, `779#${whole}`)).run({ requests: [VIN] });
			assert.deepEqual([results[0].status, Buffer.from(results[0].response).toString("latin1").slice(3)], ["positive", "ABC"]);
			const only = uds(toRequest(`779#${late}`)).run({ requests: [VIN] });
			assert.deepEqual([only.results[0].status, only.results[0].response[2]], ["unexpected_response", 0x89]);
		});

		it("lists 64 trouble codes and more: too long, and 63 of them fit", () => {
			for (const [count, status] of [
				[63, "positive"],
				[64, "payload_too_large"],
				[200, "payload_too_large"],
			] as const) {
				const bench = new ControlUnitBench();
				bench.unit.faults = Array.from({ length: count }, (_, i) => [0x100000 + i, 0xff]);
				assert.deepEqual(outcome(bench, { requests: [readDtcs(0xaf)], timeoutMs: 3000 }), [status]);
			}
		});
	});

	describe("over TP2.0", () => {
		it("names identifiers of the car for its channel: none is kept back or sent on", () => {
			for (const ids of ["c0024007", "000310a0", "0003a001", "00030f07", "80024007", "ff03ff07"]) {
				const bench = channel(() => [], `20a#00d0${ids}01`);
				assert.deepEqual(outcome(bench, { ...kwp, requests: [readLocalId(1)] }), ["bad_setup_response"]);
				assert.deepEqual([...bench.everKept], [0x20a, 0x300]);
				assert.deepEqual(ours(bench), ["> 200#0ac00010000301"]);
			}
		});

		it("ends the channel between two requests, or in the middle of one", () => {
			const between = channel((frame) => (frame?.startsWith("740#1") ? ["300#b2", "300#1100026101", "300#a8"] : []));
			assert.deepEqual(outcome(between, { ...kwp, requests: [readLocalId(1), readLocalId(2)] }), ["positive", "timeout"]);
			const within = channel((frame) => (frame?.startsWith("740#1") ? ["300#b2", "300#2100206101020304", "300#a8"] : []));
			assert.deepEqual(outcome(within, { ...kwp, requests: [readLocalId(1)] }), ["timeout"]);
		});

		it("breaks off in mid-message and begins again: the second message counts", () => {
			const bench = channel((frame) =>
				frame?.startsWith("740#1") ? ["300#b2", "300#2100206101020304", "300#a4", "300#1200026101"] : [],
			);
			const { results } = bench.run({ ...kwp, requests: [readLocalId(1)] });
			assert.deepEqual([results[0].status, results[0].response.length], ["positive", 2]);
		});

		it("sends packets without end, and tests the channel without end: dropped, and never more than eight frames in a turn", () => {
			let count = 0;
			const endless = channel((frame) => {
				if (frame === undefined || !/^740#[1b]/.test(frame)) return [];
				count++;
				return count === 1 ? ["300#b2", "300#0100206101020304"] : [`300#0${(count & 15).toString(16)}41`];
			});
			assert.deepEqual(outcome(endless, { ...kwp, requests: [readLocalId(1)] }), ["timeout"]);
			assert.ok(endless.nowMs < 32_000, `${endless.nowMs} ms`);
			let tests = 0;
			const testing = channel((frame) => (frame === undefined && tests++ < 50_000 ? Array(20).fill("300#a3") : []));
			assert.match(outcome(testing, { ...kwp, requests: [readLocalId(1)] })[0] ?? "", /^(ack_timeout|send_failed)$/);
			assert.ok(ours(testing).length <= 8 * (testing.nowMs / 5 + 1), `${ours(testing).length} frames in ${testing.nowMs} ms`);
		});

		it("wants the longest times that it can say: bounded", () => {
			const bench = new ControlUnitBench();
			bench.script = (frame) => {
				if (frame?.startsWith("200#")) return ["20a#00d00003400701"];
				return frame === "740#a00f8aff32ff" ? ["300#a100fefffeff"] : [];
			};
			assert.deepEqual(outcome(bench, { ...kwp, requests: [readKwpDtcs()] }), ["ack_timeout"]);
			assert.ok(bench.nowMs < 2000, `${bench.nowMs} ms`);
		});
	});

	it("says anything at all: each job ends, and nothing is sent but on the channels that are ours", () => {
		const random = generator(16);
		for (let round = 0; round < 60; round++) {
			const bench = new ControlUnitBench();
			const isKwp = round % 2 === 1;
			const answer = isKwp ? channel : uds;
			const babbling = answer(() => {
				if (random.below(5) > 0) return [];
				const kind = isKwp ? random.of([0, 1, 2, 3, 9, 0xa, 0xb]) : random.below(4);
				const head = kind * 16 + random.of([0, 1, 1, random.below(16)]);
				const bytes = Buffer.from([head, ...Array.from({ length: random.below(8) }, () => random.below(256))]);
				return [`${isKwp ? "300" : "779"}#${bytes.toString("hex")}`];
			});
			bench.script = babbling.script;
			const requests = isKwp ? [readLocalId(1), readLocalId(2)] : [VIN, new Uint8Array(7).fill(0x22)];
			bench.run({ ...(isKwp ? kwp : {}), requests });
			for (const frame of ours(bench)) assert.match(frame, /^> (70f|71d|1c40000f|200|740)#/);
			assert.deepEqual(bench.kept, []);
		}
	});

	it("an answer that a clock which jumps has made late took no longer than one may", () => {
		let isAsked = false;
		const bench = uds((frame) => {
			if (!isAsked && frame?.startsWith("70f#0322f190")) bench.nowMs += 90_000;
			isAsked ||= frame !== undefined;
			return [];
		});
		assert.equal(bench.run({ requests: [VIN] }).results[0].elapsedMs, 30_000);
	});
});
