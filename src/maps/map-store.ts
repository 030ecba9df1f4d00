/**
 * The stored maps: one file each below `maps/`, the active one in `maps/current.json`, the presets in ROM
 * (`src/settings/STORAGE.md`).
 *
 * The active map is in `current.json` and, if it has a name, in the file of that name. Each edit writes both.
 * A load drops the name before another map becomes active. A save writes the name when `current.json` and the
 * new file are written, and moves that file into place last. So if the power fails between two writes, the
 * start may store the map of `current.json` under its name.
 *
 * The maps that conditions select are held in memory: each is read before a condition may select it, and
 * follows what is stored under its path.
 */

import { DEFAULT_MAP, type LockMap, type StoredMap, UNREADABLE_MAP } from "../lock/tuning.js";
import { mapsOf } from "../settings/condition-list.js";
import type { ConditionSettings, Settings } from "../settings/settings.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";
import { type StorageContext, StoredDocument } from "../storage/stored-document.js";
import { deleteLeftovers, isSetAside, readFile } from "../storage/whole-file.js";
import type { Steps } from "../storage/write-queue.js";
import { MAP_FILE_BYTES_MAX, mapDocument, parseMapText, reasonOf, textOfMap } from "./lock-map.js";
import { isMapFile, isWritable, pathsFor } from "./map-path.js";
import { PRESET_FILES, presetAt } from "./presets.js";

const FOLDER = "maps";
const UNNAMED_FILE = "current.json";
/** Stored maps, the active one and the presets not counted. */
export const STORED_MAPS_MAX = 64;

/** The controller. */
export interface MapsUser {
	readonly settings: Settings;
	applySettings(settings: Settings): void;
	/** The maps that conditions select. */
	useStoredMaps(maps: readonly StoredMap[]): void;
}

/** Gets the map's path, or why nothing was done. */
export type Done = (path: string | undefined, reason: string) => void;

/** Operations that change files go through the write queue and end in `done`. */
export class MapStore {
	readonly #context: StorageContext;
	readonly #stored: StoredDocument<Settings>;
	readonly #keepReplaced: (map: LockMap, replacing?: Steps) => Steps;
	readonly #active: StoredDocument<LockMap>;
	/** The stored map that is active; undefined while the active map has no name. */
	#named: StoredDocument<LockMap> | undefined;
	/** The active map, as the documents have it. */
	#kept: LockMap = DEFAULT_MAP;
	/** Maps of enabled conditions, and those that a request is about to let one select. */
	#selected: readonly StoredMap[] = [];
	/** Stored maps that could not be used at the start, while a condition needs them. */
	#missing: readonly string[] = [];
	/** Set by `serve`. */
	#user!: MapsUser;
	/** Files that had the map which could not be read at boot. */
	#unreadable: readonly string[] = [];

	/** @param keepReplaced see `TuningHistory` */
	constructor(
		context: StorageContext,
		stored: StoredDocument<Settings>,
		keepReplaced: (map: LockMap, replacing?: Steps) => Steps,
	) {
		this.#context = context;
		this.#stored = stored;
		this.#keepReplaced = keepReplaced;
		this.#active = this.#document(UNNAMED_MAP);
	}

