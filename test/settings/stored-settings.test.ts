import assert from "node:assert/strict";
import { NEW_CONDITION } from "../../src/settings/condition-list.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { type Kind, type Row, SETTINGS_TABLE, type TableGroup } from "../../src/settings/settings-table.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";

/** Values that are not the default, of kinds with a form of their own. */
const VALUES: Readonly<Record<Exclude<Kind, "flag" | "number" | "choice" | "operator" | "map">, unknown>> = {
	key: "ü".repeat(160),
	mode: 9,
	modes: "MAP STOCK FWD RPM 9010 THROTTLE",
	frames: "0x0A7 0x392",
	generation: 4,
	origin: "capacitor://localhost",
};

function otherThanDefault({ kind, fallback, min = 0, max = 0, fraction, choices = [] }: Row<unknown>): unknown {
	if (kind === "flag") return !fallback;
	if (kind === "number") return fraction ? min + 0.5 : fallback === max ? min : max;
	return kind === "choice" ? choices.find((choice) => choice !== fallback) : VALUES[kind as keyof typeof VALUES];
}

const valuesOf = (rows: TableGroup["rows"]) =>
	Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, otherThanDefault(row)]));

const { driver, inputMappings, steeringGain, gatesAndRamps, disengageUnder, pwm, controls, logging, lowPower } = SETTINGS_TABLE;
/** Settings in which nothing has its default. */
const OTHER = {
	...valuesOf(driver.rows),
	inputMappings: valuesOf(inputMappings.rows),
	dashboard: ["1", "2", "3", "4", "5", "6", "7", "8"],
	conditions: [
		{
			enabled: true,
			effect: "open",
			operator: "change",
			value: -1_000_000,
			holdMs: 60_000,
			limitPercent: 1,
			mode: 10,
			broadcastOverCan: false,
			alsoFromStock: true,
			map: "/maps/Winter 2, 4 Räder.json",
			signal: "a  b | c ",
		},
		{ ...NEW_CONDITION, effect: "limit", value: 0.1, signal: "" },
	],
	steeringGain: valuesOf(steeringGain.rows),
	tuning: {
		...DEFAULT_SETTINGS.tuning,
		speedCurve: { x: [0, 300], lockPercent: [100, 0] },
		throttleCurve: { x: [100], lockPercent: [7] },
		rpmCurve: { x: [...Array(12).keys()], lockPercent: [...Array(12).keys()] },
		...valuesOf(gatesAndRamps.rows),
		disengageUnderKmh: valuesOf(disengageUnder.rows),
	},
	pwm: valuesOf(pwm.rows),
	controls: valuesOf(controls.rows),
	logging: valuesOf(logging.rows),
	lowPower: valuesOf(lowPower.rows),
} as unknown as Settings;

/** What no stored value of a kind may be. */
const WRONG: Readonly<Record<Exclude<Kind, "number" | "operator" | "map">, readonly unknown[]>> = {
	flag: [1, "true", null],
	key: [1, {}, "x".repeat(161)],
	choice: ["other", 1],
	mode: ["NONE", 9, null],
	modes: ["", "MAP", "lock MAP", "MAP MAP", 5050, ["MAP", "FWD"]],
	frames: ["0x392 0x0A7", "a7", "x", 1, null],
	generation: [3, "4", -1],
	origin: ["Capacitor://localhost", "*", "null", 1, null],
};

function wrongFor({ kind, min = 0, max = 0, fraction }: Row<unknown>): readonly unknown[] {
	if (kind === "number") return [min - 1, max + 1, `${max}`, null, ...(fraction ? [] : [min + 0.5])];
	return WRONG[kind as keyof typeof WRONG];
}

/** A path such as `pwm.inverted`, and stored values that no such field may have. */
const REFUSED: readonly [string, ...unknown[]][] = [
	["dashboard", [], ["1", "2", "3", "4", "5", "6", "7"], ["1", "2", "3", "4", "5", "6", "7", 8], {}],
	["conditions", 1, {}, "x", Array(9).fill("")],
	["curves", []],
	[
		"curves.speed",
		...[[], [[301, 0]], [[0, 101]], [[0, -1]], [[1]], [1], Array(13).fill([0, 0]), "x"],
		[
			[5, 1],
			[5, 1],
		],
	],
	["curves.throttle", [[101, 0]], [[50, 0.5]]],
	["curves.rpm", [[10_001, 0]], [["1", 0]], [[0.5, 0]]],
	...Object.values<TableGroup>(SETTINGS_TABLE)
		.filter(({ isEach, rows }) => !isEach && !Array.isArray(rows))
		.flatMap(({ group, stored = group, rows }): [string, ...unknown[]][] => [
			...(stored === "" ? [] : [[stored, 1, "x", []] as [string, ...unknown[]]]),
			...Object.entries(rows).map(([name, row]): [string, ...unknown[]] => [
				`${stored === "" ? "" : `${stored}.`}${row.stored ?? name}`,
				...wrongFor(row),
			]),
		]),
];

type Fields = Record<string, unknown>;
const stored = (settings: Settings): Fields => JSON.parse(JSON.stringify(SETTINGS_DOCUMENT.write(settings)));

