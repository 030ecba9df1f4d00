/**
 * Earlier states of map and curves: the last states of all four together, and the stored maps that another
 * one has replaced. Each state is kept once, the active one is not in the list: swapping two maps loses no
 * third one.
 */

import { type LockCurve, type LockMap, MAP_COLUMNS, MAP_ROWS, type Tuning, UNREADABLE_MAP } from "../lock/tuning.js";
import type { Settings } from "../settings/settings.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";
import { curve } from "../settings/stored-settings.js";
import { type DocumentForm, type StorageContext, StoredDocument } from "../storage/stored-document.js";
import type { Steps } from "../storage/write-queue.js";
import { consistsOf, DECIMAL } from "../text/characters.js";
import { lockMapFrom, textOfMap } from "./lock-map.js";
import { isAsStored } from "./presets.js";

/** Names of the curves in the settings file. */
const CURVES = Object.freeze({ speedCurve: "speed", throttleCurve: "throttle", rpmCurve: "rpm" } as const);
const KEPT = Object.freeze(["map", "speedCurve", "throttleCurve", "rpmCurve"] as const);
/** The map or one of the three curves. */
export type Kept = (typeof KEPT)[number];

/** Ten states fit two sectors of flash, one step of the write queue (`STEP_MOST_MS`). */
export const STATES_MAX = 10;
/** Ten maps with the longest names take 5 KB. */
const FILE_BYTES_MAX = 8192;

/** Lists of a map, which has the most: a text of blanks would be a thousand lists. */
const LISTS_MAX = 3;
const NUMERIC = `${DECIMAL}+,-. e`;

interface State {
	readonly of: Kept;
	/** The numbers as `textOf` writes them. */
	readonly text: string;
	/** Path of the stored map that it was made from, UNNAMED_MAP = none; "" = replaced, and never active. */
	readonly path: string;
	/** The map was changed since it was loaded from `path`. */
	readonly changed: boolean;
}

/** A map that was active. */
interface EarlierMap {
	/** Read at each access. */
	readonly map: LockMap;
	/** Path of the stored map that it was made from; "" = none. */
	readonly from: string;
	/** It was changed since. */
	readonly changed: boolean;
}

/** At most `STATES_MAX` states. */
export class TuningHistory {
	readonly #document: StoredDocument<readonly State[]>;
	/** The oldest first. */
	#states: readonly State[] = [];
	/** The active map and curves; undefined until `load`. */
	#tuning: Tuning | undefined;
	/** Path of the stored map that the active map was made from. */
	#path = UNNAMED_MAP;
	/** The active map differs, or differed since it was loaded, from the file at `#path`. */
	#changed = false;

	constructor(context: StorageContext) {
		this.#document = new StoredDocument(HISTORY_DOCUMENT, context);
	}

	/** Reads what was kept. Never throws. @param settings the active ones */
	load(settings: Settings): void {
		this.#tuning = settings.tuning;
		this.#path = settings.mapFrom || UNNAMED_MAP;
		this.#changed = !isAsStored(settings);
		this.#states = this.#document.load();
		for (const of of KEPT) this.#forget(of, textOf(settings.tuning, of));
	}

	/** Keeps what new settings replace. Never throws. */
	observe(settings: Settings): void {
		const { tuning, currentMap, mapFrom } = settings;
		const last = this.#tuning;
		if (last === undefined) return;
		const states = this.#states;
		if (tuning !== last)
			for (const of of KEPT) if (tuning[of] !== last[of]) this.#replace(of, textOf(last, of), textOf(tuning, of));
		this.#tuning = tuning;
		// a map loses its name first when another one comes
		if (tuning.map !== last.map || currentMap !== UNNAMED_MAP) this.#changed = !isAsStored(settings);
		this.#path = mapFrom || UNNAMED_MAP;
		if (this.#states !== states) this.#document.save(this.#states);
	}

	/**
	 * Keeps a stored map that another one is to replace. It is on flash before the steps of `replacing` begin.
	 * @throws {Error} a step failed, and the map is still stored
	 */
	*keepReplaced(map: LockMap, replacing?: Steps): Steps {
		const before = this.#states;
		const text = textOfMap(map);
		const isActive = this.#tuning !== undefined && textOf(this.#tuning, "map") === text;
		if (!isActive && !this.#states.some((state) => state.of === "map" && state.text === text))
			this.#keep({ of: "map", text, path: "", changed: false });
		const kept = this.#states;
		let isOnFlash = false;
		try {
			yield* this.#document.writing(kept);
			isOnFlash = true;
			yield;
			if (replacing !== undefined) yield* replacing;
		} catch (error) {
			// an edit that was kept meanwhile stays
			if (this.#states === kept && kept !== before) {
				this.#states = before;
				if (isOnFlash) this.#document.save(before);
				yield;
				yield* this.#document.flushing();
			}
			throw error;
		}
	}

	/** Writes what is pending now. */
	flush(): void {
		this.#document.flush();
	}

	/** Number of its earlier states. */
	count(of: Kept): number {
		return this.#states.filter((state) => state.of === of).length;
	}

	/** The map that was active before. */
	get otherMap(): EarlierMap | undefined {
		const maps = this.#states.filter(({ of, path }) => of === "map" && path !== "");
		return earlierMap(ofBack(maps, 1));
	}

	/** @param back 1 = the newest */
	map(back: number): EarlierMap | undefined {
		return earlierMap(this.#at("map", back));
	}

	/** @param back 1 = the newest */
	curve(of: keyof typeof CURVES, back: number): LockCurve | undefined {
		const state = this.#at(of, back);
		return state === undefined ? undefined : curveFrom(of, state.text);
	}

	#at(of: Kept, back: number): State | undefined {
		return ofBack(
			this.#states.filter((state) => state.of === of),
			back,
		);
	}

	#replace(of: Kept, last: string, next: string): void {
		if (last === next) return;
		this.#forget(of, last);
		this.#forget(of, next);
		const name = of === "map" ? { path: this.#path, changed: this.#changed } : { path: "", changed: false };
		if (last !== "") this.#keep({ of, text: last, ...name });
	}

	#keep(state: State): void {
		this.#states = [...this.#states, state].slice(-STATES_MAX);
	}

	#forget(of: Kept, text: string): void {
		this.#states = this.#states.filter((state) => state.of !== of || state.text !== text);
	}
}

