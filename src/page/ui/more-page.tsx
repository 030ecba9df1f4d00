/** The pages that a phone's bar has no room for. */

import type { PageName } from "../state/page-names";
import { T } from "../texts";
import { Icon } from "./icon";

const BEYOND: readonly PageName[] = [
	"record",
	"can",
	"diagnosis",
	"calibration",
	"logs",
	"conditions",
	"backup",
	"network",
	"about",
	"start",
];

/** A list of links to these pages. */
export function MorePage() {
	return (
		<ul class="more-list">
			{BEYOND.map((name) => (
				<li key={name}>
					<a class="card" href={`#${name}`}>
						<Icon name={name === "start" ? "check" : name} />
						<span>{T.pages[name]}</span>
					</a>
				</li>
			))}
		</ul>
	);
}
