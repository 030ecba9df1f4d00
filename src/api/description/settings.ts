/**
 * Settings and conditions. Names, ranges and sentences of all settings come from the table of settings; here
 * is what an answer or a request has beside them.
 */

import { CONDITION_SIGNALS } from "../../coupling/coupling.js";
import { GENERATIONS } from "../../coupling/couplings/couplings.js";
import { CONDITIONS_MAX, type Row, SETTINGS_TABLE, type TableGroup } from "../../settings/settings-table.js";
import {
	Flag,
	Generation,
	GenerationRequest,
	generationText,
	Mode,
	ModeChoice,
	NumberOrText,
	Operator,
	OperatorRequest,
	revision,
	SignalKey,
	SignalKeyRequest,
	Why,
} from "./common.js";
import { type Endpoints, NOT_APPLIED } from "./route.js";
import {
	count,
	described,
	flag,
	list,
	named,
	number,
	object,
	ok,
	oneOf,
	optional,
	type raw,
	type TProperties,
	type TSchema,
	text,
	whole,
} from "./schema.js";

/** In answers: the name of a row's member, and its alias. */
type Names<Name, R> =
	| (R extends { shown: infer S } ? S : R extends { wire: infer W } ? W : Name)
	| (R extends { alias: infer A } ? A : never);
/** The schema of a row's value in an answer. */
type Value<R> = R extends { kind: "choice"; choices: readonly (infer V)[] }
	? ReturnType<typeof raw<V>>
	: R extends { kind: infer K extends keyof Values }
		? Values[K]
		: ReturnType<typeof flag>;
interface Values {
	number: ReturnType<typeof number>;
	key: typeof SignalKey;
	operator: typeof Operator;
	mode: typeof Mode;
	modes: ReturnType<typeof text>;
	frames: ReturnType<typeof text>;
	origin: ReturnType<typeof text>;
	map: ReturnType<typeof text>;
	generation: typeof Generation;
}
type Rows = Readonly<Record<string, Row<unknown>>>;
type Answered<R> = { [Name in keyof R as Exclude<Names<Name, R[Name]> & string, "">]: Value<R[Name]> };
type Ours<R> = { [Name in keyof R as R[Name] extends { ours: true } ? Name : never]: R[Name] };
type References<R> = { [Name in keyof R as R[Name] extends { ours: true } ? never : Name]: R[Name] };

/** The members of rows in an answer. */
function answered<R extends Rows>(rows: R): Answered<R> {
	const members: Record<string, TSchema> = {};
	for (const [name, row] of Object.entries<Row<unknown>>(rows)) {
		if (row.wire === "") continue;
		const member = row.shown ?? row.wire ?? name;
		for (const key of [member, row.alias ?? member]) members[key] = given(row);
	}
	return members as Answered<R>;
}

/** The rows that only this controller has, and those of the reference. */
const ours = <R extends Rows>(rows: R) => Object.fromEntries(Object.entries(rows).filter(([, row]) => row.ours)) as Ours<R>;
const references = <R extends Rows>(rows: R) =>
	Object.fromEntries(Object.entries(rows).filter(([, row]) => !row.ours)) as References<R>;

function given({ kind, min = 0, max, unit, fraction, choices = [] }: Row<unknown>): TSchema {
	switch (kind) {
		case "flag":
			return flag();
		case "number":
			return fraction ? number(unit, min, max) : whole(unit, min, max);
		case "key":
			return SignalKey;
		case "choice":
			return oneOf(choices);
		case "operator":
			return Operator;
		case "mode":
			return Mode;
		case "modes":
		case "frames":
		case "origin":
		case "map":
			return text();
		case "generation":
			return Generation;
	}
}

/** The members of a group in a request. */
function asked(rows: Rows): TProperties {
	const members: TProperties = {};
	for (const [name, row] of Object.entries(rows))
		if (row.wire !== "")
			for (const member of [row.wire ?? name, row.alias]) if (member !== undefined) members[member] = optional(request(row));
	return members;
}

