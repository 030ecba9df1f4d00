// Files in memory that behave as littlefs does, with faults: for tests of whatever stores something.
import type { FileHandle, FilePort } from "../../hal/file-port.js";

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
		let dirty = false;
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
				const end = Math.max(content.length, position + data.length);
				if (this.#used() - (this.flash.get(path)?.length ?? 0) + end > this.capacity) throw new Error("no space");
				const grown = Buffer.alloc(end);
				content.copy(grown);
				grown.set(data, position);
				content = grown;
				dirty = true;
				this.#count(`write ${path}`);
			},
			status: () => ({ size: content.length }),
			flush: () => {
				this.#alive();
				commit();
				this.#count(`flush ${path}`);
			},
			close: () => {
				if (!dirty) return;
				this.#alive();
				commit();
				this.#count(`close ${path}`);
			},
		};
	}

	delete(path: string): boolean {
		this.#alive();
		if (!this.flash.delete(path)) return false;
		this.#count(`delete ${path}`);
		return true;
	}

	move(from: string, to: string): void {
		this.#alive();
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

	#used(): number {
		let bytes = 0;
		for (const content of this.flash.values()) bytes += content.length;
		return bytes;
	}

	#alive(): void {
		if (this.cutAfter > 0 && this.operations >= this.cutAfter) throw new PowerCut("no power");
	}

	#count(what: string): void {
		this.operations++;
		this.log.push(what);
		this.#alive();
	}
}

/** Timers that ring when told, and a clock that they share. */
export class ManualTime {
	ticks = 0;
	readonly #timers: { dueMs: number; callback: () => void }[] = [];

	readonly later = (callback: () => void, delayMs: number): void => {
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
