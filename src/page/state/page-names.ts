/** The pages, by their names in the address. */
export const PAGE_NAMES = [
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
] as const;

/** One of these; any other address shows *drive*. */
export type PageName = (typeof PAGE_NAMES)[number];
