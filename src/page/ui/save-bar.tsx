/** The state of a draft and its buttons, and the choice where another client has changed the same value. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Draft, DraftState } from "../state/draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { Sheet } from "./dialogs";
import { Icon } from "./icon";
import { notify } from "./notice";

/** Take theirs, write mine over it, or compare. Nothing is written before the choice. */
function Conflict<V>({ draft, compare, onClose }: Pick<Props<V>, "draft" | "compare"> & { onClose: () => void }) {
	const [shown, setShown] = useState(false);
	const { shown: mine, stored: theirs } = draft.state.value;
	const choose = (act: () => void): void => {
		onClose();
		act();
	};
	return (
		<Sheet title={T.draft.movedTitle} onClose={onClose}>
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
		</Sheet>
	);
}

interface Props<V> {
	readonly draft: Draft<V>;
	readonly undo?: boolean;
	/** Words while nothing is to be saved. */
	readonly note?: string;
	readonly verb?: string;
	readonly also?: string;
	readonly more?: ComponentChildren;
	readonly compare: (mine: V, theirs: V) => ComponentChildren;
}

/** What the driver has to know first. @param note while nothing is to be saved */
function messageOf<V>(state: DraftState<V>, note: string): [kind: "bad" | "warn" | "muted", words: string] {
	const { dirty, lost, moved, problem, back } = state;
	if (lost) return ["bad", T.draft.lost];
	if (problem !== "") return ["bad", problem];
	if (moved) return ["warn", T.draft.movedTitle];
	if (back > 0) return ["muted", T.draft.before(back)];
	return ["muted", dirty ? T.draft.unsaved : note];
}

/** The draft's state in words, and its buttons. If another client has changed the value, saving asks. */
export function SaveBar<V>({ draft, undo = false, note = "", verb = T.draft.save, also = "", more, compare }: Props<V>) {
	const [asking, setAsking] = useState(false);
	const save = async (): Promise<void> => {
		if (!(await draft.save()) && draft.state.value.moved) setAsking(true);
	};
	const state = useStore(draft.state);
	const { dirty, saving, lost, problem, canUndo, canRedo, stored } = state;
	const [kind, words] = messageOf(state, note);
	const unread = stored === undefined && problem !== "";
	return (
		<div class={`save-bar${dirty ? " dirty" : ""}`} data-test="save-bar">
			<p class={kind} role="status">
				{words} {also !== "" && <span class="muted">{also}</span>}
			</p>
			{undo && (
				<>
					<Act name={T.draft.undo} may={canUndo} act={() => void draft.undo()}>
						<Icon name="undo" />
					</Act>
					<Act name={T.draft.redo} may={canRedo} act={() => draft.redo()}>
						<Icon name="redo" />
					</Act>
				</>
			)}
			<Act name={T.draft.discard} may={dirty && !saving} act={() => draft.discard()}>
				<Icon name="close" />
			</Act>
			{more}
			{unread ? (
				<Act name={T.shell.tryAgain} may={true} act={() => void draft.load()}>
					<Icon name="again" />
				</Act>
			) : (
				<Act
					name={saving ? T.draft.saving : verb}
					kind="primary"
					may={dirty && !saving && !lost}
					busy={saving}
					act={() => void save()}
				>
					{verb}
				</Act>
			)}
			{asking && <Conflict draft={draft} compare={compare} onClose={() => setAsking(false)} />}
		</div>
	);
}

interface ActProps {
	readonly name: string;
	readonly kind?: string;
	/** Whether touching it does something now. If not, it keeps the focus all the same. */
	readonly may: boolean;
	readonly busy?: boolean;
	readonly act: () => void;
	readonly children: ComponentChildren;
}

function Act({ name, kind, may, busy = false, act, children }: ActProps) {
	return (
		<button
			type="button"
			class={kind}
			aria-disabled={!may}
			aria-busy={busy}
			aria-label={name}
			title={name}
			onClick={() => (may ? act() : notify("bad", busy ? T.draft.saving : T.draft.nothing(name)))}
		>
			{children}
		</button>
	);
}
