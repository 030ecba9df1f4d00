/** The 7 x 9 map: see it, change it, try it, keep it. */

import { useState } from "preact/hooks";
import type { LockMap } from "../net/types";
import { useDraft } from "../state/draft";
import { useRuledText } from "../state/map-name";
import { T } from "../texts";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { Comparison } from "./comparison";
import { HeatMap } from "./heat-map";
import type { Axis } from "./layout";
import { SaveMap } from "./library";
import { mapDraft, useCellKeys } from "./map-draft";
import { AxisEditor, MapTools, type View } from "./map-tools";
import { Surface } from "./surface";

/**
 * The map as table or surface with its tools, what can be saved of it, the stored maps, and the card that
 * tries it.
 */
export function MapPage(_: { part: string }) {
	const { shown, stored } = useDraft(mapDraft);
	const [cells, selectCells] = useState<Set<number>>(new Set());
	const [view, setView] = useState<View>({ surface: false, changes: false, timed: false, area: false });
	const [axis, setAxis] = useState<{ axis: Axis; index: number }>();
	const onKey = useCellKeys(shown, cells);
	const ruled = useRuledText();
	if (shown === undefined) return <SaveBar draft={mapDraft} note={T.shell.loading} verb={T.map.try} compare={comparison} />;
	return (
		<div class="map">
			<div class="map-editor">
				<section class="map-table">
					{view.surface ? (
						<Surface map={shown} />
					) : (
						<HeatMap
							map={shown}
							other={view.changes ? stored : undefined}
							timed={view.timed}
							cells={cells}
							area={view.area}
							onSelect={selectCells}
							onAxis={(which, index) => setAxis({ axis: which, index })}
							onKey={onKey}
						/>
					)}
				</section>
				<section class="map-tools" aria-label={T.map.tools}>
					{axis === undefined ? (
						<MapTools map={shown} cells={cells} onSelect={selectCells} view={view} onView={setView} />
					) : (
						<AxisEditor key={`${axis.axis}${axis.index}`} map={shown} {...axis} onClose={() => setAxis(undefined)} />
					)}
				</section>
				<SaveBar
					draft={mapDraft}
					undo
					compare={comparison}
					verb={T.map.try}
					note={T.draft.active}
					more={<SaveMap />}
					also={cells.size > 0 ? T.map.selected(cells.size) : ruled || T.map.selectFirst}
				/>
			</div>
			<TryCard mode="MAP" inputs={["speed", "throttle"]} changed={stored} />
		</div>
	);
}

function comparison(mine: LockMap, theirs: LockMap) {
	return <Comparison map={mine} other={theirs} name={T.draft.activeOne} />;
}
