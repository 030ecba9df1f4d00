/** Somebody else has changed what one is editing: theirs, mine, or a look at what differs first. Nothing is written before the choice. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draft } from "../state/draft";
import { T } from "../texts";

interface Props<V> {
	readonly draft: Draft<V>;
	/** What differs, in a form for people; without one it is told value by value. */
	readonly compare?: ((mine: V, theirs: V) => ComponentChildren) | undefined;
	readonly onClose: () => void;
}

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
			{shown && mine !== undefined && theirs !== undefined && (compare?.(mine, theirs) ?? <Values mine={mine} theirs={theirs} />)}
		</dialog>
	);
}

/** Values that differ, by their names. */
function Values({ mine, theirs }: { mine: unknown; theirs: unknown }) {
	const [a, b] = [flat(mine), flat(theirs)];
	const names = [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
	return (
		<dl class="facts">
			{names.map((name) => [
				<dt key={name}>{name}</dt>,
				<dd key={`${name} value`}>{T.draft.change(a.get(name) ?? "–", b.get(name) ?? "–")}</dd>,
			])}
		</dl>
	);
}

function flat(value: unknown, name = "", into = new Map<string, string>()): Map<string, string> {
	if (typeof value !== "object" || value === null) into.set(name, String(value));
	else
		for (const [key, inner] of Object.entries(value))
			flat(inner, name === "" ? key : `${name} ${Array.isArray(value) ? Number(key) + 1 : key}`, into);
	return into;
}
