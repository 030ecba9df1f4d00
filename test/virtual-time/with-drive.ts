/** A judged drive with the coupling commanded shut, and that nothing stays in the engine of what happens in it. */
import assert from "node:assert/strict";
import { Drive, type Setting } from "../../tools/campaign/drive.js";
import { PROGRAM } from "../hal/host/host-program.js";

/** Alive by chance: what is just being sent, and the last lines of the log. */
const SLOTS_MORE = 150;

/**
 * @param happens not for the first time: what it makes once is there, and all is at rest again when it ends
 */
export async function leavesNothing(drive: Drive, happens: () => Promise<void>): Promise<void> {
	const before = (await drive.lockstep.report()).heap;
	await happens();
	const after = (await drive.lockstep.report()).heap;
	assert.equal(after.keys, before.keys, "names of the engine");
	assert.ok(after.slotsLive - before.slotsLive <= SLOTS_MORE, `${after.slotsLive - before.slotsLive} slots more`);
}

/** In mode 5050, of generation 5 and in profile reference unless the options say otherwise; ends without complaints. */
export async function withDrive(options: Partial<Setting>, use: (drive: Drive) => Promise<void>): Promise<void> {
	const settings = { mode: "5050" };
	const wishes = { mode: "5050", disableSpeedKmh: 0, releaseRate: 120 };
	const drive = await Drive.start(PROGRAM, { generation: 5, profile: "reference", settings, wishes, ...options });
	try {
		await use(drive);
		assert.deepEqual(drive.complaints, []);
	} finally {
		await drive.end();
	}
}
