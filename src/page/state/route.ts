/** The page in sight, from the part of the address after `#`: "map", "curves/rpm". */

import { PAGE_NAMES, type PageName } from "./page-names";
import { Store } from "./store";

/** An address that names no page is that of "drive". */
interface Route {
	readonly page: PageName;
	/** What follows the slash, "" if nothing does. */
	readonly part: string;
}

function read(): Route {
	const [page = "", part = ""] = location.hash.slice(1).split("/");
	return { page: PAGE_NAMES.find((name) => name === page) ?? "drive", part };
}

/** Follows the address. */
export const route = new Store<Route>(read());

addEventListener("hashchange", () => {
	route.set(read());
	scrollTo(0, 0);
});

/** @param hash without `#`: "map", "curves/rpm" */
export function go(hash: string): void {
	location.hash = hash;
}
