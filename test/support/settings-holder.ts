// A controller for tests of the interface whose settings go through a store of maps, as in the program.
import type { MapStore } from "../../src/maps/map-store.js";
import type { TuningHistory } from "../../src/maps/tuning-history.js";
import { aController, type ControllerChanges, type FakeController } from "./controller-view.js";
import { aHistory, aMapStore } from "./map-store.js";
import { MemoryFiles } from "./memory-files.js";

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