	/**
	 * Settings with the active map in them, for the boot: `current.json`, else the current named map; the
	 * default if no map was ever written; UNREADABLE_MAP if there was one. Never throws. Source:
	 * docs/decisions.md 21.
	 */
	load(settings: Settings): Settings {
		const { report } = this.#context;
		let map = this.#loadActive();
		let { currentMap } = settings;
		if (currentMap !== UNNAMED_MAP && isWritable(currentMap) && pathsFor(currentMap)[0] === currentMap) {
			this.#named = this.#document(currentMap);
			const named = this.#named.load(UNREADABLE_MAP);
			if (map === DEFAULT_MAP || map === UNREADABLE_MAP) {
				map = named === DEFAULT_MAP ? UNREADABLE_MAP : named;
				const path = currentMap.slice(1);
				if (named === DEFAULT_MAP) report(path, `${path}, the active map, is missing`);
			}
		} else currentMap = UNNAMED_MAP;
		if (map === UNREADABLE_MAP) this.#unreadable = [UNNAMED_MAP.slice(1), currentMap.slice(1)];
		const mapFrom = currentMap === UNNAMED_MAP ? settings.mapFrom : currentMap;
		if (this.#named === undefined) this.#kept = map;
		else this.#save(map);
		const paths = mapsInUse(settings.conditions);
		this.#selected = paths.map((path) => ({ path, map: this.#mapOf(path, currentMap, report) }));
		this.#missing = this.#selected.filter((one) => one.map === UNREADABLE_MAP).map((one) => one.path);
		return { ...settings, currentMap, mapFrom, tuning: { ...settings.tuning, map } };
	}

	#loadActive(): LockMap {
		const { files, report } = this.#context;
		try {
			files.createDirectory(FOLDER);
		} catch (error) {
			report(FOLDER, `maps can't be stored: ${(error as Error).message}`);
			return UNREADABLE_MAP;
		}
		deleteLeftovers(files, FOLDER);
		const path = UNNAMED_MAP.slice(1);
		if (!isSetAside(files, path)) return this.#active.load(UNREADABLE_MAP);
		report(path, `${path} could not be used at an earlier start, and none was written since`);
		return UNREADABLE_MAP;
	}

