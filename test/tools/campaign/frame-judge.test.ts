/**
 * The judge of frames against the worked examples of docs/control-and-can.md 9: it takes what is right, and
 * nothing that is nearly so.
 */
import assert from "node:assert/strict";
import { FrameJudge, type WireFrame } from "../../../tools/campaign/frame-judge.js";
import { HostileCar } from "../../../tools/campaign/hostile-car.js";
import { PassingFrames } from "../../../tools/campaign/passage.js";
import { type Generation, lockOf, type Profile, protection } from "../../../tools/campaign/tables.js";

const frame = (id: number, hex: string, flags = 0): WireFrame => ({
	id,
	flags,
	data: Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex")),
});

/** No byte of it marks a signal as invalid. */
const CAR = "11 22 33 44 80 60 77 08";

/** With the checksum of 0x0A7. */
function sealed(hex: string): string {
	const data = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
	data[0] = protection(0x0a7, "corrected", data);
	return Buffer.from(data).toString("hex");
}

/** What the judge reads out of a frame: lock percentages, or what kind it is. */
function read(generation: Generation, profile: Profile, mode: string, id: number, sent: string, received = CAR): unknown {
	const judge = new FrameJudge(generation, profile);
	judge.modes = [mode];
	const reading = judge.read(frame(id, received), frame(id, sent));
	return reading.kind === "command" ? lockOf(reading.share, profile) : reading.kind;
}