function request({ kind, min = 0, max, unit, text: asText, choices = [], says }: Row<unknown>): TSchema {
	const clamped = `${says}; clamped to ${min}..${max}${unit === undefined ? "" : ` ${unit}`}`;
	switch (kind) {
		case "flag":
			return described(Flag, says);
		case "number":
			return asText ? described(NumberOrText, clamped) : number(clamped);
		case "key":
			return described(SignalKeyRequest, says);
		case "choice":
			return oneOf(choices, says);
		case "operator":
			return described(OperatorRequest, says);
		case "mode":
			return described(ModeChoice, says);
		case "modes":
		case "frames":
		case "origin":
		case "map":
			return text(says);
		case "generation":
			return described(GenerationRequest, says);
	}
}

const T = SETTINGS_TABLE;

export const Inputs = named("Inputs", object(answered(T.inputMappings.rows)));
const LowPower = named("LowPower", object(answered(T.lowPower.rows)));
const Controls = named(
	"Controls",
	object(answered(T.controls.rows), "Buttons of the board, and what it drives beside the coupling"),
);
const Pwm = named("Pwm", object(answered(T.pwm.rows)));
export const Gates = named("Gates", object(answered(T.disengageUnder.rows)));
export const SteeringGain = named(
	"SteeringGain",
	object(
		{
			valid: flag("The angle has been valid for 0.5 s"),
			angleDeg: number("Magnitude; 0 while it is not valid", 0),
			gainPercent: number("How much of the lock it leaves", 0, 100),
			...answered(T.steeringGain.rows),
		},
		"What the angle of the steering wheel does",
	),
);
/** The settings that stand in the status beside the groups. */
export const DriverSettings = answered(T.driver.rows);
export const GateSettings = answered(T.gatesAndRamps.rows);
export const LogSettings = answered(T.logging.rows);
export const DashboardSlots = object(
	Object.fromEntries(T.dashboard.rows.map(({ wire }) => [wire, SignalKey])) as Record<
		`dash_${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`,
		typeof SignalKey
	>,
);
/** Both spellings of whether the status frame is sent now. */
export const Broadcast = {
	effectiveBroadcastOpenHaldexOverCAN: flag("Whether 0x6B0 is sent now, conditions included"),
	effectiveBroadcastControllerOverCAN: flag("= `effectiveBroadcastOpenHaldexOverCAN`"),
};

/** The first condition that selects a mode, as the reference has it. */
export const ModeTrigger = named(
	"ModeTrigger",
	object({
		...answered(references(T.conditions.rows)),
		defaultSignal: described(SignalKey, "Recommended for this generation"),
		active: flag("It selects the mode now"),
		seen: flag("The signal has come since the trigger was set"),
		lastValue: number(),
		ageMs: count("Of `lastValue`, ms"),
		effectiveMode: Mode,
		...Broadcast,
	}),
);

export const Condition = named(
	"Condition",
	object({
		doing: oneOf(["off", "waits", "no signal", "stock", "stands back", "acts"], "What it does now"),
		live: flag("Its signal came within the last 1500 ms"),
		seen: flag("It has come since the condition was set"),
		lastValue: number("In its unit"),
		codesKnown: flag("As in a decoded row of GET /api/canview"),
		ageMs: count("Of `lastValue`, ms"),
		...answered(T.conditions.rows),
	}),
);

export const Conditions = named(
	"Conditions",
	object({
		conditions: list(Condition, { maxItems: CONDITIONS_MAX }),
		max: whole(undefined, CONDITIONS_MAX, CONDITIONS_MAX),
		recommended: list(
			object({ name: oneOf(CONDITION_SIGNALS), signal: SignalKey }),
			{},
			"Signals of this generation: switches are 1 while their name holds; the oil's temperature where it can be known",
		),
	}),
);

/** Hindered by the car. */
export const Hindrances = {
	invalidFrame: text(
		"Identifier of frames that leave unmodified for 1 s now: the car marks a signal in them as invalid; else empty",
	),
	statusFrameElsewhere: flag("Somebody else has sent 0x6B0 within 3 s, so the controller does not"),
};
const { disableController, isStandalone, couplingGeneration, haldexGeneration } = DriverSettings;
const { broadcastControllerOverCAN, broadcastOpenHaldexOverCAN } = DriverSettings;
/** Our own settings, which status and answers to a write have. */
export const OurSettings = {
	...answered(ours(T.driver.rows)),
	...answered(ours(T.gatesAndRamps.rows)),
	pwm: Pwm,
	controls: Controls,
};

