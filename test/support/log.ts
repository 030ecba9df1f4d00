// A log on flash in memory, with a clock that the test moves.
import type { ClockPort } from "../../hal/ports.js";
import { Log } from "../../src/logs/log.js";
import { DEFAULT_SETTINGS, type LoggingSettings } from "../../src/settings/settings.js";
import { ManualTime, MemoryFiles } from "./memory-files.js";

export interface LogBench {
	readonly log: Log;
	readonly files: MemoryFiles;
	/** What went to the serial port. */
	readonly serial: string[];
	/** What was told of files that can't be written. */
	readonly failing: string[];
	readonly clock: ClockPort;
	readonly later: ManualTime["later"];
	readonly writes: ManualTime["writes"];
	/** Lets time pass, with all that falls due in it. */
	pass(ms: number): void;
}

export function aLogBench(
	logging: Partial<LoggingSettings> = {},
	files = new MemoryFiles(),
	limits = { fileBytes: 262_144, copies: 4 },
): LogBench {
	const time = new ManualTime();
	const serial: string[] = [];
	const failing: string[] = [];
	const clock = {
		get ticks() {
			return time.ticks;
		},
		get microseconds() {
			return time.ticks * 1000;
		},
	};
	const onFailing = (problem: string) => failing.push(problem);
	const context = {
		files,
		later: time.later,
		writes: time.writes,
		clock,
		serial: (line: string) => serial.push(line),
		limits,
		onFailing,
	};
	const log = new Log(context, { ...DEFAULT_SETTINGS.logging, ...logging });
	return { log, files, serial, failing, clock, later: time.later, writes: time.writes, pass: (ms) => time.pass(ms) };
}
