/** The parts of the controller that the interface may see and change. */

import type { FrameTextPort, HeapFigure, SleepPort } from "../../hal/ports.js";
import type { SendPermission } from "../analyzer/permission.js";
import type { Learning } from "../calibration/learning.js";
import type { Changes } from "../controller/changes.js";
import type { ControllerView } from "../controller/controller.js";
import type { Diagnosis, DiagnosisJob } from "../diagnosis/diagnosis.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { Log } from "../logs/log.js";
import type { MapStore } from "../maps/map-store.js";
import type { TuningHistory } from "../maps/tuning-history.js";
import type { Network } from "../network/network.js";
import type { Owner } from "../owner/owner.js";
import type { Revisions } from "../settings/revisions.js";
import type { Ignition } from "../sleep/ignition.js";
import type { ParkedSleep } from "../sleep/parked-sleep.js";
import type { StorageProblem } from "../storage/stored-document.js";
import type { Updater } from "../update/updater.js";
import type { Dashboard } from "../vehicle/dashboard.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";

/** The worker that asks the coupling's control unit. */
export interface DiagnosisContext {
	readonly worker: Pick<Diagnosis, "active" | "last" | "route" | "transport">;
	/** Now, on the clock of `worker.last.atMs`. */
	readonly nowMs: number;
	start(job: DiagnosisJob): void;
}

/** The analyser port. */
export interface AnalyzerContext {
	/** 0 while it does not listen. */
	readonly port: number;
	readonly clients: readonly { readonly lostFrames: number }[];
	/** Frames of clients since the start, and why the last rejected one was rejected, "" = none. */
	readonly sentFrames: number;
	readonly refusedFrames: number;
	readonly lastRefusal: string;
	readonly permission: Pick<SendPermission, "isGiven" | "rejection" | "give" | "withdraw">;
	/** Begins or ends to listen now. */
	observe(isEnabled: boolean): void;
}

interface SleepContext {
	/** The controller sleeps as soon as nothing keeps it awake. */
	readonly armed: boolean;
	/** The BOOT key was pressed at the start: it stays awake until the next one. */
	readonly override: boolean;
	readonly ignition: Pick<Ignition, "seen" | "rawOn" | "saidBy" | "onAgeMs" | "offAgeMs">;
	/** On, and told within the sleep delay. */
	readonly ignitionOn: boolean;
	readonly port: Pick<SleepPort, "wakeCause" | "entries">;
	/** The reason to stay awake, in words. */
	readonly waits: string;
	readonly parked: Pick<ParkedSleep, "leftMs" | "framesPerS" | "parkedBelowFramesPerS">;
}

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
	readonly diagnosis: DiagnosisContext;
	readonly analyzer: AnalyzerContext;
	readonly learning: Learning;
	readonly changes: Changes;
	/** Answers of which only some may be under way at once: how many there are. */
	readonly underWay: { events: number; dumps: number };
	readonly log: Log;
	readonly dashboard: Dashboard;
	/** Undefined if this build does not have the figure. */
	/** The heap has so much free; collects garbage first if not. */
	readonly hasHeap: (slots: number, chunkBytes: number) => boolean;
	readonly heapFigure: (name: HeapFigure) => number | undefined;
	readonly network: Network;
	readonly owner: Owner;
	readonly updater: Updater;
	readonly sleep: SleepContext;
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
