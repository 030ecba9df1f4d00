/** What is fetched again and again; for lists of it a filter, a pause, and words above them. */

import { useEffect, useState } from "preact/hooks";
import { repeatWhileSeen } from "../net/live";
import { inWords } from "../net/request";
import { T } from "../texts";

interface Watched {
	readonly paused: boolean;
	readonly setPaused: (paused: boolean) => void;
	readonly problem: string;
}

/**
 * Fetches now, when one of `inputs` changes, and every `periodMs` while the page is seen, until paused.
 * @returns problem: what went wrong last, "" = nothing
 */
export function useWatched(load: () => Promise<void>, periodMs: number, inputs: readonly unknown[] = []): Watched {
	const [paused, setPaused] = useState(false);
	const [problem, setProblem] = useState("");
	useEffect(() => {
		if (paused) return;
		return repeatWhileSeen(
			() =>
				load().then(
					() => setProblem(""),
					(error) => setProblem(inWords(error)),
				),
			periodMs,
		);
	}, [...inputs, paused]);
	return { paused, setPaused, problem };
}

/** @returns whether a text has all words of the filter, in lower and upper case alike */
export function matcher(filter: string): (text: string) => boolean {
	const words = filter.toLowerCase().split(/\s+/);
	return (text) => words.every((word) => text.toLowerCase().includes(word));
}

/** A field for the words that `matcher` takes; each letter is told. */
export function Filter({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
	return (
		<label class="field grow">
			<span>{T.can.filter}</span>
			<input type="search" value={filter} onInput={(event) => onFilter(event.currentTarget.value)} />
		</label>
	);
}

/** A button that is pressed while the list stands still. */
export function Pause({ paused, onPause }: { paused: boolean; onPause: (paused: boolean) => void }) {
	return (
		<button type="button" aria-pressed={paused} onClick={() => onPause(!paused)}>
			{T.can.pause}
		</button>
	);
}

/** @param text what is shown, undefined = nothing yet */
export function ListState({ problem, text }: { problem: string; text: string | undefined }) {
	return (
		<p class={problem === "" ? "muted" : "bad"} role="status">
			{problem || (text ?? T.shell.loading)}
		</p>
	);
}
