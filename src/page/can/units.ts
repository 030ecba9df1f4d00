/** Units of the MQB catalogue's signals, as people write them. Others are shown as they are. */

import { lookUp } from "../look-up";
import { T } from "../texts";

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
};

/** A unit of the signal catalogue as one writes it; one that is not known stays as it is. */
export function unitText(unit: string): string {
	const plain = unit.replace(/^unit_/i, "");
	return plain.toLowerCase() === PER_MINUTE ? T.units.rpm : (lookUp(UNITS, plain.toLowerCase()) ?? plain);
}
