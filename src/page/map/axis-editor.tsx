/** One value of an axis. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { LockMap } from "../net/types";
import { kmhOf, speedText, speedUnit } from "../state/speed";
import { T } from "../texts";
import { type Axis, SPEED_KMH_MAX, withBin } from "./edit";
import { mapDraft } from "./map-draft";
import { shownBin } from "./map-words";

/** A field for the value at `index` of an axis, in the shown unit. It is taken only if the axis goes on ascending; then the editor closes. */
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
				<button type="submit" class="primary" disabled={next === undefined}>
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
