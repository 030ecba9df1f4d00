/** The parts of the controller that the interface may see and change. */

import type { FrameTextPort } from "../../hal/ports.js";
import type { AnalyzerService } from "../analyzer/analyzer-service.js";
import type { Learning } from "../calibration/learning.js";
import type { Changes } from "../controller/changes.js";
import type { ControllerView } from "../controller/controller-view.js";
import type { DiagnosisService } from "../diagnosis/diagnosis-service.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { Log } from "../logs/log.js";
import type { MapStore } from "../maps/map-store.js";
import type { TuningHistory } from "../maps/tuning-history.js";
import type { Network } from "../network/network.js";
import type { Owner } from "../owner/owner.js";
import type { Revisions } from "../settings/revisions.js";
import type { SleepService } from "../sleep/sleep-service.js";
import type { StorageProblem } from "../storage/stored-document.js";
import type { Updater } from "../update/updater.js";
import type { Dashboard } from "../vehicle/dashboard.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";

/** Made once, in `app.ts`; handlers keep nothing else between two requests. */
export interface ApiContext {
	readonly controller: ControllerView;
	readonly gatewayCounters: () => Readonly<Record<string, number>>;
	/** Calls back after everything that is due before. */
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly maps: MapStore;
	/** It holds one entry, which the next read replaces. */
	readonly frames: LatestFrames;
	readonly frameText: FrameTextPort;
	readonly revisions: Revisions;
	readonly history: TuningHistory;
	readonly diagnosis: Pick<DiagnosisService, "worker" | "nowMs" | "start">;
	readonly analyzer: Pick<
		AnalyzerService,
		"port" | "clients" | "sentFrames" | "rejectedFrames" | "lastRejection" | "permission" | "observe"
	>;
	readonly learning: Learning;
	readonly changes: Changes;
	/** Answers of which only some may be under way at once: how many there are. */
	readonly underWay: { events: number; dumps: number };
	readonly log: Log;
	readonly dashboard: Dashboard;
	/** The heap has so much free; collects garbage first if not. */
	readonly hasHeap: (slots: number, chunkBytes: number) => boolean;
	/** undefined: this build does not have the figure. */
	readonly heapFigure: (name: string) => number | undefined;
	readonly network: Network;
	readonly owner: Owner;
	readonly updater: Updater;
	readonly sleep: Pick<SleepService, "armed" | "override" | "ignition" | "ignitionOn" | "port" | "waits" | "parked">;
	readonly storageProblems: readonly StorageProblem[];
	readonly writes: { readonly waiting: boolean };
	/** The board has LED, buttons, and inputs and outputs for brake and handbrake. */
	readonly boardControls: boolean;
	/** The board's inputs, as `BoardControlsPort.read`; -1 = unknown. */
	readonly boardInputs: () => number;
	/** E.g. "power on". */
	readonly bootReason: string;
	/** The controller only answers what leads out of it. */
	readonly bootLoop: boolean;
	/** E.g. "v0.1.0". */
	readonly version: string;
	readonly commit: string;
}

/**
 * Handles a request, whose collected body is in `request.body`. What it returns is the answer, 200; one that
 * returns nothing answers by itself, now or later.
 */
export type Handle = (context: ApiContext, request: HttpRequest, response: HttpResponse) => Answer;
// biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` returns nothing
type Answer = object | void;
