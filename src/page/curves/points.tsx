/** A curve's points as a table. */

import type { CurvePoint } from "../net/types";
import { T } from "../texts";
import { NumberInput } from "../ui/fields";
import { Icon } from "../ui/icon";
import type { Scale } from "./curves";
import { moved, withOneMore } from "./edit";

/** What the controller takes: `CURVE_POINTS_MAX` in src/lock/tuning.ts. */
const POINTS_MAX = 12;

interface Props {
	readonly points: readonly CurvePoint[];
	readonly scale: Scale;
	readonly largest: number;
	readonly onChange: (points: readonly CurvePoint[]) => void;
}

/** The points as fields in the scale's unit and percent. One can be removed while there are two, and one added up to twelve. */
export function Points({ points, scale, largest, onChange }: Props) {
	const unit = scale.unit();
	const set = (index: number, value: number, which: "x" | "lock"): void => {
		const point = { ...points[index]!, [which]: value };
		onChange(moved(points, index, point.x, point.lock, largest));
	};
	const full = points.length >= POINTS_MAX;
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
				{full ? T.curves.full(POINTS_MAX) : T.curves.addPoint}
			</button>
		</>
	);
}
