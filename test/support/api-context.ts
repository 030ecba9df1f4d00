// What API handlers get, for tests: a driving car, and everything else at rest. `changes` override single
// parts.

import type { ApiContext } from "../../src/api/context.js";
import { Changes } from "../../src/controller/changes.js";
import { Revisions } from "../../src/settings/revisions.js";
import { Ignition } from "../../src/sleep/ignition.js";
import { Dashboard } from "../../src/vehicle/dashboard.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { anAnalyzer } from "./analyzer.js";
import { ControlUnitBench } from "./control-unit-bench.js";
import { aController, type FakeController } from "./controller-view.js";
import { frameTextOf } from "./frame-lines.js";
import { LatestTable } from "./latest-frames.js";
import { aLogBench } from "./log.js";
import { NetworkBench } from "./network-bench.js";
import { OwnerBench } from "./owner-bench.js";
import { aHistory, aLearning, aMapStore } from "./stores.js";
import { TraceTable } from "./trace-table.js";
import { UpdateBench } from "./update-bench.js";

/** Parked sleep is off. */
const AWAKE: ApiContext["sleep"] = {
	armed: false,
	override: false,
	ignition: new Ignition(),
	ignitionOn: false,
	port: { wakeCause: "power_on_or_reset", entries: 0 },
	waits: "parked sleep is off",
	parked: { leftMs: 0, framesPerS: 0, parkedBelowFramesPerS: 1100 },
};

export function anApiContext(changes: Partial<ApiContext> = {}): ApiContext {
	const controller = (changes.controller as FakeController | undefined) ?? aController();
	const maps = changes.maps ?? aMapStore();
	if (changes.maps === undefined)
		maps.serve({
			get settings() {
				return controller.settings;
			},
			applySettings: (settings) => controller.applySettings(settings),
			useStoredMaps: () => {},
		});
	const frames = changes.frames ?? new LatestFrames(new LatestTable());
	return {
		diagnosis: new ControlUnitBench().context,
		analyzer: anAnalyzer(),
		dashboard: new Dashboard(frames),
		heapFigure: (name) => (name === "slots" ? 1234 : undefined),
		controller,
		gatewayCounters: () => ({ chassisReceived: 10, couplingSent: 9 }),
		learning: aLearning(controller),
		later: (callback, delayMs) => setTimeout(callback, delayMs),
		maps,
		revisions: new Revisions(),
		history: aHistory(),
		changes: new Changes(),
		underWay: { events: 0, dumps: 0 },
		frames,
		frameText: frameTextOf(new TraceTable()),
		log: aLogBench().log,
		network: new NetworkBench().network,
		owner: new OwnerBench().owner,
		updater: new UpdateBench().updater,
		sleep: AWAKE,
		storageProblems: [],
		writes: { waiting: false },
		boardControls: true,
		boardInputs: () => -1,
		bootReason: "power on",
		bootLoop: false,
		version: "v0.1.0",
		commit: "",
		...changes,
	};
}
