/** State of the controller: status, mode, preview, events, and what displays read. */

import { FAULTS } from "../../controller/changes.js";
import { REVISED } from "../../settings/revisions.js";
import { TableDiffers } from "./calibration.js";
import { Generation, hexBytes, Mode, ModeName, ModeOrNumber, SignalKey, Why } from "./common.js";
import { UdsStatus } from "./diagnosis.js";
import { type Endpoints, NOT_APPLIED } from "./route.js";
import {
	anyOf,
	count,
	counters,
	described,
	exactly,
	flag,
	list,
	named,
	number,
	numberOrNull,
	object,
	ok,
	oneOf,
	optional,
	percent,
	raw,
	text,
	whole,
} from "./schema.js";
import {
	Broadcast,
	DashboardSlots,
	DriverSettings,
	GateSettings,
	Gates,
	Hindrances,
	Inputs,
	LogSettings,
	ModeTrigger,
	OurSettings,
	SteeringGain,
} from "./settings.js";
import { UpdateState } from "./update.js";

const byte = (says?: string) => whole(says, 0, 255);

export const Telemetry = named(
	"Telemetry",
	object({
		speed: count("km/h"),
		rpm: count("1/min"),
		boost: whole("mbar above 1000 mbar, generation 5 only"),
		throttle: number("Pedal, %", 0, 102),
		spec: number("Lock asked for, %", 0, 100),
		act: percent("Engagement reported, % of what the coupling can report; 0 while it reports that it is open"),
		haldexState: byte("Status byte of the coupling"),
		couplingState: byte("= `haldexState`"),
		haldexEngagement: percent("= `act`"),
		couplingEngagement: percent("= `act`"),
		haldexEngagementRaw: byte("Engagement as reported"),
		couplingEngagementRaw: byte("= `haldexEngagementRaw`"),
		clutch1Report: flag("Bit 0 of the status byte: a fault of the clutch"),
		clutch2Report: flag("Bit 2: a fault of the stiffness"),
		tempProtection: flag("Bit 1: the coupling is too hot"),
		couplingOpen: flag("Bit 3: it reports that it is open"),
		speedLimit: flag("Bit 6: it limits itself because of speed"),
		inputsMapped: flag("All three inputs of the lock are mapped"),
		speedValid: flag("False once the value is older than 300 ms or an error code"),
		rpmValid: flag("The same after 500 ms"),
		throttleValid: flag("The same after 300 ms"),
		engagementValid: flag("The same after 500 ms"),
		engagementNm: numberOrNull("Torque that the coupling reports, Nm; null while it reports none, as on generation 5"),
		engagementSaturated: flag("The report is at its end: engaged by `act` and `engagementNm` or more"),
		clutchTemperatureC: numberOrNull("Oil of the clutch, degrees Celsius; null if not reported"),
		emergencyMode: flag("The coupling reports emergency mode; always false on generation 5"),
	}),
);

const revisionNumber = whole(undefined, 0, 2147483647);
const perRevised = <S>(schema: S) =>
	Object.fromEntries(REVISED.map((name) => [name, schema])) as Record<(typeof REVISED)[number], S>;
export const Revisions = named("Revisions", object(perRevised(revisionNumber), "Made of the content; survive a restart"));

const uptimeMs = count("Since the start, ms");
const modeNow = {
	mode: described(Mode, "Selected by the driver"),
	effectiveMode: described(Mode, "Active: `STOCK` while frames leave unmodified"),
	...Why,
	controlActive: flag("Frames are being rewritten"),
	disableController: flag("Stock is selected"),
	canviewCaptureMode: flag("A capture runs"),
};

