/**
 * What the page knows of modes, settings and couplings: modules with what it uses of the firmware's tables,
 * which it may not import. The set-up writes them.
 */
import { MODE_COLOURS } from "../src/controls/led.js";
import type { Coupling } from "../src/coupling/coupling.js";
import { COUPLINGS, carOf, FRAME_PROFILES, GENERATIONS } from "../src/coupling/couplings/couplings.js";
import { PLANS } from "../src/coupling/plan-table.js";
import { FIFTY_FIFTY, MODES } from "../src/lock/modes.js";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../src/settings/mode-names.js";
import { type Row, SETTINGS_TABLE, type TableGroup } from "../src/settings/settings-table.js";

const GROUPS: readonly TableGroup[] = Object.values(SETTINGS_TABLE);

/** Settings that the page does not set as the others, or whole groups, and why. */
const NOT_ON_PAGE: Readonly<Record<string, string>> = {
	disableController: "choosing a mode does it",
	analyzerEnabled: "the page CAN sets it, by /api/analyzer",
	setupDone: "the first start sets it, at its end",
	conditions: "the page Conditions has them as a list",
};

/** Where the status has the members of a group, and what it calls them, if not as requests do. */
const IN_STATUS: Readonly<Record<string, string>> = {
	"lowPower.sleepEnabled": "power.lowPowerSleepEnabled",
	"lowPower.sleepDelayMs": "power.sleepDelayMs",
	"lowPower.wakeTimerSeconds": "power.wakeTimerSeconds",
	"lowPower.probeDurationMs": "power.probeDurationMs",
};

/** Paths from the root. @throws {Error} the table of settings lacks one of NOT_ON_PAGE */
export const pageModules = (): readonly { readonly path: string; readonly source: string }[] => [
	{ path: "src/page/generated/mode-table.ts", source: modeTable() },
	{ path: "src/page/generated/settings-table.ts", source: settingsTable() },
	{ path: "src/page/generated/coupling-table.ts", source: `${frameTable()}\n${heardTable()}` },
];

/** The LED dazzles at full brightness, a screen does not: the page shows each colour four times as bright. */
function modeTable(): string {
	const bright = (colour: number): string =>
		[16, 8, 0]
			.map((shift) =>
				Math.min(0xff, ((colour >> shift) & 0xff) * 4)
					.toString(16)
					.padStart(2, "0"),
			)
			.join("");
	const colours = MODE_COLOURS.map((colour, mode) => `\t"${MODES[mode]}": "#${bright(colour)}",\n`);
	const { favourites } = SETTINGS_TABLE.controls.rows;
	return `/** Colour of the board's LED by mode, four times as bright. */
export const LED_COLOURS: Readonly<Record<string, string>> = {
${colours.join("")}};

/** The favourite modes of a new controller. */
export const USUAL_FAVOURITES = ${JSON.stringify(favourites.fallback)};
`;
}

function settingsTable(): string {
	const lines: string[] = [];
	const left = new Set(Object.keys(NOT_ON_PAGE));
	for (const { group, wire = group, rows } of GROUPS) {
		if (left.delete(wire)) continue;
		const named: [string, Row<unknown>][] = Object.entries(rows);
		for (const [name, row] of named) {
			const member = row.wire ?? name;
			if (member === "" || left.delete(member)) continue;
			const path = wire === "" ? member : `${wire}.${member}`;
			const usual = [wire === "" ? group : wire, row.shown ?? member].filter((part) => part !== "").join(".");
			const at = IN_STATUS[path] ?? usual;
			const { kind = "flag", unit } = row;
			const { min, max } = kind === "modes" ? { min: FAVOURITES_MIN, max: FAVOURITES_MAX } : row;
			const choices = kind === "choice" || kind === "operator" ? row.choices : undefined;
			const known = JSON.stringify({ kind, min, max, unit, choices, at: at === path ? undefined : at });
			lines.push(`\t"${path}": ${known},\n`);
		}
	}
	if (left.size > 0) throw new Error(`the table of settings has no ${[...left].join(", ")}`);
	return `/** By their names in requests. \`at\`: where in the status the value stands; \`min\` is 0 unless said. */
export const SETTINGS = {
${lines.join("")}} as const;
`;
}

