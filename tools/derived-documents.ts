/**
 * The tables in docs/api.md and STORAGE.md follow from the table of settings and from the description of the
 * interface. Writes them anew: `node --import ./test/support/register.mjs tools/derived-documents.ts`. A test
 * says when that is due.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TASKS } from "../src/api/description/description.js";
import { type Endpoint, NOT_APPLIED, SHARED } from "../src/api/description/route.js";
import { NAMED, type TSchema } from "../src/api/description/schema.js";
import { GENERATIONS } from "../src/coupling/couplings/couplings.js";
import { FRAMES_OFF_MAX } from "../src/coupling/frame-plan.js";
import { MODES } from "../src/lock/modes.js";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../src/settings/mode-names.js";
import { CONDITIONS_MAX, type Row, SETTINGS_TABLE, type TableGroup } from "../src/settings/settings-table.js";

type AnyRow = Row<unknown>;

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GROUPS: readonly TableGroup[] = Object.values(SETTINGS_TABLE);
const rowsOf = (group: TableGroup): [string, AnyRow][] => Object.entries(group.rows);
const wireOf = ({ group, wire = group }: TableGroup): string => wire;
const isList = ({ rows }: TableGroup): boolean => Array.isArray(rows);

/** A document and what of it follows. */
interface Derived {
	readonly path: string;
	/** The document as it should be. */
	readonly expected: string;
}

const API = "docs/api.md";
const STORAGE = "src/settings/STORAGE.md";

/** @throws {Error} a table is not where it belongs */
export function derivedDocuments(): Derived[] {
	return [
		{ path: API, expected: withTables(API, apiTables()) },
		{ path: STORAGE, expected: withTables(STORAGE, [storageTable()]) },
	];
}

/** The document with these tables in place of those with the same heads. */
function withTables(path: string, tables: readonly (readonly string[])[]): string {
	let lines = readFileSync(ROOT + path, "utf8").split("\n");
	for (const table of tables) {
		const start = lines.indexOf(table[0]!);
		if (start < 0) throw new Error(`${path} has no table ${table[0]}`);
		let end = start;
		while (lines[end]?.startsWith("|")) end++;
		lines = [...lines.slice(0, start), ...table, ...lines.slice(end)];
	}
	return lines.join("\n");
}

/** Headings of docs/api.md by task. */
const HEADINGS: Readonly<Record<keyof typeof TASKS, string>> = {
	state: "State and modes",
	settings: "Settings",
	map: "Maps and curves",
	can: "CAN buses",
	logs: "Logs",
	network: "Network and passwords",
	update: "Updates",
	calibration: "Calibration",
	diagnosis: "Diagnosis",
	interface: "The description",
};

function apiTables(): string[][] {
	const tasks = Object.entries(HEADINGS).map(([task, heading]) => endpointTable(heading, TASKS[task]!));
	const members = (name: string, title: string) => memberTable(title, NAMED.get(name) as ObjectSchema);
	return [
		...tasks,
		members("Status", "the status"),
		members("Telemetry", "`telemetry`"),

		requestTable(),
		sharedErrorTable(),
	];
}

const rule = (columns: number): string => `|${"---|".repeat(columns)}`;

/** An endpoint with the same parameters, or the same errors, as one above refers to that. */
function endpointTable(heading: string, endpoints: Readonly<Record<string, Endpoint>>): string[] {
	const first = new Map<string, string>();
	const once = (text: string, name: string): string => {
		const above = first.get(text);
		first.set(text, above ?? name);
		return above === undefined || text.length < WORTH_REFERRING ? text : `as \`${above}\``;
	};
	const rows = Object.entries(endpoints).map(([name, endpoint]) => {
		const parameters = Object.entries(endpoint.query ?? {}).map(([key, schema]) => `\`${key}\`: ${parameterOf(schema)}`);
		const said = parameters.length === 0 ? "" : `. ${once(parameters.join(". "), name).replace(/^as /, "Parameters as ")}`;
		return `| \`${name}\`${endpoint.inBootLoop ? " †" : ""} | ${endpoint.says}${said} | ${once(errorsOf(endpoint), name)} |`;
	});
	return [`| ${heading} | what it does | its errors |`, rule(3), ...rows];
}

/** Characters: about as long as the reference. */
const WORTH_REFERRING = 40;

