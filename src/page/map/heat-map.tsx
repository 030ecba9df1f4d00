/**
 * The table as a heat map. On a phone it stands upright (pedal across, speed down), so that each cell is 44
 * px wide.
 */

import type { LockMap } from "../net/types";
import { speedText, speedUnit } from "../state/speed";
import { T } from "../texts";
import { type Cells, differences, useSecondsPerCell } from "./edit";
import { useSelection } from "./heat-selection";
import { type Axis, binText, columnOf, heat, rowOf, shownBin, signed, useLayout } from "./layout";
import { ClosedGate, LiveTrail, OperatingPoint } from "./map-picture";

interface Props {
	readonly map: LockMap;
	readonly other: LockMap | undefined;
	/** Shows how long the drive has been in each cell. */
	readonly timed: boolean;
	readonly cells: Cells;
	/** A finger that is dragged selects. */
	readonly area: boolean;
	readonly onSelect: (cells: Set<number>) => void;
	readonly onAxis: (axis: Axis, index: number) => void;
	/** Digits, signs and the like that are typed over cells. */
	readonly onKey: (event: KeyboardEvent) => void;
}

/** All cells, coloured by their lock. It selects by touch, pointer and keys and tells the new selection. */
export function HeatMap({ map, other, timed, cells, area, onSelect, onAxis, onKey }: Props) {
	const layout = useLayout();
	const seconds = useSecondsPerCell(map, timed);
	const { grid, focus, setFocus, pointer, onCellClick, onKeyDown } = useSelection({ layout, cells, area, onSelect, onKey });
	const apart = other && differences(map, other);
	const { upright, perLine, above, beside } = layout;
	const corner = upright ? T.map.cornerUpright : T.map.corner;
	return (
		<div class={`heat${area ? " area" : ""}${upright ? " upright" : ""}`}>
			<div
				ref={grid}
				class="heat-grid"
				role="grid"
				aria-label={T.map.grid}
				aria-multiselectable="true"
				style={{ "--per-line": perLine }}
				onKeyDown={onKeyDown}
				{...pointer}
			>
				<div role="row" class="heat-row">
					<span role="columnheader" class="heat-corner">
						{corner(speedUnit).map((words) => (
							<span key={words}>{words}</span>
						))}
					</span>
					{map[above].map((bin, i) => (
						<Head key={i} role="columnheader" axis={above} bin={bin} spot={`-1 ${i}`} onClick={() => onAxis(above, i)} />
					))}
				</div>
				{map[beside].map((bin, line) => (
					<div key={line} role="row" class="heat-row">
						<Head role="rowheader" axis={beside} bin={bin} spot={`${line} -1`} onClick={() => onAxis(beside, line)} />
						{Array.from({ length: perLine }, (_, i) => {
							const cell = layout.cellOf(line, i);
							return (
								<Cell
									key={cell}
									map={map}
									cell={cell}
									by={apart?.[rowOf(cell)]?.[columnOf(cell)] ?? 0}
									seconds={Math.round(seconds?.[cell] ?? 0)}
									focused={cell === focus}
									selected={cells.has(cell)}
									onClick={(event) => onCellClick(event, cell)}
									onFocus={() => setFocus(cell)}
								/>
							);
						})}
					</div>
				))}
				<ClosedGate map={map} layout={layout} lead={1} />
				<LiveTrail map={map} layout={layout} lead={1} />
				<OperatingPoint map={map} layout={layout} lead={1} />
			</div>
		</div>
	);
}

/** A value of an axis. @param props spot: see `Spot` */
function Head(props: { role: "columnheader" | "rowheader"; axis: Axis; bin: number; spot: string; onClick: () => void }) {
	const { role, axis, bin, spot, onClick } = props;
	return (
		<span role={role} class="heat-head">
			<button
				type="button"
				tabIndex={-1}
				data-head={spot}
				aria-label={T.map.axisValue[axis](binText(axis, bin))}
				onClick={onClick}
			>
				{shownBin(axis, bin)}
			</button>
		</span>
	);
}

interface CellProps {
	readonly map: LockMap;
	readonly cell: number;
	/** Difference from the other map, percent; 0 if there is none. */
	readonly by: number;
	/** How long the drive was there, 0 = not shown. */
	readonly seconds: number;
	readonly focused: boolean;
	readonly selected: boolean;
	readonly onClick: (event: MouseEvent) => void;
	readonly onFocus: () => void;
}

/** Its name has all that is read in it: what the drawing shows beside the lock is no text of its own. */
function Cell({ map, cell, by, seconds, focused, selected, onClick, onFocus }: CellProps) {
	const lockPercent = map.lockTable[rowOf(cell)]![columnOf(cell)]!;
	const name = [T.map.cell(lockPercent, speedText(map.speedBins[columnOf(cell)]!), map.throttleBins[rowOf(cell)]!)];
	if (seconds > 0) name.push(T.map.stay(seconds));
	if (by !== 0) name.push(signed(by));
	return (
		<div
			role="gridcell"
			class={`cell${lockPercent < 35 ? " low" : lockPercent < 65 ? "" : " high"}${by === 0 ? "" : " moved"}`}
			style={{ "--cell": `var(--${heat(lockPercent)})` }}
			data-cell={cell}
			tabIndex={focused ? 0 : -1}
			aria-selected={selected}
			aria-label={name.join(", ")}
			onClick={onClick}
			onFocus={onFocus}
		>
			<b>{lockPercent}</b>
			{seconds > 0 && <small class="stay" data-text={`${seconds} s`} />}
			{by !== 0 && <small data-text={signed(by)} />}
		</div>
	);
}
