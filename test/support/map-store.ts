// A store of maps on files in memory whose operations are done at once, and whose coalesced writes never.
import { MapStore } from "../../src/maps/map-store.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { type StorageContext, StoredDocument } from "../../src/storage/stored-document.js";
import { anEagerQueue, MemoryFiles } from "./memory-files.js";

export function aMapStore(files = new MemoryFiles({ "maps/": "" })): MapStore {
	const context: StorageContext = { files, writes: anEagerQueue(), clock: { ticks: 0 }, report: () => {} };
	return new MapStore(context, new StoredDocument(SETTINGS_DOCUMENT, context));
}
