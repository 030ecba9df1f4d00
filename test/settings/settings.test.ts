import assert from "node:assert/strict";
import { favouritesOf, modeOf, parseMode } from "../../src/settings/mode-names.js";
import { Revisions } from "../../src/settings/revisions.js";
import {
	DEFAULT_SETTINGS,
	DEFAULT_TUNING,
	defaultsOf,
	inputKeys,
	isVerboseLogging,
	type Settings,
} from "../../src/settings/settings.js";
import { SETTINGS_TABLE } from "../../src/settings/settings-table.js";

describe("settings/settings", () => {
	it("begins in STOCK, without a generation, with each row's default, and can't be changed in place", () => {
		assert.deepEqual([DEFAULT_SETTINGS.mode, DEFAULT_SETTINGS.generation], [0, 0]);
		assert.deepEqual(DEFAULT_SETTINGS.lowPower, defaultsOf(SETTINGS_TABLE.lowPower.rows));
		assert.deepEqual(DEFAULT_SETTINGS.dashboard, ["", "", "", "", "", "", "", ""]);
		assert.deepEqual(DEFAULT_SETTINGS.conditions, []);
		for (const value of [DEFAULT_SETTINGS, ...Object.values(DEFAULT_SETTINGS), DEFAULT_TUNING.disengageUnderKmh])
			assert.ok(Object.isFrozen(value));
	});

	it("has the driver's mapped inputs, and the generation's recommended ones in empty places", () => {
		const speed = "chassis|0x4a0|wheel speed front left 4 1|km/h";
		const settings = { ...DEFAULT_SETTINGS, inputMappings: { speed, throttle: "", rpm: "" } };
		const mapped = inputKeys({ ...settings, generation: 4 });
		assert.equal(mapped.speed, speed);
		for (const key of [mapped.throttle, mapped.rpm]) assert.match(key, /^chassis\|0x280\|/);
		assert.deepEqual(inputKeys(settings), { speed, throttle: "", rpm: "" });
	});

	it("logs verbosely with CAN frames or a debug category", () => {
		const { logging } = DEFAULT_SETTINGS;
		assert.equal(isVerboseLogging({ ...logging, file: true, error: true, serial: true }), false);
		for (const name of ["can", "debugFirmware", "debugNetwork", "debugCan"])
			assert.equal(isVerboseLogging({ ...logging, [name]: true }), true, name);
	});
});

const { tuning } = DEFAULT_SETTINGS;
const of = (settings: Settings): Revisions => {
	const revisions = new Revisions();
	revisions.observe(settings);
	return revisions;
};
const withCells = (cells: readonly number[]): number =>
	of({ ...DEFAULT_SETTINGS, tuning: { ...tuning, map: { ...tuning.map, cells } } }).map;

describe("settings/revisions", () => {
	it("are those of the content", () => {
		assert.deepEqual({ ...of(structuredClone(DEFAULT_SETTINGS)) }, { ...of(DEFAULT_SETTINGS) });
	});

	it("differ for each single change of a map's cells", () => {
		const { cells } = tuning.map;
		const seen = new Set([of(DEFAULT_SETTINGS).map]);
		let changes = 0;
		cells.forEach((cell, index) => {
			for (let value = 0; value <= 100; value++)
				if (value !== cell) {
					seen.add(withCells(cells.map((one, i) => (i === index ? value : one))));
					changes++;
				}
		});
		assert.equal(seen.size, changes + 1);
	});

	it("tell fractions, texts and empty values apart", () => {
		const revisions = [0, 0.5, 0.25, 0.1, 10, 1, -1].map(
			(onsetPercentPerS) => of({ ...DEFAULT_SETTINGS, tuning: { ...tuning, onsetPercentPerS } } as unknown as Settings).settings,
		);
		for (const signal of ["", "a", "ab", "ba"])
			revisions.push(of({ ...DEFAULT_SETTINGS, inputMappings: { ...DEFAULT_SETTINGS.inputMappings, speed: signal } }).settings);
		revisions.push(of({ ...DEFAULT_SETTINGS, inputMappings: { ...DEFAULT_SETTINGS.inputMappings, throttle: "a" } }).settings);
		assert.equal(new Set(revisions).size, revisions.length);
		for (const revision of revisions)
			assert.ok(Number.isInteger(revision) && revision >= 0 && revision <= 0x7fffffff, `${revision}`);
	});
});

// docs/control-and-can.md 1.1: number, name, aliases.
const TABLE: readonly (readonly [number, string, readonly string[]])[] = [
	[0, "STOCK", ["PASSTHRU"]],
	[1, "FWD", ["100:0"]],
	[2, "5050", ["50:50", "LOCK"]],
	[3, "6040", ["60:40"]],
	[4, "7030", ["70:30", "7525", "75:25"]],
	[5, "8020", ["80:20"]],
	[6, "9010", ["90:10"]],
	[7, "SPEED", []],
	[8, "THROTTLE", []],
	[9, "MAP", ["EXPERT"]],
	[10, "RPM", []],
];

describe("settings/mode-names", () => {
	it("reads each name and alias in any letter case, blanks around it ignored", () => {
		for (const [number, name, aliases] of TABLE)
			for (const token of [name, ...aliases])
				for (const text of [token, token.toLowerCase(), ` \t${token} \n`]) assert.equal(parseMode(text), number, text);
	});

	it("rejects every other name", () => {
		for (const text of ["", " ", "0", "9", "50 50", "MAPS", "MA", "4060", "CUSTOM", "constructor", "toString", "__proto__"])
			assert.equal(parseMode(text), -1, JSON.stringify(text));
	});

	it("accepts only a mode's name or its number as a JSON value", () => {
		assert.deepEqual(["map", "7525", 5050, 7525, 9010].map(modeOf), [9, 4, 2, 4, 6]);
		for (const value of [9, 0, 50.5, Number.NaN, null, undefined, true, [], {}, "9"]) assert.equal(modeOf(value), -1, `${value}`);
	});

	it("takes two to six different modes as favourites, by any of their names, and says them canonically", () => {
		assert.equal(favouritesOf("passthru 75:25"), "STOCK 7030");
		assert.equal(favouritesOf(" map  stock".replace("  ", " ")), "MAP STOCK");
		const six = "THROTTLE STOCK SPEED FWD 5050 MAP";
		assert.equal(favouritesOf(six), six);
		for (const wrong of [
			"",
			"MAP",
			"MAP EXPERT",
			"MAP MAP",
			"MAP  STOCK",
			"MAP,STOCK",
			"MAP AB",
			`${six} RPM`,
			`${"MAP ".repeat(30)}FWD`,
			`${" ".repeat(72)}MAP STOCK`,
		])
			assert.equal(favouritesOf(wrong), "", wrong);
		assert.equal(favouritesOf(`${" ".repeat(71)}MAP STOCK`), "MAP STOCK", "80 characters are looked at");
	});
});
