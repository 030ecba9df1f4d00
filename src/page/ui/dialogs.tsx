/**
 * Sheets over the page, questions before something that can't be taken back, and passwords, which the browser
 * does not keep.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { asking, signIn } from "../net/request";
import { Store, useStore } from "../state/store";
import { T } from "../texts";
import { useAction } from "./notice";

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
	readonly verb: string;
	readonly answer: (sure: boolean) => void;
}

const asked = new Store<Question | undefined>(undefined);

/** Asks the driver. @param verb on the button that does it */
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

interface PasswordProps {
	readonly label: string;
	readonly value: string;
	readonly onInput: (value: string) => void;
	readonly autocomplete: "new-password" | "current-password" | "off";
	/** Characters; 0 = it may be left empty. */
	readonly min?: number;
	readonly max?: number;
	readonly pattern?: string;
	/** Whether it can be read at first: what is typed once, and must be right. */
	readonly shown?: boolean;
}

/** The field and a button that shows or hides what is typed: 8 to 64 characters unless said. */
export function PasswordField({ label, value, onInput, autocomplete, min = 8, max = 64, pattern, shown = false }: PasswordProps) {
	const [readable, setReadable] = useState(shown);
	const id = useId();
	return (
		<div class="tools">
			<label class="field grow" htmlFor={id}>
				<span>{label}</span>
				<input
					id={id}
					// its type knows no choice
					type={(readable ? "text" : "password") as "text"}
					autocomplete={autocomplete}
					autocapitalize="none"
					spellcheck={false}
					required={min > 0}
					minLength={min}
					maxLength={max}
					pattern={pattern}
					title={pattern && label}
					value={value}
					onInput={(event) => onInput(event.currentTarget.value)}
				/>
			</label>
			<button type="button" onClick={() => setReadable(!readable)}>
				{readable ? T.password.hide : T.password.show}
			</button>
		</div>
	);
}

/** Asks for the owner's password while a request needs a key. A wrong one may be tried again. */
export function OwnerDialog() {
	const done = useStore(asking);
	return done === undefined ? null : <OwnerQuestion done={done} />;
}

function OwnerQuestion({ done }: { done: (hasKey: boolean) => void }) {
	const [password, setPassword] = useState("");
	const { busy, problem, run } = useAction();
	const submit = async (): Promise<void> => {
		if (await run(() => signIn(password))) done(true);
	};
	const O = T.owner;
	return (
		<Sheet title={O.title} onClose={() => done(false)}>
			<form
				class="section"
				onSubmit={(event) => {
					event.preventDefault();
					void submit();
				}}
			>
				<h2>{O.title}</h2>
				<p>{O.wanted}</p>
				<PasswordField label={O.password} value={password} onInput={setPassword} autocomplete="current-password" />
				{problem !== "" && (
					<p class="bad" role="alert">
						{problem}
					</p>
				)}
				<div class="tools">
					<button type="submit" class="primary" disabled={busy}>
						{busy ? O.looking : O.signIn}
					</button>
					<button type="button" onClick={() => done(false)}>
						{T.map.cancel}
					</button>
				</div>
				<p class="muted">{T.network.forgotten}</p>
			</form>
		</Sheet>
	);
}
