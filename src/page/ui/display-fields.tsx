/** Language and units of the page, to choose. */

import { chooseLanguage, LANGUAGES, type Language, language } from "../state/language";
import { chooseSpeedUnit, SPEED_UNITS, type SpeedUnit, speedUnit } from "../state/speed";
import { T } from "../texts";
import { SelectField } from "./fields";

/** Chooses the language, for this browser; the page is drawn anew at once. */
export function LanguageField() {
	return (
		<SelectField
			label={T.display.language}
			value={language}
			options={Object.entries(LANGUAGES)}
			onChange={(name) => chooseLanguage(name as Language)}
		/>
	);
}

/** Chooses km/h or mph, for this browser; the page is drawn anew at once. */
export function SpeedUnitField() {
	return (
		<SelectField
			label={T.display.speed}
			value={speedUnit}
			options={SPEED_UNITS.map((unit) => [unit, unit])}
			onChange={(unit) => chooseSpeedUnit(unit as SpeedUnit)}
		/>
	);
}
