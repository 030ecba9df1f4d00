/** What the page is told of the firmware's tables. */
import assert from "node:assert/strict";
import { pageModules } from "../../tools/page-tables.js";

describe("the page's tables", () => {
	it("have the LED's colours at the brightness of a screen: the strongest part of each is full", () => {
		const { source } = pageModules().find(({ path }) => path.endsWith("/mode-table.ts"))!;
		const colours = Object.fromEntries([...source.matchAll(/"(\w+)": "#(\w+)"/g)].map(([, mode, colour]) => [mode, colour]));
		assert.deepEqual(colours, {
			STOCK: "ff0000",
			FWD: "00ff00",
			"5050": "0000ff",
			"6040": "ff10f0",
			"7030": "00ffff",
			"8020": "ffc000",
			"9010": "80ff00",
			SPEED: "ff5000",
			THROTTLE: "8000ff",
			MAP: "ffffff",
			RPM: "00ff60",
		});
	});
});
