/** The frames that are rewritten, or sent, each with a switch: folded away as long as all of them are on. */

import { useState } from "preact/hooks";
import { setSetting, settingsDraft } from "../settings/settings-draft";
import { useStore } from "../state/store";
import { T } from "../texts";
import { CheckField } from "../ui/fields";
import { planFrames, strangers, switched, warningOf } from "./frames";

/** Of the plan that the draft's generation, profile and operation choose. */
export function FramesField() {
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
