/** How the page writes what the signal catalogue calls a unit, and its values. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { unitText, valueText } from "../../src/page/can/units.js";

const ROOT = new URL("../../", import.meta.url);
/** All units of the DBC files: `[min|max] "unit"`. */
const units = ["mqb", "pq"].flatMap((name) =>
	[...readFileSync(new URL(`src/can/dbc/${name}.dbc`, ROOT), "latin1").matchAll(/\] "([^"]*)"/g)].map(
		([, unit]) => unit as string,
	),
);

describe("units on the page", () => {
	it("are written as people write them, none as the catalogue cuts them", () => {
		assert.ok(new Set(units).size > 40);
		assert.deepEqual(
			[...new Set(units)].map(unitText).filter((text) => /unit|newto|degre|secon\b|force|percent/i.test(text)),
			[],
		);
	});

	it("go with whole numbers where nobody reads a fraction", () => {
		assert.deepEqual(
			(
				[
					[40.27, "Unit_KiloMeterPerHour"],
					[1040.25, "Unit_MinutInver"],
					[6.201, "Unit_PerCent"],
					[-7.968, "Unit_MeterPerSeconSquar"],
					["18 (None)", ""],
				] as const
			).map(([value, unit]) => valueText(value, unit)),
			["40 km/h", "1040 rpm", "6 %", "-7.968 m/s²", "18 (None)"],
		);
	});
});
