/** The pages, by their names in the address, in the order in which their place offers them. */

/** The five places. */
export const PLACES = {
	drive: ["drive"],
	tune: ["map", "curves", "gates", "steering", "library", "share"],
	record: ["record"],
	car: ["coupling", "inputs", "conditions", "calibration", "diagnosis", "can"],
	system: ["network", "update", "backup", "logs", "display", "about"],
} as const;
/** Name of a place. */
export type PlaceName = keyof typeof PLACES;

/** All pages: also those that stand in no place. *settings* searches them all. */
export const PAGE_NAMES = [...Object.values(PLACES).flat(), "full", "settings", "start"] as const;
/** One of these; any other address shows *drive*. */
export type PageName = (typeof PAGE_NAMES)[number];

/** The place of a page, "system" for one that stands in none. */
export function placeOf(page: PageName): PlaceName {
	const places = Object.entries(PLACES) as [PlaceName, readonly PageName[]][];
	return places.find(([, pages]) => pages.includes(page))?.[0] ?? "system";
}
