/** Who may change this controller: everybody in its network, or whoever knows the owner's password. */

import { useEffect, useState } from "preact/hooks";
import { get, hasKey, inWords, keepKey, setOwnerPassword } from "../net/request";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { PasswordField } from "../ui/owner-dialog";
import { isSure } from "../ui/sheet";

/**
 * Sets, changes and removes the owner's password, and signs this device out. Nothing until it is known
 * whether there is one.
 */
export function OwnerForm() {
	const [isSet, setIsSet] = useState<boolean>();
	const [password, setPassword] = useState("");
	const [busy, setBusy] = useState(false);
	const read = async (): Promise<void> => setIsSet((await get<{ passwordSet: boolean }>("/api/owner")).passwordSet);
	useEffect(() => void read().catch(() => {}), []);
	const change = async (next: string): Promise<void> => {
		setBusy(true);
		try {
			await setOwnerPassword(next);
			setPassword("");
			notify("good", T.draft.saved);
		} catch (error) {
			notify("bad", inWords(error));
		}
		await read().catch(() => {});
		setBusy(false);
	};
	const O = T.owner;
	if (isSet === undefined) return null;
	return (
		<form
			class="card section"
			data-test="owner"
			onSubmit={(event) => {
				event.preventDefault();
				void change(password);
			}}
		>
			<h2>{O.title}</h2>
			<p class={isSet ? "muted" : "warn"}>{isSet ? O.isSet : O.isNotSet}</p>
			<PasswordField label={O.newPassword} value={password} onInput={setPassword} autocomplete="new-password" />
			<div class="tools">
				<button type="submit" disabled={busy || password === ""}>
					{O.set}
				</button>
				{isSet && (
					<button
						type="button"
						class="danger"
						disabled={busy}
						onClick={async () => (await isSure(O.removeSure, O.remove)) && void change("")}
					>
						{O.remove}
					</button>
				)}
				{isSet && hasKey() && (
					<button
						type="button"
						disabled={busy}
						onClick={() => {
							keepKey(undefined);
							void read().catch(() => {});
							notify("good", O.signedOut);
						}}
					>
						{O.signOut}
					</button>
				)}
			</div>
		</form>
	);
}