	/** Call before any operation. */
	serve(user: MapsUser): void {
		this.#user = user;
		user.useStoredMaps(this.#selected);
	}

	/** Has the map of new settings written if it is another one, and forgets unused maps of conditions. */
	keep(settings: Settings): void {
		const { map } = settings.tuning;
		if (map !== this.#kept) this.#save(map);
		const paths = mapsInUse(settings.conditions);
		const selected = this.#selected.filter(({ path }) => paths.includes(path));
		if (selected.length !== this.#selected.length) this.#select(selected);
	}

	/** Reads one of the maps that these conditions select. Call it in further turns, until it returns "". */
	readFor(conditions: readonly ConditionSettings[]): string {
		const { settings } = this.#user;
		const paths = mapsInUse(conditions);
		const path = paths.find((wanted) => !this.#selected.some((one) => one.path === wanted));
		if (path === undefined) return "";
		const inUse = [...paths, ...mapsOf(settings.conditions)];
		const rest = this.#selected.filter((one) => inUse.includes(one.path));
		this.#select([...rest, { path, map: this.#mapOf(path, settings.currentMap, () => {}) }]);
		return path;
	}

	/** False if a map that `readFor` has read is missing or invalid. */
	isUsable(wanted: string): boolean {
		return this.#selected.some(({ path, map }) => path === wanted && map !== UNREADABLE_MAP);
	}

	/** The map that is or will be stored under a path; UNREADABLE_MAP, and a report, if there is none. */
	#mapOf(path: string, currentMap: string, report: StorageContext["report"]): LockMap {
		const file = path.slice(1);
		try {
			const map = path === UNNAMED_MAP ? undefined : path === currentMap ? this.#kept : this.read(path);
			if (map !== undefined) return map;
			report(file, `${file}, the map of a condition, is missing`);
		} catch (error) {
			report(file, `${file}, the map of a condition, can't be used: ${reasonOf(error)}`);
		}
		return UNREADABLE_MAP;
	}

	/** Ends the problems of maps that are no longer among them. */
	#select(selected: readonly StoredMap[]): void {
		this.#selected = selected;
		const isMissing = (path: string): boolean => selected.some((one) => one.path === path && one.map === UNREADABLE_MAP);
		for (const path of this.#missing) if (!isMissing(path)) this.#context.report(path.slice(1), "");
		this.#missing = this.#missing.filter(isMissing);
		this.#user.useStoredMaps(selected);
	}

	#replaceSelected(path: string, map: LockMap): void {
		if (!this.#selected.some((one) => one.path === path && one.map !== map)) return;
		this.#select(this.#selected.map((one) => (one.path === path ? { path, map } : one)));
	}

	/** Writes what is pending now. Never throws. */
	flush(): void {
		this.#active.flush();
		this.#named?.flush();
	}

	/** Makes a stored map the active one; a failure changes nothing. @param wanted path or name */
	activate(wanted: string, done: Done): void {
		this.#enqueue(this.#activating(wanted), done);
	}

	/**
	 * Makes a map the active one: under the name of the stored map that it was made from if that holds it,
	 * else without a name. The file of the map that was current stays as it is. A failure changes nothing.
	 * @param from path of the stored map, "" = none
	 * @param of the map that must be the active one when its turn comes; absent: any
	 */
	try(map: LockMap, from: string, done: Done, of?: LockMap): void {
		this.#enqueue(this.#trying(map, from, of), done, of);
	}

	/** Stores the active map under a path and makes that the current one. @param of as for `try` */
	save(path: string, done: Done, of?: LockMap): void {
		this.#enqueue(this.#saving(path), done, of);
	}

	/** Stores a map under a path; the active map stays. */
	add(path: string, map: LockMap, done: Done): void {
		this.#enqueue(this.#adding(path, map), done);
	}

	/** Deletes a stored map that is neither read-only nor current. @param wanted path or name */
	remove(wanted: string, done: Done): void {
		this.#enqueue(this.#removing(wanted), done);
	}

	/** A stored map, the active one for its path; undefined = it is missing. @throws {Error} it is invalid */
	read(path: string): LockMap | undefined {
		if (path === UNNAMED_MAP) return this.#readable();
		if (isWritable(path)) return this.#document(path).read();
		const bytes = readFile(this.#context.files, path.slice(1), MAP_FILE_BYTES_MAX);
		return bytes === undefined ? presetAt(path) : parseMapText(bytes);
	}

	/** Path of the stored map that a path or name means. @param writable only maps that may be written */
	find(wanted: string, writable = false): string | undefined {
		return pathsFor(wanted).find(
			(path) => (!writable || isWritable(path)) && (path === UNNAMED_MAP || this.#isStored(path) || presetAt(path) !== undefined),
		);
	}

	/** File names of the stored maps and the presets in byte order, behind `last`. */
	*namesAfter(last: string): Generator<string, void, void> {
		const presets = PRESET_FILES.filter((name) => name > last);
		for (const name of this.#files(last)) {
			while (presets.length > 0 && presets[0] < name) yield presets.shift() as string;
			// a file of that name stands for the preset
			if (presets[0] === name) presets.shift();
			yield name;
		}
		yield* presets;
	}

	*#activating(wanted: string, of?: LockMap): Steps<string> {
		const user = this.#user;
		const path = this.#existing(wanted);
		const left = this.#named;
		// before it is read: it may be the same one
		if (this.#kept !== UNREADABLE_MAP && left !== undefined) yield* left.writing(this.#kept);
		yield;
		const isNamed = isWritable(path) && path !== UNNAMED_MAP;
		const document = isNamed ? this.#document(path) : undefined;
		const map = document === undefined ? this.read(path) : document.read();
		if (map === undefined) throw new Error("there is no such map");
		yield;
		const { currentMap } = user.settings;
		try {
			if (left !== undefined) yield* this.#rename(UNNAMED_MAP, undefined);
			yield;
			const loaded = (settings: Settings): Settings => ({
				...settings,
				currentMap: isNamed ? path : UNNAMED_MAP,
				mapFrom: path === UNNAMED_MAP ? settings.mapFrom : path,
				tuning: { ...settings.tuning, map },
			});
			// the settings may need more space than before: they are there before the active map is replaced
			yield* this.#stored.writing(loaded(user.settings), this.#active.writing(map));
			this.#assertActive(of);
			this.#named = document;
			// in place of an edit that was made meanwhile; what else was changed stays
			this.#save(map);
			user.applySettings(loaded(user.settings));
		} catch (error) {
			yield* this.#takingBack(currentMap, left);
			throw error;
		}
		return path;
	}

	/** The name is that of the active map again, whose file has it. */
	*#takingBack(currentMap: string, named: StoredDocument<LockMap> | undefined): Steps {
		this.#named = named;
		this.#user.applySettings({ ...this.#user.settings, currentMap });
		this.#save(this.#user.settings.tuning.map);
		yield;
		// settings on flash may name the other map: its name goes first, or a start after a power cut would
		// store the active map under it
		try {
			yield* this.#naming(UNNAMED_MAP);
		} catch {
			// no name could be written, so none has changed
		}
		this.#stored.save(this.#user.settings);
		yield;
		yield* this.#active.flushing();
		yield;
		yield* this.#stored.flushing();
	}

	*#trying(map: LockMap, mapFrom: string, of?: LockMap): Steps<string> {
		const holds = this.#holds(mapFrom, map);
		yield;
		if (holds) return yield* this.#activating(mapFrom, of);
		const left = this.#named;
		const user = this.#user;
		const { currentMap } = user.settings;
		if (left !== undefined) {
			if (this.#kept !== UNREADABLE_MAP) yield* left.writing(this.#kept);
			yield;
			yield* this.#rename(UNNAMED_MAP, undefined);
			yield;
		}
		try {
			this.#assertActive(of);
		} catch (error) {
			yield* this.#takingBack(currentMap, left);
			throw error;
		}
		const { settings } = user;
		user.applySettings({ ...settings, mapFrom, tuning: { ...settings.tuning, map } });
		return UNNAMED_MAP;
	}

	/** True if a stored map of this name exists and equals `map`. */
	#holds(path: string, map: LockMap): boolean {
		if (path === UNNAMED_MAP || this.find(path) !== path) return false;
		try {
			// an edit of the current one may not be in its file yet
			const stored = path === this.#user.settings.currentMap ? this.#kept : this.read(path);
			return stored !== undefined && textOfMap(stored) === textOfMap(map);
		} catch {
			return false;
		}
	}

	/**
	 * The name is on flash as soon as `current.json` has the map and the new file only waits to be moved: at a
	 * power cut then, the start stores the active map under it.
	 */
	*#saving(path: string): Steps<string> {
		const user = this.#user;
		const map = this.#readable();
		const isNamed = path !== UNNAMED_MAP;
		if (isNamed) {
			this.#checkCount(path);
			if (this.#named !== undefined) yield* this.#named.writing(map);
			yield;
		}
		yield* this.#active.writing(map);
		yield;
		if (path !== user.settings.currentMap) {
			const document = isNamed ? this.#document(path) : undefined;
			const naming = this.#naming(path);
			if (document === undefined) yield* naming;
			else yield* this.#replacing(document, map, naming);
			this.#named = document;
		}
		user.applySettings({ ...user.settings, currentMap: path, mapFrom: isNamed ? path : user.settings.mapFrom });
		// edited meanwhile: this is the file to which edits go now
		if (this.#kept !== map) this.#save(this.#kept);
		return path;
	}

	*#adding(path: string, map: LockMap): Steps<string> {
		if (path === UNNAMED_MAP || path === this.#user.settings.currentMap) throw new Error("it is the current map");
		this.#checkCount(path);
		yield;
		yield* this.#replacing(this.#document(path), map);
		return path;
	}

	/**
	 * Stores a map; another one that is there, and can be read, is kept first.
	 * @param naming makes the path the current one on flash
	 * @throws {Error} nothing is changed then
	 */
	*#replacing(document: StoredDocument<LockMap>, map: LockMap, naming?: Steps): Steps {
		let old: LockMap | undefined;
		try {
			old = document.read();
		} catch {
			// an invalid map is not worth keeping
		}
		// reading one is work enough for a turn, and so is comparing two
		yield;
		const isAnother = old !== undefined && textOfMap(old) !== textOfMap(map);
		yield;
		try {
			yield* document.writing(map, isAnother ? this.#keepReplaced(old as LockMap, naming) : naming);
		} catch (error) {
			// the name may be on flash
			if (naming !== undefined) {
				this.#stored.save(this.#user.settings);
				yield;
				yield* this.#stored.flushing();
			}
			throw error;
		}
		this.#replaceSelected(`/${document.path}`, map);
	}

	*#removing(wanted: string): Steps<string> {
		const path = this.#existing(wanted, true);
		const mayGo = (): void => {
			const { conditions, currentMap } = this.#user.settings;
			if (path === UNNAMED_MAP || path === currentMap) throw new Error("it is the current map");
			if (mapsOf(conditions).includes(path)) throw new Error("a condition selects it");
		};
		mayGo();
		// a condition that selected it until now is gone from flash first
		yield* this.#stored.writing(this.#user.settings);
		yield;
		mayGo();
		this.#context.files.delete(path.slice(1));
		this.#select(this.#selected.filter((one) => one.path !== path));
		return path;
	}

	/** Makes a path the current one on flash. */
	*#naming(currentMap: string): Steps {
		yield* this.#stored.writing({ ...this.#user.settings, currentMap });
	}

	/** Makes a path the current one, on flash first. @throws {Error} nothing is changed then */
	*#rename(currentMap: string, named: StoredDocument<LockMap> | undefined): Steps {
		yield* this.#naming(currentMap);
		this.#named = named;
		this.#user.applySettings({ ...this.#user.settings, currentMap });
	}

	#existing(wanted: string, writable = false): string {
		const path = this.find(wanted, writable);
		if (path !== undefined) return path;
		throw new Error(writable && this.find(wanted) !== undefined ? "it is read-only" : "there is no such map");
	}