/** An index below 0 would become a name of the engine. @param back 1 = the newest */
function ofBack(states: readonly State[], back: number): State | undefined {
	return back <= states.length ? states[states.length - back] : undefined;
}

function earlierMap(state: State | undefined): EarlierMap | undefined {
	if (state === undefined) return undefined;
	const { path, changed, text } = state;
	return {
		from: path === UNNAMED_MAP ? "" : path,
		changed,
		get map() {
			return mapFrom(text);
		},
	};
}

/** "" = not worth keeping. */
function textOf(tuning: Tuning, of: Kept): string {
	if (of !== "map") return `${tuning[of].x} ${tuning[of].lockPercent}`;
	return tuning.map === UNREADABLE_MAP ? "" : textOfMap(tuning.map);
}

/** @throws {RangeError} */
function listsOf(text: string): number[][] {
	const lists = text.split(" ", LISTS_MAX + 1);
	try {
		if (lists.length <= LISTS_MAX && consistsOf(text, NUMERIC)) return JSON.parse(`[[${lists.join("],[")}]]`);
	} catch {
		// rejected below
	}
	throw new RangeError(`a state is ${JSON.stringify(text)}; allowed: numbers with commas between them, and blanks between lists`);
}

/** @throws {MapProblem} */
function mapFrom(text: string): LockMap {
	const [speedBins, throttleBins, cells = []] = listsOf(text);
	const lockTable: number[][] = [];
	for (let row = 0; row < MAP_ROWS; row++) lockTable.push(cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS));
	return lockMapFrom({ speedBins, throttleBins, lockTable }, true);
}

/** @throws {RangeError} */
function curveFrom(of: keyof typeof CURVES, text: string): LockCurve {
	const [x = [], lockPercent = []] = listsOf(text);
	const points = x.map((value, i) => [value, lockPercent[i] ?? Number.NaN]);
	return curve({ [CURVES[of]]: points }, CURVES[of], { x: [], lockPercent: [] });
}

/** @throws {RangeError} */
function stateFrom(row: unknown): State {
	const [of, path, text, changed] = Array.isArray(row) ? (row as unknown[]) : [];
	const kept = KEPT.find((name) => name === of);
	if (kept === undefined || typeof path !== "string" || typeof text !== "string")
		throw new RangeError(`a state is ${JSON.stringify(row)}; allowed: [${KEPT.join(" or ")}, path, numbers]`);
	// rejected as a whole now, rather than when a client wants it back
	if (kept === "map") mapFrom(text);
	else curveFrom(kept, text);
	return { of: kept, text, path, changed: changed === true };
}

/** The file of the earlier states. */
export const HISTORY_DOCUMENT: DocumentForm<readonly State[]> = Object.freeze({
	path: "history.json",
	format: 1,
	maxBytes: FILE_BYTES_MAX,
	fallback: Object.freeze([]),
	read: (fields: Readonly<Record<string, unknown>>) => {
		const { states } = fields;
		if (!Array.isArray(states) || states.length > STATES_MAX) throw new RangeError(`states; allowed: at most ${STATES_MAX}`);
		return states.map(stateFrom);
	},
	write: (states: readonly State[]) => ({
		states: states.map(({ of, path, text, changed }) => (changed ? [of, path, text, true] : [of, path, text])),
	}),
});
