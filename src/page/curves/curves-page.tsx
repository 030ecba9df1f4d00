/** The three curves: points dragged or typed, with the car's present place on them. */

import { get, post } from "../net/request";
import type { CurveName, CurvePoint } from "../net/types";
import { Draft, useLoaded } from "../state/draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { Chart } from "./chart";
import { Points } from "./points";

export interface Curve {
	readonly name: CurveName;
	readonly unit: string;
	readonly largest: number;
	readonly draft: Draft<readonly CurvePoint[]>;
}

function curve(name: CurveName, unit: string, largest: number): Curve {
	const path = `/api/curve/${name}`;
	const read = async (): Promise<readonly CurvePoint[]> =>
		(await get<{ points: CurvePoint[] }>(path)).points.map(({ x, lock }) => ({ x, lock }));
	return {
		name,
		unit,
		largest,
		draft: new Draft({
			name,
			revision: `${name}Curve`,
			read,
			write: (points, revision) => post(path, { points, revision }),
		}),
	};
}

const CURVES: readonly Curve[] = [
	curve("speed", T.units.kmh, 300),
	curve("throttle", T.units.percent, 100),
	curve("rpm", T.units.rpm, 10_000),
];

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
	const { draft, name, unit, largest } = curve;
	useLoaded(draft);
	const { shown, stored, dirty } = useStore(draft.state);
	if (shown === undefined) return <SaveBar draft={draft} note={T.shell.loading} />;
	return (
		<>
			<section class="card">
				<p class="muted">{T.curves.hint(T.curves.names[name])}</p>
				<Chart
					points={shown}
					stored={dirty ? stored : undefined}
					unit={unit}
					largest={largest}
					name={name}
					onChange={(points, group) => draft.edit(points, group)}
				/>
			</section>
			<section class="card">
				<Points points={shown} unit={unit} largest={largest} onChange={(points) => draft.edit(points)} />
			</section>
			<SaveBar draft={draft} undo note={T.draft.inForce} />
			<TryCard mode={name.toUpperCase()} inputs={[name]} changed={stored} />
		</>
	);
}
