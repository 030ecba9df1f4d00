/** The three curves: points dragged or typed, with the car's present place on them. */

import type { CurvePoint } from "../net/types";
import { useLoaded } from "../state/draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { Chart } from "./chart";
import { CURVES, type Curve, curveText } from "./curves";
import { Points } from "./points";

/** One curve, as chart and as table. @param part its name; any other text shows that over speed */
export function CurvesPage({ part }: { part: string }) {
	const chosen = CURVES.find(({ name }) => name === part) ?? CURVES[0]!;
	return (
		<div class="curves">
			<nav class="choice" aria-label={T.pages.curves}>
				{CURVES.map(({ name }) => (
					<a key={name} class="button" href={`#curves/${name}`} aria-current={name === chosen.name ? "true" : undefined}>
						{T.curves.names[name]}
					</a>
				))}
			</nav>
			<Editor key={chosen.name} curve={chosen} />
		</div>
	);
}

function Editor({ curve }: { curve: Curve }) {
	const { draft, name, scale, largest } = curve;
	useLoaded(draft);
	const { shown, stored, dirty } = useStore(draft.state);
	const differing = (mine: readonly CurvePoint[], theirs: readonly CurvePoint[]) => (
		<p>{T.draft.change(curveText(name, mine), curveText(name, theirs))}</p>
	);
	if (shown === undefined) return <SaveBar draft={draft} note={T.shell.loading} compare={differing} />;
	return (
		<>
			<section class="card">
				<Chart
					curve={curve}
					points={shown}
					stored={dirty ? stored : undefined}
					onChange={(points, group) => draft.edit(points, group)}
				/>
				<p class="muted">{T.curves.hint(T.curves.names[name])}</p>
			</section>
			<section class="card">
				<Points points={shown} scale={scale} largest={largest} onChange={(points) => draft.edit(points)} />
			</section>
			<SaveBar draft={draft} undo note={T.draft.inForce} compare={differing} />
			<TryCard mode={name.toUpperCase()} inputs={[name]} changed={stored} />
		</>
	);
}