/** Paths of all values in a stored object; a curve or the dashboard counts as one. */
const paths = (fields: Fields): string[] =>
	Object.entries(fields).flatMap(([key, value]) =>
		typeof value === "object" && value !== null && !Array.isArray(value)
			? [key, ...Object.keys(value).map((inner) => `${key}.${inner}`)]
			: [key],
	);

describe("settings/stored-settings", () => {
	it("reads its own file, defaults and their opposites", () => {
		for (const settings of [DEFAULT_SETTINGS, OTHER]) assert.deepEqual(SETTINGS_DOCUMENT.read(stored(settings)), settings);
		assert.ok(JSON.stringify(stored(OTHER)).length < SETTINGS_DOCUMENT.maxBytes);
	});

	it("has nothing in common with the defaults in what the round trip was tried with", () => {
		const [a, b] = [stored(DEFAULT_SETTINGS), stored(OTHER)];
		for (const path of paths(a)) {
			const [key, inner] = path.split(".");
			const pick = (fields: Fields) => (inner === undefined ? fields[key] : (fields[key] as Fields)[inner]);
			assert.notDeepEqual(pick(a), pick(b), path);
		}
	});

	it("gives a field that is absent its default, in groups too", () => {
		assert.deepEqual(SETTINGS_DOCUMENT.read({}), DEFAULT_SETTINGS);
		for (const path of paths(stored(OTHER))) {
			const fields = stored(OTHER);
			const [key, inner] = path.split(".");
			if (inner === undefined) delete fields[key];
			else delete (fields[key] as Fields)[inner];
			const again = stored(SETTINGS_DOCUMENT.read(fields));
			const [ours, defaults] =
				inner === undefined ? [again, stored(DEFAULT_SETTINGS)] : [again[key], stored(DEFAULT_SETTINGS)[key]];
			assert.deepEqual((ours as Fields)[inner ?? key], (defaults as Fields)[inner ?? key], path);
		}
	});

	it("rejects each field that is out of range or of another type, by name", () => {
		const missing = new Set(paths(stored(OTHER)));
		for (const [path, ...values] of REFUSED) {
			missing.delete(path);
			const [key, inner] = path.split(".");
			for (const value of values) {
				const fields = stored(OTHER);
				if (inner === undefined) fields[key] = value;
				else (fields[key] as Fields)[inner] = value;
				assert.throws(
					() => SETTINGS_DOCUMENT.read(fields),
					({ name, message }: Error) =>
						name === "RangeError" &&
						message.startsWith(path) &&
						message.includes(
							` is ${JSON.stringify(Array.isArray(value) && path === "dashboard" ? (value[7] ?? value) : value)}; `,
						) &&
						/allowed: ./.test(message),
					`${path} = ${JSON.stringify(value)}`,
				);
			}
		}
		assert.deepEqual([...missing], [], "every field was tried");
	});

	describe("conditions", () => {
		const read = (...conditions: unknown[]) => SETTINGS_DOCUMENT.read({ conditions }).conditions;
		const [text] = (stored(OTHER) as { conditions: string[] }).conditions;

		it("are a text each, the signal last with whatever is in it", () => {
			assert.equal(text, "true open change -1000000 60000 1 RPM false true /maps/Winter/2,/4/Räder.json a  b | c ");
			assert.deepEqual(read(text), [OTHER.conditions[0]]);
		});

		it("are read as older firmware wrote them", () => {
			const one = { ...OTHER.conditions[0], map: "" };
			assert.deepEqual(read("true open change -1000000 60000 1 RPM false true a  b | c "), [one]);
			assert.deepEqual(read("true open change -1000000 60000 1 RPM false true "), [{ ...one, signal: "" }]);
			assert.deepEqual(read("true open change -1000000 60000 1 RPM false a  b | c "), [{ ...one, alsoFromStock: false }]);
			assert.deepEqual(read("true open change -1000000 60000 1 RPM false "), [{ ...one, alsoFromStock: false, signal: "" }]);
		});

		it("are rejected with field, value and allowed values", () => {
			const words = text.split(" ");
			const with_ = (at: number, word: string) => [...words.slice(0, at), word, ...words.slice(at + 1)].join(" ");
			for (const [at, word, field, shown = JSON.stringify(word)] of [
				[0, "yes", "enabled"],
				[1, "close", "effect"],
				[2, ">", "operator"],
				[3, "1000001", "value", "1000001"],
				[3, "", "value", "null"],
				[4, "299", "holdMs", "299"],
				[5, "x", "limitPercent", "null"],
				[6, "none", "mode"],
				[7, "1", "broadcastOverCan"],
				[10, "x".repeat(161), "signal", JSON.stringify(`${"x".repeat(161)}  b | c `)],
			] as const)
				assert.throws(
					() => read(text, with_(at, word)),
					({ message }: Error) => message.startsWith(`conditions[1].${field} is ${shown}; allowed: `),
				);
			for (const value of [1, null, {}, "true open", ""])
				assert.throws(
					() => read(value),
					({ message }: Error) => message.startsWith(`conditions[0] is ${JSON.stringify(value)}; allowed: `),
				);
		});
	});
});
