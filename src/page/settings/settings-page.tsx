/** All that the driver sets beside mode, map and curves. Generation first: without it nothing works. */

import { useEffect, useState } from "preact/hooks";
import { repeatWhileSeen, telemetry } from "../net/live";
import { get } from "../net/request";
import type { Preview } from "../net/types";
import { inOurWords } from "../said";
import { type DraftState, useLoaded } from "../state/draft";
import { speedText } from "../state/speed";
import { loadStatus, status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { LanguageField, Section, SpeedUnitField } from "../ui/fields";
import { SaveBar } from "../ui/save-bar";
import { SettingField } from "./setting-field";
import { SECTIONS, SETTING_NAMES, type Section as SectionName, type SettingName, type Settings } from "./settings";
import { settingsDraft } from "./settings-draft";
import { settingLabel, valueLabel } from "./settings-words";
import { useSignals } from "./signal-field";

/** Between an answer and the next request. */
const LOOK_MS = 500;
const SLEEP_LOOK_MS = 3000;

/** Language and unit of this browser, then a section for each group of settings, all edited in one draft. */
export function SettingsPage(_: { part: string }) {
	useLoaded(settingsDraft);
	const { shown } = useStore(settingsDraft.state);
	if (shown === undefined) return <SaveBar draft={settingsDraft} note={T.shell.loading} compare={differing} />;
	return (
		<>
			<div class="columns">
				<Section title={T.display.title}>
					<LanguageField />
					<SpeedUnitField />
				</Section>
				{(Object.keys(SECTIONS) as SectionName[]).map((name) => {
					const [title, hint] = T.settings.sections[name];
					return (
						<Section key={name} title={title} {...(hint === undefined ? {} : { hint })}>
							{name === "inputs" ? <Inputs /> : SECTIONS[name].map((setting) => <SettingField key={setting} name={setting} />)}
							{name === "steering" && <Steering />}
							{name === "generation" && <OtherPages />}
							{name === "sleep" && <Sleep />}
						</Section>
					);
				})}
			</div>
			<SaveBar draft={settingsDraft} undo note={T.draft.inForce} compare={differing} />
		</>
	);
}

/** What it would do, and why it does not. */
function Sleep() {
	useEffect(() => repeatWhileSeen(loadStatus, SLEEP_LOOK_MS), []);
	const power = useStore(status)?.power;
	if (!power?.waits) return null;
	return (
		<>
			<p data-test="sleep">{inOurWords(power.waits)}</p>
			<p class="muted">{T.settings.frames(power.framesPerS, power.parkedBelowFramesPerS)}</p>
		</>
	);
}

function OtherPages() {
	return (
		<div class="tools">
			{(["start", "conditions", "backup"] as const).map((name) => (
				<a key={name} class="button" href={`#${name}`}>
					{T.pages[name]}
				</a>
			))}
		</div>
	);
}

function differing(mine: Settings, theirs: Settings) {
	return (
		<dl class="facts">
			{SETTING_NAMES.filter((name) => mine[name] !== theirs[name]).map((name) => [
				<dt key={name}>{settingLabel(name)}</dt>,
				<dd key={`${name} value`}>{T.draft.change(valueLabel(name, mine[name]), valueLabel(name, theirs[name]))}</dd>,
			])}
		</dl>
	);
}

/** What the angle does now, while it does anything. */
function Steering() {
	const enabled = useStore(status)?.steeringGain.enabled === true;
	const [now, setNow] = useState<Preview>();
	useEffect(
		() => (enabled ? repeatWhileSeen(async () => setNow(await get<Preview>("/api/preview")), LOOK_MS) : undefined),
		[enabled],
	);
	const picked = isPicked("steeringGain.signal", useStore(settingsDraft.state));
	if (!enabled || now === undefined || picked) return null;
	const gain = Math.round(now.gainPercent);
	return (
		<p role="status">
			{now.steering === null ? T.settings.steersBlind(gain) : T.settings.steers(Math.round(now.steering), gain)}
		</p>
	);
}

/** An input's signal was picked and is not saved: what the controller tells of the input is another signal's value. */
export function isPicked(name: SettingName, { shown, stored }: DraftState<Settings>): boolean {
	return shown?.[name] !== stored?.[name];
}

/** Each input with what it is now: of a signal that was just picked, what that one is on the bus. */
export function Inputs() {
	const now = useStore(telemetry);
	const draft = useStore(settingsDraft.state);
	const onBus = useSignals(SECTIONS.inputs.some((name) => isPicked(name, draft)));
	const values = {
		"inputMappings.speed": now?.speedValid ? speedText(now.speed) : undefined,
		"inputMappings.throttle": now?.throttleValid ? `${Math.round(now.throttle)} ${T.units.percent}` : undefined,
		"inputMappings.rpm": now?.rpmValid ? `${Math.round(now.rpm)} ${T.units.rpm}` : undefined,
	};
	return (
		<>
			{SECTIONS.inputs.map((name) => {
				const live = isPicked(name, draft)
					? { live: onBus?.get(draft.shown?.[name] ?? "") ?? "" }
					: { live: values[name] ?? T.settings.invalid, valid: values[name] !== undefined };
				return <SettingField key={name} name={name} {...live} />;
			})}
		</>
	);
}
