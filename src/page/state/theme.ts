/** Dark, light, or as the device says. */

import { recall, remember } from "./cache";
import { Store } from "./store";

type Theme = "dark" | "light";

const prefersLight = matchMedia("(prefers-color-scheme: light)");

function device(): Theme {
	return prefersLight.matches ? "light" : "dark";
}

/** The theme that was chosen here, else the device's. */
export const theme = new Store<Theme>(recall<Theme>("theme") ?? device());

function show(): void {
	document.documentElement.dataset["theme"] = theme.value;
	document.querySelector('meta[name="theme-color"]')?.setAttribute("content", theme.value === "dark" ? "#0b0e12" : "#ffffff");
}

/** Changes to the other one, for good unless that is the device's: then the page follows the device again. */
export function toggleTheme(): void {
	const next = theme.value === "dark" ? "light" : "dark";
	remember("theme", next === device() ? undefined : next);
	theme.set(next);
}

/** Call once. */
export function followTheme(): void {
	show();
	theme.follow(show);
	prefersLight.addEventListener("change", () => {
		if (recall("theme") === undefined) theme.set(device());
	});
}
