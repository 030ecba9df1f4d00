/** Conditions: which signals open the coupling, limit the lock or select a mode, and what each does now. */

import { useEffect, useRef, useState } from "preact/hooks";
import { MODES } from "../drive/mode-names";
import { repeatWhileSeen } from "../net/live";
import { get } from "../net/request";
import type { Condition, Conditions, LiveCondition, MapList, StoredMap } from "../net/types";
import { choiceLabel } from "../settings/settings-draft";
import { SignalField } from "../settings/signal-field";
import { same, useDraft } from "../state/draft";
import { nameOfPath } from "../state/map-name";
import { lookUp, T } from "../texts";
import { CheckField, Facts, NumberField, Section, SelectField } from "../ui/fields";
import { Icon } from "../ui/icon";
import { attempt } from "../ui/notice";
import { SaveBar } from "../ui/save-bar";
import {
	conditionsDraft,
	conditionText,
	EFFECTS,
	effectLabel,
	effectText,
	moved,
	NEW_CONDITION,
	ruleText,
	settingsOfCondition,
} from "./conditions";

/** Time between an answer and the next request. */
const LOOK_MS = 500;
/** Limits of the controller. Source: docs/api.md, `conditions[].value` and `conditions[].holdMs`. */
const VALUE_MAX = 1_000_000;
const HOLD_S = { min: 0.3, max: 60 };
const OPERATORS: readonly string[] = ["gt", "gte", "lt", "lte", "eq", "neq", "change"];
/** Proposals for each signal that the controller recommends; to hold the coupling closed is a mode. */
const PROPOSED: Readonly<Record<string, readonly Partial<Condition>[]>> = {
	hazardLights: [
		{ effect: "open", holdMs: 2000 },
		{ effect: "mode", mode: "5050", holdMs: 2000, alsoFromStock: true },
	],
	brake: [{ effect: "open" }, { effect: "mode", mode: "5050" }],
	// 0x104 has two bits, of which 1 was seen for applied; the flag of 0x320 blinks with an electric brake,
	// 0.5 s on and 0.5 s off
	handbrake: [
		{ effect: "open", operator: "eq", holdMs: 1000 },
		{ effect: "mode", mode: "5050", operator: "eq", holdMs: 1000 },
	],
	espOff: [{ effect: "mode", mode: "MAP" }],
	reverse: [{ effect: "open" }],
	driveMode: [{ effect: "mode", mode: "MAP", operator: "eq" }],
	// Nobody has published the temperature at which a coupling protects itself
	oilTemperature: [{ effect: "limit", operator: "gte", value: 90, holdMs: 30_000 }],
};

/** A card for each condition, to edit, move and remove; below them what is proposed. */
export function ConditionsPage(_: { part: string }) {
	const { shown } = useDraft(conditionsDraft);
	const [answer, setAnswer] = useState<Conditions>();
	const [maps, setMaps] = useState<readonly StoredMap[]>([]);
	useEffect(() => void attempt(async () => setMaps((await get<MapList>("/api/maps")).maps)), []);
	useEffect(() => repeatWhileSeen(async () => setAnswer(await get<Conditions>("/api/conditions")), LOOK_MS), []);
	const edit = (next: readonly Condition[], group = ""): void => conditionsDraft.edit(next, group);
	const list = shown ?? [];
	const columns = useRef<HTMLDivElement>(null);
	const added = useRef(false);
	const add = (one: Condition): void => {
		added.current = true;
		edit([...list, one]);
	};
	useEffect(() => {
		// what is added stands above what is proposed, on a phone out of sight
		if (added.current) columns.current?.children[list.length]?.scrollIntoView();
		added.current = false;
	}, [list.length]);
	const changed = (index: number, one: Condition) => list.map((other, at) => (at === index ? one : other));
	return (
		<>
			<div ref={columns} class="columns">
				<Section title={T.pages.conditions} hint={T.conditions.hint}>
					{shown?.length === 0 && <p>{T.conditions.none}</p>}
					<p class="muted">{T.conditions.lost}</p>
				</Section>
				{list.map((one, index) => (
					<ConditionCard
						key={index}
						one={one}
						index={index}
						last={index === list.length - 1}
						live={answer?.conditions[index]}
						maps={maps}
						onChange={(changes, group) => edit(changed(index, { ...one, ...changes }), `${index} ${group}`)}
						onMove={(by) => edit(moved(list, index, by))}
						onRemove={() => edit(list.filter((_one, at) => at !== index))}
					/>
				))}
				{answer !== undefined && shown !== undefined && list.length < answer.max && (
					<Section title={T.conditions.add}>
						<div class="tools">
							{answer.recommended.flatMap(({ name, signal }) =>
								(lookUp(PROPOSED, name) ?? []).map((changes) => {
									const one = settingsOfCondition({ ...changes, signal });
									const label = T.conditions.proposals[`${name} ${one.effect}`];
									return (
										<button key={label} type="button" onClick={() => add(one)}>
											{label}
										</button>
									);
								}),
							)}
							<button type="button" onClick={() => add(NEW_CONDITION)}>
								{T.conditions.own}
							</button>
						</div>
					</Section>
				)}
			</div>
			<SaveBar draft={conditionsDraft} undo note={T.draft.active} compare={differing} />
		</>
	);
}

