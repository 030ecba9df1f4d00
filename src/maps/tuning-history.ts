/**
 * Earlier states of map and curves: the last states of all four together, newest first, and the stored maps
 * that another one has replaced. Each state is kept once, and the active one is not in the list: swapping two
 * maps loses no third one. They are stored in one small file and survive a power cut as map and curves do
 * (`src/settings/STORAGE.md`).
 */

import { type LockCurve, type LockMap, MAP_COLUMNS, MAP_ROWS, type Tuning, UNREADABLE_MAP } from "../lock/tuning.js";
import type { Settings } from "../settings/settings.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";
import { curve } from "../settings/stored-settings.js";
import { type DocumentForm, type StorageContext, StoredDocument } from "../storage/stored-document.js";
import type { Steps } from "../storage/write-queue.js";
import { consistsOf, DECIMAL } from "../text/characters.js";
import { storedMapFrom, textOfMap } from "./lock-map.js";
import { isAsStored } from "./presets.js";

/** What has earlier states, and the curve's name in the settings file. */
const CURVES = Object.freeze({ speedCurve: "speed", throttleCurve: "throttle", rpmCurve: "rpm" } as const);
const KEPT = Object.freeze(["map", "speedCurve", "throttleCurve", "rpmCurve"] as const);
/** The map or one of the three curves. */
export type Kept = (typeof KEPT)[number];

/**
 * States of map and curves together: ten fit two sectors of flash, one step of the write queue
 * (`STEP_MOST_MS`).
 */
export const STATES_MAX = 10;
/** Ten maps with the longest names take 5 KB. */
const FILE_BYTES_MAX = 8192;

/** Lists of a map, which has the most. Without a limit a text of blanks would be a thousand lists. */
const LISTS_MAX = 3;
/** Digits of numbers, and what may stand between numbers. */
const NUMERIC = `${DECIMAL}+,-. e`;

interface State {
	readonly of: Kept;
	/** The numbers as `textOf` writes them. */
	readonly text: string;
	/**
	 * For a map: path of the stored map that it was made from, UNNAMED_MAP if none; "" = the map was replaced
	 * and never active.
	 */
	readonly path: string;
	/** The map was changed since it was loaded from `path`. */
	readonly changed: boolean;
}

const NAMELESS = Object.freeze({ path: "", changed: false });

interface EarlierMap {
	readonly map: LockMap;
	/** Path of the stored map that this one was made from; "" = none. */
	readonly from: string;
}

/** At most `STATES_MAX` states of all four together. */
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

	/** Reads what was kept. From now on changes are noticed. Never throws. @param settings the active ones */
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

	/** Keeps a stored map that another one is to replace: on flash after the last step. @throws {Error} */
	*keepReplaced(map: LockMap): Steps {
		const text = textOfMap(map);
		const isActive = this.#tuning !== undefined && textOf(this.#tuning, "map") === text;
		if (!isActive && !this.#states.some((state) => state.of === "map" && state.text === text))
			this.#states = [...this.#states, { of: "map" as const, text, path: "", changed: false }].slice(-STATES_MAX);
		yield* this.#document.writing(this.#states);
	}

	/** Writes what is pending now. */
	flush(): void {
		this.#document.flush();
	}

	/** How many earlier states there are of it. */
	count(of: Kept): number {
		return this.#states.filter((state) => state.of === of).length;
	}

	/** What the map that was active before was made from, and whether it was changed since. */
	get otherMapName(): { readonly from: string; readonly changed: boolean } | undefined {
		const other = this.#other;
		return other === undefined ? undefined : { from: fromOf(other), changed: other.changed };
	}

	/** The map that was active before. */
	get otherMap(): EarlierMap | undefined {
		return earlierMap(this.#other);
	}

	/** The map of `back` states ago, 1 = the newest; undefined if there is none. */
	map(back: number): EarlierMap | undefined {
		return earlierMap(this.#at("map", back));
	}

	/** The curve of `back` states ago, 1 = the newest; undefined if there is none. */
	curve(of: keyof typeof CURVES, back: number): LockCurve | undefined {
		const state = this.#at(of, back);
		return state === undefined ? undefined : curveFrom(of, state.text);
	}

	/** The newest map that was active before. */
	get #other(): State | undefined {
		const maps = this.#states.filter(({ of, path }) => of === "map" && path !== "");
		return maps.length === 0 ? undefined : maps[maps.length - 1];
	}

	#at(of: Kept, back: number): State | undefined {
		const states = this.#states.filter((state) => state.of === of);
		return back <= states.length ? states[states.length - back] : undefined;
	}

	#replace(of: Kept, last: string, next: string): void {
		if (last === next) return;
		this.#forget(of, last);
		this.#forget(of, next);
		const name = of === "map" ? { path: this.#path, changed: this.#changed } : NAMELESS;
		if (last !== "") this.#states = [...this.#states, { of, text: last, ...name }].slice(-STATES_MAX);
	}

	#forget(of: Kept, text: string): void {
		this.#states = this.#states.filter((state) => state.of !== of || state.text !== text);
	}
}

function fromOf({ path }: State): string {
	return path === UNNAMED_MAP ? "" : path;
}

function earlierMap(state: State | undefined): EarlierMap | undefined {
	return state === undefined ? undefined : { map: mapFrom(state.text), from: fromOf(state) };
}

/** "" = nothing that one would go back to. */
function textOf(tuning: Tuning, of: Kept): string {
	if (of !== "map") return `${tuning[of].x} ${tuning[of].lockPercent}`;
	return tuning.map === UNREADABLE_MAP ? "" : textOfMap(tuning.map);
}

/** @throws {RangeError} something else than numbers between commas and blanks */
function listsOf(text: string): number[][] {
	const lists = text.split(" ", LISTS_MAX + 1);
	try {
		if (lists.length <= LISTS_MAX && consistsOf(text, NUMERIC)) return JSON.parse(`[[${lists.join("],[")}]]`);
	} catch {
		// rejected below
	}
	throw new RangeError(`a state is ${JSON.stringify(text)}; allowed: numbers with commas between them, and blanks between lists`);
}

/** @throws {MapProblem} the text is not a valid map */
function mapFrom(text: string): LockMap {
	const [speedBins, throttleBins, cells = []] = listsOf(text);
	const lockTable: number[][] = [];
	for (let row = 0; row < MAP_ROWS; row++) lockTable.push(cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS));
	return storedMapFrom({ speedBins, throttleBins, lockTable });
}

/** @throws {RangeError} the text is not a valid curve */
function curveFrom(of: keyof typeof CURVES, text: string): LockCurve {
	const [x = [], lockPercent = []] = listsOf(text);
	const points = x.map((value, i) => [value, lockPercent[i] ?? Number.NaN]);
	return curve({ [CURVES[of]]: points }, CURVES[of], { x: [], lockPercent: [] });
}

/** @throws {RangeError} the row is not a valid state */
function stateFrom(row: unknown): State {
	const [of, path, text, changed] = Array.isArray(row) ? (row as unknown[]) : [];
	const kept = KEPT.find((name) => name === of);
	if (kept === undefined || typeof path !== "string" || typeof text !== "string")
		throw new RangeError(`a state is ${JSON.stringify(row)}; allowed: [${KEPT.join(" or ")}, path, numbers]`);
	// rejected as a whole now, rather than when somebody wants it back
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
