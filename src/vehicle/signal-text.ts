/** A signal's value as text for people. Source: docs/http-api.md 3.1 `display`, W-11 and O-17. */

import { lowerCase } from "../text/characters.js";

/** Units of the catalogue and, behind a blank, how people write them. As members each unit that is looked up would become a name of the engine. */
const UNITS = Object.freeze([
	"Unit_KiloMeterPerHour km/h",
	"Unit_PerCent %",
	"Unit_MinutInver rpm",
	"Unit_DegreCelsi °C",
	"Unit_DegreOfArc °",
	"Unit_DegreOfArcPerSecon °/s",
	"Unit_NewtoMeter Nm",
	"Unit_Bar bar",
	"Unit_MilliBar mbar",
	"Unit_Volt V",
	"Unit_Amper A",
	"Unit_Watt W",
	"Unit_KiloWatt kW",
	"Unit_Secon s",
	"Unit_MilliSecon ms",
	"Unit_Minut min",
	"Unit_Hours h",
	"Unit_Meter m",
	"Unit_KiloMeter km",
	"Unit_MilliMeter mm",
	"Unit_MeterPerSeconSquar m/s²",
	"Unit_ForceOfGravi g",
	"Unit_Hertz Hz",
	"Unit_Liter l",
	"Unit_KiloGram kg",
	"degC °C",
]);

/** A dashboard shows engine speeds in full even where the catalogue has them in hundreds. Source: docs/http-api.md 3.1, rules for `display`. */
const RPM_RESCUE = Object.freeze({ below: 20, least: 100, most: 12_000, factor: 100 });
/** From such values on there are no decimals, those of engine speeds have none either, and one is left of two. Source: as above. */
const WHOLE_FROM = 1000;
const WHOLE_RPM_FROM = 20;
const ONE_DECIMAL_FROM = 100;

/** `12.5 %`, `3000 rpm`. @param value a finite number @param name of the signal @param unit as in the catalogue */
export function displayText(value: number, name: string, unit: string): string {
	const friendly = UNITS.find((row) => row.startsWith(`${unit} `))?.slice(unit.length + 1) ?? unit;
	// not for the converted unit: MQB has engine speeds in full
	const isRpm = lowerCase(unit) === "rpm" || lowerCase(name).includes("rpm");
	const hundredfold = Math.abs(value * RPM_RESCUE.factor);
	const rescued =
		isRpm &&
		value !== 0 &&
		Math.abs(value) < RPM_RESCUE.below &&
		hundredfold >= RPM_RESCUE.least &&
		hundredfold <= RPM_RESCUE.most;
	const shown = rescued ? value * RPM_RESCUE.factor : value;
	const size = Math.abs(shown);
	const whole = size >= WHOLE_FROM || (lowerCase(friendly) === "rpm" && size >= WHOLE_RPM_FROM);
	const text = shown.toFixed(whole ? 0 : size >= ONE_DECIMAL_FROM ? 1 : 2);
	const plain = text.includes(".") ? withoutZeros(text) : text;
	const number = plain === "-0" ? "0" : plain;
	return friendly === "" ? number : `${number} ${friendly}`;
}

/** A decimal fraction without the zeros at its end. */
function withoutZeros(text: string): string {
	let end = text.length;
	while (text.charAt(end - 1) === "0") end--;
	return text.slice(0, text.charAt(end - 1) === "." ? end - 1 : end);
}
