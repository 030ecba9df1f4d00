/** The coupling's generation. */

import { FramesField } from "../coupling/frames-field";
import { MODES } from "../drive/mode-names";
import { WatchedGeneration } from "../start/heard-buses";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../state/favourites";
import { useStore } from "../state/store";
import { T } from "../texts";
import { CheckField, ModesField, NumberField, SelectField, SpeedField, TextField } from "../ui/fields";
import { ROWS, type SettingName } from "./settings";
import { setSetting, settingsDraft } from "./settings-draft";
import { choiceLabel, settingLabel } from "./settings-words";
import { SignalField } from "./signal-field";

interface GenerationProps {
	/** 0 = none is chosen yet. */
	readonly value: number;
	/** These are marked: the buses sound like them. */
	readonly fits?: readonly number[];
	readonly onChange: (generation: number) => void;
}

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
	/** Of a signal: what it is now, and whether that counts, absent = not yet. */
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
			return <NumberField {...field} {...{ min, max, unit }} value={value as number} onChange={onChange} />;
		case "key":
			return <SignalField {...field} {...now} value={value as string} onChange={onChange} />;
		case "mode":
			return <SelectField {...field} value={value as string} options={MODES.map(option)} onChange={onChange} />;
		case "modes":
			return (
				<ModesField
					{...{ ...field, modes: MODES, chosen: (value as string).split(" "), least: FAVOURITES_MIN, most: FAVOURITES_MAX }}
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