export const TelemetryEvent = named(
	"TelemetryEvent",
	object({ uptimeMs, ...Telemetry.properties }, "Data of the event `telemetry`"),
);
export const ModeEvent = named("ModeEvent", object({ uptimeMs, ...modeNow }, "Data of the event `mode`"));
export const FaultEvent = named(
	"FaultEvent",
	object(
		{
			uptimeMs: count("When it came or went"),
			fault: oneOf(FAULTS),
			active: flag("It has come; false: it has gone"),
		},
		"Data of the event `fault`",
	),
);
export const DashboardEvent = named(
	"DashboardEvent",
	object(
		{
			uptimeMs,
			signals: list(object({ slot: text(), found: flag(), display: text("Ready to show") }), { minItems: 1, maxItems: 8 }),
		},
		"Data of the event `dashboard`: the slots that have a signal",
	),
);
export const UpdateEvent = named("UpdateEvent", object({ uptimeMs, ...UpdateState }, "Data of the event `update`"));
export const RevisionsEvent = named(
	"RevisionsEvent",
	object({ uptimeMs, ...Revisions.properties }, "Data of the event `revisions`"),
);

const FrameDiag = named(
	"FrameDiag",
	object({
		id: count("Identifier"),
		ok: flag("Sent at least once"),
		generated: optional(flag("The controller changed or made it")),
		ageMs: optional(count("ms")),
		dlc: optional(whole("Bytes", 0, 8)),
		data: optional(hexBytes("Bytes in hexadecimal, with blanks between")),
	}),
);

const DashboardSlot = named(
	"DashboardSlot",
	object({
		slot: text(undefined, { pattern: "^dash_[1-8]$" }),
		signalId: SignalKey,
		mapped: flag("It has a signal"),
		found: flag("A frame at most 1500 ms old has it"),
		label: text("Name of the signal"),
		bus: oneOf(["", "chassis", "haldex"]),
		dir: oneOf(["", "RX", "TX"]),
		unit: text("As in the catalogue"),
		generated: flag("The controller changed or made the frame"),
		ageMs: count("Of the frame, ms"),
		numeric: flag("`value` is there"),
		value: optional(number("Only when numeric")),
		display: text("Ready to show"),
	}),
);

