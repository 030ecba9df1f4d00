/** Modes that the driver has chosen, in the order in which he has. */

import { modeLabel } from "../drive/mode-names";

interface Props {
	readonly label: string;
	/** All that there are. */
	readonly modes: readonly string[];
	readonly chosen: readonly string[];
	readonly least: number;
	readonly most: number;
	/** Told of what is chosen then. */
	readonly onChange: (chosen: readonly string[], mode: string) => void;
}

/** A button for each mode, pressed if it is chosen. One more or less is told only while `least`..`most` remain chosen. */
export function ModesField({ label, modes, chosen, least, most, onChange }: Props) {
	const toggle = (mode: string): void => {
		const others = chosen.filter((name) => name !== mode);
		const next = others.length < chosen.length ? others : [...chosen, mode];
		if (next.length >= least && next.length <= most) onChange(next, mode);
	};
	return (
		<fieldset class="full-choice">
			<legend>{label}</legend>
			{modes.map((mode) => {
				const on = chosen.includes(mode);
				return (
					<button
						key={mode}
						type="button"
						aria-pressed={on}
						aria-disabled={chosen.length === (on ? least : most)}
						data-favourite={mode}
						onClick={() => toggle(mode)}
					>
						{modeLabel(mode)}
					</button>
				);
			})}
		</fieldset>
	);
}
