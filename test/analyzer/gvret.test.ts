import assert from "node:assert/strict";
import { type ClientFrame, GvretSession } from "../../src/analyzer/gvret.js";

class Bench {
	readonly said: string[] = [];
	readonly wanted: (Omit<ClientFrame, "data"> & { data: string })[] = [];
	readonly session = new GvretSession({
		answer: (bytes) => this.said.push(Buffer.from(bytes).toString("hex")),
		microseconds: 0x1_1234_5678,
		wanted: ({ data, ...frame }) => this.wanted.push({ ...frame, data: Buffer.from(data).toString("hex") }),
	});
	take(hex: string): this {
		this.session.take(Buffer.from(hex.replaceAll(" ", ""), "hex"));
		return this;
	}
}

describe("GVRET", () => {
	it("answers SavvyCAN's questions at the start of a connection", () => {
		const bench = new Bench().take("E7 E7  F1 0C  F1 06  F1 07  F1 01  F1 09");
		assert.deepEqual(bench.said, ["f10c02", "f1060120a107000120a10700", "f107640020000000", "f10178563412", "f109dead"]);
		assert.equal(bench.session.isBinary, true);
	});

	it("takes commands in pieces of any size, and is not binary before that was chosen", () => {
		const bench = new Bench();
		for (const byte of "F1 0C F1 06 F1 07 F1 01 F1 09".split(" ")) bench.take(byte);
		assert.deepEqual([bench.said.length, bench.session.isBinary], [5, false]);
	});

	it("answers questions about inputs and further buses, and ignores settings of them", () => {
		const bench = new Bench().take(
			"F1 02 F1 03 F1 0D F1 04 FF F1 08 10 F1 0A 03 F1 05 F1F1F1F1F1F1F1F1 F1 0E 000000000000000000000000 F1 09",
		);
		assert.deepEqual(bench.said, [`f102${"00".repeat(2)}`, `f103${"00".repeat(15)}`, `f10d${"00".repeat(15)}`, "f109dead"]);
	});

	// ESP32RET's own lengths, from its gvret_comm.cpp; without and with the check byte that SavvyCAN adds
	const SETTERS = ["04 FF", "05 F1F1F1F1F1F1F1F1", "08 10", "0A 03", "0E F1F1F1F1F1F1F1F1F1F1F1F1"];
	for (const setter of [...SETTERS, "01", "0C", "77", "00 A0010000 00 02 AABB 00", "0B A0010000 09 00 00"])
		it(`answers the command that follows ${setter}`, () => {
			for (const between of ["", "00", "00 00"]) {
				const bench = new Bench().take(`F1 ${setter} ${between} F1 09 F1 09`);
				assert.deepEqual(bench.said.slice(-2), ["f109dead", "f109dead"], between);
			}
		});

	it("hands over frames that a client wants sent, of at most eight bytes", () => {
		const bench = new Bench().take("F1 00 A0010000 00 0F 0102030405060708 00  F1 00 0F000098 01 00 F1  F1 09");
		assert.deepEqual(bench.wanted, [
			{ id: 0x1a0, extended: false, bus: 0, data: "0102030405060708" },
			{ id: 0x1800000f, extended: true, bus: 1, data: "" },
		]);
		assert.deepEqual(bench.said, ["f109dead"]);
	});

	it("echoes a frame for a bus that exists, and ignores bytes outside of commands", () => {
		for (const [sent, ...said] of [
			["F1 0B A0010000 01 02 AABB 00", "f10078563412a001000012aabb00"],
			["F1 0B A0010000 0E 02 AABB 00  F1 09", "f109dead"],
			["F1 F1 09", "f109dead"],
			["00 41 F1 77 F1 FF 0D 0A F1 09", "f109dead"],
		])
			assert.deepEqual(new Bench().take(sent).said, said);
	});

	it("survives any bytes", () => {
		let state = 7;
		const bench = new Bench();
		for (let i = 0; i < 20_000; i++) {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			bench.session.take(Uint8Array.of(i % 3 === 0 ? 0xf1 : state >>> 24));
		}
		for (const answer of bench.said) assert.ok(answer.length <= 48);
		for (const { bus, id, data } of bench.wanted) assert.ok(bus <= 255 && id <= 0x1fffffff && data.length <= 16);
	});
});
