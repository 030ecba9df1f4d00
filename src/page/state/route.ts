/** The page in sight, from the part of the address after `#`: "map", "curves/rpm". */

import { Store } from "./store";

export type PageName =
	| "drive"
	| "full"
	| "map"
	| "curves"
	| "record"
	| "share"
	| "calibration"
	| "can"
	| "logs"
	| "diagnosis"
	| "settings"
	| "conditions"
	| "backup"
	| "network"
	| "about"
	| "start"
	| "more";

export interface Route {
	readonly page: PageName;
	/** What follows the slash, "" if nothing does. */
	readonly part: string;
}

const PAGES: readonly string[] = [
	"drive",
	"full",
	"map",
	"curves",
	"record",
	"share",
	"calibration",
	"can",
	"logs",
	"diagnosis",
	"settings",
	"conditions",
	"backup",
	"network",
	"about",
	"start",
	"more",
];

function read(): Route {
	const [page = "", part = ""] = location.hash.slice(1).split("/");
	return { page: (PAGES.includes(page) ? page : "drive") as PageName, part };
}

export const route = new Store<Route>(read());

addEventListener("hashchange", () => {
	route.set(read());
	scrollTo(0, 0);
});

export function go(hash: string): void {
	location.hash = hash;
}