export const Status = named(
	"Status",
	object({
		version: text("Of the firmware"),
		...modeNow,
		...DriverSettings,
		...Broadcast,
		standalone: object({
			generating: flag("The controller sends the coupling's frames now"),
			waits: text('Why it does not although it should, in words; else ""'),
		}),
		...GateSettings,
		uptimeMs,
		logging: object({ masterEnabled: flag("One of the others is on"), ...LogSettings, debugCaptureActive: flag() }),
		can: object({
			ready: flag("Both CAN drivers run"),
			chassis: flag("A frame came within 500 ms"),
			haldex: flag("The same of the coupling bus"),
			coupling: flag("= `haldex`"),
			busFailure: flag("A bus has failed"),
			lastChassisMs: count("Since the last frame, ms; 65535 = 65.5 s or more, 0 = never"),
			lastHaldexMs: count("The same of the coupling bus"),
			lastCouplingMs: count("= `lastHaldexMs`"),
		}),
		power: object({
			lowPowerSleepEnabled: flag("The setting `lowPower.sleepEnabled`"),
			active: flag("It sleeps once nothing keeps it awake"),
			maintenanceOverride: flag("BOOT was pressed within 5 s of the start: no sleep until the next start"),
			ignitionSeen: flag("A frame told of the ignition since the start"),
			ignitionOn: flag("On, and told within `sleepDelayMs`"),
			ignitionRawOn: flag("As last told"),
			ignitionSource: text("Name of the signal that told"),
			lastChassisAgeMs: count("= `can.lastChassisMs`"),
			lastIgnitionOnAgeMs: count("ms, 0 = never"),
			lastIgnitionOffAgeMs: count("ms, 0 = never"),
			sleepDelayMs: count("A setting, ms"),
			wakeTimerSeconds: count("A setting, s"),
			probeDurationMs: count("A setting, ms"),
			wakeCause: oneOf(["can_rx", "gpio", "timer", "power_on_or_reset", "other"], "What ended the last sleep"),
			deepSleepEntries: count("Sleeps since the supply was switched on"),
			waits: text("What keeps it awake, or what it waits for, in words"),
			sleepsInMs: count("Until it sleeps, ms; 0 while something keeps it awake"),
			framesPerS: count("Frames of both buses in the last second"),
			parkedBelowFramesPerS: count("A car with fewer frames a second may be parked"),
		}),
		uds: UdsStatus,
		telemetry: Telemetry,
		frameDiag: object({
			lockTarget: number("= `telemetry.spec`"),
			haldexGen: Generation,
			couplingGen: Generation,
			motor1: FrameDiag,
			motor3: FrameDiag,
			brakes1: FrameDiag,
			brakes2: FrameDiag,
			brakes3: FrameDiag,
		}),
		learn: object({
			active: flag("A calibration runs"),
			tableValid: flag("A table is active"),
			tableDiffers: TableDiffers,
			progress: count(),
			currentCF: count(),
		}),
		inputMappings: Inputs,
		modeTrigger: ModeTrigger,
		dashMappings: DashboardSlots,
		dashboardSignals: exactly(8, DashboardSlot),
		disengageUnderSpeed: Gates,
		debugCaptureActive: flag("Verbose logging keeps the car stock"),
		...Hindrances,
		...OurSettings,
		boardControls: flag("The board has an LED, buttons, and brake and handbrake wires"),
		bootReason: oneOf(["power on", "watchdog", "brownout", "crash", "restart", "wake", "unknown"], "Why the controller started"),
		bootLoop: flag("It crashed three times in a row: the car stays stock, and only status, logs, network and update work"),
		storageWaiting: flag("A change or a log line is not on flash yet"),
		storageProblems: list(
			object({ path: text("Below the root of the flash; logs = all logs"), problem: text() }),
			{ maxItems: 4 },
			"What is wrong with files on flash now",
		),
		loop: object(
			{
				ticks: count("Since the start"),
				periodUs: count(),
				periodMaxUs: count(),
				jitterMaxUs: count(),
				overruns: count("Missed ticks"),
				lateMaxUs: count(),
			},
			"Figures of the control loop",
		),
		gateway: counters("Counters of the CAN gateway"),
		heap: counters(
			"Use and limits of the script engine's memory; until it collects, the engine counts twice by how much a chunk grew in place, so `chunks` and `chunksPeak` may be above `chunksLimit`",
		),
		apiVersion: whole("Of this interface", undefined, undefined, { const: 1 }),
		commit: text("What the firmware was built from, `+` where its sources differed; else empty"),
		revisions: Revisions,
		earlier: object(
			{
				map: whole(undefined, 0, 10),
				speedCurve: whole(undefined, 0, 10),
				throttleCurve: whole(undefined, 0, 10),
				rpmCurve: whole(undefined, 0, 10),
				mapName: raw<string | null>({
					type: ["string", "null"],
					description: 'Name of the map that POST /api/map/swap activates, "" for an unnamed one; null without such a map',
				}),
				mapFrom: text('Name of the stored map that it was made from, "" = of none'),
			},
			"How many earlier states of map and curves `before` can read",
		),
		mapName: text('Name of the active map, "" if it is not stored as it is'),
		mapFrom: text('Name of the stored map that it was made from, "" = of none'),
		steeringGain: SteeringGain,
	}),
);

/** Answer to a preview. */
export const Preview = object({
	mode: text(),
	speed: number("km/h"),
	throttle: number("%"),
	rpm: number("1/min"),
	lock: number("After gates and steering gain, without ramps, %", 0, 100),
	ungated: number("Before them, %", 0, 100),
	gainPercent: number("How much the steering gain leaves of it", 0, 100),
	steering: numberOrNull("The angle that was given, else the present one; null = none is valid"),
});

