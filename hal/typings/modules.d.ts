/**
 * Globals of the XS engine that TypeScript does not know, and the platform's modules: of ECMA-419, of Moddable and
 * our own, as the boards and the host both have them; the last two only boards have. Own declarations, because those
 * of @moddable/typings 5.6 lack files, PWM resolution and exact results. `trace`, `ArrayBuffer.fromString` and
 * `String.fromArrayBuffer` come from there.
 */
/// <reference path="../../node_modules/@moddable/typings/xs.d.ts" />

/**
 * A C function by its name; always a literal, because Moddable's compiler links it. `R` is what it returns.
 */
declare function native<R = void>(name: string): (this: unknown, ...parameters: unknown[]) => R;

/** The base class of host objects that this C destructor ends; always a literal. */
declare function Native(destructor: string): new () => object;

declare module "embedded:io/pwm" {
	import type { PwmPort } from "../ports.js";

	/**
	 * resolution: 8..14 bits.
	 * @throws {RangeError} bad option.
	 * @throws {Error} "in use"
	 */
	const PWM: new (options: { pin: number; hz: number; resolution: number }) => PwmPort;
	export default PWM;
}

/** The root of the flash. */
declare module "embedded:storage/files" {
	import type { FilePort } from "../file-port.js";

	const files: FilePort;
	export default files;
}

/** As far as `begin` of hal/io/board.ts uses it. */
declare module "embedded:storage/flash" {
	const Flash: {
		/** `nextota` is the slot beside the running firmware. @throws {Error} the flash has one slot only */
		open(options: { path: "nextota"; mode: "r+" }): object;
	};
	export default Flash;
}

declare module "embedded:update" {
	import type { SlotWriter } from "../update-port.js";

	const Update: {
		/** @throws {Error} "begin failed", also while the running firmware is not confirmed */
		open(options: { partition: object }): SlotWriter;
	};
	export default Update;
}

/** Ours: access point and station at once. */
declare module "radio" {
	import type { RadioPort } from "../network-ports.js";

	const Radio: new () => RadioPort;
	export default Radio;
}

/** Ours: UDP. */
declare module "datagrams" {
	import type { OpenDatagrams } from "../network-ports.js";

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
	import type { FilePort } from "../file-port.js";

	/** Boards only: the flash to use. Call once, before `start`. */
	export function mount(files: FilePort): void;
	/** Starts the controller. Call once. */
	export function start(): void;
}

/** Ours: the board's own controls. */
declare module "board-controls" {
	import type { BoardControlsPort } from "../ports.js";

	const boardControls: BoardControlsPort;
	export default boardControls;
}

/** `modules/network/wifi/esp32`. */
declare module "wifi" {
	type Event = "gotIP" | "lostIP" | "connect" | "disconnect" | "station_connect" | "station_disconnect";
	export default class WiFi {
		/** @param onNotify `reason` comes with "disconnect"; -1: the password was rejected */
		constructor(options: undefined, onNotify: (event: Event, reason?: number) => void);
		static set mode(mode: number);
		/** @throws {Error} text too long, password shorter than 8 bytes */
		static connect(options: { ssid: string; password?: string }): void;
		static disconnect(): void;
		/** @throws {Error} as `connect` */
		static accessPoint(options: { ssid: string; password?: string; station: boolean }): void;
		static readonly Mode: { readonly none: 0; readonly station: 1; readonly accessPoint: 2 };
		static readonly disconnected: "disconnect";
	}
}

/** `modules/io/socket/lwip`. */
declare module "embedded:io/socket/udp" {
	export interface UDPOptions {
		port: number;
		/** `packets` can be read now. */
		onReadable?: (this: UDP, packets: number) => void;
	}
	export default class UDP {
		/** @throws {Error} no memory, port taken */
		constructor(options: UDPOptions);
		read(): (ArrayBuffer & { readonly address: string; readonly port: number }) | undefined;
		/** @throws {Error} it can't be sent now */
		write(data: ArrayBuffer | Uint8Array, address: string, port: number): void;
		/** Joins a multicast group. */
		add(group: string): void;
		close(): void;
	}
}
