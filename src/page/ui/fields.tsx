/** Labelled fields, and files that are read and given away. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { SPEED_KMH_MAX } from "../../lock/tuning.js";
import { modeLabel } from "../drive/mode-names";
import { chooseLanguage, LANGUAGES, type Language, language } from "../state/language";
import { chooseSpeedUnit, kmhOf, SPEED_UNITS, type SpeedUnit, shownSpeed, speedUnit } from "../state/speed";
import { T } from "../texts";

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
	readonly id?: string;
	readonly label?: string;
	readonly disabled?: boolean;
	/** Told with each digit, if it is within its range then. */
	readonly live?: boolean;
	readonly onChange: (value: number) => void;
}

/** A number within its range. It counts when it was typed to its end, and outlives each drawing. */
export function NumberInput({ value, min, max, id, label, disabled = false, live = false, onChange }: NumberInputProps) {
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
			onInput={({ currentTarget: { value: text } }) => {
				setTyped(text);
				if (live && text !== "" && Number(text) >= min && Number(text) <= max) onChange(Number(text));
			}}
			onChange={(event) => take(event.currentTarget.value)}
			onBlur={() => setTyped(undefined)}
		/>
	);
}

/** A labelled number, told with each digit, so that it can be saved while it is typed. */
export function NumberField(
	props: Base & { value: number; min: number; max: number; unit: string; onChange: (value: number) => void },
) {
	const { label, hint, value, min, max, unit, onChange } = props;
	const id = useId();
	return (
		<label class="field setting number" htmlFor={id}>
			<span>{label}</span>
			<span class={unit === "" ? "with-unit bare" : "with-unit"}>
				<NumberInput id={id} value={value} min={min} max={max} live onChange={onChange} />
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

/** A name that a phone's keyboard must not correct, told with each letter. */
export function TextField({ label, hint, value, onChange }: Base & { value: string; onChange: (value: string) => void }) {
	return (
		<label class="field setting">
			<span>{label}</span>
			<input autocapitalize="none" spellcheck={false} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
			<Hint hint={hint} />
		</label>
	);
}

/** A box to tick; each tick is told at once. */
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

interface SelectProps extends Base {
	readonly value: string;
	/** Pairs of value and words. */
	readonly options: readonly (readonly [string, string])[];
	/** How it lies: beside other settings unless said. */
	readonly class?: string;
	readonly onChange: (value: string) => void;
}

/** A list to choose one of. */
export function SelectField({ label, hint, value, options, class: look = "field setting", onChange }: SelectProps) {
	return (
		<label class={look}>
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

interface SectionProps {
	readonly title: ComponentChildren;
	readonly hint?: string;
	readonly id?: string;
	readonly children: ComponentChildren;
}

/** A card with a title and a hint. */
export function Section({ title, hint, id, children }: SectionProps) {
	return (
		<section class="card section" id={id}>
			<h2>{title}</h2>
			{hint !== undefined && <p class="muted">{hint}</p>}
			{children}
		</section>
	);
}

/** Names with their values. @param test names the list for tests */
export function Facts({ facts, test }: { facts: readonly (readonly [string, ComponentChildren])[]; test?: string }) {
	return (
		<dl class="facts" data-test={test}>
			{facts.map(([name, value], i) => [<dt key={`${i} name`}>{name}</dt>, <dd key={`${i} value`}>{value}</dd>])}
		</dl>
	);
}

/** Tells each file that is chosen. @param props accept: ends of the names that are offered, ".json,.txt" */
export function FileButton(props: { label: string; accept: string; disabled?: boolean; onFile: (file: File) => void }) {
	const { label, accept, disabled = false, onFile } = props;
	return (
		<label class={`button file${disabled ? " disabled" : ""}`}>
			{label}
			<input
				class="visually-hidden"
				type="file"
				accept={accept}
				disabled={disabled}
				onChange={(event) => {
					const [file] = event.currentTarget.files ?? [];
					if (file !== undefined) onFile(file);
					// the same file again is another choice
					event.currentTarget.value = "";
				}}
			/>
		</label>
	);
}

/** Text in UTF-8 or, as PowerShell writes it, UTF-16 with a mark of its byte order. */
export async function textOf(file: File): Promise<string> {
	const bytes = await file.arrayBuffer();
	const [first, second] = new Uint8Array(bytes);
	const isUtf16 = first + second === 0xff + 0xfe;
	return new TextDecoder(isUtf16 ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
}

/** Chooses the language, for this browser; the page is drawn anew at once. */
export function LanguageField() {
	return (
		<SelectField
			label={T.display.language}
			value={language}
			options={Object.entries(LANGUAGES)}
			onChange={(name) => chooseLanguage(name as Language)}
		/>
	);
}

/** Chooses km/h or mph, for this browser; the page is drawn anew at once. */
export function SpeedUnitField() {
	return (
		<SelectField
			label={T.display.speed}
			value={speedUnit}
			options={SPEED_UNITS.map((unit) => [unit, unit])}
			onChange={(unit) => chooseSpeedUnit(unit as SpeedUnit)}
		/>
	);
}

interface ModesProps {
	readonly label: string;
	readonly modes: readonly string[];
	readonly chosen: readonly string[];
	readonly least: number;
	readonly most: number;
	readonly onChange: (chosen: readonly string[], mode: string) => void;
}

/** A button for each mode. One more or less is told only while `least`..`most` remain chosen. */
export function ModesField({ label, modes, chosen, least, most, onChange }: ModesProps) {
	const toggle = (mode: string): void => {
		const others = chosen.filter((name) => name !== mode);
		const next = others.length < chosen.length ? others : [...chosen, mode];
		if (next.length >= least && next.length <= most) onChange(next, mode);
	};
	return (
		<fieldset class="mode-choice">
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

/** @param name of the file, with its ending */
export function downloadText(name: string, text: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text]));
	link.download = name;
	link.click();
	// the browser has begun to read it by then
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