/** The frames of each plan. */
function frameTable(): string {
	const ids = new Map<string, number>();
	const plans: string[] = [];
	const lists = new Map<string, string>();
	for (const generation of GENERATIONS) {
		const { readings } = carOf(generation);
		const speeds = readings.filter(({ meaning }) => meaning.toLowerCase().endsWith("speed")).flatMap(({ signals }) => signals);
		for (const profile of FRAME_PROFILES)
			for (const [name, tables] of Object.entries({ car: PLANS[generation].inline, alone: PLANS[generation].standalone })) {
				const rows = [...tables[profile](FIFTY_FIFTY).frames].sort((one, other) => one.id - other.id);
				const frames = rows.map(({ message, id, bytes }) => {
					ids.set(message, id);
					const tokens = bytes.split(" ");
					const tellsSpeed = speeds.some((signal) => signal.id === id && tokens[signal.start >> 3] !== "..");
					return `${tokens.some(followsLock) ? "*" : ""}${tellsSpeed ? "~" : ""}${message}`;
				});
				const list = [...new Set(frames)].join(" ");
				// several plans have the same frames
				if (!lists.has(list)) lists.set(list, `LIST_${lists.size}`);
				plans.push(`\t"${generation} ${profile} ${name}": ${lists.get(list)},\n`);
			}
	}
	const named = [...ids].map(([message, id]) => `\t${message}: ${hex(id)},\n`);
	const constants = [...lists].map(([list, name]) => `const ${name} = "${list}";\n`);
	return `/** By the names of the network's description. */
export const FRAME_IDS = {
${named.join("")}} as const;

${constants.join("")}
/** By generation, profile, and whether there is a car. \`*\`: a byte follows the lock; \`~\`: it tells a speed. */
export const PLAN_FRAMES: Readonly<Record<string, string>> = {
${plans.join("")}};
`;
}

/** By what the page knows a coupling and its car on the buses: their frames of most periods. */
function heardTable(): string {
	const cars = new Map<string, Set<number>>();
	for (const { car, torque, generates } of COUPLINGS as readonly Coupling[]) {
		const ids = cars.get(car.network) ?? new Set();
		cars.set(car.network, ids);
		for (const { signals } of car.readings) for (const { id } of signals) ids.add(id);
		for (const key of Object.values(car.recommended.inputs)) ids.add(Number(key.split("|")[1]));
		if (torque !== undefined && generates !== true) ids.add(torque.id);
	}
	const reporting = COUPLINGS.map(
		({ generation, car, status }) =>
			`\t${generation}: { network: "${car.network}", id: ${hex(status.engagement.id)}, bytes: ${status.bytes} },\n`,
	);
	const asked = COUPLINGS.map(({ generation, diagnosis }) => `\t${generation}: "${diagnosis}",\n`);
	const sent = [...cars].map(
		([network, ids]) =>
			`\t${network}: [${[...ids]
				.sort((a, b) => a - b)
				.map(hex)
				.join(", ")}],\n`,
	);
	return `/** Of each generation: the network of its car, the frame in which it reports, and its length. */
export const REPORTS = {
${reporting.join("")}} as const;

/** How the control unit of each generation is asked; "" = it can't be asked. */
export const DIAGNOSIS = {
${asked.join("")}} as const;

/** What the cars of each network send. */
export const CAR_FRAMES = {
${sent.join("")}} as const;
`;
}

const hex = (id: number): string => `0x${id.toString(16).padStart(3, "0")}`;

/** Of a row's tokens: src/coupling/plan-encoder.ts. */
const followsLock = (token: string): boolean => "adiurk+".includes(token.charAt(0)) && token !== "..";
