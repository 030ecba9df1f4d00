/**
 * All that the driver sets beside mode, map, curves and conditions, on the page of the place where it is
 * wanted.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { repeatWhileSeen, telemetry } from "../net/live";
import { get } from "../net/request";
import type { Preview } from "../net/types";
import { type DraftState, useDraft } from "../state/draft";
import { type PageName, PLACES, type PlaceName } from "../state/route";
import { speedText } from "../state/speed";
import { loadStatus, status } from "../state/status";
import { useStore } from "../state/store";
import { theme, toggleTheme } from "../state/theme";
import { inOurWords, T } from "../texts";
import { Facts, LanguageField, Section, SpeedUnitField } from "../ui/fields";
import { SaveBar } from "../ui/save-bar";
import { Filter, matcher } from "../ui/watched-list";
import { SettingField } from "./setting-field";
import { SECTIONS, SECTIONS_OF, SETTING_NAMES, type Section as SectionName, type SettingName, type Settings } from "./settings";
import { settingLabel, settingsDraft, valueLabel } from "./settings-draft";
import { useSignals } from "./signal-field";

/** Time between an answer and the next request. */
const LOOK_MS = 500;
const SLEEP_LOOK_MS = 3000;

/** A page of settings, edited in one draft with those of the other pages; children stand first. */
export function SettingsOf({ page, children }: { page: keyof typeof SECTIONS_OF; children?: ComponentChildren }) {
	const { shown } = useDraft(settingsDraft);
	const sections: readonly SectionName[] = SECTIONS_OF[page];
	return (
		<>
			{shown !== undefined && sections.length > 3 && <Contents sections={sections} />}
			<div class="columns">
				{children}
				{shown !== undefined && sections.map((name) => <SettingsSection key={name} name={name} />)}
			</div>
			<SettingsBar />
		</>
	);
}

const idOf = (name: SectionName): string => `section-${name}`;

function Contents({ sections }: { sections: readonly SectionName[] }) {
	return (
		<p class="bar">
			{sections.map((name) => (
				<button key={name} type="button" onClick={() => document.getElementById(idOf(name))?.scrollIntoView()}>
					{T.settings.sections[name][0]}
				</button>
			))}
		</p>
	);
}

const pageOf = (page: keyof typeof SECTIONS_OF) => () => <SettingsOf page={page} />;
/** Pages that have nothing else on them. */
export const GatesPage = pageOf("gates");
export const SteeringPage = pageOf("steering");
export const CouplingPage = pageOf("coupling");
export const InputsPage = pageOf("inputs");

/** The bar that saves them. */
export function SettingsBar() {
	const { shown } = useStore(settingsDraft.state);
	return <SaveBar draft={settingsDraft} undo note={shown === undefined ? T.shell.loading : T.draft.active} compare={differing} />;
}

/** @param only these settings of the section; absent: all of them, with what belongs to them */
export function SettingsSection({ name, only }: { name: SectionName; only?: readonly SettingName[] }) {
	const [title, hint] = T.settings.sections[name];
	const names: readonly SettingName[] = only ?? SECTIONS[name];
	return (
		<Section id={idOf(name)} title={title} {...(hint === undefined || only ? {} : { hint })}>
			{name === "inputs" && !only ? <Inputs /> : names.map((setting) => <SettingField key={setting} name={setting} />)}
			{name === "steering" && <Steering />}
			{name === "generation" && (
				<a class="button" href="#start">
					{T.pages.start}
				</a>
			)}
			{name === "sleep" && <Sleep />}
		</Section>
	);
}

/** How the page looks in this browser, and what the driver wants on *Drive*. */
export function DisplayPage(_: { part: string }) {
	const now = useStore(theme);
	return (
		<SettingsOf page="display">
			<Section title={T.display.title}>
				<LanguageField />
				<SpeedUnitField />
				<button type="button" onClick={toggleTheme}>
					{now === "dark" ? T.shell.toLight : T.shell.toDark}
				</button>
			</Section>
		</SettingsOf>
	);
}

/** Why it does not sleep now. */
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

