/** Parts of the page that are loaded when they are first looked at. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { T } from "../texts";

/** A page; `part` is what follows its name in the address. */
export type Part = ComponentType<{ part: string }>;

const loaded = new Map<string, Part>();

/**
 * Shows the part once it is loaded, and until then that it loads. If it can't be loaded, it offers to load
 * the whole page anew.
 * @param name under which it is kept for the next time @param part is handed on to it
 */
export function Lazy({ name, load, part }: { name: string; load: () => Promise<Part>; part: string }) {
	const [failed, setFailed] = useState(false);
	const [, redraw] = useState(0);
	const Here = loaded.get(name);
	useEffect(() => {
		if (Here !== undefined || failed) return;
		load().then(
			(component) => {
				loaded.set(name, component);
				redraw((count) => count + 1);
			},
			() => setFailed(true),
		);
	}, [name, failed]);
	if (Here !== undefined) return <Here part={part} />;
	if (!failed) return <p class="loading">{T.shell.loading}</p>;
	return (
		<div class="card callout">
			<p>{T.shell.partMissing}</p>
			{/* the whole page anew: after an update of the firmware its parts have other names */}
			<button type="button" onClick={() => location.reload()}>
				{T.shell.tryAgain}
			</button>
		</div>
	);
}
