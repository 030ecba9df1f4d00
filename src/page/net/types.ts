/**
 * The types of the interface's description that the page reads. Types only, so that nothing of it gets
 * into the page.
 */

import type * as calibration from "../../api/description/calibration.js";
import type * as can from "../../api/description/can.js";
import type * as common from "../../api/description/common.js";
import type * as diagnosis from "../../api/description/diagnosis.js";
import type * as logs from "../../api/description/logs.js";
import type * as map from "../../api/description/map.js";
import type * as network from "../../api/description/network.js";
import type { Read } from "../../api/description/schema.js";
import type * as settings from "../../api/description/settings.js";
import type * as state from "../../api/description/state.js";
import type * as update from "../../api/description/update.js";

/** The port for SavvyCAN. */
export type Analyzer = Read<typeof can.Analyzer>;
/** Frames that were seen, decoded and raw. */
export type CanView = Read<typeof can.CanView>;
/** The driver's conditions, and signals that are recommended for them. */
export type Conditions = Read<typeof settings.Conditions>;
/** State of the calibration. */
export type Learn = Read<typeof calibration.Learn>;
/** Whether a step of the calibration was done. */
export type LearnResult = Read<typeof calibration.LearnResult>;
/** Measurements of a calibration. */
export type LearnTable = Read<typeof calibration.LearnTable>;
/** Lock by pedal and speed. */
export type LockMap = Read<typeof map.LockMap>;
/** The log files. */
export type LogList = Read<typeof logs.LogList>;
/** The stored maps. */
export type MapList = Read<typeof map.MapList>;
/** The event `mode`. */
export type ModeEvent = Read<typeof state.ModeEvent>;
/** State of the network. */
export type Network = Read<typeof network.Network>;
/** Result of a scan of the radio. */
export type NetworksInReach = Read<typeof network.NetworksInReach>;
/** Why a calibration did not begin or ended early. */
export type ProblemCode = Read<typeof common.ProblemCode>;
/** Why the active mode is what it is. */
export type ReasonCode = Read<typeof common.ReasonCode>;
/** The revisions of what clients edit. */
export type Revisions = Read<typeof state.Revisions>;
/** The snapshot of all state. */
export type Status = Read<typeof state.Status>;
/** Measured and requested values. */
export type Telemetry = Read<typeof state.Telemetry>;
/** Faults that the control unit has stored. */
export type UdsDtcAnswer = Read<typeof diagnosis.UdsDtcAnswer>;
/** The control unit's identity. */
export type UdsIdentityAnswer = Read<typeof diagnosis.UdsIdentityAnswer>;
/** Measured values. */
export type UdsMeasuredAnswer = Read<typeof diagnosis.UdsMeasuredAnswer>;
/** One of them. */
export type UdsMeasuredItem = Read<typeof diagnosis.UdsMeasuredItem>;
/** State of the update. */
export type Update = Read<typeof update.Update>;
/** Wi-Fi settings without passwords. */
export type Wifi = Read<typeof network.Wifi>;
/** A condition, with what it does now. */
export type LiveCondition = Read<typeof settings.Condition>;
/** State of the modes, as events tell it. */
export type ModeState = Omit<ModeEvent, "uptimeMs">;
/** A slot of the dashboard as an event tells it. */
export type SignalValue = Read<typeof state.DashboardEvent>["signals"][number];
/** Progress of an update, as events tell it. */
export type UpdateProgress = Omit<Read<typeof state.UpdateEvent>, "uptimeMs">;
/** The lock at this moment, and its inputs. */
export type Preview = Read<typeof state.Preview>;
/** A condition as the driver sets it. */
export type Condition = Omit<
	LiveCondition,
	"doing" | "live" | "seen" | "lastValue" | "ageMs" | "codesKnown" | "broadcastOpenHaldexOverCAN"
>;
/** A coupling's; "none yet", 0, is not among them. */
export type Generation = Exclude<Status["couplingGeneration"], 0>;
/** The inputs of the lock; a curve is named for the one that it is over. */
export type CurveName = "speed" | "throttle" | "rpm";
/** `x` in km/h, percent or 1/min, `lock` in percent. */
export type CurvePoint = Read<typeof map.CurvePoints>[number];
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
