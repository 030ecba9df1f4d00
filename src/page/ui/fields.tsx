/** Labelled fields. */

import type { ComponentChildren } from "preact";

interface Base {
	readonly label: string;
	readonly hint?: string;
}

function Hint({ hint }: { hint: string | undefined }) {
	return hint === undefined ? null : <small class="muted hint">{hint}</small>;
}

export function NumberField(
	props: Base & { value: number; min: number; max: number; unit: string; onChange: (value: number) => void },
) {
	const { label, hint, value, min, max, unit, onChange } = props;
	const change = (input: HTMLInputElement): void => {
		if (input.value !== "") onChange(Math.min(max, Math.max(min, Number(input.value))));
		input.value = String(value);
	};
	return (
		<label class="field setting">
			<span>{label}</span>
			<span class="with-unit">
				<input
					type="number"
					inputMode="decimal"
					min={min}
					max={max}
					value={value}
					onChange={(event) => change(event.currentTarget)}
				/>
				{unit}
			</span>
			<Hint hint={hint} />
		</label>
	);
}

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

export function Section({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) {
	return (
		<section class="card section">
			<h2>{title}</h2>
			{hint !== undefined && <p class="muted">{hint}</p>}
			{children}
		</section>
	);
}
