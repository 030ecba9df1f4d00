/** The driver's modes as buttons. A mode shows as selected when the controller says so, not when it was touched. */

import { answers, modeState, stale } from "../net/live";
import { inWords, LinkError, post } from "../net/request";
import { mapNameText } from "../state/map-name";
import { followChange, status } from "../state/status";
import { Store, useStore } from "../state/store";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { MODES, modeLabel, SWAP } from "./mode-names";

const ALL: readonly string[] = [...MODES, SWAP];

type Request = () => Promise<unknown>;

/** The mode that was tapped last, until its request was answered. */
const asked = new Store<string | undefined>(undefined);
let last: Request;
let sending = false;

/** Sends one request at a time: of two underway the first may arrive last. Of those that are tapped meanwhile only the last is sent. */
async function send(mode: string, request: Request): Promise<void> {
	asked.set(mode);
	last = request;
	if (sending) return;
	sending = true;
	let sent: Request | undefined;
	// what is sent into silence may arrive minutes later
	let heard = answers();
	while (heard && sent !== last) {
		sent = last;
		try {
			await sent();
		} catch (error) {
			notify("bad", error instanceof LinkError ? T.drive.mayArrive : inWords(error));
			heard = answers();
		}
	}
	sending = false;
	if (sent !== last) notify("bad", T.drive.noAnswerNow);
	if (heard) await followChange();
	if (!sending) asked.set(undefined);
}

/** @param shown names of the modes that get a button, and SWAP */
export function Modes({ shown = ALL }: { shown?: readonly string[] }) {
	const state = useStore(modeState);
	const snapshot = useStore(status);
	const tapped = useStore(asked);
	const old = useStore(stale);
	const earlier = snapshot?.earlier;
	const other = earlier !== undefined && earlier.mapName !== null;
	const otherName = other ? mapNameText(earlier) : T.drive.noOther;
	return (
		<fieldset class={`modes${old ? " stale" : ""}`} disabled={state === undefined}>
			<legend class="visually-hidden">{T.drive.mode}</legend>
			{MODES.filter((mode) => shown.includes(mode)).map((mode) => {
				const [label = mode, words = ""] = T.modes[mode] ?? [];
				const hint = mode === "MAP" && snapshot !== undefined ? mapNameText(snapshot) : words;
				const selected = state?.mode === mode;
				const waiting = state?.effectiveMode === mode ? "" : " waiting";
				return (
					<button
						key={mode}
						type="button"
						class={`mode${selected ? ` selected${waiting}` : ""}`}
						data-mode={mode}
						aria-pressed={selected}
						aria-busy={tapped === mode}
						onClick={() => void send(mode, () => post("/api/mode", { mode }))}
					>
						<b>{label}</b>
						<small>{hint}</small>
					</button>
				);
			})}
			{shown.includes(SWAP) && (
				<button
					type="button"
					class="mode"
					data-mode={SWAP}
					aria-disabled={!other}
					aria-busy={tapped === SWAP}
					title={T.drive.swap}
					onClick={() =>
						other &&
						void send(SWAP, async () => {
							await post("/api/map/swap", { revision: snapshot?.revisions.map });
							notify("good", T.map.applied(otherName));
						})
					}
				>
					<b>{modeLabel(SWAP)}</b>
					<small>{otherName}</small>
				</button>
			)}
		</fieldset>
	);
}
