/**
 * The ECMA-419 and Moddable modules that the application uses, as the boards and the host both have them. Own
 * declarations, because those of @moddable/typings 5.6 lack files, PWM resolution, Listener.close and exact
 * results.
 */

declare module "embedded:io/socket/tcp" {
	type Bytes = ArrayBuffer | Uint8Array | DataView;
	interface TCPCallbacks {
		/** `byteLength` bytes can be read now. Not called again before something was read. */
		onReadable?: (this: TCP, byteLength: number) => void;
		/** `byteLength` bytes can be written now. */
		onWritable?: (this: TCP, byteLength: number) => void;
		/**
		 * The peer closed or the connection broke, after all bytes were read. `close` remains to be called.
		 */
		onError?: (this: TCP) => void;
		format?: "buffer" | "number";
		/** No waiting for more bytes to fill a segment. `noDelay` means the same. */
		nodelay?: boolean;
		noDelay?: boolean;
		target?: unknown;
	}
	/** Connects to a numeric IPv4 address, or moves the connection of another TCP here and closes that one. */
	export type TCPOptions = TCPCallbacks & ({ address: string; port: number } | { host: string; port: number } | { from: TCP });
	export default class TCP {
		constructor(options: TCPOptions);
		readonly remoteAddress: string | undefined;
		readonly remotePort: number | undefined;
		format: "buffer" | "number";
		/** All there is; `undefined` when there is nothing (format "number": one byte as a number). */
		read(): ArrayBuffer | number | undefined;
		/** @throws {Error} when less than `byteLength` is there. */
		read(byteLength: number): ArrayBuffer | undefined;
		/** Fills the buffer to its end. @returns its size. @throws {Error} when less is there. */
		read(into: Bytes): number | undefined;
		/**
		 * @returns how many bytes can still be written; `undefined` after an error.
		 * @throws {Error} "would block" when `data` is longer than that, "not ready" before the connection is
		 * made.
		 */
		write(data: Bytes | number): number | undefined;
		/** Idempotent. What was written before is still sent. */
		close(): void;
	}
}

declare module "embedded:io/socket/listener" {
	import type TCP from "embedded:io/socket/tcp";
	export interface ListenerOptions {
		/** 0 or none takes a free one. */
		port?: number;
		/** Numeric IPv4 address to listen on. Default: all on a board, 127.0.0.1 on the host. */
		address?: string;
		/** `requests` connections wait to be read. */
		onReadable?: (this: Listener, requests: number) => void;
		target?: unknown;
	}
	export default class Listener {
		constructor(options: ListenerOptions);
		readonly port: number;
		readonly format: "socket/tcp";
		/**
		 * The next connection, without callbacks: make a working one with `new TCP({ from: listener.read(),
		 * ... })`.
		 */
		read(): TCP | undefined;
		/** Idempotent. */
		close(): void;
	}
}

declare module "embedded:io/pwm" {
	/**
	 * hz: default 1024; resolution: 8..14 bits, default 10; from: uses the pin of another PWM, and its values
	 * where none are given here.
	 */
	export type PWMOptions = { hz?: number; resolution?: number } & ({ pin: number } | { from: PWM });
	export default class PWM {
		/** @throws {RangeError} bad option. @throws {Error} "in use". */
		constructor(options: PWMOptions);
		readonly hz: number;
		readonly resolution: number;
		/** @param duty 0 .. 2^resolution - 1, the latter fully on. @throws {RangeError} */
		write(duty: number): void;
		/** Idempotent. */
		close(): void;
	}
}

