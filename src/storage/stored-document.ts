/**
 * One JSON document on flash, written as a whole (`src/settings/STORAGE.md`). A change is written soon, but
 * two writes are at least `WRITE_INTERVAL_MS` apart. A document that can't be used never stops the boot: it
 * is set aside and reported, and the fallback applies.
 */

import type { FilePort } from "../../hal/file-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import { parseJson, plainJson } from "../json/json.js";
import { decodeUtf8, encodeUtf8 } from "../text/bytes.js";
import { isSetAside, readFile, replacingFile, setAside } from "./whole-file.js";
import { atOnce, type Steps, type WriteQueue } from "./write-queue.js";

/** A change right after a write is on flash within the 2 s of docs/decisions.md 14, if nothing else waits. */
export const WRITE_INTERVAL_MS = 1500;
/** A write to flash holds up the control loop: the change gets to the coupling first. */
export const WRITE_AFTER_MS = 100;
/** An attempt may hold up the control loop for 0.2 s. */
export const WRITE_RETRY_MS = 10_000;
/** After this many failed writes in a row only the next change is tried. */
export const ATTEMPTS_MAX = 6;

/** Surroundings of the storage. */
export interface StorageContext {
	readonly files: FilePort;
	readonly writes: WriteQueue;
	readonly clock: { readonly ticks: number };
	/** Told what is wrong with a file, in a sentence; "" = it is stored again. */
	readonly report: (path: string, problem: string) => void;
	/** Drops something that is worth less. @returns false if there is nothing left */
	readonly freeSpace?: () => boolean;
	/** Whether the heap has that many bytes free. */
	readonly hasHeap?: (bytes: number) => boolean;
}

/** A file, and what is wrong with it. */
export interface StorageProblem {
	/** Relative to the flash's root; `logs` stands for all logs. */
	readonly path: string;
	readonly problem: string;
}

/** One more replaces the oldest. */
const STORAGE_PROBLEMS_MAX = 4;
/** Longer sentences are cut: an entry must fit a piece of an answer. */
const CHARACTERS_MAX = 160;

/** Problems of the files on flash: one entry for each file, the youngest last. Never throws. */
export class StorageProblems {
	readonly entries: StorageProblem[] = [];

	/** @param problem in a sentence; "" = it is over */
	note(path: string, problem: string): void {
		const { entries } = this;
		const known = entries.findIndex((entry) => entry.path === path);
		if (known >= 0) entries.splice(known, 1);
		if (problem === "") return;
		if (entries.length === STORAGE_PROBLEMS_MAX) entries.shift();
		entries.push({ path, problem: problem.slice(0, CHARACTERS_MAX) });
	}
}

/** Path, limits and form of a document. */
export interface DocumentForm<T> {
	readonly path: string;
	/** Raised when a reader of the old form would misunderstand the new one; absent = not in the file. */
	readonly format?: number;
	readonly maxBytes: number;
	readonly fallback: T;
	/** @param fields the stored object @throws {RangeError} naming field, value and what is allowed */
	readonly read: (fields: Readonly<Record<string, unknown>>) => T;
	/** The object to store, without `format`. Only the names of the written fallback reach `read`. */
	readonly write: (value: T) => object;
}

/** One file. */
export class StoredDocument<T> {
	readonly #form: DocumentForm<T>;
	readonly #context: StorageContext;
	#pending: T | undefined;
	/** Text on flash; "" = unknown. */
	#written = "";
	#lastWriteMs: number | undefined;
	/** Stands for the timer that runs; earlier ones are ignored. */
	#timer: object | undefined;
	/** Failed writes since the last one that succeeded. */
	#failures = 0;

	constructor(form: DocumentForm<T>, context: StorageContext) {
		this.#form = form;
		this.#context = context;
	}

	get path(): string {
		return this.#form.path;
	}