describe("tools/campaign/frame-judge", () => {
	it("finds stock where two frames that left as they came would say different locks", () => {
		const car = new HostileCar(5);
		Object.assign(car, { selector: "P", speedKmh: 0 });
		const judge = new FrameJudge(5, "corrected");
		const kinds: string[] = [];
		for (let ms = 0; ms < 100; ms++)
			car.step(ms, (bus, each) => {
				if (bus === 0 && (each.id === 0x0a7 || each.id === 0x0b2)) kinds.push(judge.read(each, each).kind);
			});
		assert.equal(kinds[0], "undetermined", "each of them alone fits a lock");
		assert.ok(kinds.includes("stock"), kinds.join());
		assert.ok(!kinds.includes("command"), kinds.join());
	});

	it("accepts the worked examples of the proportional torques, and rejects any step, bit or frame beyond them", () => {
		const car = sealed("00 74 D0 7F FD F5 77 3E");
		const judge = new FrameJudge(5, "corrected", false, { ceilingNm: 150, off: [0x08a] });
		const kindOf = (payload: string, id = 0x0a7): string => {
			const reading = judge.read(frame(id, car), frame(id, payload === "" ? car : sealed(payload)));
			return reading.kind === "command" ? `${Math.round(reading.share.least / 256)} %` : reading.kind;
		};
		// by hand from 3.14: open; half in steps of 8 and 32 Nm from there; open at once
		assert.equal(kindOf("00 74 E0 81 FD 1D 78 3E"), "0 %");
		assert.equal(kindOf("00 D4 E4 83 FD 9D 78 3E"), "50 %");
		assert.equal(kindOf("00 D4 E4 85 FD 1D 79 3E"), "50 %");
		assert.equal(kindOf("00 D4 E4 8B FD 35 79 3E"), "wrong", "24 Nm at once");
		assert.equal(kindOf("00 74 E0 85 FD 1D 78 3E"), "wrong", "open, and the actual torque is not");
		assert.equal(kindOf(""), "stock");
		// after the car's own: whatever is below the ceiling
		assert.equal(kindOf("00 D4 64 93 FD 35 79 3E"), "50 %");
		assert.equal(kindOf("00 74 E0 81 FD 1D 78 7E"), "wrong", "bit 62 is the car's");
		assert.equal(kindOf("00 75 E0 81 FD 1D 78 3E"), "wrong", "the counter is the car's");
		assert.equal(kindOf("00 74 E0 81 FD 1D 78 1E"), "wrong", "the status bit is missing");
		assert.equal(kindOf("00 44 2A A5 FD 51 7A 3E"), "wrong", "above the ceiling");
		assert.equal(kindOf("00 74 E0 81 FD 1D 78 3E", 0x08a), "wrong", "a frame that is off");
		assert.equal(kindOf("", 0x08a), "foreign");
	});

	it("reads the worked examples", () => {
		const full = { least: 99.5, most: 100 };
		const half = { least: 50, most: 52 };
		const none = { least: 0, most: 0 };
		for (const [generation, mode, id, sent, lock] of [
			[1, "FWD", 0x280, "00 00 21 00 00 00 FE 00", none],
			[1, "5050", 0x280, "00 FE 21 4E FE FE 16 00", full],
			[1, "6040", 0x280, "00 65 21 1F 65 65 0D 00", { least: 40, most: 42 }],
			[4, "MAP", 0x4a0, "51 07 5B 07 5E 07 5E 07", half],
			[4, "MAP", 0x2a0, "72 00 00 64 00 00 00 16", half],
			[5, "MAP", 0x0b2, "00 20 00 20 CA 20 CA 20", full],
			[5, "MAP", 0x0a8, "9C 70 00 00 00 64 0F 70", full],
			[5, "MAP", 0x0a8, "24 70 00 00 00 64 0F 32", half],
			[5, "MAP", 0x0a7, "E6 40 FA FA 00 FA 00 00", none],
			[5, "MAP", 0x08a, "D6 10 00 00 00 00 00 72", half],
		] as const)
			assert.deepEqual(read(generation, "reference", mode, id, sent), lock, `0x${id.toString(16)} ${sent}`);
		assert.deepEqual(read(4, "reference", "MAP", 0x0c2, "22 00 00 00 80 00 A0 DD"), { least: 0, most: 100 });
	});

	it("rejects a byte, length, counter, checksum or share that is nearly right", () => {
		for (const [generation, mode, id, sent] of [
			[1, "5050", 0x280, "00 FE 21 4E FE FE 15 00"],
			[1, "MAP", 0x280, "00 FE 21 4E FE FE 16 00"],
			[4, "MAP", 0x4a0, "51 07 5B 07 5E 07 5F 07"],
			[4, "MAP", 0x2a0, "72 00 00 64 00 00 10 06"],
			[4, "MAP", 0x0c2, "22 00 00 00 80 00 A0 DE"],
			[5, "MAP", 0x0b2, "00 21 00 20 CA 20 CA 20"],
			[5, "MAP", 0x0a8, "9D 70 00 00 00 64 0F 70"],
			[5, "MAP", 0x0a7, "E6 40 FA FA 00 FA 00 01"],
			[5, "MAP", 0x08a, "D6 10 00 00 00 00 00"],
			[5, "MAP", 0x123, "11 22 33 44 55 66 77 89"],
		] as const)
			assert.equal(read(generation, "reference", mode, id, sent), "wrong", `0x${id.toString(16)} ${sent}`);
	});

	it("knows which frames must stay as they are", () => {
		const short = "11 22 33 44 55 66 77";
		assert.equal(read(5, "reference", "MAP", 0x08a, short, short), "foreign");
		assert.equal(read(5, "reference", "MAP", 0x08a, "D6 10 00 00 00 00 72", short), "wrong");
		const unprotected = "00 10 00 00 00 00 00 00";
		assert.equal(read(5, "corrected", "MAP", 0x08a, unprotected, unprotected), "foreign");
		assert.equal(read(5, "corrected", "MAP", 0x08a, "C5 10 00 00 00 00 00 FE", unprotected), "wrong");
		const judge = new FrameJudge(5, "reference");
		for (const flags of [0x8000_0000, 0x4000_0000])
			assert.equal(judge.read(frame(0x08a, CAR, flags), frame(0x08a, "D6 10 00 00 00 00 00 72", flags)).kind, "wrong");
	});

	it("does not count a frame that the car marks as invalid as rewritten", () => {
		for (const [generation, profile, id, received, sent] of [
			[4, "reference", 0x4a0, "00 0A CC FF 00 0A 00 0A", "51 07 5B 07 5E 07 5E 07"],
			[4, "reference", 0x2a0, "7F 00 00 00 00 00 00 7F", "72 00 00 64 00 00 00 16"],
			[4, "reference", 0x0c2, "00 00 00 00 80 02 00 FD", "22 00 00 00 80 00 A0 DD"],
			[5, "reference", 0x0a7, "00 10 00 00 00 00 00 80", "E6 40 FA FA 00 FA 00 00"],
			[5, "reference", 0x0b2, "FD FF 00 00 00 00 00 00", "00 20 00 20 CA 20 CA 20"],
		] as const) {
			const judge = new FrameJudge(generation, profile);
			const reading = judge.read(frame(id, received), frame(id, sent));
			assert.match(reading.kind === "wrong" ? reading.why : reading.kind, /that the car marks as invalid was changed/, received);
			assert.equal(judge.read(frame(id, received), frame(id, received)).kind, "foreign", received);
		}
		// the pedal is no byte of this row
		const pedal = "11 22 33 44 80 FF 77 08";
		assert.deepEqual(read(2, "corrected", "MAP", 0x280, "11 FE 33 4E 80 FF FE 08", pedal), { least: 100, most: 100 });
	});

	it("reads the setpoint of Bremse_4: 00 for no lock, from 80 on for any", () => {
		const car = "00 00 00 24 00 00 30 14";
		const sent = (setpoint: string, sum: string): unknown =>
			read(4, "corrected", "MAP", 0x2a0, `${setpoint} 00 00 24 00 00 30 ${sum}`, car);
		assert.deepEqual(sent("FE", "EA"), { least: 100, most: 100 });
		assert.equal(sent("7F", "6B"), "wrong");
		assert.equal(sent("01", "15"), "wrong");
		assert.notEqual(sent("80", "94"), "wrong");
		assert.equal(sent("00", "14"), "undetermined");
	});

	it("follows the counters, and knows that a lost frame may have taken a value with it", () => {
		const judge = new FrameJudge(4, "reference");
		const sent = ["00", "10", "20", "30"].map((count) => {
			const data = frame(0x2a0, `FE 00 00 64 00 00 ${count} 00`);
			data.data[7] = data.data.subarray(0, 7).reduce((sum, byte) => sum ^ byte, 0);
			return data;
		});
		const kinds = [0, 1, 3].map((i) => judge.read(frame(0x2a0, CAR), sent[i]).kind);
		assert.deepEqual(kinds, ["command", "command", "wrong"]);
		judge.lose(frame(0x2a0, CAR));
		assert.equal(judge.read(frame(0x2a0, CAR), sent[3]).kind, "command");
	});

	it("reads the mode out of the lever alone: what both modes rewrite alike says nothing of it", () => {
		const judge = new FrameJudge(1, "reference");
		judge.modes = ["5050", "FWD"];
		for (const [id, sent, mode] of [
			[0x280, "00 AC 21 35 AC AC 52 00", "FWD"],
			[0x380, "11 22 AC 44 80 60 77 AC", undefined],
			[0x4a0, "AC 0A AC 0A 00 0A 00 0A", undefined],
			[0x280, "00 AC 21 35 AC AC 0E 00", "5050"],
			[0x1a0, "11 00 00 06 80 60 77 08", undefined],
		] as const) {
			const reading = judge.read(frame(id, CAR), frame(id, sent));
			assert.deepEqual(reading.kind === "command" && reading.mode, mode, sent);
		}
	});

	it("rejects a share that no lock can give", () => {
		const share = (percent: number) => ({ least: percent * 256, most: percent * 256 + 10 });
		assert.deepEqual(
			[10, 19, 70, 99].map((percent) => lockOf(share(percent), "reference")),
			[undefined, undefined, undefined, undefined],
		);
		assert.deepEqual(lockOf({ least: 45 * 256, most: 45 * 256 }, "corrected"), { least: 50, most: 50 });
	});
});

describe("tools/campaign/passage", () => {
	it("takes a frame that passes for the one that may, not for one with the same bytes that was withheld", () => {
		const frames = new PassingFrames(() => undefined);
		for (const [ms, passes] of [
			[10, false],
			[20, undefined],
			[30, false],
		] as const)
			frames.arrives(0, { ms, frame: frame(0x280, CAR), passes });
		const leave = () => frames.leave(31, 0, frame(0x280, CAR), () => true);
		assert.deepEqual([leave()?.ms, leave()?.passes, leave()], [20, false, undefined]);
	});

	it("reads no other frame behind the one that leaves, where the latest may", () => {
		const frames = new PassingFrames(() => undefined);
		for (const ms of [10, 20, 30]) frames.arrives(0, { ms, frame: frame(0x280, `${CAR.slice(0, -2)}${ms}`), passes: undefined });
		const read: number[] = [];
		const fits = ({ data }: WireFrame): boolean => read.push(data[7]) > 0 && data[7] === 0x20;
		assert.equal(frames.leave(31, 0, frame(0x280, CAR), fits, true)?.ms, 20);
		assert.deepEqual(read, [0x30, 0x20]);
	});
});
