// A controller for tests of the interface whose settings go through a store of maps, as in the program.
import type { MapStore } from "../../src/maps/map-store.js";
import { aController, type FakeController } from "./controller-view.js";
import { aMapStore } from "./map-store.js";
import { MemoryFiles } from "./memory-files.js";

export interface Parts {
	readonly controller: FakeController;
	readonly maps: MapStore;
}

/** Controller and maps on these files. */
export function partsOn(files = new MemoryFiles({ "maps/": "" }), changes: Partial<FakeController> = {}): Parts {
	const maps = aMapStore(files);
	const controller = aController(changes);
	controller.settings = maps.load(controller.settings);
	controller.applySettings = (settings) => {
		controller.settings = settings;
		maps.keep(settings);
	};
	return { controller, maps };
}
