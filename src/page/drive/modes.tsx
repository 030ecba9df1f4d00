/** The driver's modes as buttons. A mode shows as selected when the controller says so, not when it was touched. */

import { useState } from "preact/hooks";
import { answers, modeState, stale } from "../net/live";
import { inWords, post } from "../net/request";
import { loadStatus, status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { MODES, modeLabel, SWAP } from "./mode-names";

const ALL: readonly string[] = [...MODES, SWAP];

/** @param shown names of the modes that get a button, and SWAP */
export function Modes({ shown = ALL }: { shown?: readonly string[] }) {
	const state = useStore(modeState);
	const snapshot = useStore(status);
	const [asked, setAsked] = useState<string>();
	const old = useStore(stale);
	const named = snapshot?.earlier.mapName ?? null;
	const other = named !== null;
	const otherName = other ? named || T.drive.other : T.drive.noOther;
	const send = async (asked: string, path: string, body: object, done = ""): Promise<void> => {
		// what is sent into silence may arrive minutes later
		if (!answers()) {
			notify("bad", T.drive.noAnswerNow);
			return;
		}
		setAsked(asked);
		try {
			await post(path, body);
			await loadStatus();
			if (done !== "") notify("good", done);
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
						onClick={() => void send(mode, "/api/mode", { mode })}
					>
						<b>{label}</b>
						<small>{hint}</small>
					</button>
				);
			})}
			{shown.includes(SWAP) && (
				<button
					type="button"
					class={`mode${asked === SWAP ? " asked" : ""}`}
					data-mode={SWAP}
					aria-disabled={!other}
					aria-busy={asked === SWAP}
					title={T.drive.swap}
					onClick={() =>
						other && void send(SWAP, "/api/map/swap", { revision: snapshot?.revisions.map }, T.map.loaded(otherName))
					}
				>
					<b>{modeLabel(SWAP)}</b>
					<small>{otherName}</small>
				</button>
			)}
		</fieldset>
	);
}
