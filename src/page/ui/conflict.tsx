/** Somebody else has changed what one is editing: theirs, mine, or a look at what differs first. Nothing is written before the choice. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draft } from "../state/draft";
import { T } from "../texts";

interface Props<V> {
	readonly draft: Draft<V>;
	/** What differs, in a form for people. */
	readonly compare: (mine: V, theirs: V) => ComponentChildren;
	readonly onClose: () => void;
}

/** A dialog with three ways on: take theirs, write mine over it, or compare; closing it leaves the draft as it is. */
export function Conflict<V>({ draft, compare, onClose }: Props<V>) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [shown, setShown] = useState(false);
	useEffect(() => dialog.current?.showModal(), []);
	const { shown: mine, stored: theirs } = draft.state.value;
	const choose = (act: () => void): void => {
		onClose();
		act();
	};
	return (
		<dialog ref={dialog} class="conflict" aria-label={T.draft.movedTitle} onClose={onClose}>
			<h2>{T.draft.movedTitle}</h2>
			<div class="tools">
				<button type="button" onClick={() => choose(() => draft.discard())}>
					{T.draft.theirs}
				</button>
				<button type="button" onClick={() => choose(() => void draft.save(true))}>
					{T.draft.mine}
				</button>
				<button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
					{T.draft.compare}
				</button>
				<button type="button" onClick={onClose}>
					{T.map.cancel}
				</button>
			</div>
			{shown && mine !== undefined && theirs !== undefined && compare(mine, theirs)}
		</dialog>
	);
}
