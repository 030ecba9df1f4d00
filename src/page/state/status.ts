/** The controller's snapshot: read at the start, after each write, and when the connection is back. */

import { get } from "../net/request";
import type { Status } from "../net/types";
import { Store } from "./store";

let readAtMs = 0;

/** How long ago the snapshot was read. */
export function sinceStatusMs(): number {
	return performance.now() - readAtMs;
}

/** The newest snapshot; undefined before the first was read. */
export const status = new Store<Status | undefined>(undefined);

/** A change is stored, or failed, within 2 s (docs/api.md, "What a power cut loses"), plus bad Wi-Fi. */
const STORED_MS = 4500;
/** Reads are numbered as they begin; an answer replaces only that of an earlier one. */
let begun = 0;
let shown = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the snapshot. @throws {ApiError} {LinkError} */
export function loadStatus(): Promise<Status> {
	// a read that began before a write does not show it: never join one
	const number = ++begun;
	return get<Status>("/api/status").then((snapshot) => {
		if (number > shown) {
			shown = number;
			readAtMs = performance.now();
			status.set(snapshot);
		}
		return snapshot;
	});
}

/** Reads the snapshot after a change, and once more when it was due on flash. Never throws. */
export function followChange(): Promise<unknown> {
	const read = async () => document.hidden || loadStatus().catch(() => {});
	clearTimeout(timer);
	timer = setTimeout(read, STORED_MS);
	return read();
}
