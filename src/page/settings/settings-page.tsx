/** All that the driver sets beside mode, map and curves. Generation first: without it nothing works. */

import { telemetry } from "../net/live";
import type { InputName } from "../net/types";
import { useLoaded } from "../state/draft";
import { speedText } from "../state/speed";
import { useStore } from "../state/store";
import { T } from "../texts";
import { LanguageField, SpeedUnitField } from "../ui/display-fields";
import { CheckField, NumberField, Section, SelectField, SpeedField } from "../ui/fields";
import { SaveBar } from "../ui/save-bar";
import { GenerationField } from "./generation-field";
import { LOG_FLAGS, type LogFlag, type Settings, settingsDraft } from "./settings-draft";
import { alike, changes, settingLabel } from "./settings-words";
import { SignalField } from "./signal-field";

const MODES = ["STOCK", "MAP", "SPEED", "THROTTLE", "RPM", "FWD", "9010", "8020", "7030", "6040", "5050"];
const OPERATORS = ["gte", "gt", "lte", "lt", "eq", "neq", "change"];
const INPUTS: readonly InputName[] = ["speed", "throttle", "rpm"];

export function SettingsPage(_: { part: string }) {
	useLoaded(settingsDraft);
	const { shown } = useStore(settingsDraft.state);
	if (shown === undefined) return <SaveBar draft={settingsDraft} note={T.shell.loading} compare={differing} />;
	const set = (change: Partial<Settings>): void => settingsDraft.edit({ ...shown, ...change }, Object.keys(change).join());
	const S = T.settings;
	return (
		<>
			<div class="columns">
				<Section title={T.display.title}>
					<LanguageField />
					<SpeedUnitField />
				</Section>
				<Section title={S.generation} hint={S.generationHint}>
					<GenerationField value={shown.couplingGeneration} onChange={(couplingGeneration) => set({ couplingGeneration })} />
					<div class="tools">
						<a class="button" href="#start">
							{T.pages.start}
						</a>
						<a class="button" href="#backup">
							{T.pages.backup}
						</a>
					</div>
				</Section>
				<Section title={S.inputs} hint={S.inputsHint}>
					<Inputs shown={shown} set={set} />
				</Section>
				<Section title={S.gates} hint={S.gatesHint}>
					{(["map", "speed", "throttle", "rpm"] as const).map((name) => (
						<SpeedField
							key={name}
							label={S.underSpeed[name]}
							value={shown.disengageUnderSpeed[name]}
							onChange={(value) => set({ disengageUnderSpeed: { ...shown.disengageUnderSpeed, [name]: value } })}
						/>
					))}
					<NumberField
						label={S.disableThrottle}
						value={shown.disableThrottle}
						min={0}
						max={100}
						unit={T.units.percent}
						onChange={(disableThrottle) => set({ disableThrottle })}
					/>
					<SpeedField label={S.disableSpeed} value={shown.disableSpeed} onChange={(disableSpeed) => set({ disableSpeed })} />
				</Section>
				<Section title={S.ramps} hint={S.rampsHint}>
					<NumberField
						label={S.engage}
						value={shown.lockEngageRatePctPerSec}
						min={0}
						max={1000}
						unit="%/s"
						onChange={(lockEngageRatePctPerSec) => set({ lockEngageRatePctPerSec })}
					/>
					<NumberField
						label={S.release}
						value={shown.lockReleaseRatePctPerSec}
						min={0}
						max={1000}
						unit="%/s"
						onChange={(lockReleaseRatePctPerSec) => set({ lockReleaseRatePctPerSec })}
					/>
				</Section>
				<Section title={S.frames}>
					<SelectField
						label={S.profile}
						hint={S.profileHint}
						value={shown.frameProfile}
						options={[
							["reference", S.reference],
							["corrected", S.corrected],
						]}
						onChange={(frameProfile) => set({ frameProfile })}
					/>
					<CheckField
						label={S.interventions}
						hint={S.interventionsHint}
						value={shown.respectInterventions}
						onChange={(respectInterventions) => set({ respectInterventions })}
					/>
					<CheckField
						label={S.withoutFeedback}
						hint={S.withoutFeedbackHint}
						value={shown.controlWithoutFeedback}
						onChange={(controlWithoutFeedback) => set({ controlWithoutFeedback })}
					/>
					<CheckField
						label={S.broadcast}
						value={shown.broadcastControllerOverCAN}
						onChange={(broadcastControllerOverCAN) => set({ broadcastControllerOverCAN })}
					/>
					<NumberField
						label={S.pwm}
						value={shown.pwm.frequencyHz}
						min={10}
						max={20_000}
						unit="Hz"
						onChange={(frequencyHz) => set({ pwm: { ...shown.pwm, frequencyHz } })}
					/>
					<CheckField
						label={S.inverted}
						value={shown.pwm.inverted}
						onChange={(inverted) => set({ pwm: { ...shown.pwm, inverted } })}
					/>
				</Section>
				<Trigger shown={shown} set={set} />
				<Section title={S.dashboard} hint={S.dashboardHint}>
					{Object.entries(shown.dashMappings).map(([slot, key], i) => (
						<SignalField
							key={slot}
							label={S.slot(i + 1)}
							value={key}
							onChange={(next) => set({ dashMappings: { ...shown.dashMappings, [slot]: next } })}
						/>
					))}
				</Section>
				<Section title={S.logging} hint={S.loggingHint}>
					{(Object.keys(LOG_FLAGS) as LogFlag[]).map((flag) => (
						<CheckField key={flag} label={S.logs[flag]} value={shown[flag]} onChange={(value) => set({ [flag]: value })} />
					))}
				</Section>
			</div>
			<SaveBar draft={settingsDraft} undo note={T.draft.inForce} compare={differing} />
		</>
	);
}