declare module "embedded:storage/files" {
	type Bytes = ArrayBuffer | Uint8Array | DataView;
	export interface Status {
		/** Bytes; `undefined` when there is no such file. */
		readonly size: number | undefined;
		readonly mode: number;
		isFile(): boolean;
		isDirectory(): boolean;
		isSymbolicLink(): boolean;
	}
	export interface File {
		/** @returns up to `count` bytes, less at the end of the file. Default position: 0. */
		read(count: number, position?: number): ArrayBuffer;
		/** @returns the number of bytes read. */
		read(into: Bytes, position?: number): number;
		/**
		 * @throws {Error} "no space", "write failed", "read-only"
		 * @throws {TypeError} bytes made at module level: they lie in ROM
		 */
		write(data: Bytes, position?: number): void;
		status(): Status;
		setSize(length: number): void;
		/** What was written survives a power cut from here on. */
		flush(): void;
		/** Flushes. Idempotent. */
		close(): void;
	}
	export interface Directory {
		/**
		 * mode: "r" (default), "r+", "w" and "w+" (both create or empty the file).
		 * @throws {Error} "not found", "not file", "bad path"
		 */
		openFile(options: { path: string; mode?: "r" | "r+" | "w" | "w+" }): File;
		openDirectory(options: { path: string }): Directory;
		/** @returns false when there was nothing. */
		delete(path: string): boolean;
		/** Replaces `to`, at one stroke. */
		move(from: string, to: string): void;
		/** Mode 0, neither file nor directory, when there is nothing. */
		status(path: string): Status;
		/** @returns false when it existed. */
		createDirectory(path: string): boolean;
		/** The names in the directory, files and directories alike. */
		scan(path?: string): IterableIterator<string>;
		[Symbol.iterator](): IterableIterator<string>;
		close(): void;
	}
	/** The root of the flash. */
	const files: Directory;
	export default files;
}

declare module "embedded:storage/flash" {
	export interface FlashPartition {
		/** Idempotent. */
		close(): void;
	}
	const Flash: {
		/** `nextota`: the slot that is not running. @throws {Error} there is none */
		open(options: { path: string; mode?: "r" | "r+" }): FlashPartition;
	};
	export default Flash;
}

declare module "embedded:update" {
	import type { FlashPartition } from "embedded:storage/flash";
	export interface UpdateOptions {
		partition: FlashPartition;
	}
	export interface Update {
		/** Appends. @throws {Error} "write failed" */
		write(data: ArrayBuffer | Uint8Array): void;
		/**
		 * Checks what lies in the slot and has it started next.
		 * @throws {Error} "end failed", "can't change boot partition"
		 */
		complete(): void;
		/** Discards what is not complete. Idempotent. */
		close(): void;
	}
	const Update: {
		/** @throws {Error} "begin failed", also while the running firmware is not confirmed */
		open(options: UpdateOptions): Update;
	};
	export default Update;
}

/** Ours, a few lines over `esp_ota_ops.h` on a board. */
declare module "firmware" {
	const firmware: {
		/** Version in the running image's description; "" if the platform can't tell. */
		readonly version: string;
		/** Started for the first time, and not confirmed: the next start goes back to the old one. */
		readonly pendingVerify: boolean;
		/** The image in the other slot was started and not confirmed. */
		readonly rolledBack: boolean;
		/** Size of an update slot. */
		readonly slotBytes: number;
		/** Keeps the running image. @throws {Error} "confirm failed" */
		confirm(): void;
		/** At once. */
		restart(): never;
	};
	export default firmware;
}

/** Ours: access point and station at once. */
declare module "radio" {
	import type { RadioPort } from "../radio-port.js";

	const Radio: new () => RadioPort;
	export default Radio;
}

/** Ours: UDP. */
declare module "datagrams" {
	import type { OpenDatagrams } from "../datagram-port.js";

	const openDatagrams: OpenDatagrams;
	export default openDatagrams;
}

declare module "timer" {
	/** Intervals in ms. Repeating timers do not drift; a late one skips what it missed. */
	export default class Timer {
		private constructor();
		/** Once after `interval`, then every `repeat` if given. */
		static set(callback: (timer: Timer) => void, interval?: number, repeat?: number): Timer;
		/** Every `interval`, first after one. */
		static repeat(callback: (timer: Timer) => void, interval: number): Timer;
		/** Sets the intervals anew; without any the timer sleeps until the next `schedule`. */
		static schedule(timer: Timer, interval?: number, repeat?: number): void;
		/** Idempotent; `undefined` is ignored. */
		static clear(timer: Timer | undefined): void;
	}
}

