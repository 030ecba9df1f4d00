import assert from "node:assert/strict";
import { UDS_ROUTES } from "../../src/can/layouts/diagnosis-ids.js";
import { IsoTp } from "../../src/transport/iso-tp.js";

/** A connection whose frames are looked at one by one: the test is the control unit. */
class Bench {
	readonly sent: string[] = [];
	readonly told: string[] = [];
	nowMs = 4294967000; // the clock wraps within a test
	room = 1000;
	begun = 0;
	readonly isoTp: IsoTp;

	constructor() {
		const send = (id: number, extended: boolean, data: Uint8Array): boolean => {
			assert.equal(id, 0x70f);
			assert.equal(extended, false);
			assert.equal(data.length, 8);
			if (this.room === 0) return false;
			this.room--;
			this.sent.push(Buffer.from(data).toString("hex"));
			return true;
		};
		this.isoTp = new IsoTp(UDS_ROUTES[0]!, send, {
			sent: () => this.told.push("sent"),
			receiving: () => this.begun++,
			received: (message) => this.told.push(Buffer.from(message).toString("hex")),
			failed: (reason) => this.told.push(reason),
		});
	}

	start(length: number): this {
		this.isoTp.start(
			Uint8Array.from({ length }, (_, i) => i),
			this.nowMs,
		);
		return this;
	}
	receive(hex: string): this {
		this.isoTp.receive(Buffer.from(hex, "hex"), this.nowMs);
		return this;
	}
	/** Time goes on in steps of 5 ms. */
	wait(ms: number): this {
		for (let passed = 0; passed < ms; passed += 5) {
			this.nowMs = (this.nowMs + 5) >>> 0;
			this.isoTp.poll(this.nowMs);
		}
		return this;
	}
	take(): string[] {
		return this.sent.splice(0);
	}
}

describe("ISO-TP", () => {
	describe("sending", () => {
		it("puts up to seven bytes into a padded single frame", () => {
			const bench = new Bench().start(3).start(7);
			assert.deepEqual(bench.sent, ["0300010255555555", "0700010203040506"]);
			assert.deepEqual(bench.told, ["sent", "sent"]);
		});

		it("offers a frame again while the queue is full, for a second", () => {
			const bench = new Bench();
			bench.room = 0;
			bench.start(3).wait(900);
			bench.room = 1;
			assert.deepEqual(bench.wait(5).told, ["sent"]);
			bench.room = 1;
			assert.deepEqual(bench.wait(100).take(), ["0300010255555555"]); // once
			bench.room = 0;
			bench.start(3).wait(1000);
			assert.deepEqual(bench.told, ["sent", "send_failed"]);
		});
	});

	describe("receiving", () => {
		it("accepts single frames, padded or not", () => {
			assert.deepEqual(new Bench().receive("0262f1aaaaaaaaaa").receive("0462f19e01").told, ["62f1", "62f19e01"]);
		});

		it("ignores frames of other protocols", () => {
			const bench = new Bench();
			for (const frame of ["", "00", "08", "0412", "21ff", "4101", "1007000102030405"]) bench.receive(frame);
			assert.deepEqual([...bench.told, ...bench.sent], []);
		});

		it("asks for more and puts a message together", () => {
			const bench = new Bench().receive("100962f19e010203");
			assert.deepEqual(bench.take(), ["3008025555555555"]);
			assert.equal(bench.begun, 1);
			bench.receive("21040506");
			assert.deepEqual(bench.told, ["62f19e010203040506"]);
		});

		it("asks again after each block that it wanted", () => {
			const bench = new Bench().receive("10ff000000000000");
			for (let i = 1; i <= 35; i++) bench.receive(`2${(i & 15).toString(16)}00000000000000`);
			bench.receive("240000000000");
			assert.equal(bench.told.length, 1);
			assert.equal(bench.told[0]?.length, 2 * 255);
			assert.deepEqual(bench.sent, new Array(5).fill("3008025555555555"));
		});

		it("ends a message at a gap, and at a frame that comes twice", () => {
			assert.deepEqual(new Bench().receive("1014000000000000").receive("2200000000000000").told, ["bad_sequence"]);
			const twice = new Bench().receive("1014000000000000").receive("2100000000000000").receive("2100000000000000");
			assert.deepEqual(twice.told, ["bad_sequence"]);
		});

		it("gives each frame a second, and ignores one that is too short for its payload", () => {
			const bench = new Bench().receive("1014000000000000").receive("21000000").wait(995);
			assert.deepEqual(bench.told, []);
			assert.deepEqual(bench.wait(5).told, ["timeout"]);
			const slow = new Bench().receive("1014000000000000").wait(900).receive("2100000000000000").wait(900);
			assert.deepEqual(slow.told, []);
			assert.deepEqual(slow.receive("2200000000000000").told.length, 1);
		});

		it("rejects a message longer than its buffer, and says so", () => {
			const bench = new Bench().receive("1101000000000000");
			assert.deepEqual(bench.told, ["payload_too_large"]);
			assert.deepEqual(bench.sent, ["3200005555555555"]);
			assert.deepEqual(new Bench().receive("1000000010000000").told, ["payload_too_large"]);
		});

		it("replaces an unfinished message by a new one", () => {
			assert.deepEqual(new Bench().receive("1014000000000000").receive("0150").wait(1100).told, ["50"]);
			const again = new Bench().receive("1014000000000000").receive("1008010203040506").receive("210708");
			assert.deepEqual(again.told, ["0102030405060708"]);
		});

		it("offers its flow control again while the queue is full", () => {
			const bench = new Bench();
			bench.room = 0;
			bench.receive("1009000000000000").wait(500);
			bench.room = 1;
			bench.wait(5);
			assert.deepEqual(bench.take(), ["3008025555555555"]);
			assert.deepEqual(bench.wait(900).receive("21000000").told, ["000000000000000000"]);
		});
	});
});