const SettingsResult = named(
	"SettingsResult",
	ok({
		debugCaptureActive: flag(),
		disableController,
		broadcastOpenHaldexOverCAN,
		broadcastControllerOverCAN,
		...Broadcast,
		haldexGeneration,
		couplingGeneration,
		isStandalone,
		lowPower: LowPower,
		inputMappings: Inputs,
		modeTrigger: ModeTrigger,
		...Why,
		invalidFrame: optional(text()),
		statusFrameElsewhere: optional(flag()),
		controlActive: flag(),
		...OurSettings,
	}),
);

/** A name and its alias may both be there if they say the same. */
const sameUnderBothNames = (names: readonly [string, string], values: readonly object[]) => ({
	anyOf: [
		{ not: { required: names } },
		...values.map((value) => ({ properties: Object.fromEntries(names.map((name) => [name, value])) })),
	],
});
const SAME_BROADCAST = sameUnderBothNames(
	["broadcastControllerOverCAN", "broadcastOpenHaldexOverCAN"],
	[{ enum: [true, 1] }, { enum: [false, 0] }],
);
const SAME_GENERATION = sameUnderBothNames(
	["couplingGeneration", "haldexGeneration"],
	GENERATIONS.map((generation) => ({ anyOf: [{ const: generation }, generationText(`${generation}`)] })),
);

/** A group's members under its name. */
const groupAsked = ({ group, wire = group, rows }: TableGroup): TProperties =>
	wire === "" ? asked(rows as Rows) : { [wire]: optional(object(asked(rows as Rows))) };
const dashboardAsked = Object.fromEntries(T.dashboard.rows.map((row) => [row.wire, optional(request(row))]));

const SettingsPatch = named(
	"SettingsPatch",
	object(
		{
			...groupAsked(T.driver),
			...groupAsked(T.inputMappings),
			...groupAsked(T.gatesAndRamps),
			...groupAsked(T.disengageUnder),
			...groupAsked(T.steeringGain),
			...groupAsked(T.logging),
			dashMappings: optional(object(dashboardAsked)),
			conditions: optional(
				list(
					object(asked(T.conditions.rows)),
					{ maxItems: CONDITIONS_MAX },
					"All of them, in order: the first that selects a mode or map wins. An absent member has its default",
				),
			),
			modeTrigger: optional(
				object(asked(references(T.conditions.rows)), "The first condition whose effect is `mode`; without one it is put first", {
					allOf: [SAME_BROADCAST],
				}),
			),
			...groupAsked(T.controls),
			...groupAsked(T.lowPower),
			...groupAsked(T.pwm),
			lowPowerSleepEnabled: optional(Flag),
			revision: revision("`revisions.settings`"),
		},
		"Any subset; other members are ignored",
		{ allOf: [SAME_BROADCAST, SAME_GENERATION] },
	),
);

export const SETTINGS: Endpoints = {
	"POST /api/settings": {
		id: "postSettings",
		says: "Change settings: all of the request, or nothing",
		body: SettingsPatch,
		example: { disableThrottle: 5, couplingGeneration: 5 },
		answer: SettingsResult,
		means: "Applied",
		errors: {
			400: {
				"invalid <member>": "not a value of this member",
				"conflicting <neutral>/<reference>": "a name and its alias differ",
				"invalid revision": "not a whole number",
			},
			409: {
				"canview capture mode active": "a capture runs, and `disableController` or the broadcast is false",
				"changed meanwhile": "`revision` is not the active one",
			},
			503: { busy: NOT_APPLIED },
		},
	},
	"GET /api/conditions": {
		id: "getConditions",
		says: "The conditions, what each does now, and recommended signals",
		answer: Conditions,
		means: "The conditions",
	},
};
