import assert from "node:assert/strict";
import { Tp20, timeOf } from "../../src/transport/tp20.js";

/** A channel whose frames are looked at one by one: the test is the control unit. */
class Bench {
	readonly sent: string[] = [];
	readonly told: string[] = [];
	nowMs = 4294967200; // the clock wraps within a test
	room = 1000;
	readonly tp20: Tp20;

	constructor() {
		const send = (id: number, extended: boolean, data: Uint8Array): boolean => {
			assert.equal(extended, false);
			if (this.room === 0) return false;
			this.room--;
			this.sent.push(`${id.toString(16)} ${Buffer.from(data).toString("hex")}`);
			return true;
		};
		this.tp20 = new Tp20(send, {
			opened: () => this.told.push("opened"),
			closed: () => this.told.push("closed"),
			sent: () => this.told.push("sent"),
			receiving: () => undefined,
			received: (message) => this.told.push(Buffer.from(message).toString("hex")),
			failed: (reason) => this.told.push(reason),
		});
	}

	/** Frames of the control unit: identifier and bytes. */
	receive(...frames: string[]): this {
		for (const frame of frames) {
			const [id, hex] = frame.split(" ") as [string, string];
			assert.ok(this.tp20.listensTo(Number.parseInt(id, 16)), frame);
			this.tp20.receive(Buffer.from(hex, "hex"), this.nowMs);
		}
		return this;
	}
	wait(ms: number): this {
		for (let passed = 0; passed < ms; passed += 5) {
			this.nowMs = (this.nowMs + 5) >>> 0;
			this.tp20.poll(this.nowMs);
		}
		return this;
	}
	take(): string[] {
		return this.sent.splice(0);
	}
	opened(parameters = "a10f8affffff"): this {
		this.tp20.open(this.nowMs);
		this.receive("20a 00d00003400701", `300 ${parameters}`);
		assert.deepEqual(this.told.splice(0), ["opened"]);
		this.take();
		return this;
	}
	start(length: number): this {
		this.tp20.start(
			Uint8Array.from({ length }, (_, i) => i),
			this.nowMs,
		);
		return this;
	}
}

const wrongSetup = (answer: string) => ["bad_setup_response", [`20a ${answer}`], 0] as const;

