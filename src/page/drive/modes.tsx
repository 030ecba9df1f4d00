/** The driver's modes as buttons, the swap of maps, and the vibration when a mode takes effect or is lost. */

import { useState } from "preact/hooks";
import { answers, modeState, stale } from "../net/live";
import { inWords, LinkError, post } from "../net/request";
import type { ModeState } from "../net/types";
import { appliedText, mapNameText } from "../state/map-name";
import { followChange, status } from "../state/status";
import { Store, useStore } from "../state/store";
import { T } from "../texts";
import { Sheet } from "../ui/dialogs";
import { Icon } from "../ui/icon";
import { notify } from "../ui/notice";
import { MODES, useFavourites } from "./mode-names";

/** Not a mode: it swaps the active map with the one before. */
const SWAP = "AB";

type Request = () => Promise<unknown>;

/** The mode that was tapped last, until its request was answered. */
const asked = new Store<string | undefined>(undefined);
let last: Request;
let sending = false;

/**
 * Sends one request at a time: of two underway the first may arrive last. Of those that are tapped meanwhile
 * only the last is sent.
 */
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

/** A button for each mode. One shows as selected when the controller says so. */
function Modes({ shown, onChoice }: { shown: readonly string[]; onChoice?: () => void }) {
	const state = useStore(modeState);
	const tapped = useStore(asked);
	const old = useStore(stale);
	return (
		<fieldset class={`modes${old ? " stale" : ""}${shown.length > 4 ? " many" : ""}`} disabled={state === undefined}>
			<legend class="visually-hidden">{T.drive.mode}</legend>
			{shown.map((mode) => {
				const [label = mode, hint = ""] = T.modes[mode] ?? [];
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
						onClick={() => {
							void send(mode, () => post("/api/mode", { mode }));
							onChoice?.();
						}}
					>
						<b>{label}</b>
						<small>{hint}</small>
					</button>
				);
			})}
		</fieldset>
	);
}

/** The modes that the driver wants under the thumb. */
export function Favourites() {
	return (
		<section class="drive-modes">
			<Modes shown={useFavourites()} />
		</section>
	);
}

/** Opens a sheet of all modes, and shows that one is selected that is no favourite. */
export function AllModes() {
	const favourites = useFavourites();
	const mode = useStore(modeState)?.mode;
	const [open, setOpen] = useState(false);
	const other = mode !== undefined && !favourites.includes(mode);
	const close = (): void => setOpen(false);
	return (
		<>
			<button
				type="button"
				class={`all-modes${other ? " selected" : ""}`}
				aria-haspopup="dialog"
				aria-label={T.drive.allModes}
				title={T.drive.allModes}
				onClick={() => setOpen(true)}
			>
				<Icon name="more" />
			</button>
			{open && (
				<Sheet title={T.drive.allModes} onClose={close}>
					<Modes shown={MODES} onChoice={close} />
					<div class="answers">
						<a class="button" href="#display">
							{T.drive.chooseModes}
						</a>
						<button type="button" onClick={close}>
							{T.shell.dismiss}
						</button>
					</div>
				</Sheet>
			)}
		</>
	);
}

/** Swaps the active map with the one before, whose name it shows. */
export function Swap() {
	const snapshot = useStore(status);
	const tapped = useStore(asked);
	const earlier = snapshot?.earlier;
	const other = earlier !== undefined && earlier.mapName !== null;
	const otherName = other ? mapNameText(earlier) : T.drive.noOther;
	return (
		<button
			type="button"
			class="swap"
			data-mode={SWAP}
			aria-disabled={!other}
			aria-busy={tapped === SWAP}
			title={T.drive.swap}
			onClick={() =>
				other &&
				void send(SWAP, async () => {
					await post("/api/map/swap", { revision: snapshot?.revisions.map });
					notify("good", appliedText(otherName));
				})
			}
		>
			<b>A/B</b>
			<small>{otherName}</small>
		</button>
	);
}

/** One vibration; on, off, on. */
const ACTIVE_MS = 80;
const LOST_MS = [60, 90, 60];

/** Call once, with what the controller tells of its modes. Without a vibrating phone nothing happens. */
export function feelModes(modes: Store<ModeState | undefined>): void {
	let last = modes.value?.effectiveMode;
	modes.follow(() => {
		const { mode, effectiveMode } = modes.value ?? {};
		const known = last !== undefined;
		const changed = effectiveMode !== last;
		last = effectiveMode;
		// browsers complain about a page that was not touched yet
		if (!known || !changed || !navigator.userActivation?.hasBeenActive) return;
		navigator.vibrate?.(effectiveMode === mode ? ACTIVE_MS : LOST_MS);
	});
}
