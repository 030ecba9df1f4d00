/**
 * Runs on XS: what a log line costs, and what logging the CAN frames of a replayed drive costs, in virtual time with the real files.
 * Prints one JSON line: bytecodes, and what the heap holds while CAN frames are logged.
 */

import files from "embedded:storage/files";
import Instrumentation from "instrumentation";
import Time from "time";
import Timer from "timer";
import { CanGateway } from "../../modules/can-gateway/can-gateway.js";
import { CanLog } from "../../src/logs/can-log.js";
import { Log } from "../../src/logs/log.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";

const LINES = 20;
const LIMITS = Object.freeze({ fileBytes: 262_144, copies: 4 });

function meter(work: () => void): number {
	const before = Instrumentation.get("meter") as number;
	work();
	return ((Instrumentation.get("meter") as number) - before) >>> 0;
}

function live(): { slots: number; chunkBytes: number } {
	Instrumentation.collect();
	return { slots: Instrumentation.get("slots") as number, chunkBytes: Instrumentation.get("chunks") as number };
}

/** @param untilMs when to end, before the drive does */
export function measure(untilMs: number): void {
	const overhead = meter(() => {});
	const steps = { count: 0, sum: 0, most: 0 };
	const later = (callback: () => void, delayMs: number): void => {
		Timer.set(() => {
			const cost = meter(callback) - overhead;
			steps.count++;
			steps.sum += cost;
			if (cost > steps.most) steps.most = cost;
		}, delayMs);
	};
	const ignored = (): void => {};
	const atRest = live();
	const context = { files, clock: Time, serial: ignored, limits: LIMITS, onFailing: ignored };
	const log = new Log({ ...context, later: ignored }, { ...DEFAULT_SETTINGS.logging, can: true, debugCan: true });
	log.write("EVENT", "mode", "the first line makes the kind and the files");
	log.flush();
	const quiet = live();
	const line = meter(() => {
		for (let i = 0; i < LINES; i++) log.write("EVENT", "mode", "STOCK: no valid vehicle speed (MAP is selected)");
	});
	const batch = meter(() => log.flush());

	const gateway = new CanGateway();
	const canLog = new CanLog(gateway, log, Time, later);
	const from = gateway.endOfRecords();
	canLog.observe();
	Timer.set(() => {
		const busy = live();
		const records = gateway.endOfRecords() - from;
		const result = {
			bench: "log",
			bytecodesPerLine: Math.round((line - overhead) / LINES),
			bytecodesPerBatch: batch - overhead,
			slots: quiet.slots - atRest.slots,
			chunkBytes: quiet.chunkBytes - atRest.chunkBytes,
			canRecords: records,
			bytecodesPerCanRecord: Math.round(steps.sum / records),
			mostPerStep: steps.most,
			canSlots: busy.slots - quiet.slots,
			canChunkBytes: busy.chunkBytes - quiet.chunkBytes,
		};
		trace(`${JSON.stringify(result)}\n`);
	}, untilMs);
}
