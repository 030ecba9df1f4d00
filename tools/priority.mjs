/** How processes that compute leave the processors to those that play a car in real time. */
import { existsSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Lowers the priority of a process that has a session of its own (it was started `detached`), and of all that it will start in that session.
 * Linux shares the processors out among sessions first (`man 7 sched`, autogroup), and among the processes of each only then: both are told.
 * @param {number} pid of the session's leader
 * @param {number} niceness 0 = that of others, up to 19 = only what others leave
 */
export function giveWay(pid, niceness) {
	setPriority(pid, niceness);
	const session = `/proc/${pid}/autogroup`;
	if (existsSync(session)) writeFileSync(session, `${niceness}`);
}
