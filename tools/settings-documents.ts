/**
 * What follows from the table of settings beside the firmware: the tables in API.md and STORAGE.md, and what the page knows of each
 * setting. Writes them anew:
 * `node --import ./test/support/register.mjs tools/settings-documents.ts`, then `npm run format`. A test says when that is due.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GENERATIONS } from "../src/coupling/couplings/couplings.js";
import { FRAMES_OFF_MAX } from "../src/coupling/plan-choice.js";
import { MODES } from "../src/lock/modes.js";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../src/settings/mode-names.js";
import { CONDITIONS_MAX, type Row, SETTINGS_TABLE, type TableGroup } from "../src/settings/settings-table.js";

type AnyRow = Row<unknown>;
type GroupName = keyof typeof SETTINGS_TABLE;

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GROUPS: Readonly<Record<GroupName, TableGroup>> = SETTINGS_TABLE;
const rowsOf = (group: TableGroup): [string, AnyRow][] => Object.entries(group.rows);
const wireOf = ({ group, wire = group }: TableGroup): string => wire;
const isList = ({ rows }: TableGroup): boolean => Array.isArray(rows);

/** A document and what of it follows from the table. */
export interface Derived {
	readonly path: string;
	/** The document as it should be. */
	readonly expected: string;
}

/** @throws {Error} a table is not where it belongs */
export function derivedDocuments(): Derived[] {
	return [
		{ path: "src/api/API.md", expected: withTable("src/api/API.md", requestTable()) },
		{ path: "src/settings/STORAGE.md", expected: withTable("src/settings/STORAGE.md", storageTable()) },
		{ path: "src/page/settings/settings-table.ts", expected: pageTable() },
	];
}

/** Settings that the page does not set as the others, by their names in requests, and why. A group's name stands for all of its members. */
const NOT_ON_PAGE: Readonly<Record<string, string>> = {
	disableController: "choosing a mode does it",
	analyzerEnabled: "the page CAN sets it, by /api/analyzer",
	setupDone: "the first start sets it, at its end",
	conditions: "the page Conditions has them as a list",
	framesOff: "the page has a list of frames for it",
};

/** Where the status has the members of a group, and what it calls them, if not as requests do. */
const IN_STATUS: Readonly<Record<string, string>> = {
	"lowPower.sleepEnabled": "power.lowPowerSleepEnabled",
	"lowPower.sleepDelayMs": "power.sleepDelayMs",
	"lowPower.wakeTimerSeconds": "power.wakeTimerSeconds",
	"lowPower.probeDurationMs": "power.probeDurationMs",
};

/** The page's part of the table: names as in requests, and where in the status the value stands if elsewhere. */
function pageTable(): string {
	const lines: string[] = [];
	const left = new Set(Object.keys(NOT_ON_PAGE));
	for (const group of Object.values(GROUPS)) {
		const wire = wireOf(group);
		if (left.delete(wire)) continue;
		for (const [name, row] of rowsOf(group)) {
			const member = row.wire ?? name;
			if (member === "" || left.delete(member)) continue;
			const path = wire === "" ? member : `${wire}.${member}`;
			const usual = [group.wire === "" ? group.group : wire, row.shown ?? member].filter((part) => part !== "").join(".");
			const at = IN_STATUS[path] ?? usual;
			const { kind = "flag", min, max, unit } = row;
			const choices = kind === "choice" || kind === "operator" ? row.choices : undefined;
			const known = Object.entries({ kind, min, max, unit, choices, at: at === path ? undefined : at })
				.filter(([, value]) => value !== undefined)
				.map(([column, value]) => `${column}: ${JSON.stringify(value).replaceAll('","', '", "')}`);
			lines.push(`\t${path.includes(".") ? `"${path}"` : path}: { ${known.join(", ")} },`);
		}
	}
	if (left.size > 0) throw new Error(`the table of settings has no ${[...left].join(", ")}`);
	return [
		"/**",
		" * The settings that the page offers.",
		" * Follows from src/settings/settings-table.ts: tools/settings-documents.ts has written it.",
		" */",
		"",
		"/** By their names in requests. `at`: where in the status the value stands, if elsewhere; `min` is 0 unless said. */",
		"export const SETTINGS = {",
		...lines,
		"} as const;",
		"",
	].join("\n");
}

