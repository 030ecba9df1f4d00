/** The language of the page, to choose. */

import { chooseLanguage, LANGUAGES, type Language, language } from "../state/language";
import { T } from "../texts";
import { SelectField } from "./fields";

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