const ModeRequest = named("ModeRequest", object({ mode: ModeOrNumber }));
const ModeResult = named("ModeResult", ok({ mode: Mode }));
const displayMode = whole(undefined, -1, 5);
const wholeOrNull = raw<number | null>({ type: ["integer", "null"] });
const flagOrNull = raw<boolean | null>({ type: ["boolean", "null"] });
const Dashboard = object({
	mode: displayMode,
	effectiveMode: displayMode,
	speed: whole(),
	rpm: whole(),
	boost: whole(),
	locking: percent(),
	throttle: wholeOrNull,
	lockTarget: whole(),
	lockActual: wholeOrNull,
	asrOn: flagOrNull,
	tcOn: flagOrNull,
	hazardActive: flagOrNull,
	brakeIn: flagOrNull,
	brakeOut: flagOrNull,
	handbrakeIn: flagOrNull,
	handbrakeOut: flagOrNull,
	brakeFromCAN: flagOrNull,
	handbrakeFromCAN: flagOrNull,
	haldexState: wholeOrNull,
	haldexEngagement: wholeOrNull,
	haldexEngagementRaw: wholeOrNull,
	clutch1Report: flagOrNull,
	clutch2Report: flagOrNull,
	tempProtection: flagOrNull,
	couplingOpen: flagOrNull,
	speedLimit: flagOrNull,
	chassisCAN: flag(),
	haldexCAN: flag(),
	busFailure: flag(),
	lastChassisMs: whole(),
	lastHaldexMs: whole(),
	uptimeMs: whole(),
});

const EVENTS = ["Mode", "Fault", "Telemetry", "Update", "Revisions", "Dashboard"];

export const STATE: Endpoints = {
	"GET /api/status": {
		id: "getStatus",
		says: "All of the state in one snapshot",
		query: {
			fields: optional(text("Names of at most 16 members, with commas: the answer has these alone")),
		},
		answer: anyOf([Status, raw({ type: "object", description: "The members that `fields` names", maxProperties: 16 })]),
		means: "The snapshot; with `fields` these members of it alone",
		errors: { 400: { "invalid fields": "an unknown one, or too many" } },
		inBootLoop: true,
	},
	"GET /api/dashboard": {
		id: "getDashboard",
		says: "For displays of OpenHaldex-C6, with its numbers for the modes",
		answer: Dashboard,
		means: "Modes 0 STOCK, 1 FWD, 2 5050, 3 6040, 4 7030, 5 MAP, -1 another; km/h, 1/min, mbar, %; null = unknown",
	},
	"GET /api/events": {
		id: "getEvents",
		says: "Server-sent events: telemetry, mode, faults, update, revisions, dashboard",
		query: { hz: optional(whole("Events `telemetry` per second", 1, 20, { default: 5 })) },
		headers: { "Last-Event-ID": optional(text("id of the last fault that was received")) },
		answer: { "text/event-stream": raw({}) },
		means: `A stream of the events ${EVENTS.map((event) => `\`${event.toLowerCase()}\` (${event}Event)`).join(", ")}`,
		errors: { 400: { "invalid hz": "" }, 503: { busy: "five streams are open, or the heap is too full" } },
	},
	"GET /api/preview": {
		id: "getPreview",
		says: "What lock a mode would ask for; absent values are the present ones",
		query: {
			mode: optional(ModeName),
			speed: optional(number("km/h", 0, 300)),
			throttle: optional(number("%", 0, 100)),
			rpm: optional(number("1/min", 0, 10000)),
			steering: optional(number("Angle of the steering wheel without sign, degrees", 0, 720)),
		},
		answer: Preview,
		means: "Lock behind the mode's gates and the steering gain, and before them",
		answerExample: { mode: "MAP", speed: 40, throttle: 40, rpm: 3000, lock: 25, ungated: 25, gainPercent: 100, steering: null },
		errors: {
			400: { "invalid mode": "", "invalid speed": "", "invalid throttle": "", "invalid rpm": "", "invalid steering": "" },
		},
	},
	"POST /api/mode": {
		id: "postMode",
		says: "Select a mode",
		body: ModeRequest,
		example: { mode: "MAP" },
		answer: ModeResult,
		means: "Selected, and active if every input that it needs is valid",
		errors: {
			400: { "invalid mode": "" },
			409: { "canview capture mode active": "a capture runs", "debug capture active": "verbose logging is on" },
			503: { busy: NOT_APPLIED },
		},
	},
};
