/** Stored maps: what one asks for, as a small picture, and where two differ. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../net/request";
import type { LockMap } from "../net/types";
import { shownSpeed, speedUnit } from "../state/speed";
import { T } from "../texts";
import { differences, sameAxes } from "./edit";
import { signed } from "./layout";
import { MapPicture } from "./map-picture";

/**
 * @param address of the map as JSON
 * @param read counts up when the maps may have changed
 */
export function StoredPicture({ name, address, read }: { name: string; address: string; read: number }) {
	const place = useRef<HTMLDivElement>(null);
	const [map, setMap] = useState<LockMap>();
	useEffect(() => {
		let over = false;
		const watch = new IntersectionObserver(([seen]) => {
			if (!seen?.isIntersecting) return;
			watch.disconnect();
			void get<LockMap>(address).then(
				(found) => !over && setMap(found),
				// the list tells what is wrong
				() => {},
			);
		});
		if (place.current !== null) watch.observe(place.current);
		return () => {
			over = true;
			watch.disconnect();
		};
	}, [address, read]);
	return (
		<div ref={place} class="stored-picture">
			{map !== undefined && <MapPicture map={map} label={T.map.pictureOf(name)} />}
		</div>
	);
}

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