interface CardProps {
	readonly one: Condition;
	readonly index: number;
	readonly last: boolean;
	/** The one at this place in the controller. */
	readonly live: LiveCondition | undefined;
	readonly maps: readonly StoredMap[];
	readonly onChange: (changes: Partial<Condition>, group: string) => void;
	readonly onMove: (by: number) => void;
	readonly onRemove: () => void;
}

function ConditionCard({ one, index, last, live, maps, onChange, onMove, onRemove }: CardProps) {
	const words = T.conditions;
	const { effect } = one;
	// a draft has no state of its own
	const now = live !== undefined && same(settingsOfCondition(live), one) ? live : undefined;
	const options = (names: readonly string[]) => names.map((name): [string, string] => [name, choiceLabel(name)]);
	const signalNow = now === undefined || !one.enabled ? {} : { live: now.live ? `${now.lastValue}` : words.doing["no signal"] };
	return (
		<Section title={<ConditionLine one={one} index={index} />}>
			<p role="status" class={now?.doing === "acts" ? "warn" : now?.doing === "no signal" ? "bad" : "muted"}>
				{now === undefined ? T.draft.unsaved : (lookUp(words.doing, now.doing) ?? now.doing)}
			</p>
			<CheckField label={words.on} value={one.enabled} onChange={(enabled) => onChange({ enabled }, "enabled")} />
			<SignalField
				label={words.signal}
				value={one.signal}
				isNeeded
				{...signalNow}
				valid={now?.live !== false}
				known={now?.codesKnown}
				onChange={(signal) => onChange({ signal }, "signal")}
			/>
			<SelectField
				label={words.operator}
				value={one.operator}
				options={options(OPERATORS)}
				onChange={(name) => onChange({ operator: name as Condition["operator"] }, "operator")}
			/>
			<NumberField
				label={words.value}
				value={one.value}
				min={-VALUE_MAX}
				max={VALUE_MAX}
				unit=""
				onChange={(value) => onChange({ value }, "value")}
			/>
			<SelectField
				label={words.effect}
				value={effect}
				options={EFFECTS.map((name): [string, string] => [name, effectLabel(name)])}
				onChange={(name) => onChange({ effect: name as Condition["effect"], map: one.map || (maps[0]?.path ?? "") }, "effect")}
			/>
			{effect === "limit" && (
				<NumberField
					label={words.limit}
					value={one.limitPercent}
					min={1}
					max={100}
					unit={T.units.percent}
					onChange={(limitPercent) => onChange({ limitPercent: Math.trunc(limitPercent) }, "limit")}
				/>
			)}
			{effect === "mode" && (
				<SelectField
					label={words.mode}
					value={one.mode}
					options={options(MODES)}
					onChange={(name) => onChange({ mode: name as Condition["mode"] }, "mode")}
				/>
			)}
			{effect === "map" && (
				<SelectField
					label={words.map}
					hint={words.mapHint}
					value={one.map}
					options={mapOptions(maps, one.map)}
					onChange={(map) => onChange({ map }, "map")}
				/>
			)}
			{(effect === "mode" || effect === "map") && (
				<>
					<CheckField
						label={words.broadcast}
						value={one.broadcastControllerOverCAN}
						onChange={(on) => onChange({ broadcastControllerOverCAN: on }, "broadcast")}
					/>
					<CheckField
						label={words.fromStock}
						hint={words.fromStockHint}
						value={one.alsoFromStock}
						onChange={(alsoFromStock) => onChange({ alsoFromStock }, "stock")}
					/>
				</>
			)}
			<NumberField
				label={words.hold}
				hint={blinks(one) ? words.blinkHint : words.holdHint}
				value={one.holdMs / 1000}
				{...HOLD_S}
				unit={T.units.seconds}
				onChange={(seconds) => onChange({ holdMs: Math.round(seconds * 1000) }, "hold")}
			/>
			<div class="tools">
				<button type="button" disabled={index === 0} onClick={() => onMove(-1)}>
					{words.up}
				</button>
				<button type="button" disabled={last} onClick={() => onMove(1)}>
					{words.down}
				</button>
				<button type="button" onClick={onRemove}>
					{words.remove}
				</button>
			</div>
		</Section>
	);
}

/** Signal, arrow, effect. */
function ConditionLine({ one, index }: { one: Condition; index: number }) {
	return (
		<span class={`condition${one.enabled ? "" : " off"}`}>
			{`${index + 1}. `}
			<Icon name="signal" />
			<span>{ruleText(one)}</span>
			<Icon name="to" />
			<Icon name={one.effect} />
			<span>{effectText(one)}</span>
		</span>
	);
}

/** One that is not on the controller stays the choice until the driver makes another. */
function mapOptions(maps: readonly StoredMap[], chosen: string): [string, string][] {
	const options = maps.map(({ path }): [string, string] => [path, nameOfPath(path)]);
	const isMissing = chosen !== "" && !maps.some(({ path }) => path === chosen);
	return isMissing ? [[chosen, `${nameOfPath(chosen)}: ${T.backup.missing}`], ...options] : options;
}

/** The handbrake of PQ. */
const blinks = ({ signal }: Condition): boolean => signal.startsWith("chassis|0x320|handbrake|");

function differing(mine: readonly Condition[], theirs: readonly Condition[]) {
	return (
		<Facts
			facts={[
				[T.draft.mine, conditionsText(mine)],
				[T.draft.theirs, conditionsText(theirs)],
			]}
		/>
	);
}

/** All of them for people, in one line. */
export function conditionsText(list: readonly Condition[]): string {
	return list.map(conditionText).join("; ") || T.conditions.none;
}
