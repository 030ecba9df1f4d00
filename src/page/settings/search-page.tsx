/** A search over all settings and pages. Without a word it is the list of contents. */

import { useState } from "preact/hooks";
import { useLoaded } from "../state/draft";
import { type PageName, PLACES, type PlaceName } from "../state/page-names";
import { T } from "../texts";
import { Section } from "../ui/fields";
import { Filter, matcher } from "../ui/watched-list";
import { SECTIONS, SECTIONS_OF, type Section as SectionName, type SettingName } from "./settings";
import { settingsDraft } from "./settings-draft";
import { SettingsBar, SettingsSection } from "./settings-page";
import { settingLabel } from "./settings-words";

/** Links to the pages whose names fit, by place, and the settings that fit, to change them here. */
export function SearchPage(_: { part: string }) {
	useLoaded(settingsDraft);
	const [words, setWords] = useState("");
	const fits = matcher(words);
	/** What else a page is looked for by. */
	const also: Partial<Record<PageName, string>> = { network: `Wi-Fi WLAN ${T.owner.title}`, update: T.update.title };
	const places = (Object.entries(PLACES) as [PlaceName, readonly PageName[]][])
		.map(([place, pages]) => {
			const found = pages.filter((name) => fits(`${T.places[place]} ${T.pages[name]} ${also[name] ?? ""}`));
			return [place, found] as const;
		})
		.filter(([, found]) => found.length > 0);
	const sections = (words === "" ? [] : (Object.values(SECTIONS_OF).flat() as SectionName[]))
		.map((name) => {
			const [title, hint = ""] = T.settings.sections[name];
			const all: readonly SettingName[] = SECTIONS[name];
			const only = all.filter((setting) => fits(`${title} ${hint} ${settingLabel(setting)} ${T.settings.hints[setting] ?? ""}`));
			return [name, only] as const;
		})
		.filter(([, only]) => only.length > 0);
	return (
		<>
			<div class="stack">
				<Filter filter={words} onFilter={setWords} />
				{places.length + sections.length === 0 && <p role="status">{T.settings.notFound}</p>}
				{places.map(([place, found]) => (
					<Section key={place} title={T.places[place]}>
						<div class="tools">
							{found.map((name) => (
								<a key={name} class="button" href={`#${name}`}>
									{T.pages[name]}
								</a>
							))}
						</div>
					</Section>
				))}
				{sections.map(([name, only]) => (
					<SettingsSection key={name} name={name} only={only} />
				))}
			</div>
			<SettingsBar />
		</>
	);
}
