/** The 7 x 9 map: see it, change it, try it, keep it. */

import { useRef, useState } from "preact/hooks";
import type { LockMap } from "../net/types";
import { useLoaded } from "../state/draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { NumberInput } from "../ui/fields";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { AxisEditor } from "./axis-editor";
import { Comparison } from "./comparison";
import { type Axis, change, columnOf, interpolate, rectangle, rowOf, smooth } from "./edit";
import { HeatMap } from "./heat-map";
import { Library } from "./library";
import { COLUMNS, mapDraft, ROWS } from "./map-draft";
import { Surface } from "./surface";

const DIGIT_PAUSE_MS = 1200;

export function MapPage(_: { part: string }) {
	useLoaded(mapDraft);
	const { shown, stored } = useStore(mapDraft.state);
	const [cells, setCells] = useState<Set<number>>(new Set());
	const [area, setArea] = useState(false);
	const [view, setView] = useState<"table" | "surface">("table");
	const [changes, setChanges] = useState(false);
	const [timed, setTimed] = useState(false);
	const [axis, setAxis] = useState<{ axis: Axis; index: number }>();
	const typed = useRef({ digits: "", atMs: 0 });

	if (shown === undefined) return <SaveBar draft={mapDraft} note={T.shell.loading} verb={T.map.try} compare={comparison} />;
	const apply = (next: LockMap, group = ""): void => mapDraft.edit(next, group);
	const add = (step: number): void =>
		apply(
			change(shown, cells, (now) => now + step),
			`add ${[...cells].join()}`,
		);
	const set = (value: number, group = ""): void =>
		apply(
			change(shown, cells, () => value),
			group,
		);
	const key = (event: KeyboardEvent): void => {
		if ((event.ctrlKey || event.metaKey) && (event.key === "z" || event.key === "y")) {
			event.preventDefault();
			if (event.key === "y" || event.shiftKey) mapDraft.redo();
			else void mapDraft.undo();
		} else if (event.ctrlKey || event.metaKey || event.altKey || cells.size === 0) return;
		else if (/^\d$/.test(event.key)) {
			const again = event.timeStamp - typed.current.atMs < DIGIT_PAUSE_MS ? typed.current.digits : "";
			const digits = Number(again + event.key) > 100 ? event.key : again + event.key;
			typed.current = { digits, atMs: event.timeStamp };
			set(Number(digits), `type ${[...cells].join()}`);
		} else if (event.key === "+" || event.key === "-") add(event.key === "+" ? 1 : -1);
		else if (event.key === "Delete" || event.key === "Backspace") set(0);
		else if (event.key === "i") apply(interpolate(shown, cells));
		else if (event.key === "s") apply(smooth(shown, cells));
	};
	const some = cells.size > 0;
	const many = cells.size > 1;

	return (
		<div class="map">
			<div class="map-editor">
				<section class="map-table">
					{view === "surface" ? (
						<Surface map={shown} />
					) : (
						<HeatMap
							map={shown}
							other={changes ? stored : undefined}
							timed={timed}
							cells={cells}
							area={area}
							onSelect={setCells}
							onAxis={(which, index) => setAxis({ axis: which, index })}
							onKey={key}
						/>
					)}
				</section>
				<section class="map-tools" aria-label={T.map.tools}>
					{axis === undefined ? (
						<div class="tools">
							<div class="group">
								<button
									type="button"
									aria-pressed={view === "surface"}
									onClick={() => setView(view === "table" ? "surface" : "table")}
								>
									{T.map.surface}
								</button>
								<button type="button" aria-pressed={changes} onClick={() => setChanges(!changes)}>
									{T.map.compare}
								</button>
								<button type="button" aria-pressed={timed} onClick={() => setTimed(!timed)}>
									{T.map.stays}
								</button>
								<button type="button" aria-pressed={area} onClick={() => setArea(!area)}>
									{T.map.area}
								</button>
							</div>
							<div class="group">
								<button type="button" onClick={() => setCells(rectangle(0, ROWS * COLUMNS - 1))}>
									{T.map.all}
								</button>
								<button type="button" aria-disabled={!some} onClick={() => setCells(new Set())}>
									{T.map.none}
								</button>
							</div>
							<div class="group">
								<NumberInput
									label={T.map.set}
									min={0}
									max={100}
									disabled={!some}
									value={some ? common(shown, cells) : ""}
									onChange={(value) => set(value)}
								/>
								<span>{T.units.percent}</span>
							</div>
							<div class="group">
								{[-10, -1, 1, 10].map((step) => (
									<button
										key={step}
										type="button"
										aria-disabled={!some}
										aria-label={T.map.add(step)}
										onClick={() => some && add(step)}
									>
										{step > 0 ? `+${step}` : `−${-step}`}
									</button>
								))}
							</div>
							<div class="group">
								<button type="button" aria-disabled={!many} onClick={() => many && apply(interpolate(shown, cells))}>
									{T.map.interpolate}
								</button>
								<button type="button" aria-disabled={!many} onClick={() => many && apply(smooth(shown, cells))}>
									{T.map.smooth}
								</button>
								{[0.9, 1.1].map((factor) => (
									<button
										key={factor}
										type="button"
										aria-disabled={!some}
										aria-label={T.map.scale(factor)}
										onClick={() => some && apply(change(shown, cells, (now) => now * factor))}
									>
										{`×${factor}`}
									</button>
								))}
							</div>
						</div>
					) : (
						<AxisEditor key={`${axis.axis}${axis.index}`} map={shown} {...axis} onClose={() => setAxis(undefined)} />
					)}
				</section>
				<SaveBar
					draft={mapDraft}
					undo
					compare={comparison}
					verb={T.map.try}
					note={T.draft.inForce}
					also={some ? T.map.selected(cells.size) : T.map.selectFirst}
				/>
			</div>
			<Library />
			<TryCard mode="MAP" inputs={["speed", "throttle"]} changed={stored} />
		</div>
	);
}

function comparison(mine: LockMap, theirs: LockMap) {
	return <Comparison map={mine} other={theirs} name={T.draft.inForceNow} />;
}

/** The value that all selected cells have, "" if they differ. */
function common(map: LockMap, cells: ReadonlySet<number>): number | "" {
	const values = new Set([...cells].map((cell) => map.lockTable[rowOf(cell)]![columnOf(cell)]));
	const [value = ""] = values;
	return values.size === 1 ? value : "";
}
