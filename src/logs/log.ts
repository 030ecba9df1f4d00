/**
 * The controller's log: lines about what happened, in files that the interface serves, and on the serial port. A line is put into memory
 * and written to flash with others at most once a second, never by the caller: a write holds up the control loop.
 *
 * Line: `<uptime ms> TAB <LEVEL> TAB <tag> TAB <message> LF` in UTF-8. What is written, with the switches of `settings.logging`:
 * EVENT, INFO, WARN and ERROR whenever `file` is on, ERROR also to the error log with `error`; DEBUG only with the debug switch of its category too.
 * Source: docs/http-api.md 3.28; the reference writes errors only.
 */

import type { FilePort } from "../../hal/file-port.js";
import type { ClockPort } from "../../hal/ports.js";
import type { LoggingSettings } from "../settings/settings.js";
import { isFull } from "../storage/whole-file.js";
import { decodeUtf8, encodeUtf8 } from "../text/utf8.js";
import { FloodGate } from "./flood-gate.js";
import { LineBuffer } from "./line-buffer.js";
import { COPIES_MAX, LogFile, type LogLimits } from "./log-file.js";

export type LogLevel = "EVENT" | "DEBUG" | "INFO" | "WARN" | "ERROR";
/** The logs: everything, CAN frames, errors. In the order in which they are listed. */
export const SCOPES = Object.freeze(["all", "can", "error"] as const);
export type LogScope = (typeof SCOPES)[number];

/** From a line to its batch, and between two batches. */
export const FLUSH_AFTER_MS = 1000;
/** After a batch that could not be written. */
export const RETRY_MS = 10_000;
/** How often it is told how many lines were too many of their kind. */
export const SUMMARY_MS = 10_000;
/** Between two files that are deleted. */
const CLEAR_STEP_MS = 10;
/** Lines that wait for the next batch, and those of them that are errors. */
const WAITING_BYTES = 2048;
const WAITING_ERROR_BYTES = 512;
/** Longer messages are cut. Four bytes a character, tag and time: still below LINE_BYTES_MAX. */
const MESSAGE_CHARACTERS_MAX = 200;
/** How tags of the network category start. */
const NETWORK_TAGS = Object.freeze(["wifi", "net", "ota", "mdns"]);
const SPACE = 0x20;
const DELETE = 0x7f;

/** A place for a log file. */
export interface LogEntry {
	readonly scope: LogScope;
	/** 0 = the live file. */
	readonly copy: number;
	readonly file: LogFile;
}

export interface LogContext {
	readonly files: FilePort;
	/** Calls back once, after `delayMs`. */
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly clock: ClockPort;
	/** Where lines for the serial port go, with their LF. */
	readonly serial: (line: string) => void;
	readonly limits: LogLimits;
	/** Told when the files can't be written, in a sentence; "" = they can again. */
	readonly onFailing: (problem: string) => void;
}

export class Log {
	/** What is written; replaced when the settings change. */
	logging: LoggingSettings;
	/** By scope. */
	readonly logs: Readonly<Record<LogScope, LogFile>>;
	readonly #context: LogContext;
	readonly #gate = new FloodGate();
	readonly #waiting = new LineBuffer(WAITING_BYTES);
	readonly #waitingErrors = new LineBuffer(WAITING_ERROR_BYTES);
	#flushDue = false;
	#summaryDue = false;
	#failing = false;

	constructor(context: LogContext, logging: LoggingSettings) {
		const { files, limits } = context;
		this.#context = context;
		this.logging = logging;
		this.logs = {
			all: new LogFile(files, "logs/all", limits),
			can: new LogFile(files, "logs/can/can", limits),
			error: new LogFile(files, "logs/error/error", limits),
		};
	}

