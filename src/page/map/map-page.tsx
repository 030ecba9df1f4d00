/** The 7 x 9 map: see it, change it, try it, keep it. */

import { useId, useRef, useState } from "preact/hooks";
import type { LockMap } from "../net/types";
import { useLoaded } from "../state/draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { NumberInput } from "../ui/fields";
import { SaveBar } from "../ui/save-bar";
import { TryCard } from "../ui/try-card";
import { AxisEditor } from "./axis-editor";
import { type Axis, change, interpolate, smooth } from "./edit";
import { HeatMap } from "./heat-map";
import { Library } from "./library";
import { mapDraft } from "./map-draft";
import { Surface } from "./surface";

const DIGIT_PAUSE_MS = 1200;

export function MapPage(_: { part: string }) {
	useLoaded(mapDraft);
	const { shown, stored } = useStore(mapDraft.state);
	const [cells, setCells] = useState<Set<number>>(new Set());
	const [area, setArea] = useState(false);
	const [view, setView] = useState<"table" | "surface">("table");
	const [compared, setCompared] = useState<{ name: string; map: LockMap }>();
	const [axis, setAxis] = useState<{ axis: Axis; index: number }>();
	const setId = useId();
	const typed = useRef({ digits: "", atMs: 0 });

	if (shown === undefined) return <SaveBar draft={mapDraft} note={T.shell.loading} />;
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
			else mapDraft.undo();
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
	const many = cells.size > 1;

	return (
		<div class="map">
			<section class="card map-table">
				<div class="bar">
					<div class="choice" role="group" aria-label={T.map.view}>
						<button type="button" aria-pressed={view === "table"} onClick={() => setView("table")}>
							{T.map.table}
						</button>
						<button type="button" aria-pressed={view === "surface"} onClick={() => setView("surface")}>
							{T.map.surface}
						</button>
					</div>
					<button
						type="button"
						aria-pressed={compared !== undefined && compared.name === ""}
						disabled={stored === undefined}
						onClick={() => setCompared(compared === undefined && stored !== undefined ? { name: "", map: stored } : undefined)}
					>
						{T.map.compare}
					</button>
				</div>
				{compared !== undefined && <p class="muted">{T.map.comparedWith(compared.name)}</p>}
				{view === "surface" ? (
					<Surface map={shown} />
				) : (
					<HeatMap
						map={shown}
						other={compared?.name === "" ? stored : compared?.map}
						cells={cells}
						area={area}
						onSelect={setCells}
						onAxis={(which, index) => setAxis({ axis: which, index })}
						onKey={key}
					/>
				)}
				{axis !== undefined && (
					<AxisEditor key={`${axis.axis}${axis.index}`} map={shown} {...axis} onClose={() => setAxis(undefined)} />
				)}
			</section>
			<section class="card map-tools" aria-label={T.map.tools}>
				<p class="muted">{cells.size === 0 ? T.map.selectFirst : T.map.selected(cells.size)}</p>
				<div class="tools">
					<button type="button" aria-pressed={area} onClick={() => setArea(!area)}>
						{T.map.area}
					</button>
					<button type="button" onClick={() => setCells(new Set(Array.from({ length: 63 }, (_, i) => i)))}>
						{T.map.all}
					</button>
					<button type="button" disabled={cells.size === 0} onClick={() => setCells(new Set())}>
						{T.map.none}
					</button>
				</div>
				<div class="tools steps">
					{[-10, -1, 1, 10].map((step) => (
						<button key={step} type="button" disabled={cells.size === 0} aria-label={T.map.add(step)} onClick={() => add(step)}>
							{step > 0 ? `+${step}` : `−${-step}`}
						</button>
					))}
				</div>
				<label class="field inline" htmlFor={setId}>
					<span>{T.map.set}</span>
					<NumberInput
						id={setId}
						min={0}
						max={100}
						disabled={cells.size === 0}
						value={cells.size === 0 ? "" : common(shown, cells)}
						onChange={(value) => set(value)}
					/>
					<span>{T.units.percent}</span>
				</label>
				<div class="tools">
					<button type="button" disabled={!many} onClick={() => apply(interpolate(shown, cells))}>
						{T.map.interpolate}
					</button>
					<button type="button" disabled={!many} onClick={() => apply(smooth(shown, cells))}>
						{T.map.smooth}
					</button>
					{[0.9, 1.1].map((factor) => (
						<button
							key={factor}
							type="button"
							disabled={cells.size === 0}
							aria-label={T.map.scale(factor)}
							onClick={() => apply(change(shown, cells, (now) => now * factor))}
						>
							{`× ${factor}`}
						</button>
					))}
				</div>
			</section>
			<SaveBar draft={mapDraft} undo note={T.map.inForce} />
			<Library compared={compared} onCompare={setCompared} />
			<TryCard mode="MAP" inputs={["speed", "throttle"]} changed={stored} />
		</div>
	);
}

/** The value that all selected cells have, "" if they differ. */
function common(map: LockMap, cells: ReadonlySet<number>): number | "" {
	const values = new Set([...cells].map((cell) => map.lockTable[Math.floor(cell / 9)]![cell % 9]));
	const [value = ""] = values;
	return values.size === 1 ? value : "";
}