	/** The stored value; undefined = there is no file. @throws {Error} it is invalid */
	read(): T | undefined {
		const { path, maxBytes } = this.#form;
		const bytes = readFile(this.#context.files, path, maxBytes);
		if (bytes === undefined) return undefined;
		const value = this.#parse(bytes);
		this.#written = decodeUtf8(bytes, 0, bytes.length) ?? "";
		return value;
	}

	/** The stored value; the fallback without a file, `unusable` for an invalid one, which is reported. */
	load(unusable = this.#form.fallback): T {
		const { path, fallback } = this.#form;
		const { files, report } = this.#context;
		try {
			const stored = this.read();
			if (stored !== undefined) return stored;
			if (isSetAside(files, path)) report(path, `${path} could not be used at an earlier start: it is kept as ${path}.bad`);
			return fallback;
		} catch (error) {
			report(path, `${path} can't be used (${setAside(files, path)}): ${(error as Error).message}`);
			return unusable;
		}
	}

	/** Has the value written, after `WRITE_AFTER_MS`, and `WRITE_INTERVAL_MS` after the last write. */
	save(value: T): void {
		this.#pending = value;
		if (this.#timer !== undefined && this.#failures === 0) return;
		const { clock } = this.#context;
		const sinceMs = this.#lastWriteMs === undefined ? WRITE_INTERVAL_MS : elapsedMs(this.#lastWriteMs, clock.ticks);
		this.#schedule(Math.max(WRITE_AFTER_MS, WRITE_INTERVAL_MS - sinceMs));
	}

	/** Writes what is pending before it returns, not through the queue. Errors are reported, not thrown. */
	flush(): void {
		atOnce(this.flushing());
	}

	/** Writes what is pending: on flash after the last step. Errors are reported, not thrown. */
	*flushing(): Steps {
		if (this.#pending === undefined) return;
		try {
			yield* this.writing(this.#pending);
		} catch (error) {
			this.#fail(error);
			if (this.#failures < ATTEMPTS_MAX) this.#schedule(WRITE_RETRY_MS);
		}
	}

	/**
	 * Writes the value in place of the pending one: on flash after the last step.
	 * @param first taken when nothing is left to write that needs space, before the file is replaced
	 * @throws {Error} the file stays
	 */
	*writing(value: T, first?: Steps): Steps {
		const replaced = this.#pending;
		const { format, path, write } = this.#form;
		const { files, clock, report, freeSpace } = this.#context;
		const text = plainJson(format === undefined ? write(value) : { format, ...write(value) });
		if (text !== this.#written) {
			this.#lastWriteMs = clock.ticks;
			// unknown until the bytes are there; and the heap has space for them
			this.#written = "";
			yield* replacingFile(files, path, encodeUtf8(text), freeSpace, first);
			this.#written = text;
			if (this.#failures > 0) report(path, "");
		} else if (first !== undefined) yield* first;
		this.#failures = 0;
		if (this.#pending === replaced) this.#pending = undefined;
	}

	#schedule(delayMs: number): void {
		const timer = {};
		this.#timer = timer;
		try {
			this.#context.writes.later(() => this.#ring(timer), delayMs);
		} catch (error) {
			this.#timer = undefined;
			this.#fail(error);
		}
	}

	*#ring(timer: object): Steps {
		if (timer !== this.#timer) return;
		this.#timer = undefined;
		// it lies there twice, as text and as bytes
		if (this.#context.hasHeap?.(2 * this.#form.maxBytes) === false) this.#schedule(WRITE_AFTER_MS);
		else yield* this.flushing();
	}

	/** Reports the first failure, and the last attempt. */
	#fail(error: unknown): void {
		const { path } = this.#form;
		const problem = `${path} can't be stored: ${(error as Error).message}`;
		this.#failures++;
		if (this.#failures === 1) this.#context.report(path, problem);
		else if (this.#failures === ATTEMPTS_MAX) this.#context.report(path, `${problem}; only the next change is tried again`);
	}

	#parse(bytes: Uint8Array): T {
		const { format, fallback, write, read } = this.#form;
		const own = write(fallback);
		const stored = parseJson(bytes, memberNames(own, ["format"]).join(" "));
		if (stored === undefined) throw new RangeError("not JSON");
		if (typeof stored !== "object" || stored === null || Array.isArray(stored)) throw new RangeError("not a JSON object");
		const fields = stored as Readonly<Record<string, unknown>>;
		if (format !== undefined && fields["format"] !== format)
			throw new RangeError(`format is ${JSON.stringify(fields["format"])}; allowed: ${format}`);
		if (!Object.keys(own).some((name) => name in fields)) throw new RangeError("it has none of our fields");
		return read(fields);
	}
}

/** Adds the names of all members in a value, nested ones too. */
function memberNames(value: object, names: string[]): string[] {
	if (!Array.isArray(value)) names.push(...Object.keys(value));
	// a list of numbers or texts has no names in it: a map has 79 numbers
	else if (typeof value[0] !== "object") return names;
	for (const member of Object.values(value)) if (typeof member === "object" && member !== null) memberNames(member, names);
	return names;
}