	/** ms since start, modulo 2^32: the time of a line. */
	get uptimeMs(): number {
		return Math.floor(this.#context.clock.microseconds / 1000) >>> 0;
	}

	/**
	 * Notes something. Cheap, never throws, writes no file. Errors go to the serial port whatever the settings say.
	 * @param tag a constant: its start decides the category of DEBUG lines (can | wifi, net, ota, mdns | firmware) @param message one line; control characters become blanks
	 */
	write(level: LogLevel, tag: string, message: string): void {
		if (level === "DEBUG" && !this.#isDebugged(tag)) return;
		if (level !== "DEBUG" && !this.#gate.admits(level, tag, this.uptimeMs)) this.#summarizeLater();
		else this.#note(level, tag, message);
	}

	/** Writes what waits to the files. @returns false if that failed; it is tried again later */
	flush(): boolean {
		try {
			this.#drain("all", this.#waiting);
			this.#drain("error", this.#waitingErrors);
		} catch (error) {
			if (!this.#failing) this.#tellFailing(`the log can't be written: ${(error as Error).message}`);
			this.#failing = true;
			this.#flushLater(RETRY_MS);
			return false;
		}
		if (this.#failing) this.#context.onFailing("");
		this.#failing = false;
		return true;
	}

	#tellFailing(problem: string): void {
		this.#context.serial(`${problem}\n`);
		this.#context.onFailing(problem);
	}

	/** All files that these logs may have, the live one of each first; whether a file is there its `size` tells. */
	entries(scopes: readonly LogScope[]): LogEntry[] {
		const entries: LogEntry[] = [];
		for (const scope of scopes)
			for (let copy = 0; copy <= COPIES_MAX; copy++) entries.push({ scope, copy, file: this.logs[scope] });
		return entries;
	}

	/**
	 * Deletes the copies of these logs and empties their live files, which exist afterwards; one file at a time, other work goes on between.
	 * @param done told once at the end: false if a file could not be
	 */
	clear(scopes: readonly LogScope[], done: (succeeded: boolean) => void): void {
		// from the oldest copy of the last log on
		const left = this.entries(scopes);
		let succeeded = true;
		const step = (): void => {
			for (let next = left.pop(); next !== undefined; next = left.pop()) {
				try {
					if (!this.#remove(next.scope, next.copy)) continue;
				} catch {
					succeeded = false;
				}
				this.#context.later(step, CLEAR_STEP_MS);
				return;
			}
			done(succeeded);
		};
		step();
	}

	/** @returns false if there was nothing to do */
	#remove(scope: LogScope, copy: number): boolean {
		if (copy > 0) return this.logs[scope].delete(copy);
		if (scope === "all") this.#waiting.clear();
		if (scope === "error") this.#waitingErrors.clear();
		this.logs[scope].empty();
		return true;
	}

	/** True while CAN frames are to be written. */
	get takesFrames(): boolean {
		const { file, can, debugCan } = this.logging;
		return file && can && debugCan;
	}

	/**
	 * Gives up the oldest copy of a log that is worth no more than this one: settings, maps and new lines are worth more, CAN frames least.
	 * @returns false if there is none
	 */
	makeRoom(scope: LogScope = "error"): boolean {
		const { all, can, error } = this.logs;
		return can.deleteOldest() || (scope !== "can" && all.deleteOldest()) || (scope === "error" && error.deleteOldest());
	}

	/** Appends whole lines to a log, giving up old copies if the flash is full. @throws {Error} it can't be written */
	append(scope: LogScope, lines: Uint8Array): void {
		for (;;) {
			try {
				this.logs[scope].append(lines);
				return;
			} catch (error) {
				if (!isFull(error) || !this.makeRoom(scope)) throw error;
			}
		}
	}

	#drain(scope: LogScope, waiting: LineBuffer): void {
		const { lines, dropped } = waiting;
		if (lines.length > 0) this.append(scope, lines);
		waiting.clear();
		if (dropped > 0) this.append(scope, this.#line("WARN", "log", `${dropped} lines lost: too many at once`));
	}

	#note(level: LogLevel, tag: string, message: string): void {
		const { file, error, serial } = this.logging;
		const isError = level === "ERROR";
		const line = this.#line(level, tag, message);
		if (serial || isError) this.#context.serial(decodeUtf8(line, 0, line.length) ?? "");
		if (!file) return;
		this.#waiting.add(line);
		if (isError && error) this.#waitingErrors.add(line);
		this.#flushLater(FLUSH_AFTER_MS);
	}

	/** A line in UTF-8. Control characters become blanks: a message must neither pretend to be another line nor steer a terminal. */
	#line(level: LogLevel, tag: string, message: string): Uint8Array {
		const cut = message.length > MESSAGE_CHARACTERS_MAX ? `${message.slice(0, MESSAGE_CHARACTERS_MAX)}...` : message;
		const head = `${this.uptimeMs}\t${level}\t${tag}\t`;
		const line = encodeUtf8(`${head}${cut}\n`);
		for (let i = line.length - 2; i >= head.length; i--) if (line[i] < SPACE || line[i] === DELETE) line[i] = SPACE;
		return line;
	}

	#flushLater(delayMs: number): void {
		if (this.#flushDue) return;
		this.#flushDue = true;
		this.#context.later(() => {
			this.#flushDue = false;
			this.flush();
		}, delayMs);
	}

	#summarizeLater(): void {
		if (this.#summaryDue) return;
		this.#summaryDue = true;
		this.#context.later(() => {
			this.#summaryDue = false;
			this.#gate.drain((level, tag, count) => this.#note(level as LogLevel, tag, `and ${count} more like this`));
		}, SUMMARY_MS);
	}

	#isDebugged(tag: string): boolean {
		const { debugCan, debugNetwork, debugFirmware } = this.logging;
		if (tag.startsWith("can")) return debugCan;
		return NETWORK_TAGS.some((start) => tag.startsWith(start)) ? debugNetwork : debugFirmware;
	}
}