/** The document with `table` in the place of the one with the same head. */
function withTable(path: string, table: readonly string[]): string {
	const lines = readFileSync(ROOT + path, "utf8").split("\n");
	const start = lines.indexOf(table[0]!);
	if (start < 0) throw new Error(`${path} has no table ${table[0]}`);
	let end = start;
	while (lines[end]?.startsWith("|")) end++;
	return [...lines.slice(0, start), ...table, ...lines.slice(end)].join("\n");
}

function requestTable(): string[] {
	const lines = ["| member | values | default | meaning |", "|---|---|---|---|"];
	for (const group of Object.values(GROUPS)) {
		const members = group.isEach ? `${wireOf(group)}[]` : wireOf(group);
		const names = rowsOf(group).map(([name, { wire = name }]) => [members, wire].filter((part) => part !== "").join("."));
		rowsOf(group).forEach(([, row], index) => {
			if (row.wire === "" || (isList(group) && index > 0)) return;
			const name = isList(group) ? `\`${names[0]}\` to \`${names.at(-1)}\`` : `\`${names[index]}\``;
			const meaning = `${row.says}${row.applies === undefined ? "" : `; another one means ${row.applies}`}`;
			const alias = row.alias === undefined ? "" : ` = \`${row.alias}\``;
			lines.push(`| ${name}${alias} | ${valuesOf(row, false)} | ${shown(row.fallback, row)} | ${meaning} |`);
		});
	}
	return lines;
}

function storageTable(): string[] {
	const lines = ["| field | values | default |", "|---|---|---|", "| `format` | 1 | required |"];
	for (const { group, stored = group, isEach, rows } of Object.values(GROUPS)) {
		if (isEach) {
			const names = Object.keys(rows).join(" ");
			lines.push(`| \`${stored}\` | at most ${CONDITIONS_MAX} texts, each \`${names}\` | none |`);
			continue;
		}
		if (Array.isArray(rows)) {
			lines.push(`| \`${stored}\` | ${rows.length} signal keys | all \`""\` |`);
			continue;
		}
		for (const [name, row] of Object.entries(rows)) {
			const field = [stored, row.stored ?? name].filter((part) => part !== "").join(".");
			lines.push(`| \`${field}\` | ${valuesOf(row, true)} | ${shown(row.fallback, row)} |`);
		}
	}
	lines.push("| `curves` | `{ speed, throttle, rpm }`, 1 to 12 points `[x, lock]` each | the reference's |");
	return lines;
}

/** The values of a row in words. */
function valuesOf(
	{ kind = "flag", min = 0, max, unit = "", fraction, text, choices = [], wire }: AnyRow,
	onFlash: boolean,
): string {
	switch (kind) {
		case "flag":
			return "flag";
		case "number":
			return `${[`${min}..${max}`, unit].join(" ").trim()}${onFlash ? "" : `${fraction ? "" : ", whole"}${text ? ", or text" : ""}`}`;
		case "key":
			return wire === "" ? "`/maps/<name>.json`" : "signal key";
		case "choice":
			return choices.map((choice) => `\`${choice}\``).join(", ");
		case "operator":
			return choices.map((choice) => `\`${choice}\``).join(" ");
		case "mode":
			return onFlash ? MODES.map((mode) => `\`${mode}\``).join(" ") : "as in POST /api/mode";
		case "frames":
			return `identifiers with a blank between two, at most ${FRAMES_OFF_MAX}`;
		case "modes":
			return `${FAVOURITES_MIN} to ${FAVOURITES_MAX} modes with a blank between two`;
		case "generation":
			return `${onFlash ? "0 (none), " : ""}${GENERATIONS.join(", ")}${onFlash ? "" : ", or text"}`;
	}
}

function shown(fallback: unknown, { kind }: AnyRow): string {
	if (kind === "mode") return `\`${MODES[fallback as number]}\``;
	return typeof fallback === "string" ? `\`${fallback === "" ? '""' : fallback}\`` : String(fallback);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	for (const { path, expected } of derivedDocuments()) writeFileSync(ROOT + path, expected);
