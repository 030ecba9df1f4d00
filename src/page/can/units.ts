/** Units of the signal catalogue, as people write them, and values as one reads them. */

import { lookUp, T } from "../texts";

/** The one that differs by language. */
const PER_MINUTE = "minutinver";

const UNITS: Readonly<Record<string, string>> = {
	percent: "%",
	newtometer: "Nm",
	centinewtometer: "cNm",
	degrecelsi: "°C",
	meterperseconsquar: "m/s²",
	meterpercubicsecon: "m/s³",
	kilometerperhour: "km/h",
	degreofarc: "°",
	degreofarcpersecon: "°/s",
	secon: "s",
	millisecon: "ms",
	minut: "min",
	volt: "V",
	amper: "A",
	ohm: "Ω",
	watt: "W",
	kilowatt: "kW",
	bar: "bar",
	millibar: "mbar",
	liter: "l",
	milliliter: "ml",
	meter: "m",
	millimeter: "mm",
	kilometer: "km",
	kilogram: "kg",
	hertz: "Hz",
	percentpersecon: "%/s",
	percentofforceofgravi: "% g",
	forceofgravi: "g",
	kilonewto: "kN",
	barpersecon: "bar/s",
	microliter: "µl",
	newtometerpersecon: "Nm/s",
	kilogrammetersquar: "kg m²",
	gramperliter: "g/l",
	hours: "h",
	degc: "°C",
	c: "°C",
	deg: "°",
	"deg/s": "°/s",
	"m/s2": "m/s²",
	us: "µs",
	"????l": "µl",
};

/** A unit of the signal catalogue as one writes it; one that is not known stays as it is. */
export function unitText(unit: string): string {
	const plain = unit.replace(/^unit_/i, "");
	return plain.toLowerCase() === PER_MINUTE ? T.units.rpm : (lookUp(UNITS, plain.toLowerCase()) ?? plain);
}

/** These are shown without fractions. */
const WHOLE: readonly string[] = ["km/h", "%", "°C", "°"];

/** A value with its unit, for people: a number of km/h, percent, degrees or rpm is whole. */
export function valueText(value: number | string, unit: string): string {
	const shown = unitText(unit);
	const whole = typeof value === "number" && (WHOLE.includes(shown) || shown === T.units.rpm);
	return `${whole ? Math.round(value) : value} ${shown}`.trim();
}
