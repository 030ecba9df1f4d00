/** A field for each kind of setting. */

import { useState } from "preact/hooks";
import { planFrames, strangers, switched, warningOf } from "../coupling/frames";
import { MODES } from "../drive/mode-names";
import { WatchedGeneration } from "../start/heard";
import { useStore } from "../state/store";
import { lookUp, T } from "../texts";
import { CheckField, ModesField, NumberField, SelectField, SpeedField, TextField } from "../ui/fields";
import { ROWS, type SettingName } from "./settings";
import { choiceLabel, setSetting, settingLabel, settingsDraft } from "./settings-draft";
import { SignalField } from "./signal-field";

interface GenerationProps {
	/** 0 = none is chosen yet. */
	readonly value: number;
	/** These are marked: the buses sound like them. */
	readonly fits?: readonly number[];
	readonly onChange: (generation: number) => void;
}

/**
 * Each one from below the car, simplified: the housing with its two flanges, then what tells them
 * apart. I and II: control unit above, filter and accumulator below, those of I larger. IV: the pump on its side,
 * a filter. V: the pump alone. Nobody has described the 0AY.
 */
const HOUSING = "M2 11h6V6h22v24H8v-5H2zM30 13h8v10h-8z";
const PUMP_ALONE = `${HOUSING}M40 19h12a4 4 0 0 1 0 10H40z`;
const SILHOUETTES: Readonly<Record<string, string>> = {
	1: `${HOUSING}M10 0h22v5H10zM11 31h7v5h-7zM21 31h13v5H21zM40 9h12v18H40z`,
	2: `${HOUSING}M12 1h15v4H12zM11 31h7v4h-7zM21 31h9v4h-9z`,
	4: `${HOUSING}M12 1h15v4H12zM40 6h14a3 3 0 0 1 3 3v6H40zM13 31h8v4h-8z`,
	5: PUMP_ALONE,
	53: PUMP_ALONE,
};

/** One choice for each generation, with cars that have it. */
export function GenerationField({ value, fits = [], onChange }: GenerationProps) {
	const { names, generations } = T.settings;
	return (
		<div class="generations" role="radiogroup" aria-label={names.couplingGeneration}>
			{Object.entries(generations).map(([number, [name, cars]]) => {
				const generation = Number(number);
				return (
					<label key={name} class={`generation${generation === value ? " chosen" : ""}`}>
						<input type="radio" name="generation" checked={generation === value} onChange={() => onChange(generation)} />
						<b>{name}</b>
						<svg class="silhouette" viewBox="0 0 60 36" aria-hidden="true" focusable="false">
							<path d={lookUp(SILHOUETTES, number)} />
						</svg>
						<small>
							{cars}
							{fits.includes(generation) && <span class="good"> · {T.start.heard.mark}</span>}
						</small>
					</label>
				);
			})}
		</div>
	);
}

const option = (choice: string): [string, string] => [choice, choiceLabel(choice)];

interface Props {
	readonly name: SettingName;
	/** A signal's value now, and whether it counts, absent = not yet. */
	readonly live?: string;
	readonly valid?: boolean | undefined;
}

/** Shows the setting as it is in the draft and edits it there; nothing until the settings were read. */
export function SettingField({ name, ...now }: Props) {
	const { shown } = useStore(settingsDraft.state);
	if (shown === undefined) return null;
	const { kind, min = 0, max = 0, unit = "", choices = [] } = ROWS[name];
	const value = shown[name];
	const hint = T.settings.hints[name];
	const field = { label: settingLabel(name), ...(hint === undefined ? {} : { hint }) };
	const onChange = (next: boolean | number | string): void => setSetting(name, next);
	switch (kind) {
		case "flag":
			return <CheckField {...field} value={value as boolean} onChange={onChange} />;
		case "number":
			if (unit === "km/h") return <SpeedField {...field} value={value as number} onChange={onChange} />;
			return <NumberField {...field} min={min} max={max} unit={unit} value={value as number} onChange={onChange} />;
		case "key":
			return <SignalField {...field} {...now} value={value as string} onChange={onChange} />;
		case "mode":
			return <SelectField {...field} value={value as string} options={MODES.map(option)} onChange={onChange} />;
		case "modes":
			return (
				<ModesField
					{...field}
					modes={MODES}
					chosen={(value as string).split(" ")}
					least={min}
					most={max}
					onChange={(chosen) => onChange(chosen.join(" "))}
				/>
			);
		case "origin":
			return <TextField {...field} value={value as string} onChange={onChange} />;
		case "generation":
			return (
				<>
					<WatchedGeneration chosen={value as number} />
					<GenerationField value={value as number} onChange={onChange} />
				</>
			);
		case "frames":
			return <FramesField />;
		case "choice":
			return <SelectField {...field} value={value as string} options={choices.map(option)} onChange={onChange} />;
	}
}

/** A box for each frame of the plan that the draft's generation, profile and operation choose. */
function FramesField() {
	const { shown } = useStore(settingsDraft.state);
	const [wasOff] = useState(shown !== undefined && shown.framesOff !== "");
	if (shown === undefined) return null;
	const { framesOff, isStandalone } = shown;
	const frames = planFrames(shown);
	const others = strangers(framesOff, frames);
	const warning = warningOf(frames, isStandalone);
	const set = (text: string): void => setSetting("framesOff", text);
	const off = frames.filter(({ isOn }) => !isOn).length;
	const F = T.frames;
	return (
		<>
			{frames.length === 0 && <p>{F.noPlan}</p>}
			<details open={wasOff}>
				<summary>{F.count(off, frames.length)}</summary>
				{frames.map(({ id, name, purpose, carriesLock, isOn }) => (
					<CheckField
						key={id}
						label={`${id} ${name}`}
						hint={carriesLock ? `${F.purposes[purpose]} ${F.lock}` : F.purposes[purpose]}
						value={isOn}
						onChange={(on) => set(switched(framesOff, id, on))}
					/>
				))}
			</details>
			{others.length > 0 && <p class="muted">{F.others(others.join(" "))}</p>}
			<p role="status" class="warn">
				{warning !== "" && F.warnings[warning]}
			</p>
			{framesOff !== "" && (
				<button type="button" onClick={() => set("")}>
					{F.allOn}
				</button>
			)}
		</>
	);
}