type JsonSchema = TSchema & {
	$id?: string;
	maxLength?: number;
	description?: string;
	minimum?: number;
	maximum?: number;
	default?: unknown;
	enum?: readonly unknown[];
};
interface ObjectSchema extends TSchema {
	properties: Readonly<Record<string, JsonSchema>>;
}

/** A parameter in words. */
function parameterOf(schema: TSchema): string {
	const { description, minimum, maximum, default: fallback, enum: words } = schema as JsonSchema;
	const parts = [description, words?.map((word) => `\`${word}\``).join(", "), rangeOf(minimum, maximum)];
	return [...parts, fallback === undefined ? undefined : `else ${fallback}`].filter((part) => part).join(", ");
}

const rangeOf = (minimum?: number, maximum?: number) => (maximum === undefined ? undefined : `${minimum ?? 0}..${maximum}`);

/** Their causes are said where the document explains all of the kind. */
const EXPLAINED = ["changed meanwhile", "invalid revision"];

function errorsOf({ errors = {} }: Endpoint): string {
	const texts = Object.entries(errors).flatMap(([status, causes]) =>
		Object.entries(causes).map(([error, cause], index) => {
			const known = cause === "" || cause === NOT_APPLIED || EXPLAINED.includes(error);
			return `${index === 0 ? `${status} ` : ""}\`${error}\`${known ? "" : ` (${cause})`}`;
		}),
	);
	return texts.join(", ");
}

/** Such a description repeats the name, or another row. */
const SAYS_LITTLE = /^(= |A setting|The setting|The same|Generation of|ms, |As last|Of th|Since the start|A calibration|A table)/;

/** Members that say more than a unit or another name; those of an object under its name. */
function memberTable(title: string, schema: ObjectSchema, above = ""): string[] {
	const rows = Object.entries(schema.properties).flatMap(([name, member]): string[] => {
		const named = NAMED.get(member.$id ?? "") as JsonSchema | undefined;
		if (named === undefined && "properties" in member)
			return memberTable("", member as unknown as ObjectSchema, `${above}${name}.`);
		const { description = "" } = member;
		const isOwn = description !== named?.description || !("properties" in member || named.maxLength);
		const saysMore = / /.test(description) && !SAYS_LITTLE.test(description);
		return isOwn && saysMore ? [`| \`${above}${name}\` | ${description} |`] : [];
	});
	return title === "" ? rows : [`| member of ${title} | meaning |`, rule(2), ...rows];
}

function sharedErrorTable(): string[] {
	const rows = Object.values(SHARED).flatMap(([status, errors]) =>
		Object.entries(errors).map(([error, cause]) => `| ${status} | \`${error}\` | ${cause} |`),
	);
	return ["| status | error | cause |", rule(3), ...new Set(rows)];
}

function requestTable(): string[] {
	const lines = ["| member | values | default | meaning |", "|---|---|---|---|"];
	for (const group of GROUPS) {
		const members = group.isEach ? `${wireOf(group)}[]` : wireOf(group);
		const names = rowsOf(group).map(([name, { wire = name }]) => [members, wire].filter((part) => part !== "").join("."));
		rowsOf(group).forEach(([, row], index) => {
			if (row.wire === "" || (isList(group) && index > 0)) return;
			const name = isList(group) ? `\`${names[0]}\` to \`${names.at(-1)}\`` : `\`${names[index]}\``;
			const meaning = `${row.says}${row.applies === undefined ? "" : `; a change means ${row.applies}`}`;
			const alias = row.alias === undefined ? "" : ` = \`${row.alias}\``;
			lines.push(`| ${name}${alias} | ${valuesOf(row, false)} | ${shown(row.fallback, row)} | ${meaning} |`);
		});
	}
	return lines;
}

function storageTable(): string[] {
	const lines = ["| field | values | default |", "|---|---|---|", "| `format` | 1 | required |"];
	for (const { group, stored = group, isEach, rows } of GROUPS) {
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
		case "map":
			return onFlash ? "`/maps/<name>.json`" : "path of `GET /api/maps`";
		case "key":
			return wire === "" ? "`/maps/<name>.json`" : "signal key";
		case "choice":
			return choices.map((choice) => `\`${choice}\``).join(", ");
		case "operator":
			return choices.map((choice) => `\`${choice}\``).join(" ");
		case "mode":
			return onFlash ? MODES.map((mode) => `\`${mode}\``).join(" ") : "mode";
		case "frames":
			return `identifiers with a blank between two, at most ${FRAMES_OFF_MAX}`;
		case "origin":
			return "`scheme://host` or `scheme://host:port`";
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
