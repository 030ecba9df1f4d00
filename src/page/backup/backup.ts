/**
 * All that a driver has set, as one file: settings, curves, maps and what was learned of the coupling. Never
 * the Wi-Fi networks, for their passwords can't be read.
 */

import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { learnedTable } from "../calibration/learned";
import { NEW_CONDITION, readConditions, settingsOfCondition, writeConditions } from "../conditions/conditions";
import { ApiError, get, inWords, post } from "../net/request";
import type { Condition, CurveName, CurvePoint, LearnTable, LockMap, MapList } from "../net/types";
import { type Fields, isObject, requestOf, type SettingName, type Settings, settingsIn, settingsOf } from "../settings/settings";
import { same } from "../state/draft";
import { mapAddress, storedName } from "../state/map-name";
import { loadStatus } from "../state/status";
import { lookUp, T } from "../texts";
import { notify } from "../ui/notice";

const FORMAT = "opencoupling-backup";
/** Raised when a reader of the old one would misunderstand it. */
const VERSION = 1;
/** Maps that the controller stores: `STORED_MAPS_MAX` in src/maps/map-store.ts. */
const MAPS_MAX = 64;
const CURVES: readonly CurveName[] = ["speed", "throttle", "rpm"];

/** What a backup has, as far as this page knows it. */
export interface Backup {
	readonly settings: Partial<Settings>;
	/** Absent in a backup that knows of none. */
	readonly conditions?: readonly Condition[];
	readonly curves: Partial<Record<CurveName, readonly CurvePoint[]>>;
	readonly map: LockMap;
	/** The driver's own, by name. */
	readonly maps: Readonly<Record<string, LockMap>>;
	/** Absent if nothing was learned, and in backups of older versions. */
	readonly calibration?: Learned;
}

/** What was learned, as a request applies it. */
type Learned = Omit<LearnTable, "inForce" | "differs">;

/** Why a file is no backup, in the driver's words. "newer": of a version that is not known here. */
export class BackupProblem extends Error {
	readonly kind: "other" | "newer" | "wrong";
	readonly field: string;

	constructor(kind: BackupProblem["kind"], field = "") {
		super(T.backup.problems[kind](field));
		this.kind = kind;
		this.field = field;
	}
}

/** The controller's values now; says which maps can't be read. @throws {ApiError} {LinkError} */
export async function readBackup(): Promise<Backup> {
	const settings = settingsOf(await loadStatus());
	const conditions = await readConditions();
	const curves: Partial<Record<CurveName, readonly CurvePoint[]>> = {};
	for (const name of CURVES) {
		const { points } = await get<{ points: CurvePoint[] }>(`/api/curve/${name}`);
		curves[name] = points.map(({ x, lock }) => ({ x, lock }));
	}
	const map = plainMap(await get<LockMap>("/api/map"));
	// a map may be called "__proto__", which is no entry of a plain object
	const maps: Record<string, LockMap> = Object.create(null);
	for (const { name, path, readOnly } of (await get<MapList>("/api/maps")).maps)
		if (!readOnly) {
			try {
				maps[name] = plainMap(await get<LockMap>(mapAddress(path)));
			} catch (error) {
				// a damaged one must not prevent a backup or a restore
				if (!(error instanceof ApiError && error.status === 400)) throw error;
				notify("bad", `${T.backup.stored(name)}: ${inWords(error)}`);
			}
		}
	const { inForce: _, differs: __, ...calibration } = await learnedTable();
	return { settings, conditions, curves, map, maps, ...(calibration.generation === 0 ? {} : { calibration }) };
}

function plainMap({ speedBins, throttleBins, lockTable }: LockMap): LockMap {
	return { speedBins, throttleBins, lockTable };
}

/** The file. @param firmware version that runs @param made by the driver's clock */
export function backupText(backup: Backup, firmware: string, made: Date): string {
	const head = { format: FORMAT, version: VERSION, made: made.toISOString(), firmware };
	return `${JSON.stringify({ ...head, ...backup, settings: requestOf(backup.settings) }, null, "\t")}\n`;
}

