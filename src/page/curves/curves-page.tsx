/** The three curves: points dragged or typed, with the car's present place on them. */

import { CURVE_POINTS_MAX } from "../../lock/tuning.js";
import type { CurvePoint } from "../net/types";
import { useDraft } from "../state/draft";
import { T } from "../texts";
import { NumberInput } from "../ui/fields";
import { Icon } from "../ui/icon";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { Chart } from "./chart";
import { CURVES, type Curve, curveText, moved, type Scale, withOneMore } from "./curves";

interface Props {
	readonly points: readonly CurvePoint[];
	readonly scale: Scale;
	readonly largest: number;
	readonly onChange: (points: readonly CurvePoint[]) => void;
}

/**
 * The points as fields in the scale's unit and percent. One can be removed while there are two, and one added
 * up to twelve.
 */
function Points({ points, scale, largest, onChange }: Props) {
	const unit = scale.unit();
	const set = (index: number, value: number, which: "x" | "lock"): void => {
		const point = { ...points[index]!, [which]: value };
		onChange(moved(points, index, point.x, point.lock, largest));
	};
	const full = points.length >= CURVE_POINTS_MAX;
	return (
		<>
			<table class="points">
				<thead>
					<tr>
						<th scope="col">{unit}</th>
						<th scope="col">{T.curves.lock}</th>
						<th scope="col">
							<span class="visually-hidden">{T.curves.remove}</span>
						</th>
					</tr>
				</thead>
				<tbody>
					{points.map((point, index) => (
						<tr key={index}>
							{(["x", "lock"] as const).map((which) => (
								<td key={which}>
									<NumberInput
										label={T.curves.cell(index + 1, which === "x" ? unit : T.curves.lock)}
										min={0}
										max={which === "x" ? scale.shown(largest) : 100}
										value={which === "x" ? scale.shown(point.x) : point.lock}
										onChange={(value) => set(index, which === "x" ? scale.kept(value) : value, which)}
									/>
								</td>
							))}
							<td>
								<button
									type="button"
									class="quiet"
									disabled={points.length <= 1}
									aria-label={T.curves.removePoint(index + 1)}
									onClick={() => onChange(points.filter((_, i) => i !== index))}
								>
									<Icon name="close" />
								</button>
							</td>
						</tr>
					))}
				</tbody>
			</table>
			<button type="button" disabled={full} onClick={() => onChange(withOneMore(points, largest))}>
				{full ? T.curves.full(CURVE_POINTS_MAX) : T.curves.addPoint}
			</button>
		</>
	);
}

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
	const { shown, stored, dirty } = useDraft(draft);
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
			<SaveBar draft={draft} undo note={T.draft.active} compare={differing} />
			<TryCard mode={name.toUpperCase()} inputs={[name]} changed={stored} />
		</>
	);
}
