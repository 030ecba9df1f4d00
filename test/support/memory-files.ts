// Files in memory that behave as littlefs does, with faults: for tests of whatever stores something.
import type { FileHandle, FilePort } from "../../hal/file-port.js";
import type { ClockPort } from "../../hal/ports.js";
import { Log } from "../../src/logs/log.js";
import { DEFAULT_SETTINGS, type LoggingSettings } from "../../src/settings/settings.js";
import { WriteQueue } from "../../src/storage/write-queue.js";

/** Thrown by the operation at which the power goes, and by every later one. */
export class PowerCut extends Error {}

export class MemoryFiles implements FilePort {
	/** What is on flash: flushed or closed. Directories are keys that end in "/". */
	readonly flash = new Map<string, Buffer>();
	/** Operations that change something, so far. */
	operations = 0;
	/** Number of the operation after which the power goes. */
	cutAfter = 0;
	/** Told before each write; throws to make it fail. */
	onWrite: (path: string, data: Uint8Array) => void = () => {};
	/** The next write writes half and fails. */
	tearsNext = false;
	/** Paths of open files: littlefs must not be asked to move or delete them. */
	readonly open: string[] = [];
	/** Bytes the flash holds. */
	capacity = Number.POSITIVE_INFINITY;
	/** Paths opened to write, moved to, deleted, in order. */
	readonly log: string[] = [];

	constructor(content: Readonly<Record<string, string>> = {}) {
		for (const [path, text] of Object.entries(content)) this.flash.set(path, Buffer.from(text));
	}

	text(path: string): string | undefined {
		return this.flash.get(path)?.toString();
	}

	/** A flash with the same files and no faults. */
	copy(): MemoryFiles {
		const files = new MemoryFiles();
		for (const [path, content] of this.flash) files.flash.set(path, content);
		return files;
	}

	/** Names of all files. */
	get names(): string[] {
		return [...this.flash.keys()].filter((path) => !path.endsWith("/")).sort();
	}

	openFile({ path, mode = "r" }: { path: string; mode?: "r" | "r+" | "w" }): FileHandle {
		this.#alive();
		const stored = this.flash.get(path);
		if (stored === undefined && mode !== "w") throw new Error("not found");
		const folder = path.slice(0, path.lastIndexOf("/") + 1);
		if (folder !== "" && !this.flash.has(folder)) throw new Error("not found");
		let content = mode === "w" || stored === undefined ? Buffer.alloc(0) : Buffer.from(stored);
		let dirty = mode === "w" && stored !== undefined;
		let closed = false;
		this.open.push(path);
		const resize = (length: number): void => {
			if (this.used - (this.flash.get(path)?.length ?? 0) + length > this.capacity) throw new Error("no space");
			const resized = Buffer.alloc(length);
			content.copy(resized);
			content = resized;
			dirty = true;
		};
		const commit = (): void => {
			this.flash.set(path, content);
			dirty = false;
		};
		if (mode === "w") {
			if (stored === undefined) commit();
			this.#count(`open ${path}`);
		}
		return {
			read: (count, position = 0) => {
				this.#alive();
				return new Uint8Array(content.subarray(position, position + count)).buffer;
			},
			write: (data, position = 0) => {
				this.#alive();
				this.onWrite(path, data);
				const torn = this.tearsNext;
				this.tearsNext = false;
				const written = torn ? data.subarray(0, data.length >> 1) : data;
				resize(Math.max(content.length, position + written.length));
				content.set(written, position);
				this.#count(`write ${path}`);
				if (torn) throw new Error("write failed");
			},
			setSize: (length) => {
				this.#alive();
				resize(length);
				this.#count(`resize ${path}`);
			},
			status: () => ({ size: content.length }),
			flush: () => {
				this.#alive();
				commit();
				this.#count(`flush ${path}`);
			},
			close: () => {
				if (closed) return;
				closed = true;
				if (this.open.includes(path)) this.open.splice(this.open.indexOf(path), 1);
				if (!dirty) return;
				this.#alive();
				commit();
				this.#count(`close ${path}`);
			},
		};
	}

	delete(path: string): boolean {
		this.#alive();
		if (this.open.includes(path)) throw new Error("is open");
		if (!this.flash.delete(path)) return false;
		this.#count(`delete ${path}`);
		return true;
	}

	move(from: string, to: string): void {
		this.#alive();
		if (this.open.includes(from) || this.open.includes(to)) throw new Error("is open");
		const content = this.flash.get(from);
		if (content === undefined) throw new Error("not found");
		this.flash.delete(from);
		this.flash.set(to, content);
		this.#count(`move ${to}`);
	}

	status(path: string): { size: number | undefined; isFile(): boolean; isDirectory(): boolean } {
		if (path.length > 255) throw new Error("bad path");
		const content = this.flash.get(path);
		return { size: content?.length, isFile: () => content !== undefined, isDirectory: () => this.flash.has(`${path}/`) };
	}

	createDirectory(path: string): boolean {
		this.#alive();
		if (this.flash.has(`${path}/`)) return false;
		this.flash.set(`${path}/`, Buffer.alloc(0));
		this.#count(`mkdir ${path}`);
		return true;
	}

	scan(path = ""): IterableIterator<string> {
		const prefix = path === "" ? "" : `${path}/`;
		if (prefix !== "" && !this.flash.has(prefix)) throw new Error("not found");
		const below = [...this.flash.keys()].filter((key) => key.startsWith(prefix) && key !== prefix);
		return new Set(below.map((key) => key.slice(prefix.length).split("/")[0]).sort()).values();
	}

	/** Bytes that all files have. */
	get used(): number {
		let bytes = 0;
		for (const content of this.flash.values()) bytes += content.length;
		return bytes;
	}

	#alive(): void {
		if (this.cutAfter <= 0 || this.operations < this.cutAfter) return;
		this.open.length = 0;
		throw new PowerCut("no power");
	}

	#count(what: string): void {
		this.operations++;
		this.log.push(what);
		this.#alive();
	}
}

/** A queue whose jobs are done at once, and what comes later never. */
export function anEagerQueue(): WriteQueue {
	const later = (callback: () => void, delayMs: number): void => {
		if (delayMs === 0) callback();
	};
	return new WriteQueue(later, { ticks: 0 }, () => Number.POSITIVE_INFINITY);
}

/** Timers that ring when told, and a clock that they share. */
export class ManualTime {
	ticks = 0;
	/** A queue on these timers while nothing is controlled. */
	readonly writes = new WriteQueue(
		(callback, delayMs) => this.later(callback, delayMs),
		this,
		() => Number.POSITIVE_INFINITY,
	);
	readonly #timers: { dueMs: number; callback: () => void }[] = [];

	readonly later = (callback: () => void, delayMs: number): void => {
		if (!(delayMs >= 0)) throw new RangeError(`a timer in ${delayMs} ms; allowed: 0 and more`);
		this.#timers.push({ dueMs: this.ticks + delayMs, callback });
	};

	/** Lets time pass; what is due rings in order. */
	pass(ms: number): void {
		const endMs = this.ticks + ms;
		for (;;) {
			this.#timers.sort((a, b) => a.dueMs - b.dueMs);
			const next = this.#timers[0];
			if (next === undefined || next.dueMs > endMs) break;
			this.#timers.shift();
			this.ticks = Math.max(this.ticks, next.dueMs);
			next.callback();
		}
		this.ticks = endMs;
	}
}

interface LogBench {
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