function differing(mine: Settings, theirs: Settings) {
	const change = (name: SettingName): string => T.draft.change(valueLabel(name, mine[name]), valueLabel(name, theirs[name]));
	const names = SETTING_NAMES.filter((name) => mine[name] !== theirs[name]);
	return <Facts facts={names.map((name) => [settingLabel(name), change(name)])} />;
}

/** The effect of the angle now. */
function Steering() {
	const enabled = useStore(status)?.steeringGain.enabled === true;
	const [now, setNow] = useState<Preview>();
	useEffect(
		() => (enabled ? repeatWhileSeen(async () => setNow(await get<Preview>("/api/preview")), LOOK_MS) : undefined),
		[enabled],
	);
	const draft = useStore(settingsDraft.state);
	const told = enabled && !isPicked("steeringGain.signal", draft) ? now : undefined;
	const gain = Math.round(told?.gainPercent ?? 0);
	return (
		<>
			{draft.shown && <SteeringCurve settings={draft.shown} angleDeg={told?.steering ?? undefined} />}
			{told && (
				<p role="status">
					{told.steering === null ? T.settings.steersBlind(gain) : T.settings.steers(Math.round(told.steering), gain)}
				</p>
			)}
		</>
	);
}

/** One and a half turns, the end of the wheel in most cars. */
const STEERING_DEG = 540;

/** Remaining lock over the angle, as it is being set, and the present angle. */
function SteeringCurve({ settings, angleDeg }: { settings: Settings; angleDeg: number | undefined }) {
	const across = (deg: number): number => (Math.min(deg, STEERING_DEG) / STEERING_DEG) * 160;
	const down = (percent: number): number => 62 - percent * 0.6;
	const [start, full] = [settings["steeringGain.startDeg"], settings["steeringGain.fullDeg"]];
	const least = down(settings["steeringGain.leastPercent"]);
	return (
		<svg
			class="chart steering-curve"
			viewBox="0 0 160 64"
			preserveAspectRatio="none"
			role="img"
			aria-label={T.settings.steeringCurve}
		>
			<path class="chart-line" d="M0 2H160M0 32H160M0 62H160M53.3 2V62M106.7 2V62" />
			<path class="chart-curve" d={`M0 ${down(100)}H${across(start)}L${across(Math.max(start, full))} ${least}H160`} />
			{angleDeg !== undefined && <path class="chart-live" d={`M${across(Math.abs(angleDeg))} 2V62`} />}
		</svg>
	);
}

/** An input's signal was picked and is not saved: the controller still tells another signal's value. */
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

/** Links to the pages whose names fit, by place, and the settings that fit, to change them here. */
export function SearchPage(_: { part: string }) {
	useDraft(settingsDraft);
	const [words, setWords] = useState("");
	const fits = matcher(words);
	const also: Partial<Record<PageName, string>> = { network: `Wi-Fi WLAN ${T.owner.title}`, update: T.update.title };
	const places = (Object.entries(PLACES) as [PlaceName, readonly PageName[]][])
		.map(([place, pages]) => {
			const found = pages.filter((name) => fits(`${T.places[place]} ${T.pages[name]} ${also[name] ?? ""}`));
			return [place, found] as const;
		})
		.filter(([, found]) => found.length > 0);
	const sections = (words === "" ? [] : (Object.values(SECTIONS_OF).flat() as SectionName[]))
		.map((name) => {
			const [title, hint = ""] = T.settings.sections[name];
			const all: readonly SettingName[] = SECTIONS[name];
			const only = all.filter((setting) => fits(`${title} ${hint} ${settingLabel(setting)} ${T.settings.hints[setting] ?? ""}`));
			return [name, only] as const;
		})
		.filter(([, only]) => only.length > 0);
	return (
		<>
			<div class="stack">
				<Filter filter={words} onFilter={setWords} />
				{places.length + sections.length === 0 && <p role="status">{T.settings.notFound}</p>}
				{places.map(([place, found]) => (
					<Section key={place} title={T.places[place]}>
						<div class="tools">
							{found.map((name) => (
								<a key={name} class="button" href={`#${name}`}>
									{T.pages[name]}
								</a>
							))}
						</div>
					</Section>
				))}
				{sections.map(([name, only]) => (
					<SettingsSection key={name} name={name} only={only} />
				))}
			</div>
			<SettingsBar />
		</>
	);
}
