/** How processes that compute leave the processors to those that play a car in real time. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Who is not root may change the priority of a session ten times a second, all sessions together. */
const AGAIN_MS = 100;

/**
 * Lowers the priority of a process that has a session of its own (it was started `detached`), and of all that it will start in that session.
 * Linux shares the processors out among sessions first (`man 7 sched`, autogroup), and among the processes of each only then: both are told.
 * Never throws: where there are no such groups, or they are not ours to change, there is less to win.
 * @param {number} pid of the session's leader
 * @param {number} niceness 0 = that of others, up to 19 = only what others leave
 */
export async function giveWay(pid, niceness) {
	if (!attempt(() => setPriority(pid, niceness)).done) return;
	while (attempt(() => writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`)).code === "EAGAIN") await sleep(AGAIN_MS);
}

/** @param {() => void} change @returns {{ done: boolean, code?: string }} */
function attempt(change) {
	try {
		change();
		return { done: true };
	} catch (error) {
		return { done: false, code: error.code };
	}
}