const wrong = (field: string): never => {
	throw new BackupProblem("wrong", field);
};
const areNumbers = (value: unknown, count?: number): boolean =>
	Array.isArray(value) && (count === undefined || value.length === count) && value.every((number) => Number.isFinite(number));

/** Leaves out what is not known here; the controller says whether values are allowed. @throws {BackupProblem} */
export function parseBackup(text: string): Backup {
	let file: unknown;
	try {
		file = JSON.parse(text);
	} catch {
		throw new BackupProblem("other");
	}
	if (!isObject(file) || file["format"] !== FORMAT) throw new BackupProblem("other");
	if (file["version"] !== VERSION) throw new BackupProblem("newer");
	const { settings, curves, map, maps, calibration } = file;
	for (const [name, part] of Object.entries({ settings, curves, maps })) if (!isObject(part)) wrong(name);
	const conditions = conditionsIn(file);
	const names = Object.keys(maps as Fields);
	if (names.length > MAPS_MAX) wrong(`maps: ${names.length}`);
	return {
		settings: settingsIn(settings as Fields, (name) => wrong(`settings.${name}`)),
		...(conditions === undefined ? {} : { conditions }),
		curves: Object.fromEntries(
			CURVES.filter((name) => name in (curves as Fields)).map((name) => [name, curveIn((curves as Fields)[name], name)]),
		),
		...(calibration === undefined ? {} : { calibration: learnedIn(calibration) }),
		map: mapIn(map, "map"),
		maps: Object.fromEntries(names.map((name) => [name, mapIn((maps as Fields)[name], `maps.${name}`)])),
	};
}

function conditionsIn({ conditions }: Fields): readonly Condition[] | undefined {
	if (conditions === undefined) return undefined;
	if (!Array.isArray(conditions)) return wrong("conditions");
	return conditions.map((condition, index) => conditionIn(condition, `conditions[${index}]`));
}

/** Absent members are as in a new one. */
function conditionIn(condition: unknown, field: string): Condition {
	if (!isObject(condition)) return wrong(field);
	for (const [name, usual] of Object.entries(NEW_CONDITION)) {
		const value = condition[name];
		if (value !== undefined && typeof value !== typeof usual) wrong(`${field}.${name}`);
	}
	return settingsOfCondition(condition);
}

function curveIn(points: unknown, name: string): readonly CurvePoint[] {
	const sound = Array.isArray(points) && points.every((point) => isObject(point) && areNumbers([point["x"], point["lock"]]));
	if (!sound) wrong(`curves.${name}`);
	return (points as CurvePoint[]).map(({ x, lock }) => ({ x, lock }));
}

function mapIn(map: unknown, field: string): LockMap {
	const { speedBins, throttleBins, lockTable } = isObject(map) ? map : {};
	const sound =
		areNumbers(speedBins, MAP_COLUMNS) &&
		areNumbers(throttleBins, MAP_ROWS) &&
		Array.isArray(lockTable) &&
		lockTable.length === MAP_ROWS &&
		lockTable.every((line) => areNumbers(line, MAP_COLUMNS));
	if (!sound) wrong(field);
	return plainMap(map as unknown as LockMap);
}

function learnedIn(learned: unknown): Learned {
	const { generation, frameProfile, torqueModel, torqueCeilingNm, framesOff, date, table, oilC } = isObject(learned)
		? learned
		: {};
	if (!areNumbers([generation]) || typeof frameProfile !== "string" || typeof date !== "string" || !areNumbers(table, 101))
		wrong("calibration");
	// a backup of older firmware does not have them
	const model = torqueModel === undefined ? {} : { torqueModel, torqueCeilingNm, framesOff };
	return { generation, frameProfile, ...model, date, table, ...(oilC === undefined ? {} : { oilC }) } as Learned;
}

