// What is kept, on files in memory whose operations are done at once, and whose coalesced writes never: maps,
// settings that go through them, what calibrations have learned.

import { Learning } from "../../src/calibration/learning.js";
import { MapStore } from "../../src/maps/map-store.js";
import { TuningHistory } from "../../src/maps/tuning-history.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { type StorageContext, StoredDocument } from "../../src/storage/stored-document.js";
import { aController, type ControllerChanges, type FakeController } from "./controller-view.js";
import { anEagerQueue, MemoryFiles } from "./memory-files.js";

export function aMapStore(files = new MemoryFiles({ "maps/": "" }), history = aHistory(files)): MapStore {
	const context = contextOn(files);
	return new MapStore(context, new StoredDocument(SETTINGS_DOCUMENT, context), (map, replacing) =>
		history.keepReplaced(map, replacing),
	);
}

/** What map and curves were before, on such files. */
export function aHistory(files = new MemoryFiles({})): TuningHistory {
	return new TuningHistory(contextOn(files));
}

function contextOn(files: MemoryFiles): StorageContext {
	return { files, writes: anEagerQueue(), clock: { ticks: 0 }, report: () => {} };
}

export interface Parts {
	readonly controller: FakeController;
	readonly maps: MapStore;
	readonly history: TuningHistory;
}

/** Controller and maps on these files. */
export function partsOn(files = new MemoryFiles({ "maps/": "" }), changes: ControllerChanges = {}): Parts {
	const history = aHistory(files);
	const maps = aMapStore(files, history);
	const controller = aController(changes);
	controller.settings = maps.load(controller.settings);
	history.load(controller.settings);
	controller.applySettings = (settings) => {
		controller.settings = settings;
		maps.keep(settings);
		history.observe(settings);
	};
	maps.serve({
		get settings() {
			return controller.settings;
		},
		applySettings: controller.applySettings,
		useStoredMaps: () => {},
	});
	return { controller, maps, history };
}

/** What calibrations have learned, for a controller of tests. */
export function aLearning(controller: FakeController): Learning {
	const { sweep } = controller.calibration;
	return new Learning(
		{
			get settings() {
				return controller.settings;
			},
			calibration: { sweep },
			vehicle: controller.vehicle,
			startCalibration: () => {
				if (controller.calibrationRejection === undefined) sweep.start(controller.nowMs);
				return controller.calibrationRejection;
			},
			useLearned: ({ generation, table }) => {
				const isOther = generation !== 0 && generation !== controller.settings.generation;
				const differs = isOther ? "generation" : "";
				Object.assign(controller.factors, { table: generation === 0 || isOther ? null : table, differs });
			},
		},
		contextOn(new MemoryFiles({})),
	);
}