declare module "time" {
	const Time: {
		/** ms, modulo 2^31: only differences mean something, see `delta`. */
		readonly ticks: number;
		/** Monotonic, as a double. */
		readonly microseconds: number;
		/** ms from `start` to `end`, default now. */
		delta(start: number, end?: number): number;
	};
	export default Time;
}

declare module "mc/config" {
	const config: {
		readonly board: string;
		/** 0: a free one. */
		readonly httpPort: number;
		/** Where the analyser port listens while it is switched on. 0: a free one. */
		readonly analyzerPort: number;
		/** Chip that an image must be for, as `esp_chip_id_t`. */
		readonly chipId: number;
		/** Project name that an image must have: it names the board. */
		readonly projectName: string;
		/** Where the update manifest is. */
		readonly updateUrl: string;
		/** Ed25519 key that updates must be signed with, 64 hexadecimal digits; "" = any image is taken. */
		readonly updateKey: string;
		/** Pin of the coupling PWM. */
		readonly pwmPin: number;
		/** Answers to `openhaldex.local` beside `opencoupling.local`. */
		readonly formerName: boolean;
		/** No control while the access point is open and the owner has not said that it may be. */
		readonly guardsOpenNetwork: boolean;
		/**
		 * The radio would hold up the script while it makes a network's key of a password: the firmware makes
		 * it.
		 */
		readonly makesNetworkKey: boolean;
		/** Size at which a log begins a new file. */
		readonly logFileBytes: number;
		readonly [name: string]: string | number | boolean;
	};
	export default config;
}

/** The application's library (`src/app.ts`), as `main.ts` finds it. */
declare module "opencoupling" {
	import type { Directory } from "embedded:storage/files";

	/** Boards only: the flash to use. Call once, before `start`. */
	export function mount(directory: Directory): void;
	/** Starts the controller. Call once. */
	export function start(): void;
}

/** Ours: the board's own controls. */
declare module "board-controls" {
	import type { BoardControlsPort } from "../board-controls-port.js";

	const boardControls: BoardControlsPort;
	export default boardControls;
}

/** Ours: the board's BOOT key. */
declare module "boot-key" {
	/** True while it is held now. */
	export default function isBootKeyHeld(): boolean;
}

/** Ours: sleep of the whole controller. */
declare module "parked-sleep" {
	import type { SleepPort } from "../sleep-port.js";

	const parkedSleep: SleepPort;
	export default parkedSleep;
}

/** Ours: Moddable has no module for it. */
declare module "reset-reason" {
	/**
	 * Why the controller has started, in words: "power on", "wake", "watchdog", "brownout", "crash",
	 * "restart", "unknown".
	 */
	export default function resetReason(): string;
}

declare module "instrumentation" {
	export type Figure =
		| "slots"
		| "slotsPeak"
		| "slotsLimit"
		| "chunks"
		| "chunksPeak"
		| "chunksLimit"
		| "stackPeak"
		| "stackLimit"
		| "keys"
		| "keysLimit"
		| "collections"
		| "free"
		| "freeLeast"
		| "meter";
	const Instrumentation: {
		/**
		 * Slots, bytes (chunks), or a count; never allocates. `collections` is modulo 65536, `meter` modulo
		 * 2^32.
		 */
		get(name: Figure): number | undefined;
		/**
		 * True if the heap has `slots` and `chunkBytes` free; collects garbage first if not. A heap that
		 * grows has.
		 */
		hasHeap(slots: number, chunkBytes: number): boolean;
		/**
		 * Collects garbage now, so that `slots` and `chunks` tell what is alive. Host only; does nothing on a
		 * board.
		 */
		collect(): void;
	};
	export default Instrumentation;
}
