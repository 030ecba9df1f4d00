/** Save and discard, undo and redo, and what became of the last save. Stays in sight while there is something to save. */

import type { Draft } from "../state/draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { Icon } from "./icon";

export function SaveBar<V>({ draft, undo = false, note = "" }: { draft: Draft<V>; undo?: boolean; note?: string }) {
	const { dirty, saving, lost, moved, problem, canUndo, canRedo, stored } = useStore(draft.state);
	const words = lost ? T.draft.lost : problem !== "" ? problem : moved ? T.draft.moved : dirty ? T.draft.unsaved : note;
	return (
		<div class={`save-bar${dirty ? " dirty" : ""}`} data-test="save-bar">
			<p class={lost || problem !== "" ? "bad" : moved ? "warn" : "muted"} role="status">
				{words}
			</p>
			{undo && (
				<>
					<button type="button" disabled={!canUndo} aria-label={T.draft.undo} title={T.draft.undo} onClick={() => draft.undo()}>
						<Icon name="undo" />
					</button>
					<button type="button" disabled={!canRedo} aria-label={T.draft.redo} title={T.draft.redo} onClick={() => draft.redo()}>
						<Icon name="redo" />
					</button>
				</>
			)}
			{stored === undefined && problem !== "" ? (
				<button type="button" onClick={() => void draft.load()}>
					{T.shell.tryAgain}
				</button>
			) : (
				<>
					<button type="button" disabled={!dirty || saving} onClick={() => draft.discard()}>
						{T.draft.discard}
					</button>
					<button
						type="button"
						class="primary"
						disabled={!dirty || saving || lost}
						aria-busy={saving}
						onClick={() => void draft.save()}
					>
						{saving ? T.draft.saving : T.draft.save}
					</button>
				</>
			)}
		</div>
	);
}
