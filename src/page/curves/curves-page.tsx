/** The three curves: points dragged or typed, with the car's present place on them. */

import { get, post } from "../net/request";
import type { CurveName, CurvePoint } from "../net/types";
import { Draft, useLoaded } from "../state/draft";
import { kmhOf, shownSpeed, speedUnit } from "../state/speed";
import { useStore } from "../state/store";
import { T } from "../texts";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { Chart } from "./chart";
import { Points } from "./points";

/** How values across are shown and typed. */
export interface Scale {
	readonly unit: () => string;
	/** Whole. */
	readonly shown: (value: number) => number;
	readonly kept: (shown: number) => number;
}

export interface Curve {
	readonly name: CurveName;
	readonly scale: Scale;
	readonly largest: number;
	readonly draft: Draft<readonly CurvePoint[]>;
}

function curve(name: CurveName, scale: Scale, largest: number): Curve {
	const path = `/api/curve/${name}`;
	const read = async (before: number): Promise<readonly CurvePoint[]> =>
		(await get<{ points: CurvePoint[] }>(`${path}?before=${before}`)).points.map(({ x, lock }) => ({ x, lock }));
	return {
		name,
		scale,
		largest,
		draft: new Draft({
			name,
			revision: `${name}Curve`,
			read: () => read(0),
			earlier: read,
			fits: (points) => points.length > 0,
			write: (points, revision) => post(path, { points, revision }),
		}),
	};
}

const same = (value: number): number => value;

const CURVES: readonly Curve[] = [
	curve("speed", { unit: () => speedUnit, shown: shownSpeed, kept: kmhOf }, 300),
	curve("throttle", { unit: () => T.units.percent, shown: same, kept: same }, 100),
	curve("rpm", { unit: () => T.units.rpm, shown: same, kept: same }, 10_000),
];

/** Its points, for people. */
export function curveText(name: CurveName, points: readonly CurvePoint[]): string {
	const { scale } = CURVES.find((curve) => curve.name === name)!;
	return points.map(({ x, lock }) => `${scale.shown(x)} ${scale.unit()}: ${lock} %`).join(", ");
}

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
					points={shown}
					stored={dirty ? stored : undefined}
					scale={scale}
					largest={largest}
					name={name}
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
