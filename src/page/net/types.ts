/** What the page reads of the interface: names for types of its description, which a build step has made. */

import type {
	CanView,
	DashboardEvent,
	Condition as LiveCondition,
	LogList,
	MapList,
	ModeEvent,
	operations,
	SpeedPoints,
	Status,
	UdsDtcAnswer,
	UdsIdentityAnswer,
	UpdateEvent,
} from "./generated/wire";

export type {
	Analyzer,
	CanView,
	Condition as LiveCondition,
	Conditions,
	Learn,
	LearnResult,
	LearnTable,
	LockMap,
	LogList,
	MapList,
	ModeEvent,
	Network,
	ProblemCode,
	ReasonCode,
	Revisions,
	Status,
	Telemetry,
	UdsDtcAnswer,
	UdsIdentityAnswer,
	UdsMeasuredAnswer,
	UdsMeasuredItem,
	Update,
	Wifi,
} from "./generated/wire";
/** What events tell of modes. */
export type ModeState = Omit<ModeEvent, "uptimeMs">;
/** A slot of the dashboard as an event tells it. */
export type SignalValue = DashboardEvent["signals"][number];
/** What events tell of an update. */
export type UpdateProgress = Omit<UpdateEvent, "uptimeMs">;
/** What the lock is made of at this moment. */
export type Preview = operations["getPreview"]["responses"][200]["content"]["application/json"];
/** What the driver sets of a condition. */
export type Condition = Omit<
	LiveCondition,
	"doing" | "live" | "seen" | "lastValue" | "ageMs" | "codesKnown" | "broadcastOpenHaldexOverCAN"
>;
/** A coupling's; "none yet", 0, is not among them. */
export type Generation = Exclude<Status["couplingGeneration"], 0>;
/** The inputs of the lock, which are also what curves are over. */
export type InputName = "speed" | "throttle" | "rpm";
/** A curve is named for the input that it is over. */
export type CurveName = InputName;
/** `x` in km/h, percent or 1/min, `lock` in percent. */
export type CurvePoint = SpeedPoints[number];
/** A map in the list: its name and path, not its cells. */
export type StoredMap = MapList["maps"][number];
/** A log file in the list; `size` in bytes. */
export type LogFile = LogList["files"][number];
/** A signal of a frame that was seen, with its value in its unit. */
export type DecodedSignal = CanView["decoded"][number];
/** A frame that was seen, its bytes as hexadecimal text. */
export type RawFrame = CanView["raw"][number];
/** One thing that the control unit says of itself. */
export type IdentityRecord = NonNullable<UdsIdentityAnswer["records"]>[number];
/** One entry of the control unit's memory of faults. */
export type Fault = NonNullable<UdsDtcAnswer["dtc"]["records"]>[number];