	#checkCount(path: string): void {
		if (this.#isStored(path)) return;
		let count = 0;
		for (const _ of this.#files()) count++;
		if (count >= STORED_MAPS_MAX) throw new Error(`${count} maps are stored; allowed: ${STORED_MAPS_MAX}`);
	}

	#isStored(path: string): boolean {
		return this.#context.files.status(path.slice(1)).isFile();
	}

	/** Names of the files, those of the presets' names included, behind `last`. */
	*#files(last = ""): Generator<string, void, void> {
		let names: IterableIterator<string>;
		try {
			names = this.#context.files.scan(FOLDER);
		} catch {
			return; // reported at boot
		}
		for (const name of names) if (name > last && isMapFile(name) && name !== UNNAMED_FILE) yield name;
	}

	/** The active map. @throws {Error} it could not be read */
	#readable(): LockMap {
		if (this.#kept === UNREADABLE_MAP) throw new Error("the active map can't be read");
		return this.#kept;
	}

	/** Another map is active: one that could not be read is no problem any more. */
	#keep(map: LockMap): void {
		this.#kept = map;
		if (map === UNREADABLE_MAP) return;
		for (const file of this.#unreadable) if (!this.#missing.includes(`/${file}`)) this.#context.report(file, "");
		this.#unreadable = [];
	}

	#save(map: LockMap): void {
		this.#keep(map);
		if (map === UNREADABLE_MAP) return;
		this.#active.save(map);
		if (this.#named === undefined) return;
		this.#named.save(map);
		this.#replaceSelected(`/${this.#named.path}`, map);
	}

	#document(path: string): StoredDocument<LockMap> {
		return new StoredDocument(mapDocument(path), this.#context);
	}

	/** @param of the operation is dropped once another map is active */
	#enqueue(operation: Steps<string>, done: Done, of?: LockMap): void {
		this.#context.writes.add(this.#telling(operation, done, of));
	}

	*#telling(operation: Steps<string>, done: Done, of?: LockMap): Steps {
		let path: string | undefined;
		let reason = "";
		try {
			this.#assertActive(of);
			path = yield* operation;
		} catch (error) {
			reason = reasonOf(error);
		}
		done(path, reason);
	}

	/** @throws {Error} another map than `of` is active: it may have been edited between two steps */
	#assertActive(of: LockMap | undefined): void {
		const { map } = this.#user.settings.tuning;
		if (of !== undefined && map !== of && textOfMap(map) !== textOfMap(of)) throw new Error("changed meanwhile");
	}
}

function mapsInUse(conditions: readonly ConditionSettings[]): string[] {
	return mapsOf(conditions.filter(({ enabled }) => enabled));
}
