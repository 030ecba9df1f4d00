/** A password, which can be read while it is typed. It is never kept by the browser's own means. */

import { useId, useState } from "preact/hooks";
import { asking, inWords, signIn } from "../net/request";
import { useStore } from "../state/store";
import { T } from "../texts";
import { Sheet } from "./sheet";

interface Props {
	readonly label: string;
	readonly value: string;
	readonly onInput: (value: string) => void;
	readonly autocomplete: "new-password" | "current-password" | "off";
	/** Characters; 0 = it may be left empty. */
	readonly min?: number;
	readonly max?: number;
	/** A regular expression for all of it. */
	readonly pattern?: string;
	/** Whether it can be read at first: what is typed once, and must be right. */
	readonly shown?: boolean;
}

/**
 * The field and a button that shows or hides what is typed. Between `min` and `max` characters are wanted, 8
 * to 64 unless said.
 */
export function PasswordField({ label, value, onInput, autocomplete, min = 8, max = 64, pattern, shown = false }: Props) {
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

/**
 * The dialog, while somebody asks for a key; it tells whether there is one now. A wrong password is said in
 * it, and may be tried again.
 */
export function OwnerDialog() {
	const done = useStore(asking);
	return done === undefined ? null : <Question done={done} />;
}

function Question({ done }: { done: (hasKey: boolean) => void }) {
	const [password, setPassword] = useState("");
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState("");
	const submit = async (): Promise<void> => {
		setBusy(true);
		setProblem("");
		try {
			await signIn(password);
			done(true);
		} catch (error) {
			setProblem(inWords(error));
			setBusy(false);
		}
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
