/** A password, which can be read while it is typed. It is never kept by the browser's own means. */

import { useId, useState } from "preact/hooks";
import { T } from "../texts";

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

/** The field and a button that shows or hides what is typed. Between `min` and `max` characters are wanted, 8 to 64 unless said. */
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
