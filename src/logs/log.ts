/**
 * The controller's log, in files that the interface serves, and on the serial port. A line is put into memory
 * of fixed size and written to flash with others at most once a second, never by the caller: a write holds up
 * the control loop. A line that does not fit is dropped and counted, and so is what repeats itself.
 * What is written, by the switches of `settings.logging`: every line while `file` is on, ERROR also to the
 * error log with `error`. Source: docs/api.md, "Logs", also of the form of a line.
 */

import type { FilePort } from "../../hal/file-port.js";
import type { ClockPort } from "../../hal/ports.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { LoggingSettings } from "../settings/settings.js";
import { isFull } from "../storage/whole-file.js";
import { atOnce, type Steps, type WriteQueue } from "../storage/write-queue.js";
import { copyBytes, decodeUtf8, encodeUtf8 } from "../text/bytes.js";
import { consistsOf, PRINTABLE } from "../text/characters.js";
import { COPIES_MAX, LogFile, type LogLimits } from "./log-file.js";

type LogLevel = "EVENT" | "INFO" | "WARN" | "ERROR";
/** Everything, CAN frames, errors. In the order in which they are listed. */
export const SCOPES = Object.freeze(["all", "can", "error"] as const);
type LogScope = (typeof SCOPES)[number];

/** A line waits this long for its batch, and so does a batch for the next one. */
export const FLUSH_AFTER_MS = 1000;
/**
 * Batches that may follow each other every `FLUSH_AFTER_MS`; then one every `BATCH_EVERY_MS`, for each erases
 * a sector.
 */
export const BATCHES_AT_ONCE = 60;
export const BATCH_EVERY_MS = 30_000;
/** One batch more than that may come without a wait; the next one then waits twice as long. */
const BATCHES_LEAST = -1;
/** Pause after a batch that could not be written. */
export const FLUSH_RETRY_MS = 10_000;
/** Between two reports of how many lines were too many of their kind. */
export const SUMMARY_MS = 10_000;
const WAITING_BYTES = 2048;
const WAITING_ERROR_BYTES = 512;
/** When this much waits, the next batch does not wait for `BATCH_EVERY_MS`. */
const FLUSH_BYTES = 1536;
/** Longer messages are cut. With four bytes a character, tag and time, they stay below LINE_BYTES_MAX. */
const MESSAGE_CHARACTERS_MAX = 200;
const SPACE = 0x20;
const DELETE = 0x7f;

/** A log file, which may not exist. */
export interface LogEntry {
	readonly scope: LogScope;
	/** 0 = the live file. */
	readonly copy: number;
	readonly file: LogFile;
}

interface LogContext {
	readonly files: FilePort;
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly writes: WriteQueue;
	readonly clock: ClockPort;
	/** Takes lines with their LF. */
	readonly serial: (line: string) => void;
	readonly limits: LogLimits;
	/** Told when the files can't be written, in a sentence; "" = they can again. */
	readonly onFailing: (problem: string) => void;
}

/** Never throws: if a file can't be written, `onFailing` is told, and lines that do not fit are dropped. */
export class Log {
	logging: LoggingSettings;
	readonly logs: Readonly<Record<LogScope, LogFile>>;
	readonly #context: LogContext;
	readonly #gate = new FloodGate();
	readonly #waiting = new LineBuffer(WAITING_BYTES);
	readonly #waitingErrors = new LineBuffer(WAITING_ERROR_BYTES);
	/** Number of the timer that counts, 0 = none is set; and when it rings. */
	#timer = 0;
	#timers = 0;
	#flushMs = 0;
	/** Batches that need not wait, below 0 after some that did not; and since when they have been counted. */
	#batches = BATCHES_AT_ONCE;
	#batchesMs = 0;
	#summaryDue = false;
	#failing = false;
	#held = false;

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

