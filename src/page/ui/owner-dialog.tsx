/** Asks for the owner's password when something is to be changed and this device has no key yet. */

import { useEffect, useRef, useState } from "preact/hooks";
import { asking } from "../net/owner";
import { inWords, signIn } from "../net/request";
import { useStore } from "../state/store";
import { T } from "../texts";
import { PasswordField } from "./password-field";

/** The dialog, while somebody asks for a key; it tells whether there is one now. A wrong password is said in it, and may be tried again. */
export function OwnerDialog() {
	const done = useStore(asking);
	return done === undefined ? null : <Question done={done} />;
}

function Question({ done }: { done: (hasKey: boolean) => void }) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [password, setPassword] = useState("");
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState("");
	useEffect(() => dialog.current?.showModal(), []);
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
		<dialog ref={dialog} class="conflict" aria-label={O.title} onClose={() => done(false)}>
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
		</dialog>
	);
}
