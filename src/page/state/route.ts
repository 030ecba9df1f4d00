/** The pages, and which one is in sight: the part of the address after `#`, "map" or "curves/rpm". */

import { Store } from "./store";

/** The five places, each with its pages in the order in which it offers them. */
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

/** An address that names no page is that of "drive". */
interface Route {
	readonly page: PageName;
	readonly part: string;
}

function read(): Route {
	const [page = "", part = ""] = location.hash.slice(1).split("/");
	return { page: PAGE_NAMES.find((name) => name === page) ?? "drive", part };
}

/** Follows the address, once `followAddress` was called. */
export const route = new Store<Route>({ page: "drive", part: "" });

/** Call once, before anything is drawn. */
export function followAddress(): void {
	route.set(read());
	addEventListener("hashchange", () => {
		route.set(read());
		scrollTo(0, 0);
	});
}

/** @param hash without `#`: "map", "curves/rpm" */
export function go(hash: string): void {
	location.hash = hash;
}
