/** Where two maps differ, as a small picture in numbers beside what was compared. */

import type { LockMap } from "../net/types";
import { shownSpeed, speedUnit } from "../state/speed";
import { T } from "../texts";
import { differences, sameAxes } from "./edit";
import { signed } from "./map-words";

/** @param name of `other`; differences are those of `map` to it, at the cells of `map` */
export function Comparison({ map, other, name }: { map: LockMap; other: LockMap; name: string }) {
	const apart = differences(map, other);
	const count = apart.flat().filter((by) => by !== 0).length;
	return (
		<div class="comparison" role="status">
			<p>{T.map.compared(name, count)}</p>
			{!sameAxes(map, other) && <p class="muted">{T.map.axesDiffer}</p>}
			{count > 0 && (
				<table>
					<thead>
						<tr>
							<th scope="col">{T.map.corner(speedUnit).join(" ")}</th>
							{map.speedBins.map((speed) => (
								<th key={speed} scope="col">
									{shownSpeed(speed)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{apart.map((line, row) => (
							<tr key={row}>
								<th scope="row">{map.throttleBins[row]}</th>
								{line.map((by, column) => (
									<td key={column} class={by > 0 ? "more" : by < 0 ? "less" : ""}>
										{by === 0 ? "" : signed(by)}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			)}
		</div>
	);
}
