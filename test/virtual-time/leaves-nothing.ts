/** That nothing stays in the engine of what has happened before and happens again. */
import assert from "node:assert/strict";
import type { Drive } from "../../tools/campaign/drive.js";

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