function differing(mine: Settings, theirs: Settings) {
	const names = (Object.keys(mine) as (keyof Settings)[]).filter((name) => !alike(mine[name], theirs[name]));
	return (
		<dl class="facts">
			{names.map((name) => [
				<dt key={name}>{settingLabel(name)}</dt>,
				<dd key={`${name} value`}>{changes(mine[name], theirs[name], T.draft.change)}</dd>,
			])}
		</dl>
	);
}

interface Part {
	readonly shown: Settings;
	readonly set: (change: Partial<Settings>) => void;
}

export function Inputs({ shown, set }: Part) {
	const now = useStore(telemetry);
	const values: Record<InputName, string | undefined> = {
		speed: now?.speedValid ? speedText(now.speed) : undefined,
		throttle: now?.throttleValid ? `${Math.round(now.throttle)} ${T.units.percent}` : undefined,
		rpm: now?.rpmValid ? `${Math.round(now.rpm)} ${T.units.rpm}` : undefined,
	};
	return (
		<>
			{INPUTS.map((name) => (
				<SignalField
					key={name}
					label={T.settings.input[name]}
					value={shown.inputMappings[name]}
					live={values[name] ?? T.settings.invalid}
					valid={values[name] !== undefined}
					onChange={(key) => set({ inputMappings: { ...shown.inputMappings, [name]: key } })}
				/>
			))}
		</>
	);
}

function Trigger({ shown, set }: Part) {
	const { modeTrigger: trigger } = shown;
	const S = T.settings;
	const change = (part: Partial<Settings["modeTrigger"]>): void => set({ modeTrigger: { ...trigger, ...part } });
	return (
		<Section title={S.trigger} hint={S.triggerHint}>
			<CheckField label={S.triggerOn} value={trigger.enabled} onChange={(enabled) => change({ enabled })} />
			<SignalField label={S.triggerSignal} value={trigger.signal} onChange={(signal) => change({ signal })} />
			<SelectField
				label={S.operator}
				value={trigger.operator}
				options={OPERATORS.map((name) => [name, S.operators[name] ?? name])}
				onChange={(operator) => change({ operator })}
			/>
			<NumberField
				label={S.triggerValue}
				value={trigger.value}
				min={-1_000_000}
				max={1_000_000}
				unit=""
				onChange={(value) => change({ value })}
			/>
			<SelectField
				label={S.triggerMode}
				value={trigger.mode}
				options={MODES.map((name) => [name, (T.modes[name] ?? [name]).join(", ")])}
				onChange={(mode) => change({ mode })}
			/>
		</Section>
	);
}
