/**
 * Keeps the settings on flash (`src/settings/STORAGE.md`): loads them at boot, sets a bad file aside, writes changes at most every 2 s,
 * each as a whole: written beside, flushed, moved over.
 */

import { DEFAULT_SETTINGS, type Settings, settingsFromStored, settingsToStored } from "../settings/settings.js";

/** The part of ECMA-419's `Directory` that is needed. */
export interface StoragePort {
	openFile(options: { path: string; mode?: "r" | "w" }): {
		read(count: number): ArrayBuffer;
		write(data: ArrayBuffer | Uint8Array): void;
		status(): { readonly size: number | undefined };
		flush(): void;
		close(): void;
	};
	move(from: string, to: string): void;
	delete(path: string): boolean;
	status(path: string): { isFile(): boolean };
}

export interface SettingsStoreOptions {
	readonly files: StoragePort;
	readonly encode: (text: string) => Uint8Array;
	/** @throws {Error} not UTF-8 */
	readonly decode: (bytes: Uint8Array) => string;
	/** Calls back once, after `delayMs`. */
	readonly later: (callback: () => void, delayMs: number) => void;
	/** ms, only differences mean something. */
	readonly clock: { readonly ticks: number };
	/** Told what went wrong, in a sentence. */
	readonly report: (problem: string) => void;
}

const PATH = "settings.json";
const NEW_PATH = "settings.json.new";
const BAD_PATH = "settings.json.bad";
/** Longer than any settings file; more is no settings file. */
const SIZE_MAX = 8192;
export const WRITE_INTERVAL_MS = 2000;

export class SettingsStore {
	readonly #options: SettingsStoreOptions;
	#pending: Settings | undefined;
	#written = "";
	#lastWriteMs: number | undefined;
	#scheduled = false;

	constructor(options: SettingsStoreOptions) {
		this.#options = options;
	}

	/** The stored settings; the defaults if there are none or they are unusable, which is reported. Never throws. */
	load(): Settings {
		const { files, report } = this.#options;
		if (!files.status(PATH).isFile()) return DEFAULT_SETTINGS;
		try {
			const settings = settingsFromStored(JSON.parse(this.#read()));
			this.#written = JSON.stringify(settingsToStored(settings));
			return settings;
		} catch (error) {
			report(`settings are unusable and set aside as ${BAD_PATH}: ${(error as Error).message}`);
			try {
				files.move(PATH, BAD_PATH);
			} catch (moveError) {
				report(`${PATH} can't be set aside: ${(moveError as Error).message}`);
			}
			return DEFAULT_SETTINGS;
		}
	}

	/** Has these settings written, now or at the latest `WRITE_INTERVAL_MS` after the last write. */
	save(settings: Settings): void {
		this.#pending = settings;
		if (this.#scheduled) return;
		this.#scheduled = true;
		const { clock, later } = this.#options;
		const last = this.#lastWriteMs;
		const sinceMs = last === undefined ? WRITE_INTERVAL_MS : (clock.ticks - last) & 0x7fffffff;
		later(() => this.#write(), sinceMs >= WRITE_INTERVAL_MS ? 0 : WRITE_INTERVAL_MS - sinceMs);
	}

	#write(): void {
		this.#scheduled = false;
		const { files, encode, clock, report } = this.#options;
		const text = JSON.stringify(settingsToStored(this.#pending ?? DEFAULT_SETTINGS));
		if (text === this.#written) return;
		this.#lastWriteMs = clock.ticks;
		try {
			const file = files.openFile({ path: NEW_PATH, mode: "w" });
			try {
				file.write(encode(text));
				file.flush();
			} finally {
				file.close();
			}
			files.move(NEW_PATH, PATH);
			this.#written = text;
		} catch (error) {
			report(`settings can't be stored: ${(error as Error).message}`);
		}
	}

	#read(): string {
		const { files, decode } = this.#options;
		const file = files.openFile({ path: PATH });
		try {
			const size = file.status().size ?? 0;
			if (size > SIZE_MAX) throw new RangeError(`${size} bytes; allowed: ${SIZE_MAX}`);
			return decode(new Uint8Array(file.read(size)));
		} finally {
			file.close();
		}
	}
}
