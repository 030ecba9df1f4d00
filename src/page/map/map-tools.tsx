/** Beside the map: the buttons that show, select and change cells, or the field for one value of an axis. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { MAP_COLUMNS, MAP_ROWS, SPEED_KMH_MAX } from "../../lock/tuning.js";
import type { LockMap } from "../net/types";
import { kmhOf, speedText, speedUnit } from "../state/speed";
import { T } from "../texts";
import { NumberInput } from "../ui/fields";
import { notify } from "../ui/notice";
import { type Cells, change, interpolate, rectangle, smooth, withBin } from "./edit";
import { type Axis, columnOf, rowOf, shownBin } from "./layout";
import { addToCells, mapDraft, setCells } from "./map-draft";

/** The value at `index` of an axis, in the shown unit. It is taken only if the axis goes on ascending. */
export function AxisEditor({ map, axis, index, onClose }: { map: LockMap; axis: Axis; index: number; onClose: () => void }) {
	const [text, setText] = useState(String(shownBin(axis, map[axis][index]!)));
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => input.current?.select(), []);
	const next = text === "" ? undefined : withBin(map, axis, index, axis === "speedBins" ? kmhOf(Number(text)) : Number(text));
	const submit = (event: Event): void => {
		event.preventDefault();
		if (next === undefined) return;
		mapDraft.edit(next);
		onClose();
	};
	return (
		<form class="axis-editor" onSubmit={submit}>
			<div class="tools">
				<label class="field inline">
					<span>{T.map.axis[axis](speedUnit)}</span>
					<input
						ref={input}
						type="number"
						inputMode="numeric"
						value={text}
						aria-invalid={next === undefined}
						onInput={(event) => setText(event.currentTarget.value)}
					/>
				</label>
				<button type="submit" disabled={next === undefined}>
					{T.map.take}
				</button>
				<button type="button" onClick={onClose}>
					{T.map.cancel}
				</button>
			</div>
			<p class={next === undefined ? "bad" : "muted"}>{T.map.ascend(speedText(SPEED_KMH_MAX))}</p>
		</form>
	);
}

/** Switches of the view. */
export interface View {
	readonly surface: boolean;
	readonly changes: boolean;
	readonly timed: boolean;
	/** A finger that is dragged selects. */
	readonly area: boolean;
}

interface Props {
	readonly map: LockMap;
	readonly cells: Cells;
	readonly onSelect: (cells: Set<number>) => void;
	readonly view: View;
	readonly onView: (view: View) => void;
}

/** Buttons that switch the view, select, and change the selected cells, by one step of undo each. */
export function MapTools({ map, cells, onSelect, view, onView }: Props) {
	const some = cells.size > 0;
	const many = cells.size > 1;
	const switches: readonly (readonly [keyof View, string])[] = [
		["surface", T.map.surface],
		["changes", T.map.compare],
		["timed", T.map.stays],
		["area", T.map.area],
	];
	return (
		<div class="tools">
			<div class="group">
				{switches.map(([name, label]) => (
					<button key={name} type="button" aria-pressed={view[name]} onClick={() => onView({ ...view, [name]: !view[name] })}>
						{label}
					</button>
				))}
			</div>
			<div class="group">
				<Tool may act={() => onSelect(rectangle(0, MAP_ROWS * MAP_COLUMNS - 1))}>
					{T.map.all}
				</Tool>
				<Tool may={some} act={() => onSelect(new Set())}>
					{T.map.none}
				</Tool>
			</div>
			<div class="group">
				<NumberInput
					label={T.map.set}
					min={0}
					max={100}
					disabled={!some}
					value={some ? common(map, cells) : ""}
					onChange={(percent) => setCells(map, cells, percent)}
				/>
				<span>{T.units.percent}</span>
			</div>
			<div class="group">
				{[-10, -1, 1, 10].map((step) => (
					<Tool key={step} may={some} name={T.map.add(step)} act={() => addToCells(map, cells, step)}>
						{step > 0 ? `+${step}` : `−${-step}`}
					</Tool>
				))}
			</div>
			<div class="group">
				<Tool may={many} act={() => mapDraft.edit(interpolate(map, cells))}>
					{T.map.interpolate}
				</Tool>
				<Tool may={many} act={() => mapDraft.edit(smooth(map, cells))}>
					{T.map.smooth}
				</Tool>
				{[0.9, 1.1].map((factor) => (
					<Tool
						key={factor}
						may={some}
						name={T.map.scale(factor)}
						act={() => mapDraft.edit(change(map, cells, (now) => now * factor))}
					>
						{`×${factor}`}
					</Tool>
				))}
			</div>
		</div>
	);
}

/** @param props name: where its sign alone does not tell it */
function Tool(props: { may: boolean; name?: string; act: () => void; children: ComponentChildren }) {
	const { may, name, act, children } = props;
	return (
		<button type="button" aria-disabled={!may} aria-label={name} onClick={() => (may ? act() : notify("bad", T.map.selectFirst))}>
			{children}
		</button>
	);
}

/** The value that all selected cells have, "" if they differ. */
function common(map: LockMap, cells: Cells): number | "" {
	const values = new Set([...cells].map((cell) => map.lockTable[rowOf(cell)]![columnOf(cell)]));
	const [value = ""] = values;
	return values.size === 1 ? value : "";
}
