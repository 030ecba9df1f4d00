/** Labelled fields. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { kmhOf, shownSpeed, speedUnit } from "../state/speed";

/** What the controller takes for any speed: src/settings/settings-table.ts. */
const SPEED_KMH_MAX = 300;

interface Base {
	readonly label: string;
	readonly hint?: string;
}

function Hint({ hint }: { hint: string | undefined }) {
	return hint === undefined ? null : <small class="muted hint">{hint}</small>;
}

interface NumberInputProps {
	/** "" = none. */
	readonly value: number | "";
	readonly min: number;
	readonly max: number;
	/** For its label. */
	readonly id?: string;
	readonly label?: string;
	readonly disabled?: boolean;
	readonly onChange: (value: number) => void;
}

/** A number that counts when it was typed to its end, held within its range. What is being typed outlives each drawing. */
export function NumberInput({ value, min, max, id, label, disabled = false, onChange }: NumberInputProps) {
	const [typed, setTyped] = useState<string>();
	const take = (text: string): void => {
		setTyped(undefined);
		if (text !== "") onChange(Math.min(max, Math.max(min, Number(text))));
	};
	return (
		<input
			id={id}
			type="number"
			inputMode="decimal"
			min={min}
			max={max}
			step="any"
			disabled={disabled}
			aria-label={label}
			value={typed ?? value}
			onInput={(event) => setTyped(event.currentTarget.value)}
			onChange={(event) => take(event.currentTarget.value)}
			onBlur={() => setTyped(undefined)}
		/>
	);
}

/** A labelled number, min..max, with its unit behind it, "" = none. Told once it was typed to its end. */
export function NumberField(
	props: Base & { value: number; min: number; max: number; unit: string; onChange: (value: number) => void },
) {
	const { label, hint, value, min, max, unit, onChange } = props;
	const id = useId();
	return (
		<label class="field setting number" htmlFor={id}>
			<span>{label}</span>
			<span class={unit === "" ? "with-unit bare" : "with-unit"}>
				<NumberInput id={id} value={value} min={min} max={max} onChange={onChange} />
				{unit !== "" && <span>{unit}</span>}
			</span>
			<Hint hint={hint} />
		</label>
	);
}

/** @param value km/h, 0..300 */
export function SpeedField({ value, onChange, ...label }: Base & { value: number; onChange: (speedKmh: number) => void }) {
	const range = { min: 0, max: shownSpeed(SPEED_KMH_MAX), unit: speedUnit };
	return <NumberField {...label} {...range} value={shownSpeed(value)} onChange={(shown) => onChange(kmhOf(shown))} />;
}

/** A box to tick, with its label behind it; each tick is told at once. */
export function CheckField({ label, hint, value, onChange }: Base & { value: boolean; onChange: (value: boolean) => void }) {
	return (
		<label class="check">
			<input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
			<span>
				{label}
				<Hint hint={hint} />
			</span>
		</label>
	);
}

/** A list to choose one of. @param props options are pairs of value and words */
export function SelectField(
	props: Base & { value: string; options: readonly (readonly [string, string])[]; onChange: (value: string) => void },
) {
	const { label, hint, value, options, onChange } = props;
	return (
		<label class="field setting">
			<span>{label}</span>
			<select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
				{options.map(([name, text]) => (
					<option key={name} value={name}>
						{text}
					</option>
				))}
			</select>
			<Hint hint={hint} />
		</label>
	);
}

/** A card with a title, a hint below it, and what belongs to both. */
export function Section({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) {
	return (
		<section class="card section">
			<h2>{title}</h2>
			{hint !== undefined && <p class="muted">{hint}</p>}
			{children}
		</section>
	);
}
