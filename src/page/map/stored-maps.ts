/** The maps that the controller has stored, as a component sees them. */

import { useEffect, useState } from "preact/hooks";
import { get, inWords } from "../net/request";
import type { MapList } from "../net/types";
import { notify } from "../ui/notice";
import { mapDraft } from "./map-draft";

/** Does something with stored maps; `action` gives what to say of it. Then the list is read again, whatever came of it. Never throws. */
export type Act = (action: () => Promise<string>) => Promise<void>;

/** @returns list: undefined before it was read; read: counts up when the maps may have changed; busy: something is being done with them */
export function useStoredMaps(): { list: MapList | undefined; read: number; busy: boolean; act: Act } {
	const [list, setList] = useState<MapList>();
	const [read, setRead] = useState(0);
	const [busy, setBusy] = useState(false);
	const reload = async (): Promise<void> => {
		setList(await get<MapList>("/api/maps"));
		setRead((count) => count + 1);
	};
	useEffect(() => void reload().catch((error) => notify("bad", inWords(error))), []);
	const act: Act = async (action) => {
		setBusy(true);
		try {
			notify("good", await action());
		} catch (error) {
			notify("bad", inWords(error));
		}
		await Promise.all([reload().catch(() => {}), mapDraft.load()]);
		setBusy(false);
	};
	return { list, read, busy, act };
}
