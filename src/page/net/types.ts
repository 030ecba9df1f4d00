/** What the page reads of the interface. The whole of it: /api/openapi.json; settings: ../settings/settings-table.ts. */

import type { Settings } from "../settings/settings";

export interface Telemetry {
	readonly speed: number;
	readonly rpm: number;
	readonly boost: number;
	readonly throttle: number;
	readonly spec: number;
	readonly act: number;
	readonly speedValid: boolean;
	readonly rpmValid: boolean;
	readonly throttleValid: boolean;
	readonly engagementValid: boolean;
	readonly tempProtection: boolean;
	readonly couplingOpen: boolean;
	readonly inputsMapped: boolean;
}

export interface ModeState {
	readonly mode: string;
	readonly effectiveMode: string;
	readonly reason: string;
	readonly controlActive: boolean;
	readonly disableController: boolean;
	readonly canviewCaptureMode: boolean;
}

export type InputName = "speed" | "throttle" | "rpm";
export type CurveName = InputName;

export interface DashboardSignal {
	readonly slot: string;
	readonly signalId: string;
	readonly mapped: boolean;
	readonly label: string;
	readonly display: string;
	readonly found: boolean;
}

/** A slot of the dashboard as an event tells it. */
export type SignalValue = Pick<DashboardSignal, "slot" | "found" | "display">;

/** What events tell of an update. */
export interface UpdateProgress {
	readonly latest: string;
	readonly available: boolean;
	readonly lastCheckMs: number;
	readonly error: string;
	readonly installing: boolean;
	readonly bytesTotal: number;
	readonly bytesDone: number;
	readonly installError: string;
	readonly installDetail: string;
	readonly checking: boolean;
	readonly uploading: boolean;
	readonly restarting: boolean;
	readonly confirmed: boolean;
	readonly rolledBack: boolean;
	/** Why an update would be refused now, "" = it may begin. */
	readonly refusal: string;
	/** The owner has pressed BOOT: an older version may be installed. */
	readonly olderAllowed: boolean;
}

/** Of what is edited: sent back with a write, so that nobody's change is lost. */
export type Revisions = Readonly<Record<"map" | "speedCurve" | "throttleCurve" | "rpmCurve" | "settings", number>>;

export interface Status extends ModeState, Pick<Settings, "couplingGeneration" | "disableThrottle" | "disableSpeed"> {
	readonly revisions: Revisions;
	/** Of the map in force, "" = it is not kept under one. */
	readonly mapName: string;
	/** How many earlier states the controller has of each, and the name of the map that a swap brings, null = there is none. */
	readonly earlier: Readonly<Record<Exclude<keyof Revisions, "settings">, number>> & { readonly mapName: string | null };
	readonly version: string;
	readonly uptimeMs: number;
	readonly apiVersion: number;
	readonly setupDone: boolean;
	/** Why the controller has started. */
	readonly bootReason: string;
	/** It has crashed again and again: it answers only what an update needs, and sends no events. */
	readonly bootLoop: boolean;
	readonly storageProblems: readonly { readonly path: string; readonly problem: string }[];
	readonly disengageUnderSpeed: Readonly<Record<"map" | "speed" | "throttle" | "rpm", number>>;
	readonly dashboardSignals: readonly DashboardSignal[];
	readonly can: {
		readonly ready: boolean;
		readonly chassis: boolean;
		readonly haldex: boolean;
		readonly busFailure: boolean;
		readonly lastChassisMs: number;
		readonly lastHaldexMs: number;
	};
	readonly telemetry: Telemetry;
	/** Standalone operation: whether it sends the coupling's frames, and if not although it is on, why not. */
	readonly standalone: { readonly generating: boolean; readonly waits: string };
	readonly loop: Readonly<Record<string, number>>;
	readonly gateway: Readonly<Record<string, number>>;
	readonly heap: Readonly<Record<string, unknown>>;
}

export interface LockMap {
	readonly speedBins: readonly number[];
	readonly throttleBins: readonly number[];
	readonly lockTable: readonly (readonly number[])[];
}

export interface StoredMap {
	readonly name: string;
	readonly path: string;
	readonly format: "json" | "txt";
	readonly readOnly: boolean;
}

export interface StoredMaps {
	readonly current: string;
	readonly currentName: string;
	readonly maps: readonly StoredMap[];
}

export interface CurvePoint {
	readonly x: number;
	readonly lock: number;
}