describe("TP2.0", () => {
	it("reads time codes in their four units", () => {
		assert.deepEqual([0x32, 0x4a, 0x8a, 0xc2, 0xff].map(timeOf), [5, 10, 100, 200, 0]);
	});

	describe("opening", () => {
		it("asks for a channel, negotiates, and is open", () => {
			const bench = new Bench();
			bench.tp20.open(bench.nowMs);
			assert.deepEqual(bench.take(), ["200 0ac00010000301"]);
			bench.receive("20a 00d00003400701");
			assert.deepEqual(bench.take(), ["740 a00f8aff32ff"]);
			assert.deepEqual(bench.told, []);
			bench.receive("300 a10f8aff4aff");
			assert.deepEqual(bench.told, ["opened"]);
		});

		it("listens only to the channel that it opened", () => {
			const { tp20, nowMs } = new Bench();
			const heard = () => [0x200, 0x20a, 0x300, 0x740].filter((id) => tp20.listensTo(id));
			assert.deepEqual(heard(), []);
			tp20.open(nowMs);
			assert.deepEqual(heard(), [0x20a]);
			tp20.receive(Buffer.from("00d00003400701", "hex"), nowMs);
			assert.deepEqual(heard(), [0x300]);
			tp20.close(nowMs);
			tp20.poll(nowMs + 50);
			assert.deepEqual(heard(), []);
		});

		for (const [reason, frames, waitMs] of [
			["setup_timeout", [], 500],
			["setup_negative", ["20a 00d60003400701"], 0],
			["setup_negative", ["20a 00d80003400701"], 0],
			["params_timeout", ["20a 00d00003400701"], 500],
			["bad_params_response", ["20a 00d00003400701", "300 a10f"], 0],
			// too short, another answer, invalid or foreign identifiers
			...["00d000034007", "00d10003400701", "00d00013400701", "00d00003401701", "00d00000400701"].map(wrongSetup),
			...["00d0a001400701", "00d02003400701", "00d00003a00101", "00d000030f0701", "00d00003c00701"].map(wrongSetup),
			[undefined, ["20a 07d00003400701"], 0], // for another tester
		] as const)
			it(`says ${reason ?? "nothing"} after ${frames.join() || "silence"}`, () => {
				const bench = new Bench();
				bench.tp20.open(bench.nowMs);
				bench.receive(...frames).wait(waitMs);
				assert.deepEqual(bench.told, reason === undefined ? [] : [reason]);
			});

		it("says when nothing can be sent", () => {
			const bench = new Bench();
			bench.room = 0;
			bench.tp20.open(bench.nowMs);
			bench.room = 1;
			bench.tp20.open(bench.nowMs);
			bench.receive("20a 00d00003400701");
			assert.deepEqual(bench.told, ["setup_send_failed", "params_send_failed"]);
		});
	});

	describe("sending", () => {
		it("puts up to five bytes into one packet that is acknowledged", () => {
			const bench = new Bench().opened().start(2);
			assert.deepEqual(bench.take(), ["740 1000020001"]);
			assert.deepEqual(bench.told, []);
			bench.receive("300 b1");
			assert.deepEqual(bench.told, ["sent"]);
		});

		it("counts on over messages, and accepts an answer as acknowledgement", () => {
			const bench = new Bench().opened().start(2).receive("300 b1").start(2).receive("300 1000026150");
			assert.deepEqual(bench.take(), ["740 1000020001", "740 1100020001", "740 b1"]);
			assert.deepEqual(bench.told, ["sent", "sent", "6150"]);
		});

		it("begins to count anew after 16 packets", () => {
			const bench = new Bench().opened();
			for (let sent = 1; sent <= 17; sent++) bench.start(1).receive(`300 b${(sent & 15).toString(16)}`);
			assert.deepEqual(bench.take().slice(-2), ["740 1f000100", "740 10000100"]);
		});

		it("keeps the time between two packets that the control unit wants", () => {
			const bench = new Bench().opened("a1028aff4aff").start(2).receive("300 b1").start(2);
			assert.equal(bench.take().length, 1);
			assert.deepEqual(bench.wait(10).take(), []);
			assert.deepEqual(bench.wait(5).take(), ["740 1100020001"]);
		});

		it("waits while the control unit is not ready, and for an acknowledgement as long as it announced", () => {
			const bench = new Bench().opened().start(2);
			bench.wait(80).receive("300 91").wait(80).receive("300 91").wait(80).receive("300 b1");
			assert.deepEqual(bench.told, ["sent"]);
			bench.start(2).wait(100);
			assert.deepEqual(bench.told, ["sent", "ack_timeout"]);
			const patient = new Bench().opened().start(2);
			for (let i = 0; i < 21; i++) patient.receive("300 91");
			assert.deepEqual(patient.told, ["ack_timeout"]);
		});

		it("ends at an acknowledgement of something else, and says good-bye", () => {
			const bench = new Bench().opened().start(2).receive("300 b7");
			assert.deepEqual(bench.told, ["bad_sequence"]);
			assert.deepEqual(bench.take(), ["740 1000020001", "740 a8"]);
		});

		it("offers a packet again while the queue is full", () => {
			const bench = new Bench().opened();
			bench.room = 0;
			bench.start(2).wait(50);
			bench.room = 1;
			assert.deepEqual(bench.wait(5).take(), ["740 1000020001"]);
			bench.receive("300 b1").start(2).wait(100);
			assert.deepEqual(bench.told, ["sent", "send_failed"]);
		});
	});

	describe("receiving", () => {
		it("puts a message together and acknowledges where it is asked to", () => {
			const bench = new Bench().opened().receive("300 2000116101020304", "300 0105060708090a0b", "300 120c0d0e0f10");
			assert.deepEqual(bench.take(), ["740 b2", "740 b3"]);
			assert.deepEqual(
				bench.told.map((text) => text.length),
				[2 * 0x11],
			);
		});

		it("needs no acknowledgement for operations 2 and 3", () => {
			const bench = new Bench().opened().receive("300 3000025001");
			assert.deepEqual(bench.take(), []);
			assert.deepEqual(bench.told, ["5001"]);
		});

		it("acknowledges a packet again that comes twice", () => {
			const bench = new Bench().opened().receive("300 1000025001", "300 1000025001");
			assert.deepEqual(bench.take(), ["740 b1", "740 b1"]);
			assert.deepEqual(bench.told, ["5001"]);
		});

		it("ends at a gap, at a message without a length, too long, or shorter than it says", () => {
			for (const [frame, reason] of [
				["1100025001", "bad_sequence"],
				["1000005001", "bad_tp20_frame"],
				["10", "bad_tp20_frame"],
				["2001015001020304", "payload_too_large"],
				["1000095001", "bad_tp20_frame"],
				["c000", "bad_tp20_frame"],
			] as const)
				assert.deepEqual(new Bench().opened().receive(`300 ${frame}`).told, [reason], frame);
		});

		it("gives a packet a second", () => {
			const bench = new Bench().opened().receive("300 2000146101020304").wait(995);
			assert.deepEqual(bench.told, []);
			assert.deepEqual(bench.wait(5).told, ["timeout"]);
		});

		it("answers a channel test, forgets a message at a break, and knows when the control unit closes", () => {
			const bench = new Bench().opened().receive("300 a3");
			assert.deepEqual(bench.take(), ["740 a10f8aff32ff"]);
			bench.receive("300 2000146101020304", "300 a4", "300 1100025001");
			assert.deepEqual(bench.told, ["5001"]);
			bench.receive("300 a8");
			assert.deepEqual(bench.told, ["5001", "timeout"]);
			assert.equal(bench.tp20.isClosed, true);
		});
	});

	describe("closing", () => {
		it("says good-bye and waits for the echo, but not long", () => {
			const bench = new Bench().opened();
			bench.tp20.close(bench.nowMs);
			assert.deepEqual(bench.take(), ["740 a8"]);
			bench.receive("300 a8");
			assert.deepEqual(bench.told, ["closed"]);
			const alone = new Bench().opened();
			alone.tp20.close(alone.nowMs);
			assert.deepEqual(alone.wait(45).told, []);
			assert.deepEqual(alone.wait(5).told, ["closed"]);
		});

		it("is done at once before anything was negotiated, and does nothing when closed", () => {
			const bench = new Bench();
			bench.tp20.close(bench.nowMs);
			assert.deepEqual(bench.told, []);
			bench.tp20.open(bench.nowMs);
			bench.tp20.close(bench.nowMs);
			assert.deepEqual(bench.told, ["closed"]);
		});
	});
});
