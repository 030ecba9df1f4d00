import assert from "node:assert/strict";
import { favouritesOf, modeOf, parseMode } from "../../src/settings/mode-names.js";

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

	it("knows no other name", () => {
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
