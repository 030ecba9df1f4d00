/** The judges of standalone operation: what they complain of. docs/control-and-can.md 3.9. */
import assert from "node:assert/strict";
import { Demands } from "../../../tools/campaign/demands.js";
import { FrameJudge } from "../../../tools/campaign/frame-judge.js";
import { Moments } from "../../../tools/campaign/moments.js";
import { Losses } from "../../../tools/campaign/passage.js";

const LISTENED_MS = 3001;
const WISHES = { generation: 2, mode: "5050", isAlone: true, disableSpeedKmh: 0, releaseRate: 120 } as const;

/** A coupling of generation 2, profile reference, that has just begun to get frames. */
function judging() {
	const frames = new FrameJudge(2, "reference", true);
	const demands = new Demands(WISHES);
	demands.boot(0);
	const moments = new Moments(demands, new Losses());
	moments.rows = frames.rows;
	moments.listen(0);
	/** @returns what is wrong, "" = nothing */
	const sends = (ms: number, id: number, hex: string): string => {
		const reading = frames.read(undefined, { id, flags: 0, data: Uint8Array.from(Buffer.from(hex, "hex")) });
		if (reading.kind === "wrong") return reading.why;
		return reading.kind === "command" ? moments.sends(ms, reading.row) : reading.kind;
	};
	return { demands, moments, sends };
}

describe("tools/campaign: standalone operation", () => {
	it("follows counters, also one that two frames share, and complains of another value, byte and length", () => {
		const { sends } = judging();
		assert.equal(sends(LISTENED_MS, 0x1a0, "004100FEFEFE000A"), "");
		assert.equal(sends(LISTENED_MS, 0x480, "FE00000000000000"), "");
		assert.match(sends(LISTENED_MS + 10, 0x1a0, "004100FEFEFE000B"), /byte 7 is B/);
		assert.equal(sends(LISTENED_MS + 10, 0x1a0, "004100FEFEFE000C"), "");
		assert.match(sends(LISTENED_MS + 20, 0x1a0, "004200FEFEFE000D"), /byte 1 is 42/);
		assert.match(sends(LISTENED_MS, 0x320, "00020000360000"), /7 bytes, 8 expected/);
		assert.match(sends(LISTENED_MS, 0x777, "00"), /nobody sends it/);
	});

	it("complains of a frame at another pace, and of one that does not come", () => {
		const { moments, sends } = judging();
		const isLate = (ms: number): boolean => [...moments.lateAt(ms)].some((late) => late.startsWith("0x320"));
		sends(3200, 0x320, "0002000036000000");
		assert.match(sends(3220, 0x320, "0002000036000000"), /20.0 ms after the one before/);
		assert.equal(sends(3245, 0x320, "0002000036000000"), "");
		assert.equal(isLate(3275), false);
		assert.equal(isLate(3280), true);
	});

	it("demands silence while it listens, hears another sender, has no bus or no lease", () => {
		const { demands, moments, sends } = judging();
		assert.match(sends(2990, 0x320, "0002000036000000"), /or it listens/);
		moments.arrives(4000, 0, { id: 0x5a0, flags: 0, data: new Uint8Array(8) });
		assert.match(sends(6990, 0x320, "0002000036000000"), /somebody else/);
		assert.equal(moments.silentAt(7000), undefined);
		moments.arrives(7000, 0, { id: 0x5a0, flags: 0x8000_0000, data: new Uint8Array(8) });
		assert.equal(moments.silentAt(7010), undefined);
		demands.stall(8000, 700);
		assert.equal(moments.silentAt(8200), undefined);
		assert.match(moments.silentAt(8300) ?? "", /lease/);
		demands.busDown(1, 9000);
		assert.match(moments.silentAt(9010) ?? "", /bus is down/);
		moments.isOn = false;
		assert.match(moments.silentAt(12_000) ?? "", /off/);
	});

	it("knows what of the chassis passes: all in silence, testers and own identifiers always", () => {
		const { moments } = judging();
		const passes = (ms: number, id: number): boolean | undefined =>
			moments.passesAt(ms, { id, flags: 0, data: new Uint8Array(8) });
		assert.equal(passes(1000, 0x123), true);
		assert.equal(passes(4000, 0x123), false);
		assert.equal(passes(4000, 0x764), true);
		assert.equal(passes(LISTENED_MS, 0x123), undefined);
	});

	it("allows no lock without the coupling's report, lets it rise by 25 % in 100 ms after a silence, and takes emergency mode", () => {
		const { demands } = judging();
		const report = (ms: number): void => demands.arrives(ms, 1, { id: 0x2c0, flags: 0, data: Uint8Array.of(0x10, 0x88, 0, 0) });
		for (let ms = 0; ms < 3000; ms += 20) report(ms);
		assert.equal(demands.demandAt(2990).most, 100);
		demands.resumes(2900);
		assert.equal(demands.demandAt(2990).most, 30);
		assert.ok((demands.demandAt(3750).most ?? 0) < 70);
		assert.equal(demands.demandAt(4100).most, undefined);
		demands.boot(5000);
		for (let ms = 5000; ms < 5960; ms += 20) report(ms);
		assert.equal(demands.demandAt(5960).most, undefined);
	});
});
