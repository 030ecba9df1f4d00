/** The judge of standalone operation: what it complains of. docs/control-and-can.md 3.9. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crashedFlash } from "../../../tools/campaign/campaign.js";
import { standaloneCampaign } from "../../../tools/campaign/standalone-campaign.js";
import { StandaloneDemand } from "../../../tools/campaign/standalone-demand.js";
import { type Sent, StandaloneJudge } from "../../../tools/campaign/standalone-judge.js";
import { PROGRAM } from "../../hal/host/host-program.js";

const LISTENED_MS = 3001;

/** A coupling of generation 2, profile reference, that has just begun to get frames. */
function judging(): StandaloneJudge {
	const judge = new StandaloneJudge(2, "reference");
	judge.boot(0);
	return judge;
}

const sends = (judge: StandaloneJudge, ms: number, id: number, hex: string): Sent =>
	judge.sends(ms, { id, flags: 0, data: Uint8Array.from(Buffer.from(hex, "hex")) });

function assertWrong(sent: Sent, why: RegExp): void {
	assert.equal(sent.kind, "wrong");
	if (sent.kind === "wrong") assert.match(sent.why, why);
}

describe("tools/campaign/standalone", () => {
	it("follows counters, also one that two frames share, and complains of another value, byte and length", () => {
		const judge = judging();
		assert.equal(sends(judge, LISTENED_MS, 0x1a0, "004100FEFEFE000A").kind, "generated");
		assert.equal(sends(judge, LISTENED_MS, 0x480, "FE00000000000000").kind, "generated");
		assertWrong(sends(judge, LISTENED_MS + 10, 0x1a0, "004100FEFEFE000B"), /byte 7 is B/);
		assert.equal(sends(judge, LISTENED_MS + 10, 0x1a0, "004100FEFEFE000C").kind, "generated");
		assertWrong(sends(judge, LISTENED_MS + 20, 0x1a0, "004200FEFEFE000D"), /byte 1 is 42/);
		assertWrong(sends(judge, LISTENED_MS, 0x320, "00020000360000"), /7 bytes, 8 expected/);
		assertWrong(sends(judge, LISTENED_MS, 0x777, "00"), /nobody sends it/);
	});

	it("complains of a frame at another pace, and of one that does not come", () => {
		const judge = judging();
		const isLate = (ms: number): boolean => [...judge.lateAt(ms)].some((late) => late.startsWith("0x320"));
		sends(judge, 3200, 0x320, "0002000036000000");
		assertWrong(sends(judge, 3220, 0x320, "0002000036000000"), /20.0 ms after the one before/);
		assert.equal(sends(judge, 3245, 0x320, "0002000036000000").kind, "generated");
		assert.equal(isLate(3275), false);
		assert.equal(isLate(3280), true);
	});

	it("demands silence while it listens, hears another sender, has no bus or no lease", () => {
		const judge = judging();
		assertWrong(sends(judge, 2990, 0x320, "0002000036000000"), /or it listens/);
		judge.arrives(4000, 0, { id: 0x5a0, flags: 0, data: new Uint8Array(8) });
		assertWrong(sends(judge, 6990, 0x320, "0002000036000000"), /somebody else/);
		assert.equal(judge.silentAt(7000), undefined);
		judge.arrives(7000, 0, { id: 0x5a0, flags: 0x8000_0000, data: new Uint8Array(8) });
		assert.equal(judge.silentAt(7010), undefined);
		judge.stall(8000, 700);
		assert.equal(judge.silentAt(8200), undefined);
		assert.match(judge.silentAt(8300) ?? "", /lease/);
		judge.busDown(1, 9000);
		assert.match(judge.silentAt(9010) ?? "", /bus is down/);
		judge.end();
		assert.match(judge.silentAt(12_000) ?? "", /off/);
	});

	it("knows what of the chassis passes: all in silence, testers and own identifiers always", () => {
		const judge = judging();
		const passes = (ms: number, id: number): boolean | undefined => judge.passesAt(ms, { id, flags: 0, data: new Uint8Array(8) });
		assert.equal(passes(1000, 0x123), true);
		assert.equal(passes(4000, 0x123), false);
		assert.equal(passes(4000, 0x764), true);
		assert.equal(passes(LISTENED_MS, 0x123), undefined);
	});

	it("allows no lock without the coupling's report, and lets it rise by 25 % in 100 ms after a silence", () => {
		const demand = new StandaloneDemand("5050");
		demand.boot(0);
		for (let ms = 0; ms < 3000; ms += 20) demand.reports(ms, false);
		assert.equal(demand.at(900).most, 0);
		assert.equal(demand.at(2990).most, 100);
		demand.resume(2900);
		assert.equal(demand.at(2990).most, 30);
		assert.ok(demand.at(3750).most < 70);
		assert.equal(demand.at(4100).most, 0);
	});

	it("lets everything go wrong in some of the states, and has nothing to complain of", async () => {
		const folder = mkdtempSync(join(tmpdir(), "oc-campaign-"));
		try {
			const crashed = await crashedFlash(PROGRAM, folder);
			const result = await standaloneCampaign({ program: PROGRAM, part: [5, 400], sideBySide: 2, crashed });
			assert.deepEqual(result.complaints, []);
			assert.ok(result.combinations > 4 && result.commands > 700, JSON.stringify(result));
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});
