// A store of maps on files in memory whose operations are done at once, and whose coalesced writes never.
import { MapStore } from "../../src/maps/map-store.js";
import { TuningHistory } from "../../src/maps/tuning-history.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { type StorageContext, StoredDocument } from "../../src/storage/stored-document.js";
import { anEagerQueue, MemoryFiles } from "./memory-files.js";

export function aMapStore(files = new MemoryFiles({ "maps/": "" }), history = aHistory(files)): MapStore {
	const context = contextOn(files);
	return new MapStore(context, new StoredDocument(SETTINGS_DOCUMENT, context), (map) => history.keepReplaced(map));
}

/** What map and curves were before, on such files. */
export function aHistory(files = new MemoryFiles({})): TuningHistory {
	return new TuningHistory(contextOn(files));
}

export function contextOn(files: MemoryFiles): StorageContext {
	return { files, writes: anEagerQueue(), clock: { ticks: 0 }, report: () => {} };
}
