/** A signal's value as text for people. Source: docs/api.md, "Names of other firmware". */

import { lowerCase } from "../text/characters.js";

/**
 * Units of the catalogue and, behind a blank, how people write them. As members each unit that is looked up
 * would become a name of the engine.
 */
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

/** A dashboard shows engine speeds in full even where the catalogue has them in hundreds. */
const RPM_RESCUE = Object.freeze({ below: 20, least: 100, most: 12_000, factor: 100 });
/**
 * From such values on there are no decimals, those of engine speeds have none either, and one is left of two.
 * Source: as above.
 */
const WHOLE_FROM = 1000;
const WHOLE_RPM_FROM = 20;
const ONE_DECIMAL_FROM = 100;

/**
 * How the values of one signal are written. Made once: to look its unit up takes many times as long as to
 * write a value.
 */
export class SignalText {
	/** With the blank before it. */
	readonly #unit: string;
	/** An engine speed. Not by the converted unit: MQB has them in full. */
	readonly #isRpm: boolean;
	readonly #isShownInRpm: boolean;

	/** @param name of the signal @param unit as in the catalogue */
	constructor(name: string, unit: string) {
		const friendly = UNITS.find((row) => row.startsWith(`${unit} `))?.slice(unit.length + 1) ?? unit;
		this.#unit = friendly === "" ? "" : ` ${friendly}`;
		this.#isRpm = lowerCase(unit) === "rpm" || lowerCase(name).includes("rpm");
		this.#isShownInRpm = lowerCase(friendly) === "rpm";
	}

	/** `12.5 %`, `3000 rpm`. @param value a finite number */
	of(value: number): string {
		const shown = this.#isRpm && isInHundreds(value) ? value * RPM_RESCUE.factor : value;
		const size = Math.abs(shown);
		const whole = size >= WHOLE_FROM || (this.#isShownInRpm && size >= WHOLE_RPM_FROM);
		// as a number again it has no zeros at its end, and none with a sign
		return Number(shown.toFixed(whole ? 0 : size >= ONE_DECIMAL_FROM ? 1 : 2)) + this.#unit;
	}
}

function isInHundreds(value: number): boolean {
	const size = Math.abs(value);
	const hundredfold = size * RPM_RESCUE.factor;
	return size > 0 && size < RPM_RESCUE.below && hundredfold >= RPM_RESCUE.least && hundredfold <= RPM_RESCUE.most;
}
