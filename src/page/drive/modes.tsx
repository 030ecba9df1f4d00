/** The driver's modes as buttons. A mode shows as selected when the controller says so, not when it was touched. */

import { useState } from "preact/hooks";
import { answers, modeState, stale } from "../net/live";
import { inWords, post } from "../net/request";
import { loadStatus, status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { notify } from "../ui/notice";

export const MODES: readonly string[] = [
	"STOCK",
	"MAP",
	"SPEED",
	"THROTTLE",
	"RPM",
	"FWD",
	"9010",
	"8020",
	"7030",
	"6040",
	"5050",
];

/** @param shown names of the modes that get a button */
export function Modes({ shown = MODES }: { shown?: readonly string[] }) {
	const live = useStore(modeState);
	const snapshot = useStore(status);
	const [asked, setAsked] = useState<string>();
	const state = live ?? snapshot;
	const old = useStore(stale);
	const select = async (mode: string): Promise<void> => {
		// what is sent into silence may arrive minutes later
		if (!answers()) {
			notify("bad", T.drive.noAnswerNow);
			return;
		}
		setAsked(mode);
		try {
			await post("/api/mode", { mode });
			modeState.set(await loadStatus());
		} catch (error) {
			notify("bad", inWords(error));
		} finally {
			setAsked(undefined);
		}
	};
	return (
		<fieldset class={`modes${old ? " stale" : ""}`} disabled={state === undefined}>
			<legend class="visually-hidden">{T.drive.mode}</legend>
			{MODES.filter((mode) => shown.includes(mode)).map((mode) => {
				const [label = mode, hint = ""] = T.modes[mode] ?? [];
				const selected = state?.mode === mode;
				const inForce = selected && state?.effectiveMode === mode;
				return (
					<button
						key={mode}
						type="button"
						class={`mode${selected ? (inForce ? " selected" : " selected waiting") : ""}${asked === mode ? " asked" : ""}`}
						data-mode={mode}
						aria-pressed={selected}
						aria-busy={asked === mode}
						onClick={() => void select(mode)}
					>
						<b>{label}</b>
						<small>{hint}</small>
					</button>
				);
			})}
		</fieldset>
	);
}

/** A mode's name for people. */
export function modeLabel(mode: string): string {
	return T.modes[mode]?.[0] ?? mode;
}
