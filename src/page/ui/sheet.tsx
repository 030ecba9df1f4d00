/** Sheets: what a button opens over the page, and questions before something that can't be taken back. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Store, useStore } from "../state/store";
import { T } from "../texts";

interface Props {
	readonly title: string;
	readonly onClose: () => void;
	readonly children: ComponentChildren;
}

/** A dialog at the lower edge, where the thumb is. Escape, and a touch beside it, close it. */
export function Sheet({ title, onClose, children }: Props) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog
			ref={dialog}
			class="sheet"
			aria-label={title}
			onClose={onClose}
			onClick={(event) => event.target === dialog.current && onClose()}
		>
			<div class="sheet-content">{children}</div>
		</dialog>
	);
}

interface Question {
	readonly text: string;
	/** What is done then: a verb. */
	readonly verb: string;
	readonly answer: (sure: boolean) => void;
}

const asked = new Store<Question | undefined>(undefined);

/**
 * Asks the driver.
 * @param verb on the button that does it
 * @returns whether it is to be done
 */
export function isSure(text: string, verb: string): Promise<boolean> {
	asked.value?.answer(false);
	return new Promise((resolve) => asked.set({ text, verb, answer: resolve }));
}

/** The question, while there is one. */
export function Questions() {
	const question = useStore(asked);
	if (question === undefined) return null;
	const { text, verb, answer } = question;
	const say = (sure: boolean): void => {
		asked.set(undefined);
		answer(sure);
	};
	return (
		<Sheet key={text} title={text} onClose={() => say(false)}>
			<p>{text}</p>
			<div class="answers" data-test="question">
				<button type="button" onClick={() => say(false)}>
					{T.map.cancel}
				</button>
				<button type="button" class="primary" onClick={() => say(true)}>
					{verb}
				</button>
			</div>
		</Sheet>
	);
}
