// One process at a time: a file that names the process that holds it. The lock of a process that has ended
// counts for nothing.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 200;

/**
 * Runs `work` while no other process runs under the same lock.
 * @param {string} path of the lock
 * @template T
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} onWait told once, if it has to wait, for which process
 * @returns {Promise<T>} what the work gave
 */
export async function locked(path, work, onWait) {
	mkdirSync(dirname(path), { recursive: true });
	for (let told = false; !take(path); told = true) {
		const holder = holderOf(path);
		if (!told && holder !== undefined) onWait(holder);
		await sleep(LOOK_MS);
	}
	try {
		return await work();
	} finally {
		rmSync(path, { force: true });
	}
}

// The file appears together with its content: its reader finds a number in it.
/** @param {string} path */
function take(path) {
	const own = `${path}.${process.pid}`;
	writeFileSync(own, `${process.pid}`);
	try {
		linkSync(own, path);
		return true;
	} catch (error) {
		if (error.code !== "EEXIST") throw error;
		const holder = holderOf(path);
		// its number may be ours now: in a container they repeat, and nobody holds one lock twice
		if (holder !== undefined && (holder === process.pid || !isAlive(holder))) breakLock(path, holder);
		return false;
	} finally {
		rmSync(own, { force: true });
	}
}

// Another process may have broken it in the meantime and hold it now: then what was moved away is put back.
/**
 * @param {string} path
 * @param {number} deadHolder
 */
function breakLock(path, deadHolder) {
	const broken = `${path}.${process.pid}.broken`;
	try {
		renameSync(path, broken);
		if (holderOf(broken) !== deadHolder) linkSync(broken, path);
	} catch (error) {
		if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
	} finally {
		rmSync(broken, { force: true });
	}
}

/** @param {string} path */
function holderOf(path) {
	try {
		return Number(readFileSync(path, "utf8")) || undefined;
	} catch {
		return undefined;
	}
}

/** @param {number} pid */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === "EPERM";
	}
}