type Value = Settings[SettingName];
/** One thing in which a backup differs from the controller. */
export type Difference =
	| { readonly kind: "setting"; readonly name: SettingName; readonly now: Value; readonly kept: Value }
	| {
			readonly kind: "conditions";
			readonly name: "";
			readonly now: readonly Condition[];
			readonly kept: readonly Condition[];
	  }
	| {
			readonly kind: "curve";
			readonly name: CurveName;
			readonly now: readonly CurvePoint[];
			readonly kept: readonly CurvePoint[];
	  }
	| { readonly kind: "map"; readonly name: ""; readonly now: LockMap; readonly kept: LockMap }
	| { readonly kind: "calibration"; readonly name: ""; readonly kept: Learned }
	/** `now` is undefined if there is none of that name. */
	| { readonly kind: "stored"; readonly name: string; readonly now: LockMap | undefined; readonly kept: LockMap };

/** Changes by a restore of all. What is only on the controller stays. */
export function differencesOf(backup: Backup, now: Backup): Difference[] {
	const found: Difference[] = [];
	for (const [key, kept] of Object.entries(backup.settings)) {
		const name = key as SettingName;
		if (kept !== now.settings[name]) found.push({ kind: "setting", name, now: now.settings[name] as Value, kept });
	}
	const { conditions } = backup;
	if (conditions !== undefined && !same(conditions, now.conditions))
		found.push({ kind: "conditions", name: "", now: now.conditions ?? [], kept: conditions });
	for (const name of CURVES) {
		const kept = backup.curves[name];
		const points = now.curves[name] ?? [];
		if (kept !== undefined && !same(kept, points)) found.push({ kind: "curve", name, now: points, kept });
	}
	for (const [name, kept] of Object.entries(backup.maps)) {
		const stored = lookUp(now.maps, name);
		if (!same(kept, stored)) found.push({ kind: "stored", name, now: stored, kept });
	}
	const { calibration } = backup;
	if (calibration !== undefined && !same(calibration, now.calibration))
		found.push({ kind: "calibration", name: "", kept: calibration });
	if (!same(backup.map, now.map)) found.push({ kind: "map", name: "", now: now.map, kept: backup.map });
	return found;
}

/** Writes all chosen settings at once, then the rest one by one. @throws {ApiError} {LinkError} */
export async function restore(chosen: readonly Difference[], backup: Backup): Promise<void> {
	const before = await loadStatus();
	const settings: Partial<Settings> = Object.fromEntries(
		chosen.filter(({ kind }) => kind === "setting").map(({ name, kept }) => [name, kept]),
	);
	// a generation alone would set them to what is usual for that one
	const { "lowPower.sleepEnabled": sleeps, framesOff } = settingsOf(before);
	const frames = backup.settings.framesOff === framesOff ? { framesOff } : {};
	const usual = "couplingGeneration" in settings ? { "lowPower.sleepEnabled": sleeps, ...frames } : {};
	if (Object.keys(settings).length > 0) await post("/api/settings", requestOf({ ...usual, ...settings }));
	const { mapName, revisions } = before;
	// nothing can be stored in place of the active map until that has dropped its name
	if (mapName !== "" && chosen.some(({ kind, name }) => kind === "stored" && storedName(name) === mapName))
		await post("/api/map", { ...plainMap(await get<LockMap>("/api/map")), revision: revisions.map, try: true, from: "" });
	// conditions last: they may select maps that are restored, too
	const isLast = ({ kind }: Difference): number => Number(kind === "conditions");
	for (const { kind, name, kept } of [...chosen].sort((one, other) => isLast(one) - isLast(other))) {
		if (kind === "conditions") await writeConditions(kept);
		if (kind === "curve") await post(`/api/curve/${name}`, { points: kept });
		if (kind === "stored") await post(`/api/maps/import?name=${encodeURIComponent(name)}`, kept);
		if (kind === "calibration") await post("/api/learn/table", kept);
		if (kind === "map") await post("/api/map", { ...kept, try: true, from: "" });
	}
}