	/** ms since start, modulo 2^32. */
	get uptimeMs(): number {
		return Math.floor(this.#context.clock.microseconds / 1000) >>> 0;
	}

	/**
	 * Notes something; writes no file. Errors go to the serial port whatever the settings say.
	 * @param tag a constant
	 * @param message one line; control characters become blanks
	 */
	write(level: LogLevel, tag: string, message: string): void {
		if (!this.#gate.admits(level, tag, this.uptimeMs)) this.#summarizeLater();
		else this.#note(level, tag, message);
	}

	/** Lines stay in memory until `release`: those of a probe of parked sleep are worth no erase. */
	hold(): void {
		this.#held = true;
	}

	/** Ends `hold`, and writes what has waited. Idempotent. */
	release(): void {
		if (!this.#held) return;
		this.#held = false;
		if (this.isWaiting) this.#flushLater(FLUSH_AFTER_MS);
	}

	/** Writes what waits at once, not through the queue: for the end. Never throws. */
	flush(): void {
		atOnce(this.flushing());
	}

	/** Lines wait to be written. */
	get isWaiting(): boolean {
		return !(this.#waiting.isEmpty && this.#waitingErrors.isEmpty);
	}

	/** Writes what waits to the files; if that fails it is tried again later. */
	*flushing(): Steps {
		try {
			if (!this.#waiting.isEmpty) yield* this.#draining("all", this.#waiting);
			if (!this.#waitingErrors.isEmpty) yield* this.#draining("error", this.#waitingErrors);
		} catch (error) {
			const problem = `the log can't be written: ${(error as Error).message}`;
			if (!this.#failing) this.#context.serial(`${problem}\n`);
			if (!this.#failing) this.#context.onFailing(problem);
			this.#failing = true;
			this.#flushLater(FLUSH_RETRY_MS);
			return;
		}
		if (this.#failing) this.#context.onFailing("");
		this.#failing = false;
	}

	/** All files that these logs may have, the live one of each first. */
	entries(scopes: readonly LogScope[]): LogEntry[] {
		const entries: LogEntry[] = [];
		for (const scope of scopes)
			for (let copy = 0; copy <= COPIES_MAX; copy++) entries.push({ scope, copy, file: this.logs[scope] });
		return entries;
	}

	/** Deletes copies and empties live files. @param done told false if that failed for a file */
	clear(scopes: readonly LogScope[], done: (succeeded: boolean) => void): void {
		this.#context.writes.add(this.#clearing(scopes, done));
	}

	/** @param done told false if there is no such file, or it can't be deleted */
	delete({ file, copy }: LogEntry, done: (succeeded: boolean) => void): void {
		this.#context.writes.add(deleting(file, copy, done));
	}

	*#clearing(scopes: readonly LogScope[], done: (succeeded: boolean) => void): Steps {
		let succeeded = true;
		for (const { scope, copy, file } of this.entries(scopes).reverse())
			try {
				if (copy === 0) yield* this.#emptying(scope);
				else if (file.delete(copy)) yield;
			} catch {
				succeeded = false;
				yield;
			}
		done(succeeded);
	}

	*#emptying(scope: LogScope): Steps {
		if (scope === "all") this.#waiting.clear();
		if (scope === "error") this.#waitingErrors.clear();
		yield* this.logs[scope].emptying();
		yield;
	}

	/** True while CAN frames are to be written. */
	get takesFrames(): boolean {
		const { file, can, debugCan } = this.logging;
		return file && can && debugCan;
	}

	/** Drops the oldest copy of a log that is worth no more than this one. @returns false: each copy is worth more */
	freeSpace(scope: LogScope = "error"): boolean {
		const { all, can, error } = this.logs;
		return can.deleteOldest() || (scope !== "can" && all.deleteOldest()) || (scope === "error" && error.deleteOldest());
	}

	/** Appends as `LogFile.appending` does, dropping old copies if the flash is full. */
	*appending(scope: LogScope, lines: () => Uint8Array): Steps {
		for (;;) {
			try {
				yield* this.logs[scope].appending(lines);
				return;
			} catch (error) {
				if (!isFull(error) || !this.freeSpace(scope)) throw error;
			}
			yield;
		}
	}

	*#draining(scope: LogScope, waiting: LineBuffer): Steps {
		yield* this.appending(scope, () => waiting.lines);
		if (scope === "all") this.#batches = Math.max(BATCHES_LEAST, this.#batches - 1);
		const { dropped } = waiting;
		waiting.clear();
		if (dropped > 0) waiting.add(this.#line("WARN", "log", `${dropped} lines lost: too many at once`));
		yield;
		if (!waiting.isEmpty) this.#flushLater(this.#batchDelayMs());
	}

	#note(level: LogLevel, tag: string, message: string): void {
		const { file, error, serial } = this.logging;
		const isError = level === "ERROR";
		const line = this.#line(level, tag, message);
		if (serial || isError) this.#context.serial(decodeUtf8(line, 0, line.length) ?? "");
		if (!file) return;
		this.#waiting.add(line);
		if (isError && error) this.#waitingErrors.add(line);
		this.#flushLater(isError || this.#waiting.lines.length >= FLUSH_BYTES ? FLUSH_AFTER_MS : this.#batchDelayMs());
	}

	/** A line in UTF-8. A message must neither pretend to be another line nor steer a terminal. */
	#line(level: LogLevel, tag: string, message: string): Uint8Array {
		const cut = message.length > MESSAGE_CHARACTERS_MAX ? `${message.slice(0, MESSAGE_CHARACTERS_MAX)}...` : message;
		const head = `${this.uptimeMs}\t${level}\t${tag}\t`;
		const line = encodeUtf8(`${head}${cut}\n`);
		if (!consistsOf(cut, PRINTABLE))
			for (let i = line.length - 2; i >= head.length; i--) if (line[i] < SPACE || line[i] === DELETE) line[i] = SPACE;
		return line;
	}

	/** ms until the next batch may be written. */
	#batchDelayMs(): number {
		const sinceMs = elapsedMs(this.#batchesMs, this.uptimeMs);
		const more = Math.floor(sinceMs / BATCH_EVERY_MS);
		this.#batches = Math.min(BATCHES_AT_ONCE, this.#batches + more);
		this.#batchesMs += more * BATCH_EVERY_MS;
		return this.#batches > 0 ? FLUSH_AFTER_MS : (1 - this.#batches) * BATCH_EVERY_MS - (sinceMs % BATCH_EVERY_MS);
	}

	/** Sets the timer for the next batch, unless one is due earlier. */
	#flushLater(delayMs: number): void {
		if (this.#held) return;
		const nowMs = this.uptimeMs;
		if (this.#timer !== 0 && elapsedMs(nowMs, this.#flushMs) <= delayMs) return;
		const timer = ++this.#timers;
		this.#context.writes.later(() => this.#flushDue(timer), delayMs);
		this.#timer = timer;
		this.#flushMs = nowMs + delayMs;
	}

	*#flushDue(timer: number): Steps {
		// an error has been faster
		if (timer !== this.#timer) return;
		this.#timer = 0;
		yield* this.flushing();
	}

	#summarizeLater(): void {
		if (this.#summaryDue) return;
		this.#summaryDue = true;
		this.#context.later(() => {
			this.#summaryDue = false;
			this.#gate.drain((level, tag, count) => this.#note(level as LogLevel, tag, `and ${count} more like this`));
		}, SUMMARY_MS);
	}
}

function* deleting(file: LogFile, copy: number, done: (succeeded: boolean) => void): Steps {
	let succeeded = false;
	try {
		succeeded = file.delete(copy);
	} catch {
		// as if there were none
	}
	done(succeeded);
	yield;
}

/** Lines in memory of fixed size. A line that does not fit is only counted. */
class LineBuffer {
	/** Lines that did not fit since the last `clear`. */
	dropped = 0;
	readonly #bytes: Uint8Array;
	#length = 0;

	constructor(capacityBytes: number) {
		this.#bytes = new Uint8Array(capacityBytes);
	}

	/** Adds a line with its LF. */
	add(line: Uint8Array): void {
		if (this.#length + line.length > this.#bytes.length) {
			this.dropped++;
			return;
		}
		copyBytes(line, 0, line.length, this.#bytes, this.#length);
		this.#length += line.length;
	}

	/** A view that is valid until the next call. */
	get lines(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	get isEmpty(): boolean {
		return this.#length === 0;
	}

	clear(): void {
		this.#length = this.dropped = 0;
	}
}

/*
 * A kind of lines gets at most 30 lines at once and then 12 a minute, some 1 KB. So 24 minutes of the worst
 * kind fit a file of 24 KB, and the flash endures three such kinds for ten years.
 */
const BURST_LINES = 30;
const REFILL_MS = 5000;
/** Further kinds share the last entry. */
const KINDS_MAX = 32;

interface Kind {
	readonly level: string;
	readonly tag: string;
	/** Lines that may still be written at `sinceMs`. */
	allowance: number;
	sinceMs: number;
	suppressed: number;
}

/** Limits how many lines of a kind are written. */
class FloodGate {
	readonly #kinds: Kind[] = [];

	/** @returns false if the line is one too many, which is counted */
	admits(level: string, tag: string, nowMs: number): boolean {
		const kind = this.#kind(level, tag, nowMs);
		const refills = Math.floor(Math.max(0, nowMs - kind.sinceMs) / REFILL_MS);
		kind.sinceMs += refills * REFILL_MS;
		kind.allowance = Math.min(BURST_LINES, kind.allowance + refills);
		if (nowMs < kind.sinceMs || kind.allowance === BURST_LINES) kind.sinceMs = nowMs;
		if (kind.allowance === 0) {
			kind.suppressed++;
			return false;
		}
		kind.allowance--;
		return true;
	}

	/** Tells how many lines of each kind were suppressed since the last call. */
	drain(told: (level: string, tag: string, count: number) => void): void {
		for (const kind of this.#kinds) {
			const count = kind.suppressed;
			kind.suppressed = 0;
			if (count > 0) told(kind.level, kind.tag, count);
		}
	}

	#kind(level: string, tag: string, nowMs: number): Kind {
		const found = this.#kinds.find((kind) => kind.level === level && kind.tag === tag);
		if (found !== undefined) return found;
		if (this.#kinds.length === KINDS_MAX) return this.#kinds[KINDS_MAX - 1];
		const kind = { level, tag, allowance: BURST_LINES, sinceMs: nowMs, suppressed: 0 };
		this.#kinds.push(kind);
		return kind;
	}
}
